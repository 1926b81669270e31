"""A game without art of its own is printed in plain forms, whatever its board is like."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.artwork import board_png, face_png
from calibration.drawing.colours import lightness
from calibration.registry import PLAIN, art_of
from companion.registry import print_and_play_board
from tests.every_game import EVERY_GAME, OWN_GAMES, REFERENCE

SCALE = 2.0


def test_a_lattice_of_another_game_is_no_city() -> None:
    city = print_and_play_board("city_of_marble")
    other = replace(city, game="another_game")
    assert art_of(city) is not PLAIN
    assert art_of(other) is PLAIN
    sheet = board_png(other, SCALE)
    x, y = (round(value * SCALE) for value in city.lattice.centre("G7-H7"))
    assert sheet[y - 6 : y + 6, x - 6 : x + 6].min() < 200
    assert (sheet != board_png(city, SCALE)).any()


def test_the_reference_game_is_printed() -> None:
    board = print_and_play_board(REFERENCE)
    assert art_of(board) is PLAIN
    assert len(np.unique(board_png(board, SCALE).reshape(-1, 3), axis=0)) > 10
    assert (face_png(board, "disc", "black", SCALE)[0] != face_png(board, "disc", "white", SCALE)[0]).any()


@pytest.mark.parametrize("game_id", EVERY_GAME)
def test_every_spot_lies_on_the_panel(game_id: str) -> None:
    for board in print_and_play_board(game_id).sheets:
        band, (width, height) = art_of(board).band, board.size
        for spot in board.spots.values():
            for x, y in spot.outline:
                assert band <= x <= width - band, (board.id, spot.name)
                assert band <= y <= height - band, (board.id, spot.name)


@pytest.mark.parametrize("game_id", OWN_GAMES)
def test_plain_sheets_show_all_cells_and_a_title_above_them(game_id: str) -> None:
    board = print_and_play_board(game_id)
    grid = board.grid
    assert grid is not None
    sheet = board_png(board, SCALE).astype(int)
    ground = sheet[round((grid.corner[1] + 1) * SCALE), round((grid.corner[0] - 4) * SCALE)]
    for x, y in grid.cells.values():
        inside = sheet[round(y * SCALE - 8), round(x * SCALE)]
        assert abs(inside - ground).max() > 8
    top, middle = round(6 * SCALE), round(board.size[0] / 2 * SCALE)
    above = sheet[top : round((grid.corner[1] - 1) * SCALE), middle - 40 : middle + 40]
    assert (abs(above - ground).max(axis=2) > 60).any(), "no title is drawn above the cells"


def test_labels_that_name_no_colour_are_told_apart_by_one() -> None:
    board = print_and_play_board(REFERENCE)
    words = ("olive", "vine", "fig", "oak", "elm", "yew", "ash", "fir")
    tile = replace(board.pieces["disc"], name="tile", shape="square", labels=words)
    told = replace(board, pieces={"tile": tile})
    grounds = [face_png(told, "tile", word, SCALE)[0][12, 28] for word in words]
    assert len({lightness(tuple(map(int, ground[:3]))) for ground in grounds}) == len(words)
