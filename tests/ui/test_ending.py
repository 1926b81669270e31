"""Who has won, by what, and what each rule brought."""

from dataclasses import replace

import pytest

from companion.exports.report import score_document
from companion.record_status import RecordStatus
from companion.registry import GAMES, load_game, print_and_play_board
from companion.wording.texts import game_texts
from tests.tables import start
from tests.ui.tables import final_view
from ui.drawing.board_drawing import drawing_of
from ui.drawing.faces import Face
from ui.printed.pictures import chip_pictures
from ui.results.ending import compose_end, numeral, podium_order
from ui.table.score_sheet import compose_score
from ui.view_models.play_view import ScoreLineView, ScoreView

LINES = (
    ScoreLineView(1, "Fountains", "", 14),
    ScoreLineView(2, "Fountains", "", 2),
    ScoreLineView(1, "Coins", "", 8),
    ScoreLineView(2, "Coins", "", 9),
    ScoreLineView(2, "Coins", "", 2),
)
SCORE = ScoreView("Final score", ((1, "Tiberio", 22, 1), (2, "Giulia", 13, 2)), LINES, final=True, decided=True)


def test_what_brought_the_largest_lead_decided_it():
    end = compose_end(SCORE)
    assert (end.heading, end.told) == ("Tiberio wins", "by 9 · Fountains decided it")

    assert [(row.title, row.points, row.decides) for row in end.rows] == [
        ("Fountains", (14, 2), 0),
        ("Coins", (8, 11), -1),
    ]


@pytest.mark.parametrize("game", GAMES)
def test_the_faces_of_what_is_counted_stand_beside_the_sheet(game):
    lines = tuple(ScoreLineView(1, rule, "", 3, rule=rule) for rule in drawing_of(game).scores)
    rows = compose_end(replace(SCORE, lines=lines), game).rows
    assert all(row.faces for row in rows)
    cells = chip_pictures(print_and_play_board(game), 24)
    for row in rows:
        assert set(drawing_of(game).scores) <= set(load_game(game).rulebook.rules)
        assert all(Face(face.component, face.kind) in cells.cells for face in row.faces if face.kind), row.title
        assert all(cells.cell_of(face.component, face.kind, "") for face in row.faces), row.title


def test_a_lead_without_which_the_first_had_won_all_the_same_is_not_said_to_have_decided():
    lines = tuple(
        ScoreLineView(seat, title, "", points, rule="COM-SCORE-2")
        for title, pair in {"Bridges": (3, 2), "Coins": (1, 0), "Most coins": (2, 0)}.items()
        for seat, points in enumerate(pair, 1)
    )
    ranking = ((1, "Anna", 6, 1), (2, "Carla", 2, 2))
    end = compose_end(ScoreView("Final score", ranking, lines, final=True, decided=True))
    assert end.told == "by 4 · largest lead: Most coins"
    assert [row.decides for row in end.rows] == [-1, -1, 0]


def test_a_shared_victory_names_both_and_nobody_wins_an_evening_that_ended_early():
    both = replace(SCORE, ranking=((1, "Tiberio", 13, 1), (2, "Giulia", 13, 1)))
    assert (compose_end(both).heading, compose_end(both).told) == ("Shared victory", "Tiberio, Giulia")
    placeless = tuple((seat, name, points, 0) for seat, name, points, _rank in SCORE.ranking)
    early = compose_end(replace(SCORE, heading="Ended early", ranking=placeless, decided=False))
    assert (early.heading, early.told) == ("Ended early", "nobody has won")
    shown = [(step.name, numeral(step.rank), step.points) for step in early.steps]
    assert shown == [("Tiberio", "", 22), ("Giulia", "", 13)]


def test_capitol_ended_early_gives_nobody_a_place_and_tells_that_the_round_is_not_counted():
    (game, state), ended = start("capitol"), RecordStatus(ended=True)
    score = compose_score(game, state, game_texts("capitol"), ended)
    assert [rank for _seat, _name, _points, rank in score.ranking] == [0, 0]
    assert any(note.startswith("This round is not counted: areas score only at the end") for note in score.notes)
    assert any(word.startswith("This round is not counted") for word in score_document(game, state, ended)["words"])


def test_who_has_left_has_no_place():
    gone = replace(SCORE, ranking=(*SCORE.ranking, (3, "Claudia", 5, 0)))
    assert [step.name for step in compose_end(gone).steps] == ["Tiberio", "Giulia"]


def test_rows_of_a_whole_game_add_up_to_its_totals():
    end = compose_end(final_view().score)
    assert tuple(map(sum, zip(*(row.points for row in end.rows), strict=True))) == end.totals


def test_the_first_stands_in_the_middle_and_places_bear_roman_numerals():
    assert [podium_order(count) for count in range(5)] == [(), (0,), (1, 0), (1, 0, 2), (1, 0, 2, 3)]
    assert [numeral(rank) for rank in (1, 2, 3, 4)] == ["I", "II", "III", "IV"]
