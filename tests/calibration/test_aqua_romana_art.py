"""Aqua Romana as printed: channels open where the rules say so, on tiles, reservoirs and the printed curves."""

import cv2
import numpy as np
import pytest

from calibration.artwork import board_png, face_png
from calibration.components import Component, load_components
from calibration.drawing.ink import Ink
from calibration.drawing.raster import Picture, page_picture
from calibration.faces import draw_face, draw_reverse
from companion.board.layout import Board
from companion.games.aqua_romana.drawings import JOINS, KINDS
from companion.registry import game_folder, print_and_play_board

SCALE = 8.0
TOWARDS = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}


@pytest.fixture(scope="module")
def board() -> Board:
    return print_and_play_board("aqua_romana")


@pytest.fixture(scope="module")
def components(board: Board) -> dict[str, Component]:
    return {c.name: c for c in load_components(game_folder("aqua_romana") / "components.toml", board)}


def wet(picture: Picture, x: float, y: float) -> bool:
    """Whether water is drawn at a place, in millimetres from the picture's middle."""
    height, width = picture.shape[:2]
    blue, green, red = (int(v) for v in picture[round(height / 2 + y * SCALE), round(width / 2 + x * SCALE)])
    return blue > 150 and blue - red > 70 and green - red > 30


def open_sides(picture: Picture, half: float) -> set[str]:
    return {side for side, (x, y) in TOWARDS.items() if wet(picture, x * (half - 0.5), y * (half - 0.5))}


@pytest.mark.parametrize("drawing", JOINS)
def test_tiles_are_open_where_their_channels_end(board: Board, drawing: str) -> None:
    picture, _ = face_png(board, "tile", drawing, SCALE)
    assert open_sides(picture, 15.75) == set(JOINS[drawing])


@pytest.mark.parametrize("drawing", JOINS)
def test_channels_lead_from_side_to_side(board: Board, drawing: str) -> None:
    """Water along the whole channel, but under the roof of a crossing."""
    picture, _ = face_png(board, "tile", drawing, SCALE)
    half = 15.75
    for first, second in JOINS[drawing].items():
        (ax, ay), (bx, by) = TOWARDS[first], TOWARDS[second]
        for angle in np.radians(np.arange(5, 90, 10)):
            if ax + bx == 0 and ay + by == 0:
                reach = half * (1 - 2 * angle / np.radians(90))
                x, y = ax * reach, ay * reach
            else:
                x = half * (ax + bx) - half * (bx * np.cos(angle) + ax * np.sin(angle))
                y = half * (ay + by) - half * (by * np.cos(angle) + ay * np.sin(angle))
            hidden = drawing.startswith("bridge") and max(abs(x), abs(y)) < 6.7
            assert wet(picture, x, y) != hidden, (first, second, x, y)


def test_rotations_are_the_reference_drawing_turned(board: Board) -> None:
    for kind in KINDS:
        reference, mask = face_png(board, "tile", f"{kind} 0", SCALE)
        for quarter, code in enumerate((cv2.ROTATE_90_CLOCKWISE, cv2.ROTATE_180), 1):
            turned = cv2.rotate(reference, code).astype(int)
            same = [d for d in JOINS if d.startswith(f"{kind} ") and open_and_joined(d) == turned_joins(kind, quarter)]
            picture, _ = face_png(board, "tile", same[0], SCALE)
            apart = np.abs(picture.astype(int) - turned).max(axis=2)[mask > 127]
            assert (apart > 60).mean() < 0.03, (kind, quarter)


def open_and_joined(drawing: str) -> set[frozenset[str]]:
    return {frozenset(pair) for pair in JOINS[drawing].items()}


def turned_joins(kind: str, quarters: int) -> set[frozenset[str]]:
    sides = "NESW"
    return {
        frozenset(sides[(sides.index(side) + quarters) % 4] for side in pair) for pair in JOINS[f"{kind} 0"].items()
    }


def test_printed_curves_join_their_inward_sides(board: Board) -> None:
    sheet = board_png(board, SCALE)
    assert board.grid is not None
    assert set(board.features["curve"].values()) == {"A1", "K1", "A8", "K8"}
    for cell in board.features["curve"].values():
        x, y = (round(v * SCALE) for v in board.grid.cells[cell])
        reach = round(board.grid.side / 2 * SCALE)
        picture = sheet[y - reach : y + reach, x - reach : x + reach]
        assert open_sides(picture, board.grid.side / 2) == set(board.grid.neighbours[cell])
        (ax, ay), (bx, by) = (TOWARDS[side] for side in board.grid.neighbours[cell])
        share = board.grid.side / 2 * (1 - 0.5**0.5)
        assert wet(picture, share * (ax + bx), share * (ay + by))
        assert not wet(picture, 0, 0)


def reservoir(board: Board, inscription: str, reverse: bool) -> Picture:
    piece = board.pieces["reservoir"]
    ink = Ink("reservoir")
    ink.page(*piece.size)
    with ink.placed(piece.size[0] / 2, piece.size[1] / 2):
        (draw_reverse if reverse else draw_face)(ink, board, piece, "red", inscription)
    return page_picture(ink.pdf(), 0, SCALE)


@pytest.mark.parametrize(
    ("inscription", "reverse", "ends"),
    [("3, right", False, {"right"}), ("3, left", False, {"left"}), ("4", True, {"left", "right"})],
)
def test_reservoirs_have_their_outlets(board: Board, inscription: str, reverse: bool, ends: set[str]) -> None:
    picture = reservoir(board, inscription, reverse)
    assert wet(picture, -16.5, 15.2)
    assert wet(picture, 16.5, 15.2)
    assert not any(wet(picture, x, -15.2) for x in (-16.5, 0, 16.5))
    assert {end for end, x in (("left", -31.7), ("right", 31.7)) if wet(picture, x, 0)} == ends


def test_the_box_is_as_the_rules_count_it(board: Board, components: dict[str, Component]) -> None:
    assert dict(components["tile"].counts) == {f"{kind} 0": 21 for kind in KINDS}
    assert dict(components["worker"].counts) == dict.fromkeys(board.palette, 4)
    assert dict(components["builder"].counts) == dict.fromkeys(KINDS, 4) | {"joker": 1}
    reservoirs = components["reservoir"]
    assert dict(reservoirs.counts) == dict.fromkeys(board.palette, 2)
    assert set(reservoirs.obverse) == {"3, right", "3, left"}
    assert set(reservoirs.reverse) == {"4"}


def test_path_podiums_and_reserve_do_not_touch_the_field(board: Board) -> None:
    assert board.grid is not None
    left, top = board.grid.corner
    right, bottom = left + board.grid.side * board.grid.columns, top + board.grid.side * board.grid.rows
    boxes = [
        (x - group.size[0] / 2, y - group.size[-1] / 2, x + group.size[0] / 2, y + group.size[-1] / 2, group.name)
        for group in board.groups.values()
        if group.name != "reservoir"
        for x, y in group.places.values()
    ]
    boxes.append((left, top, right, bottom, "field"))
    for index, (x0, y0, x1, y1, name) in enumerate(boxes):
        for u0, v0, u1, v1, other in boxes[:index]:
            assert x1 <= u0 or u1 <= x0 or y1 <= v0 or v1 <= y0, (name, other)
