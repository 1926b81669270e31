"""The set-up wizard without a screen: transcripts of all games, and what cannot be."""

import re
from random import Random

import pytest

from companion.registry import GAMES, game_folder, load_game, print_and_play_board
from companion.session.session import Session
from companion.session.store import Store
from ui.services.text import LANGUAGES, use_language
from ui.setup.setup_pages import compose_page
from ui.setup.wizard import Wizard
from ui.view_models.setup_view import SetupStep


@pytest.fixture
def store(tmp_path):
    with Store(tmp_path / "games.sqlite3") as store:
        yield store


@pytest.fixture
def wizard(store, tmp_path):
    return Wizard(store, tmp_path / "boards", random=Random(1))


def draw_the_rest(wizard):
    """Let chance decide what is not told of the set-up."""
    for option in filter(wizard.outcome_problem, wizard.draft.options):
        wizard.draw_outcome(option.name)


def transcript(wizard):
    """What each page says, up to the last one; what the set-up turns up is drawn."""
    lines = []
    while True:
        if wizard.step is SetupStep.OPTIONS:
            draw_the_rest(wizard)
        view = compose_page(wizard)
        lines.append(f"{view.progress} {view.heading}")
        lines += [f"  {seat.seat} {seat.name}, {seat.colour_name}" for seat in view.seats]
        for question in view.questions:
            chosen = ", ".join(pick.text for pick in question.picks if pick.chosen)
            lines.append(f"  {question.question} {chosen}")
        lines += [f"  {what} {text}" for what, text in view.notes]
        if not wizard.next():
            return lines


CITY_OF_MARBLE = [
    "1/4 Which game?",
    "2/4 Who sits where?",
    "  1 Player 1, black",
    "  2 Player 2, white",
    "3/4 The set-up",
    "  Which three hills were turned up? Capitoline, Palatine, Esquiline",
    "4/4 Set up the table",
]


def test_the_transcript_of_city_of_marble(wizard):
    lines = transcript(wizard)
    assert lines[: len(CITY_OF_MARBLE)] == CITY_OF_MARBLE
    assert lines[-3:] == [
        "  On the board 3 × hill, 7 × bridge",
        "  Player 1 (black) atrium: 1 red, 1 yellow, 1 green, 1 blue; magistrates: 3",
        "  Player 2 (white) atrium: 1 red, 1 yellow, 1 green, 1 blue; magistrates: 3",
    ]


def test_the_transcript_of_capitol_asks_for_no_set_up(wizard):
    wizard.choose_game("capitol")
    lines = transcript(wizard)
    assert [line for line in lines if line[0] != " "] == [
        "1/3 Which game?",
        "2/3 Who sits where?",
        "3/3 Set up the table",
    ]
    assert "  Player 1 (green) cards: 8; completed: 1 round, 1 triangular, 2 round, 2 triangular; roofs: 3 round, 3 triangular" in lines  # fmt: skip # noqa: E501


def test_the_transcript_of_aqua_romana_asks_how_many_tiles_there_are(wizard):
    wizard.choose_game("aqua_romana")
    lines = transcript(wizard)
    assert "  Curves in the box 21" in lines
    assert any(line.startswith("  On the board 4 × reservoir") or "reservoir" in line for line in lines)


@pytest.mark.parametrize("modules", ["none", "audience", "offices", "both"])
def test_each_set_up_of_thurn_and_taxis_leads_to_its_game(modules, wizard, store):
    wizard.choose_game("thurn_and_taxis")
    wizard.choose_outcome("modules", modules)
    lines = transcript(wizard)
    assert any(line.startswith("  All Roads Lead to Rome: what of it is played?") for line in lines)
    session = Session.create(store, wizard.table())
    assert session.table.options["modules"] == (modules,)
    assert session.legal_actions()


@pytest.mark.parametrize("game_id", list(GAMES))
def test_every_game_begins_with_any_number_of_people(game_id, wizard, store):
    wizard.choose_game(game_id)
    fewest, most = load_game(game_id).info.seats
    for count in range(fewest, most + 1):
        assert len(wizard.draft.names) == count
        assert len(set(wizard.draft.colours)) == count
        draw_the_rest(wizard)
        session = Session.create(store, wizard.table())
        assert session.legal_actions()
        wizard.add_seat()
    assert len(wizard.draft.names) == most


