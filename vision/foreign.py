"""What does not belong to the game: an arm, a cup, a sheet of paper over the board."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.canvas import Canvas
from vision.colour import ColourCorrection
from vision.likelihood import OUTLIER
from vision.occlusion import numbers_at
from vision.pictures import Gray, Image, interpolated
from vision.registration import BoardPose

Floats = npt.NDArray[np.float32]

_STEP = 4.0
"""Distance (mm) of the points that are looked at, a square grid over the sheet."""
_UNEXPLAINED = OUTLIER + 2.0
_SMALLEST = 700.0
"""mm² from which something unexplained is a foreign thing and no piece laid askew."""


class ForeignFinder:
    """Finds what covers the board under one pose."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        columns, rows = (int(side / _STEP) for side in board.size)
        x, y = np.meshgrid((np.arange(columns) + 0.5) * _STEP, (np.arange(rows) + 0.5) * _STEP)
        self._places: Floats = np.stack([x, y], axis=-1).astype(np.float32)
        flat = np.column_stack([self._places.reshape(-1, 2), np.zeros(x.size)])
        self._pixels = pose.project(flat).reshape(rows, columns, 2)
        limits = np.array([pose.camera.width - 1, pose.camera.height - 1])
        self._outside = ((self._pixels < 0) | (self._pixels > limits)).any(axis=-1)

    def find(
        self, image: Image, colours: ColourCorrection, canvas: Canvas, pieces: npt.NDArray[np.int16]
    ) -> npt.NDArray[np.bool_]:
        """Which grid points (rows, columns) show neither sheet nor tiles as they lie, nor the pieces in `pieces`."""
        lab = colours.to_lab(interpolated(image, self._pixels), self._places)
        strange = canvas.expect(self._places).log_density(lab) < _UNEXPLAINED
        strange &= numbers_at(pieces, self._pixels) == 0
        shape = np.ones((3, 3), np.uint8)
        mask = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_CLOSE, shape)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((4, 4), np.uint8))
        count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
        large = [k for k in range(1, count) if stats[k, cv2.CC_STAT_AREA] * _STEP**2 >= _SMALLEST]
        found = cv2.dilate(np.isin(labels, large).astype(np.uint8), shape)
        return (found > 0) | self._outside


def covers(mask: npt.NDArray[np.bool_] | Gray, places: npt.NDArray[np.floating]) -> npt.NDArray[np.bool_]:
    """Which board places (..., 2), in millimetres, the mask of a `ForeignFinder` covers."""
    columns = np.clip((places[..., 0] / _STEP).astype(np.intp), 0, mask.shape[1] - 1)
    rows = np.clip((places[..., 1] / _STEP).astype(np.intp), 0, mask.shape[0] - 1)
    return np.asarray(mask[rows, columns] > 0)
