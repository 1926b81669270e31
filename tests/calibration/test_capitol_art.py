"""Capitol as printed: the box, the squares of the areas, the fountains, cards and roofs."""

from collections import Counter

import numpy as np
import pytest

from calibration.art.capitol.sheet import EMBLEM_OF_AREA, SIGN_OF_COLOUR, areas_of
from calibration.artwork import board_png
from calibration.components import Component, load_components
from calibration.drawing import colours
from calibration.drawing.raster import Picture
from companion.board.layout import Board
from companion.games.capitol.cards import COPIES
from companion.registry import game_folder, print_and_play_board

SCALE = 4.0


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("capitol")


@pytest.fixture(scope="module")
def sheet(board: Board) -> Picture:
    return board_png(board, SCALE)


@pytest.fixture(scope="module")
def components(board: Board) -> dict[str, Component]:
    return {c.name: c for c in load_components(game_folder("capitol") / "components.toml", board)}


def at(sheet: Picture, x: float, y: float) -> np.ndarray:
    """The colour (RGB) printed at a place."""
    return np.asarray(sheet[round(y * SCALE), round(x * SCALE), ::-1], np.int64)


def test_the_box_is_as_the_rules_count_it(board: Board, components: dict[str, Component]) -> None:
    assert dict(components["floor"].counts) == {"1": 90}
    for roof in ("round roof", "triangular roof"):
        assert dict(components[roof].counts) == dict.fromkeys(("green", "red", "blue", "yellow"), 5)
    assert components["fountain"].total == 8
    assert dict(components["large tile"].counts) == {"amphitheatre": 2, "temple": 2}
    assert dict(components["senator"].counts) == dict.fromkeys(board.palette, 1)
    assert components["consul"].total == 1


def test_the_cards_have_the_numbers_of_the_rules(components: dict[str, Component]) -> None:
    names = {"roof": "roof card", "floor": "floor card"} | {c: f"{c} permit" for c in ("white", "black", "red")}
    printed = Counter(f"{family}-{number}" for family, name in names.items() for number in components[name].obverse)
    assert printed == Counter(dict(COPIES))
    sums = {family: sum(map(int, components[name].obverse)) for family, name in names.items()}
    assert sums == {"roof": 56, "floor": 108, "white": 36, "black": 36, "red": 36}


def test_every_area_has_its_colour_and_an_emblem_of_its_own(board: Board, sheet: Picture) -> None:
    areas = areas_of(board)
    assert set(areas) == set(EMBLEM_OF_AREA)
    assert len(set(EMBLEM_OF_AREA.values())) == 9
    assert Counter(areas.values()) == dict.fromkeys(SIGN_OF_COLOUR, 3)
    for area, colour in areas.items():
        places = [
            (x, y, group.size[0] / 2)
            for group in board.groups.values()
            if group.prefix == area
            for x, y in group.places.values()
        ]
        around = np.array([at(sheet, x + half + 1.6, y + 0.3 * half) for x, y, half in places])
        assert np.abs(np.median(around, axis=0) - np.array(colours.AREAS[colour])).max() < 12, area


def test_squares_are_printed_where_the_definition_puts_them(board: Board, sheet: Picture) -> None:
    """Marble within, its dark line on the square's edge."""
    fountains = set(board.features["fountain"].values())
    for group in board.groups.values():
        half = group.size[0] / 2
        for site, (x, y) in group.sites.items():
            edge = min(at(sheet, x - half + d, y + 4.0).sum() for d in (-0.25, 0.0, 0.25))
            assert edge < 500, site
            inside = at(sheet, x - half + 5.0, y + 4.0)
            assert (np.abs(inside - np.array(colours.MARBLE)).max() < 6) == (site not in fountains), site


def test_squares_of_an_area_lie_apart_and_within_it(board: Board) -> None:
    areas = list(areas_of(board))
    squares = [
        (group.prefix, x, y, group.size[0] / 2) for group in board.groups.values() for x, y in group.places.values()
    ]
    for index, (area, x, y, half) in enumerate(squares):
        row, column = divmod(areas.index(area), 3)
        left, top = 36 + 174 * column, 36 + 116 * row
        assert left <= x - half < x + half <= left + 174
        assert top <= y - half < y + half <= top + 116
        for _, other_x, other_y, other in squares[:index]:
            assert max(abs(x - other_x), abs(y - other_y)) >= half + other + 4
