"""A game without art of its own is printed in plain forms, whatever its board is like."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from calibration.artwork import board_png, face_png
from calibration.drawing.colours import lightness
from calibration.registry import PLAIN, art_of
from companion.registry import print_and_play_board
from tests.every_game import REFERENCE

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


def test_labels_that_name_no_colour_are_told_apart_by_one() -> None:
    board = print_and_play_board(REFERENCE)
    words = ("olive", "vine", "fig", "oak", "elm", "yew", "ash", "fir")
    tile = replace(board.pieces["disc"], name="tile", shape="square", labels=words)
    told = replace(board, pieces={"tile": tile})
    grounds = [face_png(told, "tile", word, SCALE)[0][12, 28] for word in words]
    assert len({lightness(tuple(map(int, ground[:3]))) for ground in grounds}) == len(words)
