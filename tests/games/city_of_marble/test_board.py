"""Other boards than the one that is printed: what City of Marble refuses, and rules that only show on them."""

import json
from typing import Any

import pytest

from companion.board.definition import Board
from companion.board.layout import parse_board
from companion.engine import apply, judge, legal_of_kind
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.games.city_of_marble.actions import Lay
from companion.games.city_of_marble.events import AqueductStarted, LayingEnded
from companion.games.city_of_marble.game import GAME
from companion.games.city_of_marble.geometry import geometry
from companion.games.city_of_marble.state import State
from companion.position import read_table
from companion.registry import print_and_play_board


def board_with(kind: str, **features: str) -> Board:
    """The print-and-play board with some hills, bridges or sources elsewhere; an empty place removes one."""
    definition = json.loads(json.dumps(dict(print_and_play_board("city_of_marble").definition)))
    for name, site in features.items():
        definition["feature"][kind][name] = site
        if not site:
            del definition["feature"][kind][name]
    return parse_board(DocumentTable(definition, "board.toml", ""))


@pytest.mark.parametrize(
    ("kind", "features", "entry", "reason"),
    [
        ("hill", {"Viminal": "J7-K6-K7"}, "feature.hill.Viminal", "shares vertex J7 with Esquiline"),
        ("hill", {"Viminal": "I8-J7-J8"}, "feature.hill.Viminal", "another of its kind"),
        ("hill", {"Viminal": "G7-H7"}, "feature.hill.Viminal", "a triangle such as the hill cannot lie"),
        ("hill", dict.fromkeys(("Palatine", "Aventine", "Caelian", "Esquiline", "Viminal"), ""), "feature.hill", "3"),
        ("bridge", {"7": "E7-E8-F7"}, "feature.bridge.7", "is a hill space"),
        ("bridge", {"7": "G3-H2-H3"}, "feature.bridge.7", "another of its kind"),
        ("bridge", {"7": "I1"}, "feature.bridge.7", "a triangle such as the bridge cannot lie"),
        ("source", {"brown": ""}, "feature.source.brown", "is missing"),
        ("source", {"black": "M6"}, "feature.source.black", "must be one of grey, brown, white"),
        ("source", {"brown": "L5-M5"}, "feature.source.brown", "is no vertex"),
        ("source", {"brown": "I1"}, "feature.source.brown", "another of its kind"),
    ],
)
def test_an_impossible_board_is_refused(kind: str, features: dict[str, str], entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason) as refusal:
        geometry(board_with(kind, **features))
    assert refusal.value.entry == entry


@pytest.mark.parametrize(
    ("entry", "value", "reason"),
    [
        (("palette",), [], "palette: must name each player colour once"),
        (("palette", 0), "", "palette: must name each player colour once"),
        (("size",), [True, 420], "size: must be two numbers"),
        (("slots", "place", "temple"), [True, True], "slots.place.temple: must be two numbers"),
        (("piece", 0, "size"), [True], "piece[1].size: must be one or two lengths"),
        (("piece", 0, "labels"), ["red", "red"], "piece[1].labels: must name each look of the piece once"),
        (("piece", 0, "labels"), ["red", ""], "piece[1].labels: must name each look of the piece once"),
        (("piece", 0, "lies_on"), "inner vertex", "piece[1].lies_on: is 'inner vertex', where no rhombus lies"),
        (("markers", "first_id"), 50, "markers.first_id: is 50; it must be from 0 to 49"),
        (
            ("markers", "dictionary"),
            "DICT_6X6_250",
            "markers.dictionary: is 'DICT_6X6_250'; it must be one of DICT_4X4_50, DICT_4X4_250",
        ),
        (("markers", "centres", 1), [20, 18], "markers.centres[2]: puts a marker over another one"),
    ],
)
def test_a_damaged_board_file_is_refused(entry: tuple[str | int, ...], value: Any, reason: str) -> None:
    definition = json.loads(json.dumps(dict(print_and_play_board("city_of_marble").definition)))
    table = definition
    for key in entry[:-1]:
        table = table[key]
    table[entry[-1]] = value
    with pytest.raises(InvalidDocument) as refusal:
        parse_board(DocumentTable(definition, "board.toml", ""))
    assert str(refusal.value).startswith(f"board.toml: {reason}")


def position(board: Board, **entries: Any) -> State:
    document = DocumentTable({"game": "city_of_marble", **entries}, "position", "")
    return GAME.read_state(document, read_table(document, board))


def played(state: State, *texts: str) -> State:
    for text in texts:
        state = apply(GAME, state, GAME.parse_action(text, state)).state
    return state


def laid_next(state: State) -> set[str]:
    return {action.text for action in legal_of_kind(GAME, state, Lay)}


def rules_broken(state: State, text: str) -> set[str]:
    return {violation.rule for violation in judge(GAME, state, GAME.parse_action(text, state)).violations}


TWO_SOURCES = board_with("source", brown="H1")
"""Grey at I1 and brown at H1: the ward H2-I1 touches both with its corners."""


def test_one_ward_may_start_two_aqueducts_and_its_player_picks_the_order() -> None:
    state = position(TWO_SOURCES, wards=["H2-H3 red"])
    step = apply(GAME, state, GAME.parse_action("ward H2-I1 blue", state))
    assert [event for event in step.events if isinstance(event, AqueductStarted)] == [
        AqueductStarted("grey", "H2-I1"),
        AqueductStarted("brown", "H2-I1"),
    ]
    assert {text.split()[1] for text in laid_next(step.state)} == {"grey", "brown"}
    state = played(step.state, "lay brown H1-H2")
    assert rules_broken(state, "lay grey I1-I2") == {"COM-AQ-3"}
    assert {text.split()[1] for text in laid_next(state)} == {"brown"}


def test_the_second_start_lays_what_the_first_leaves_room_for() -> None:
    state = played(position(TWO_SOURCES, wards=["H2-H3 red"]), "ward H2-I1 blue", "lay grey I1-I2", "lay grey H2-I2")
    step = apply(GAME, state, GAME.parse_action("lay grey H2-H1", state))
    assert LayingEnded("brown", 3) in step.events
    assert step.state.starting == ()
    assert step.state.actions == 1


@pytest.mark.parametrize("reading", ["allowed", "forbidden"])
def test_a_line_that_meets_a_source_not_begun(reading: str) -> None:
    state = position(TWO_SOURCES, wards=["H2-H3 red"], rulings={"line_onto_source": reading})
    state = played(state, "ward H2-I1 blue")
    if reading == "forbidden":
        assert rules_broken(state, "lay grey H1-I1") == {"COM-AQ-9"}
    else:
        state = played(state, "lay grey H1-I1", "lay grey H1-H2", "lay grey H2-I2")
        assert "brown" not in state.lines
        assert state.starting == ()
