"""The second edition: faces that a camera tells apart in any light and any turn, and stickers for wooden pieces."""

import itertools
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.artwork import face_png
from calibration.components import Component
from calibration.drawing.ink import Ink
from calibration.drawing.raster import page_picture
from calibration.editions import Edition
from calibration.registry import ART, art_of
from calibration.sheets import draw_sheet, sticker_sheets
from companion.board.layout import Board, Piece
from companion.registry import print_and_play_board

SCALE, BLUR = 6.0, 0.7
"""Pixels a millimetre, and a webcam's blur (mm)."""
ALIKE = 0.75
REDRAWN = [
    (game, piece.name)
    for game, art in ART.items()
    for sheet in print_and_play_board(game).sheets
    for piece in sheet.pieces.values()
    if (piece.name, piece.shape) in art.second
]


def shades(board: Board, piece: Piece, label: str, edition: Edition) -> tuple[np.ndarray, np.ndarray]:
    """A face without colours as a webcam shows it, and where it is."""
    picture, mask = face_png(board, piece.name, label, SCALE, edition)
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY).astype(np.float32), (0, 0), BLUR * SCALE)
    return grey, cv2.erode(mask, np.ones((5, 5), np.uint8)) > 127


def likeness(first: np.ndarray, second: np.ndarray, within: np.ndarray) -> float:
    """The greatest correlation of two drawings in any turn; light and contrast make no difference."""
    middle = ((first.shape[1] - 1) / 2, (first.shape[0] - 1) / 2)
    found = []
    for turn in range(0, 360, 15):
        warp = cv2.getRotationMatrix2D(middle, turn, 1.0)
        turned = cv2.warpAffine(second, warp, second.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
        cover = cv2.warpAffine(within.astype(np.uint8), warp, second.shape[::-1]) > 0
        both = within & cover
        if both.sum() > 0.9 * within.sum():
            found.append(float(np.corrcoef(first[both], turned[both])[0, 1]))
    return max(found)


@pytest.mark.parametrize(("game", "name"), REDRAWN)
def test_redrawn_faces_are_told_apart_without_their_colours_in_any_light_and_turn(game: str, name: str) -> None:
    board = next(sheet for sheet in print_and_play_board(game).sheets if name in sheet.pieces)
    piece = board.pieces[name]
    for first, second in itertools.combinations(piece.labels, 2):
        a, within = shades(board, piece, first, Edition.SECOND)
        b, _ = shades(board, piece, second, Edition.SECOND)
        assert likeness(a, b, within) < ALIKE, (first, second)


def test_a_bridge_has_a_rim_that_its_space_lacks(board: Board) -> None:
    """Dark and light stones in turn along each side, whatever the printer makes of blue."""
    grey, within = shades(board, board.pieces["bridge"], "bridge", Edition.SECOND)
    inner = cv2.erode(within.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=round(0.9 * SCALE)) > 0
    outer = cv2.erode(within.astype(np.uint8), np.ones((3, 3), np.uint8), iterations=round(1.9 * SCALE)) > 0
    rim = grey[inner & ~outer]
    assert (rim > 170).mean() > 0.25
    assert (rim < 90).mean() > 0.25


def test_the_first_edition_is_drawn_as_before(board: Board) -> None:
    art = art_of(board)
    before = replace(art, second={})
    for name, label in (("aqueduct", "grey"), ("cube", "black"), ("bridge", "bridge"), ("ward", "red")):
        first, mask = face_png(board, name, label, SCALE, Edition.FIRST)
        second, _ = face_png(board, name, label, SCALE, Edition.SECOND)
        assert np.array_equal(face_png(board, name, label, SCALE)[0], first)
        assert ((first != second).any(axis=2) & (mask > 127)).any() == ((name, board.pieces[name].shape) in art.second)
    assert not before.second


def test_there_is_a_sticker_for_each_standing_piece_on_one_page(
    board: Board, components: tuple[Component, ...]
) -> None:
    (sheet,) = sticker_sheets(board, components)
    standing = [c for c in components if c.name in ("aqueduct", "cube", "magistrate")]
    printed = Counter((item.component.name, item.label) for item in sheet.items)
    assert printed == {(c.name, label): count for c in standing for label, count in c.counts.items()}
    ink = Ink("stickers")
    ink.page(*sheet.size)
    draw_sheet(ink, board, sheet, 1, 1, Edition.SECOND)
    page, scale = page_picture(ink.pdf(), 0, 4.0), 4.0
    for item in sheet.items:
        face, mask = face_png(board, item.component.piece.name, item.label, scale, Edition.SECOND)
        x, y = (round(value * scale) for value in item.centre)
        seen = page[y - 4 : y + 4, x - 4 : x + 4].mean(axis=(0, 1))
        middle = (face.shape[0] // 2, face.shape[1] // 2)
        meant = face[middle[0] - 4 : middle[0] + 4, middle[1] - 4 : middle[1] + 4].mean(axis=(0, 1))
        assert np.abs(seen - meant).max() < 40, (item.component.name, item.label)
        assert mask.any()
