"""Joining a game under way without a screen: by touch, from a photograph, from a file; what cannot be is refused."""

import time
from dataclasses import replace

import cv2
import pytest

from companion.errors import InvalidDocument
from companion.frozen import FrozenDict
from companion.photographs.questions import Answer, Question
from companion.position import position_text
from companion.session.record import record_text
from companion.session.session import Session
from tests.every_game import EVERY_GAME, fewest_seats, own
from tests.session.evenings import clock
from tests.session.test_joining import answers, under_way
from tests.tables import table_of
from ui.photographs.answers import AnswerSheet
from ui.photographs.join_form import JoinForm
from ui.photographs.taking import PhotographSource
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from ui.view_models.form_view import Note, Picks, SectionHeading, Stepper

HANG = 60.0


def notes(form):
    return [row.text for row in form.rows() if isinstance(row, Note)]


def picks(form, key):
    return {pick.key: pick for row in form.rows() if isinstance(row, Picks) and row.key == key for pick in row.picks}


def transcript(form):
    """The page as it is read: headings, notes, what can be picked (the chosen in brackets) and amounts."""
    lines = [f"# {form.heading()}"]
    for row in form.rows():
        match row:
            case SectionHeading(text) | Note(text):
                lines.append(text)
            case Picks(_, found):
                lines.append(" | ".join(f"[{each.text}]" if each.chosen else each.text for each in found))
            case Stepper(_, label, value):
                lines.append(f"{label}: {value}")
    return lines


def until(form, condition):
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, notes(form)
        form.tick()
        time.sleep(0.005)


def test_a_game_of_city_of_marble_is_joined_by_touch():
    begun = []
    form = JoinForm(table_of("city_of_marble", 2), begun.append)
    assert transcript(form) == [
        "# Join a game under way",
        "Finish the turn that is under way; the game goes on at the beginning of the next one.",
        "How does the board lie?",
        "I show it by touch | From a photograph | From a position or record file",
    ]
    form.touch("way", "touch")
    hill = next(piece.spot for piece in form.board().pieces if piece.label == "hill")
    board = table_of("city_of_marble", 2).board
    form.tap_site(board.spots[hill].site)
    assert "What lies here: hill" in transcript(form)[1]
    form.tap_site("E8-F8")
    form.touch("spot", "ward E8-F8")
    assert [pick.text for pick in picks(form, "label").values()][-1] == "nothing"
    form.touch("label", "=red")
    form.touch("spot", "magistrate E8-F8")
    form.touch("label", "=black")
    assert ("ward E8-F8", "red") in {(piece.spot, piece.label) for piece in form.board().pieces}
    form.touch("way", "answers")
    assert transcript(form)[:10] == [
        "# What no camera sees",
        "Whose turn begins?",
        "[black] | white",
        "If the last round has begun: how many turns are left, this one included? Else 0.",
        "Number: 0",
        "Which wards lie before each player?",
        "Player 1",
        "red: 1",
        "yellow: 1",
        "green: 1",
    ]
    form.touch("answer to_move", "is white")
    form.touch("answer atrium.1 red", "-1")
    form.touch("answer coins.2", "+1")
    form.touch("way", "look")
    assert transcript(form)[:4] == [
        "# Is it so?",
        "Player 2: draw wards or play a ward. Actions left to do: 2.",
        "Player 1",
        "atrium: 1 yellow, 1 green, 1 blue; magistrates: 2",
    ]
    form.touch("way", "begin")
    (position,) = begun
    session = Session.create(None, position.state.table, position.game.state_document(position.state), clock=clock())
    assert session.actors == (2,)
    assert session.state.wards["E8-F8"].magistrate == 1


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_is_joined_from_its_set_up_with_the_usual_answers(game):
    begun = []
    form = JoinForm(table_of(game, fewest_seats(game)), begun.append)
    for way in ("touch", "answers", "look", "begin"):
        form.touch("way", way)
    state = begun[0].state
    assert begun[0].game.appearance(state) == begun[0].game.appearance(begun[0].game.setup(state.table))
    assert begun[0].game.decide(state).actors[0] == 1


@pytest.mark.parametrize("game", [game for game in EVERY_GAME if own(game, "answers", "IMPOSSIBLE", ())])
def test_answers_that_cannot_be_are_told(game):
    form = JoinForm(table_of(game, fewest_seats(game)), lambda position: None)
    form.touch("way", "touch")
    form.touch("way", "answers")
    for answer, touch in own(game, "answers", "IMPOSSIBLE", ()):
        form.touch(f"answer {answer}", touch)
    form.touch("way", "look")
    assert form.page == "answers"
    assert len([row for row in form.rows() if isinstance(row, Note) and row.tone == "bad"]) == 1


@pytest.mark.parametrize("game", EVERY_GAME)
def test_pages_are_turned_back(game):
    form = JoinForm(table_of(game, fewest_seats(game)), lambda position: None)
    assert not form.back()
    for way in ("touch", "answers", "look"):
        form.touch("way", way)
    for page in ("answers", "spots", "way"):
        assert form.back()
        assert form.page == page


