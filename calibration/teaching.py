"""Teaching what pieces look like. The print-and-play edition comes taught, by its own artwork."""

from __future__ import annotations

from types import MappingProxyType

from calibration.artwork import board_png, face_png
from companion.board.layout import Board
from vision.profile import Face, Profile

SHEET_SCALE = 2.0
FACE_SCALE = 4.0
"""pixels per millimetre: a little finer than a camera at the table sees them"""


def teach_from_artwork(board: Board) -> Profile:
    """The profile of a board that this project draws itself; the same board always gives the same profile."""
    faces = {
        (piece.name, label): Face(*face_png(board, piece.name, label, FACE_SCALE), FACE_SCALE)
        for piece in board.pieces.values()
        for label in piece.labels
    }
    return Profile(board.id, board.digest, board_png(board, SHEET_SCALE), SHEET_SCALE, MappingProxyType(faces))