def test_seats_change_places_with_name_and_colour(wizard):
    wizard.add_seat()
    wizard.choose_seat(3)
    wizard.rename("  Clelia   Bianchi ")
    wizard.move_seat()
    assert wizard.draft.names == ("Clelia Bianchi", "Player 2", "Player 1")
    assert wizard.draft.colours == ("purple", "white", "black")
    assert wizard.seat == 1


def test_a_taken_colour_is_exchanged(wizard):
    wizard.choose_colour("white")
    assert wizard.draft.colours == ("white", "black")
    wizard.choose_colour("orange")
    assert wizard.draft.colours == ("orange", "black")


def test_nobody_leaves_a_game_that_needs_them(wizard):
    wizard.remove_seat()
    assert len(wizard.draft.names) == 2
    wizard.add_seat()
    wizard.choose_seat(1)
    wizard.remove_seat()
    assert wizard.draft.names == ("Player 2", "Player 3")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("", "Seat 1 has no name yet."),
        ("Player 2", "Two players are called Player 2."),
        ("An\N{ZERO WIDTH SPACE}na", "The name at seat 1 holds a character that cannot be seen: type it anew."),
    ],
)
def test_one_cannot_go_on_with_a_name_that_cannot_be(name, problem, wizard):
    wizard.next()
    wizard.rename(name)
    assert compose_page(wizard).problem == problem
    assert not wizard.next()
    wizard.rename("Anna")
    assert wizard.next()


def test_what_lies_on_the_table_is_not_chosen_beforehand(wizard):
    wizard.next()
    wizard.next()
    view = compose_page(wizard)
    assert (view.step, view.problem) == (SetupStep.OPTIONS, "3 more to choose")
    assert not any(pick.chosen for question in view.questions for pick in question.picks)
    wizard.next()
    wizard.go_to(SetupStep.BOARD)
    assert wizard.step is SetupStep.OPTIONS
    for hill in ("Quirinal", "Viminal", "Palatine"):
        wizard.choose_outcome("hills", hill)
    assert wizard.next()
    assert wizard.table().options["hills"] == ("Palatine", "Viminal", "Quirinal")


def test_too_few_hills_are_told_and_of_too_many_the_first_goes(wizard):
    wizard.go_to(SetupStep.OPTIONS)
    for hill in ("Esquiline", "Capitoline"):
        wizard.choose_outcome("hills", hill)
    assert compose_page(wizard).problem == "1 more to choose"
    assert not wizard.next()
    for hill in ("Quirinal", "Viminal"):
        wizard.choose_outcome("hills", hill)
    assert wizard.draft.outcomes["hills"] == ("Esquiline", "Viminal", "Quirinal")
    wizard.draw_outcome("hills")
    assert len(set(wizard.draft.outcomes["hills"])) == 3


@pytest.mark.parametrize("is_drawn", [True, False])
def test_a_game_once_more_asks_only_what_lies_there_this_time(is_drawn, wizard, store, tmp_path):
    draw_the_rest(wizard)
    first = Session.create(store, wizard.table())
    again = Wizard(store, tmp_path, again=first.id, random=Random(2))
    assert (again.step, compose_page(again).problem) == (SetupStep.OPTIONS, "3 more to choose")
    if is_drawn:
        again.draw_outcome("hills")
    else:
        for hill in ("Quirinal", "Viminal", "Palatine"):
            again.choose_outcome("hills", hill)
        again.next()
    assert again.step is SetupStep.BOARD
    assert not again.next()
    assert len(again.table().options["hills"]) == 3


def test_a_game_is_played_again_by_the_same_people_and_rulings(wizard, store, tmp_path):
    wizard.add_seat()
    for seat, name in enumerate(("Anna", "Bruno [b]", "Clelia"), 1):
        wizard.choose_seat(seat)
        wizard.rename(name)
    wizard.choose_colour("orange")
    wizard.choose_ruling("hill_contact", "corner")
    draw_the_rest(wizard)
    first = Session.create(store, wizard.table())
    again = Wizard(store, tmp_path, again=first.id, random=Random(2))
    again.draw_outcome("hills")
    assert again.table().players == first.table.players
    assert again.table().rulings == first.table.rulings
    assert ("How must a ward touch a hill?", "Touching the hill at a corner is enough.") in compose_page(again).notes
    other = Wizard(store, tmp_path, random=Random(2))
    assert other.draft.names == ("Anna", "Bruno [b]", "Clelia")
    other.choose_game("capitol")
    assert other.draft.names == ("Anna", "Bruno [b]")
    assert other.known_names == ("Clelia",)


