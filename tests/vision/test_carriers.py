"""What stands on a piece tells that the piece is there."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.board.layout import EMPTY
from companion.registry import print_and_play_board
from vision.printed.evidence.carriers import beneath_riders

BOARD = print_and_play_board("city_of_marble")
SITE = next(spot.site for spot in BOARD.spots.values() if spot.piece == "cube")
CUBE, BUILDING = (
    next(spot for spot in BOARD.spots.values() if (spot.piece, spot.site) == (piece, SITE))
    for piece in ("cube", "building")
)
RIDERS = {"cube": "building"}


def told(cube: float, building: float) -> dict[str, dict[str, float]]:
    """The probabilities of a cube and the building beneath it, each empty by so much, all labels alike."""
    return {
        spot.name: {EMPTY: empty} | dict.fromkeys(spot.labels, (1 - empty) / len(spot.labels))
        for spot, empty in ((CUBE, cube), (BUILDING, building))
    }


def test_a_building_beneath_a_likely_cube_is_not_surely_missing() -> None:
    found = beneath_riders(told(0.45, 0.99), BOARD.spots.values(), RIDERS)
    assert list(found) == [BUILDING.name]
    assert found[BUILDING.name][EMPTY] == 0.45


def test_a_bare_place_and_a_building_without_a_cube_are_left_alone() -> None:
    assert beneath_riders(told(0.99, 0.99), BOARD.spots.values(), RIDERS) == {}
    assert beneath_riders(told(0.99, 0.01), BOARD.spots.values(), RIDERS) == {}
    assert beneath_riders(told(0.01, 0.99), BOARD.spots.values(), {}) == {}


@given(st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_nothing_is_emptier_than_what_stands_on_it(cube: float, building: float) -> None:
    before = told(cube, building)
    after = before | beneath_riders(before, BOARD.spots.values(), RIDERS)
    assert after[BUILDING.name][EMPTY] <= after[CUBE.name][EMPTY]
    assert sum(after[BUILDING.name].values()) == pytest.approx(1.0)
    assert after[CUBE.name] == before[CUBE.name]
