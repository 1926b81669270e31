"""A board's sheet and faces as pictures, rendered from the drawings that are printed.

Pictures are BGR. A face is centred in its picture, in the frame of `companion.board.layout.face_outline`: a rhombus
(ward) has its long diagonal along x, a bar its length; a triangle has one corner up, a hexagon two sides level.
"""

from __future__ import annotations

import math

import numpy as np

from calibration.board_sheet import draw_board
from calibration.drawing.ink import Ink
from calibration.drawing.raster import Picture, page_picture
from calibration.editions import USUAL, Edition
from calibration.faces import draw_face, fill_outline, rim_colour
from companion.board.layout import Board, Piece, face_outline

_MARGIN = 1.0
"""Margin (mm) around a face in its picture."""


def board_png(board: Board, pixels_per_mm: float) -> Picture:
    """The whole empty sheet, (rows, columns, 3)."""
    ink = Ink(board.name)
    ink.page(*board.size)
    draw_board(ink, board)
    return page_picture(ink.pdf(), 0, pixels_per_mm)


def face_pixels(piece: Piece, pixels_per_mm: float) -> tuple[int, int]:
    """The width and height of the picture of a piece's face."""
    outline = face_outline(piece)
    width, height = (
        2 * math.ceil((max(abs(point[axis]) for point in outline) + _MARGIN) * pixels_per_mm) for axis in (0, 1)
    )
    return width, height


def face_png(
    board: Board, piece_name: str, label: str, pixels_per_mm: float, edition: Edition = USUAL
) -> tuple[Picture, Picture]:
    """The face (rows, columns, 3) of a piece and its mask (rows, columns), 255 on the piece.

    Outside the mask the face has the colour of its rim. Raises KeyError where the board has no such piece or label.
    """
    piece = board.pieces[piece_name]
    width, height = (pixels / pixels_per_mm for pixels in face_pixels(piece, pixels_per_mm))
    ink = Ink(f"{piece_name} {label}")
    ink.page(width, height)
    ink.rectangle(0, 0, width, height, rim_colour(piece, label))
    with ink.placed(width / 2, height / 2):
        draw_face(ink, board, piece, label, edition=edition)
    ink.page(width, height)
    with ink.placed(width / 2, height / 2):
        fill_outline(ink, piece, (0, 0, 0))
    pdf = ink.pdf()
    cover = page_picture(pdf, 1, pixels_per_mm)[:, :, 0]
    return page_picture(pdf, 0, pixels_per_mm), 255 - np.ascontiguousarray(cover)