def test_boards_of_ones_own_are_offered_and_bad_files_told(wizard, tmp_path):
    folder = tmp_path / "boards"
    folder.mkdir()
    (folder / "bad.toml").write_text("format = ")
    assert len(wizard.editions.boards) == 1
    assert "bad.toml" in compose_page(wizard).explanation
    board = print_and_play_board("city_of_marble")
    text = (game_folder("city_of_marble") / "layout.toml").read_text()
    text = text.replace(board.id, "at-home").replace("print-and-play", "at home")
    (folder / "own.toml").write_text(text)
    assert [edition.id for edition in wizard.editions.boards] == [board.id, "at-home"]
    wizard.choose_edition("at-home")
    assert wizard.table().board.id == "at-home"


def test_a_board_of_ones_own_with_the_id_of_another_is_told(wizard, tmp_path):
    board = print_and_play_board("city_of_marble")
    (tmp_path / "boards").mkdir()
    (tmp_path / "boards" / "copied.toml").write_text((game_folder("city_of_marble") / "layout.toml").read_text())
    assert [edition.id for edition in wizard.editions.boards] == [board.id]
    assert wizard.editions.problems == (f"copied.toml: id: is {board.id}, as of another board; give it its own",)
    assert "copied.toml" in compose_page(wizard).explanation


def test_rulings_are_asked_only_of_whoever_wants_to_change_them(wizard):
    draw_the_rest(wizard)
    wizard.go_to(SetupStep.BOARD)
    assert compose_page(wizard).rulings == "Rulings: as usual"
    wizard.go_to(SetupStep.RULINGS)
    first = compose_page(wizard).questions[0]
    wizard.choose_ruling(first.key, next(pick.key for pick in first.picks if not pick.chosen))
    assert wizard.back()
    assert (wizard.step, compose_page(wizard).rulings) == (SetupStep.BOARD, "Rulings: 1 changed")
    wizard.go_to(SetupStep.RULINGS)
    assert wizard.next()
    assert wizard.step is SetupStep.BOARD
    assert SetupStep.RULINGS not in wizard.steps


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game_id", [game for game in GAMES if load_game(game).rulebook.rulings])
def test_rulings_name_their_sources_in_words(game_id, language, wizard):
    use_language(language)
    wizard.choose_game(game_id)
    wizard.step = SetupStep.RULINGS
    questions = compose_page(wizard).questions
    use_language("en")
    assert len(questions) == len(load_game(game_id).rulebook.rulings)
    coded = [question.why for question in questions if re.search(r"\b(?:IT|FR|EN|[A-Z][0-9]+)\b", question.why)]
    assert not coded


def test_hills_are_places_on_the_board_and_what_lies_nowhere_is_a_list(wizard):
    wizard.choose_game("city_of_marble")
    wizard.go_to(SetupStep.OPTIONS)
    view = compose_page(wizard)
    (hills,) = view.questions
    assert view.board is wizard.draft.board
    assert sorted(key for _site, key in hills.places) == sorted(pick.key for pick in hills.picks)
    assert len({site for site, _key in hills.places}) == 7
    assert view.pieces == ()
    for _site, name in hills.places[:3]:
        wizard.choose_outcome("hills", name)
    view = compose_page(wizard)
    assert [view.board.spots[piece.spot].site for piece in view.pieces] == [site for site, _key in hills.places[:3]]
    lying = load_game("city_of_marble").appearance(load_game("city_of_marble").setup(wizard.table()))
    assert all(lying[piece.spot] == piece.label for piece in view.pieces)
    wizard.choose_game("aqua_romana")
    wizard.go_to(SetupStep.OPTIONS)
    view = compose_page(wizard)
    assert view.board is None
    assert not any(question.places for question in view.questions)


def test_who_begins_is_seat_one_and_everybody_keeps_the_place_at_the_table(wizard):
    for _seat in range(2):
        wizard.add_seat()
    names, colours = wizard.draft.names, wizard.draft.colours
    draw_the_rest(wizard)
    wizard.go_to(SetupStep.BOARD)
    begins = compose_page(wizard).questions[0]
    assert [pick.text for pick in begins.picks if pick.chosen] == [names[0]]
    wizard.begin_with(3)
    assert wizard.draft.names == (*names[2:], *names[:2])
    assert wizard.draft.colours == (*colours[2:], *colours[:2])
    assert [player.name for player in wizard.table().players] == list(wizard.draft.names)
    assert [pick.text for pick in compose_page(wizard).questions[0].picks if pick.chosen] == [names[2]]