@pytest.mark.parametrize("kind", ["position.toml", "record.jsonl"])
def test_a_game_goes_on_from_a_file(kind, tmp_path):
    real = under_way("capitol", 12, 2, seats=2)
    text = position_text(real.game, real.state) if kind == "position.toml" else record_text(real.log)
    (tmp_path / kind).write_text(text, encoding="utf-8")
    (tmp_path / "other.toml").write_text('game = "capitol"\nplayers = 3\n', encoding="utf-8")
    (tmp_path / "no.json").write_text("{", encoding="utf-8")
    begun = []
    form = JoinForm(table_of("capitol", 2), begun.append, PhotographSource(folder=tmp_path))
    form.touch("way", "positions")
    form.touch("files", "open no.json")
    assert "is not JSON" in notes(form)[0]
    form.touch("files", "open other.toml")
    assert notes(form)[0] == "the game under way: players: there are 3 in that position, and 2 sit here"
    form.touch("files", f"open {kind}")
    assert form.page == "look"
    form.touch("way", "begin")
    assert begun[0].state == real.state


def test_who_had_left_the_game_of_a_record_is_told_and_has_left(tmp_path):
    real = under_way("capitol", 12, 2)
    real.leave(2)
    (tmp_path / "record.jsonl").write_text(record_text(real.log), encoding="utf-8")
    form = JoinForm(table_of("capitol", 3), (begun := []).append, PhotographSource(folder=tmp_path))
    form.touch("way", "positions")
    form.touch("files", "open record.jsonl")
    assert "Player 2 has left. The others go on." in notes(form)
    form.touch("way", "begin")
    assert begun[0].left == {2}


def test_the_board_is_taken_from_a_photograph(tmp_path):
    real = under_way("city_of_marble", 20, 5, seats=2)
    look = real.game.appearance(real.state)
    board = real.table.board
    cv2.imwrite(str(tmp_path / "table.png"), Scene(board, CameraView()).frame(look))
    begun = []
    form = JoinForm(real.table, begun.append, PhotographSource(folder=tmp_path))
    form.touch("way", "pictures")
    form.touch("files", "open table.png")
    until(form, lambda: form.page == "spots")
    assert form.picture() is not None
    form.touch("view", "board")
    assert {(piece.spot, piece.label) for piece in form.board().pieces} == set(look.items())
    form.touch("way", "answers")
    for key, text in answers("city_of_marble", real.state).items():
        form._answers._amounts[key] = amounts(text)
    form.touch("way", "look")
    form.touch("way", "begin")
    assert real.game.appearance(begun[0].state) == look


def amounts(text):
    """An answer as the form keeps it."""
    if text.isdecimal():
        return {"": int(text)}
    pairs = [part.rpartition(" ") for part in text.split(", ") if part]
    return {name or count: int(count) if name else 1 for name, _, count in pairs}


def test_what_lies_on_the_map_to_rome_is_shown_by_touch():
    begun = []
    plain = table_of("thurn_and_taxis", 2)
    form = JoinForm(replace(plain, options=FrozenDict(modules=("audience",))), begun.append)
    form.touch("way", "touch")
    main, rome = picks(form, "sheet").values()
    assert main.chosen
    form.touch("sheet", rome.key)
    assert form.board().board.id == rome.key
    carriage = next(piece.spot for piece in form.board().pieces if piece.label == "Baden")
    form.touch("spot", carriage)
    form.touch("label", "=")
    form.touch("spot", "carriage Baden/Rom")
    form.touch("label", "=Baden")
    form.touch("way", "answers")
    assert "Which tile did each player have on the carriage that arrived? (Baden)" in transcript(form)
    form.touch("answer told_Baden.1", "is bishop")
    form.touch("answer told_Baden.2", "is deacon")
    form.touch("way", "look")
    form.touch("way", "begin")
    assert begun[0].state.audience.told["Baden"] == ("bishop", "deacon")


def test_a_game_that_is_over_is_not_joined(tmp_path):
    real = under_way("city_of_marble", 6, 3, seats=2)
    real.end_early("late")
    (tmp_path / "over.jsonl").write_text(record_text(real.log), encoding="utf-8")
    form = JoinForm(real.table, lambda _position: None, PhotographSource(folder=tmp_path))
    form.touch("way", "positions")
    form.touch("files", "open over.jsonl")
    assert form.page == "files"
    assert notes(form)[0] == "The game is over."


def test_a_choice_that_is_touched_again_stays_and_what_may_be_left_open_has_a_choice_for_that():
    form = JoinForm(table_of("thurn_and_taxis", 2), lambda position: None)
    form.touch("way", "touch")
    form.touch("way", "answers")
    for _touch in range(2):
        form.touch("answer to_move", "is blue")
        assert [key for key, each in picks(form, "answer to_move").items() if each.chosen] == ["is blue"]
    assert "is " not in picks(form, "answer to_move")
    form.touch("answer ending", "is blue")
    form.touch("answer ending", "is ")
    assert [each.text for each in picks(form, "answer ending").values() if each.chosen] == ["None of these"]


def test_what_is_missing_is_named_by_its_question():
    sheet, names = AnswerSheet(), ["Livia", "Marco"]
    questions = (
        Question("to_move", "Whose turn begins?", Answer.CHOICE, each=False, choices=("red", "blue")),
        Question("coins", "How many coins does each player have?", Answer.NUMBER, largest=20),
    )

    def told(entry):
        return sheet.problem(InvalidDocument("photograph", entry, "cannot be"), questions, names)

    assert told("to_move") == "Still to be answered: Whose turn begins?"
    assert told("coins.2") == "Marco: How many coins does each player have? This answer cannot be."
    assert told("wards[1]") == "wards[1]: cannot be"
