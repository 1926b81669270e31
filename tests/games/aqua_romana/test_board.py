"""Other boards than the one that is printed: what Aqua Romana refuses, and what it plays on."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from companion.board.definition import Board
from companion.board.layout import parse_board
from companion.engine import legal_actions
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.games.aqua_romana.game import GAME
from companion.games.aqua_romana.state import State
from companion.position import read_table
from companion.registry import print_and_play_board

Definition = dict[str, Any]


def board_with(change: Callable[[Definition], object]) -> Board:
    definition = json.loads(json.dumps(dict(print_and_play_board("aqua_romana").definition)))
    change(definition)
    return parse_board(DocumentTable(definition, "board.toml", ""))


def position(board: Board, **entries: Any) -> State:
    document = DocumentTable({"game": "aqua_romana", **entries}, "position", "")
    return GAME.read_state(document, read_table(document, board))


def group(definition: Definition, name: str) -> dict[str, Any]:
    return next(each for each in definition["group"] if each["name"] == name)


def place(definition: Definition, name: str, at: str, x: float, y: float) -> None:
    group(definition, name)["place"][at] = [x, y]


def feature(definition: Definition, kind: str, **sites: str) -> None:
    definition["feature"][kind] |= sites


def two_places_on_the_left(definition: Definition) -> None:
    """Reservoirs on the short sides: A3-A4 opens to the right, and its third outlet downward."""
    place(definition, "reservoir", "A3-A4", 132, 193)
    feature(definition, "reservoir_4", red="reservoir/A3-A4")
    feature(definition, "outlet_4", red="A5")


@pytest.mark.parametrize(
    ("change", "entry", "reason"),
    [
        (lambda d: d.pop("grid") and d.update(piece=d["piece"][1:2], feature={}), "grid", "at least 3 x 3"),
        (lambda d: d.update(palette=["red", "blue", "yellow", "white"]), "palette", "must be red, blue"),
        (lambda d: feature(d, "curve", **{"north-west": "B1"}), "feature.curve", "field's corners A1, A8, K1, K8"),
        (lambda d: group(d, "podium")["place"].pop("3b"), "group.podium.place", "3b and 7b"),
        (lambda d: group(d, "path")["place"].pop("38"), "group.path.place", "1 to 38"),
        (lambda d: place(d, "path", "1", 165, 81), "group.path.place.1", "beyond A1, on its side N"),
        (lambda d: place(d, "path", "12", 470, 110), "group.path.place.12", "beyond K1, on its side E"),
        (lambda d: group(d, "reserve")["place"].pop("joker"), "group.reserve.place", "must name curve"),
        (lambda d: d["feature"]["reservoir_2"].pop("red"), "feature.reservoir_2", "4 reservoirs, not 3"),
        (lambda d: feature(d, "reservoir_2", red="C1"), "feature.reservoir_2.red", "place of the group 'reservoir'"),
        (lambda d: feature(d, "outlet_2", red="E5"), "feature.outlet_2.red", "beside one end"),
        (lambda d: d["feature"]["outlet_2"].pop("red"), "feature.outlet_2.red", "beside one end"),
        (
            lambda d: (place(d, "reservoir", "C4-D4", 214, 209), feature(d, "reservoir_2", red="reservoir/C4-D4")),
            "feature.reservoir_2.red",
            "along one edge",
        ),
        (
            lambda d: (
                place(d, "reservoir", "D1-E1", 247, 110),
                feature(d, "reservoir_2", blue="reservoir/D1-E1"),
                feature(d, "outlet_2", blue="F1"),
            ),
            "feature.reservoir_2.blue",
            "covers D1",
        ),
        (
            lambda d: (
                place(d, "reservoir", "A1-B1", 148, 110),
                feature(d, "reservoir_2", red="reservoir/A1-B1"),
                feature(d, "outlet_2", red="C1"),
            ),
            "feature.reservoir_2.red",
            "covers A1",
        ),
        (
            lambda d: (
                place(d, "reservoir", "E1-F1", 280, 110),
                feature(d, "reservoir_2", blue="reservoir/E1-F1"),
                feature(d, "outlet_2", blue="D1"),
            ),
            "E1/W",
            "opens into a reservoir",
        ),
    ],
)
def test_an_impossible_board_is_refused(change: Callable[[Definition], object], entry: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason) as refusal:
        position(board_with(change))
    assert refusal.value.entry == entry


def test_reservoirs_on_the_short_sides() -> None:
    state = position(board_with(two_places_on_the_left), players=4, builders={"36": "straight"})
    assert [each.outlet for each in state.aqueducts.values() if each.seat == 1] == ["A3/E", "A4/E", "A4/S"]
    assert [action.text for action in legal_actions(GAME, state)] == ["build B3 straight 90 by 36"]


def test_an_outlet_beside_a_printed_curve_begins_behind_it() -> None:
    """B1-C1 with its third outlet to the west: the water is round A1 before anything is built."""

    def beside_the_corner(definition: Definition) -> None:
        place(definition, "reservoir", "B1-C1", 181, 110)
        feature(definition, "reservoir_4", red="reservoir/B1-C1")
        feature(definition, "outlet_4", red="A1")

    state = position(board_with(beside_the_corner), players=4)
    assert (state.aqueducts["B1/W"].end, state.aqueducts["B1/W"].length) == ("A1/S", 1)


def test_a_smaller_field() -> None:
    """Five columns and four rows: 18 spaces, and fountains after 5, 9, 14 and 18."""

    def small(definition: Definition) -> None:
        definition["grid"] |= {"columns": 5, "rows": 4}
        definition["feature"]["curve"] = {"nw": "A1", "ne": "E1", "se": "E4", "sw": "A4"}
        path = [(132 + 33 * x, 81) for x in range(5)] + [(293.5, 110.5 + 33 * y) for y in range(4)]
        path += [(264 - 33 * x, 239) for x in range(5)] + [(102.5, 209.5 - 33 * y) for y in range(4)]
        group(definition, "path")["place"] = {str(number): list(at) for number, at in enumerate(path, 1)}
        group(definition, "reservoir")["place"] = {
            "B1-C1": [181, 110], "B4-C4": [181, 209], "A2-A3": [132, 160], "E2-E3": [264, 160],
        }  # fmt: skip
        features = definition["feature"]
        for kind in ("reservoir_2", "reservoir_3", "outlet_2"):
            features.pop(kind)
        features["reservoir_4"] = {
            "red": "reservoir/B1-C1", "blue": "reservoir/E2-E3",
            "yellow": "reservoir/B4-C4", "green": "reservoir/A2-A3",
        }  # fmt: skip
        features["outlet_4"] = {"red": "D1", "blue": "E1", "yellow": "D4", "green": "A4"}
        definition["piece"][0]["without"] = ["A1", "E1", "E4", "A4"]

    state = position(board_with(small), players=4)
    assert list(state.board.spaces) == list(range(1, 19))
    assert state.board.corners == {5, 9, 14, 18}
    assert state.board.squares == ("D1", "B2", "C2", "D2", "B3", "C3", "D3", "D4")
    assert state.board.sight["B3"] == (2, 8, 13, 16)


def test_workers_stand_in_their_square_against_its_sides() -> None:
    """Squares of 33 mm from (115.5, 94), workers 10 mm across: 11.5 mm from the middle of C4 at (198, 209.5)."""
    board = print_and_play_board("aqua_romana")
    places = {side: board.spots[f"worker C4/{side}"].centre for side in "NESW"}
    assert places == {"N": (198, 198), "E": (209.5, 209.5), "S": (198, 221), "W": (186.5, 209.5)}
    assert len([spot for spot in board.spots.values() if spot.piece == "worker"]) == 4 * 88


def test_no_tile_is_looked_for_on_a_printed_curve() -> None:
    tiles = {spot.site for spot in print_and_play_board("aqua_romana").spots.values() if spot.piece == "tile"}
    assert len(tiles) == 84
    assert tiles.isdisjoint({"A1", "K1", "A8", "K8"})


def test_a_place_to_leave_out_must_exist() -> None:
    with pytest.raises(InvalidDocument, match="names 'L1', which is no cell or place") as refusal:
        board_with(lambda definition: definition["piece"][0].update(without=["L1"]))
    assert refusal.value.entry == "piece[1].without"
