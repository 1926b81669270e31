"""Finds hands and other things over a sheet by what neither print nor pieces explain around its spots.

A sleeve may look like a piece on every spot beneath it; but between the spots it looks like nothing that is printed.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.pictures import Gray, Image, interpolated
from vision.printed.pieces.appearance import off_paint
from vision.printed.pieces.occlusion import numbers_at
from vision.printed.sheet.canvas import Canvas
from vision.printed.sheet.foreign import foreign_in
from vision.printed.sheet.glare import Glare

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_STEP = 3.0
"""Distance (mm) between samples."""
_AROUND = 12.0
"""Distance (mm) from the rims of spots within which the sheet is looked at."""
_DEEPEST_SHADOW = 0.35
"""Factor of the deepest shadow: a hand throws the deepest."""
_LIKE_A_PIECE = np.float32(-9.5)
"""Log density that a piece found there is taken to have."""
_STRAY_LIGHT = np.uint8(4)
"""Grey levels by which stray light and the camera's black level may be off."""


class HandFinder:
    """Finds what lies over the spots of one board under one pose."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        self._size = board.size
        axes = [np.arange(_STEP / 2, side, _STEP) for side in board.size]
        self._places = np.stack(np.meshgrid(*axes), axis=-1).astype(np.float32)
        flat = self._places.reshape(-1, 2)
        pixels = pose.project(np.column_stack([flat, np.zeros(len(flat), np.float32)]))
        self._pixels = pixels.reshape(self._places.shape)
        column, row = self._pixels[..., 0], self._pixels[..., 1]
        within = (column >= 0) & (column <= pose.camera.width - 1) & (row >= 0) & (row <= pose.camera.height - 1)
        self._looked_at: Flags = within & _near_spots(board, self._places.shape[:2])

    def find(
        self, image: Image, colours: ColourCorrection, canvas: Canvas, glare: Glare, found: Numbers
    ) -> Gray | None:
        """A mask of the sheet, one pixel per millimetre: 255 where something else lies over it; None where nothing
        does. `found` are the silhouettes of the pieces, `canvas` shows the tiles.
        """
        shown = interpolated(image, self._pixels)
        lab = colours.to_lab(shown, self._places)
        off_black = colours.to_lab(np.minimum(shown, 255 - _STRAY_LIGHT) + _STRAY_LIGHT, self._places) - lab
        slack = off_paint(colours.error) + np.abs(off_black)
        density = canvas.expect(self._places, _DEEPEST_SHADOW).log_density(lab, slack)
        numbers = numbers_at(found, self._pixels)
        explained = np.where(numbers > 0, _LIKE_A_PIECE, density)
        seen = self._looked_at & ~glare.at(self._places)
        foreign = foreign_in(lab, density, explained, numbers, seen, _STEP)
        if not foreign.any():
            return None
        size = int(np.ceil(self._size[0])), int(np.ceil(self._size[1]))
        return np.asarray(cv2.resize(foreign, size, interpolation=cv2.INTER_NEAREST), np.uint8)


def _near_spots(board: Board, shape: tuple[int, ...]) -> Flags:
    """The samples (rows, columns) near spots, but not where pieces stand in crowds."""
    near, crowds = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    for spot in board.spots.values():
        mask = crowds if board.pieces[spot.piece].lies_on == "slot" else near
        cv2.fillConvexPoly(mask, (np.array(spot.outline) / _STEP).round().astype(np.int32), 1)
    side = 2 * round(_AROUND / _STEP) + 1
    disc = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))
    wide = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * side + 1, 2 * side + 1))
    return np.asarray((cv2.dilate(near, disc) > 0) & (cv2.dilate(crowds, wide) == 0))
