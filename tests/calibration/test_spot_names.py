"""Spots are named one by one, in ranges, and by whole routes."""

from __future__ import annotations

import pytest

from calibration.spot_names import UnknownSpots, spots_named
from companion.board.layout import Board, parse_board
from companion.files.documents import DocumentTable
from companion.registry import print_and_play_board
from tests.vision.grids import grid_board
from tests.vision.traced.railways import railway_board

GRID = grid_board(6, 5)
ROUTES = railway_board()


def two_kinds() -> Board:
    """Cells on which a tile and a flag may lie."""
    flag = {"name": "flag", "shape": "disc", "size": [8], "height": 20, "labels": ["up"], "lies_on": "cell"}
    document = dict(GRID.definition) | {"piece": [*GRID.definition["piece"], flag]}
    return parse_board(DocumentTable(document, "two.toml", ""))


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("B2", ["tile B2"]),
        ("tile B2", ["tile B2"]),
        ("b2", ["tile B2"]),
        ("A1:C2", ["tile A1", "tile B1", "tile C1", "tile A2", "tile B2", "tile C2"]),
        ("C2:A1", ["tile A1", "tile B1", "tile C1", "tile A2", "tile B2", "tile C2"]),
        ("A1:A3", ["tile A1", "tile A2", "tile A3"]),
        ("*", list(GRID.spots)),
        ("tile *", list(GRID.spots)),
    ],
)
def test_cells_are_named_by_rectangles(text: str, named: list[str]) -> None:
    assert sorted(spots_named(text, GRID)) == sorted(named)


def test_a_route_is_named_whole_or_in_part() -> None:
    first = [name for name in ROUTES.spots if name.startswith("wagon route/1-")]
    assert len(first) > 1
    assert spots_named("route/1-1:1-2", ROUTES) == tuple(first[:2])
    assert spots_named(f"route/1-1:route/1-{len(first)}", ROUTES) == tuple(first)
    assert spots_named("wagon route/1-*", ROUTES) == tuple(first)
    assert spots_named("route/*", ROUTES) == tuple(ROUTES.spots)


@pytest.mark.parametrize(
    ("text", "board", "why"),
    [
        ("Q9", GRID, "is no spot of this board"),
        ("A1:Q9", GRID, "is no spot of this board"),
        ("flag Z1", GRID, "is no spot of this board"),
        ("A1", two_kinds(), "is the site of several spots; name the piece too"),
        ("A1:B2", two_kinds(), "names spots of several kinds of pieces; write the piece before it"),
        ("temple", print_and_play_board("city_of_marble"), "is the site of several spots; name the piece too"),
    ],
)
def test_what_is_no_spot_is_refused(text: str, board: Board, why: str) -> None:
    with pytest.raises(UnknownSpots, match=f"^{why}$"):
        spots_named(text, board)


def test_the_piece_chooses_among_spots_of_one_site() -> None:
    assert spots_named("flag A1:B1", two_kinds()) == ("flag A1", "flag B1")
