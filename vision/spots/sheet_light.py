"""The light of a picture by the bare board in it, compared with the board as it was photographed when it was taught."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.space import LINEAR
from vision.colour.swatches import CLIPPED
from vision.location.flat_pose import Projection
from vision.location.location import TaughtSheet
from vision.pictures import Image, interpolated
from vision.spots.spot_light import SpotLight

Doubles = npt.NDArray[np.float64]

_POINTS = 48
"""Points along either side of the board that are compared."""
_FEWEST = 60
"""Fewest points that tell the light."""
_DARKEST = 12
"""Pixel value below which a channel is mostly noise."""
_AROUND = 2.0
"""Millimetres around a point whose mean is taken."""
_ALIKE = 0.2
"""Natural logarithm of light by which a point of the bare board may be off."""
_LEAST_ALIKE = 0.5
"""Part of the points that must be as bright as they were taught: the others are hidden, or in another light."""


class SheetLight:
    """Estimates the light of pictures of a board whose look was taught."""

    def __init__(self, board: Board, sheet: TaughtSheet) -> None:
        width, height = board.size
        along = (np.arange(_POINTS) + 0.5) / _POINTS
        x, y = (each.ravel() for each in np.meshgrid(along * width, along * height))
        columns, rows = (np.clip((each * sheet.scale).astype(int), 0, None) for each in (x, y))
        covered = cv2.dilate(sheet.hidden, np.ones((3, 3), np.uint8), iterations=max(1, round(_AROUND * sheet.scale)))
        bare = covered[np.minimum(rows, covered.shape[0] - 1), np.minimum(columns, covered.shape[1] - 1)] == 0
        self._points = np.column_stack([x, y, np.zeros(len(x))])[bare]
        self._places = self._points[:, :2] / (np.array(board.size) / 2) - 1
        levels, usable = _levels(sheet.image, sheet.pose, self._points)
        self._points, self._places = self._points[usable], self._places[usable]
        self._expected = _logarithm(levels[usable]) + np.array(sheet.light)

    def of(self, image: Image, pose: Projection) -> SpotLight | None:
        """The light of a picture; None where too little of the bare board is seen, or it looks otherwise."""
        if len(self._points) < _FEWEST:
            return None
        levels, usable = _levels(image, pose, self._points)
        if usable.sum() < _FEWEST:
            return None
        places, light, expected = self._places[usable], _logarithm(levels[usable]), self._expected[usable]
        found = SpotLight.even(np.zeros(3)).after(places, light, expected, np.ones(len(light)))
        off = np.abs(light + found.at(places) - expected).max(axis=1)
        return found if (off < _ALIKE).mean() >= _LEAST_ALIKE else None


def _levels(image: Image, pose: Projection, points: Doubles) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.bool_]]:
    """The mean pixel values (n, 3) around points of the board, and which are seen and neither dark nor burnt."""
    ways = _AROUND * np.array([(0, 0), (1, 0), (-1, 0), (0, 1), (0, -1), (0.7, 0.7), (-0.7, 0.7)])
    shifts = np.column_stack([ways, np.zeros(len(ways))])
    pixels = pose.project((points[:, None] + shifts).reshape(-1, 3)).reshape(len(points), len(ways), 2)
    limits = np.array([image.shape[1] - 1, image.shape[0] - 1])
    inside = ((pixels >= 0) & (pixels <= limits)).all(axis=(1, 2))
    levels = interpolated(image, pixels.astype(np.float32)).astype(np.float32).mean(axis=1)
    return levels, np.asarray(inside & (levels.min(axis=1) > _DARKEST) & (levels.max(axis=1) < CLIPPED))


def _logarithm(levels: npt.NDArray[np.float32]) -> Doubles:
    """The natural logarithm of the linear light of pixel values (n, 3)."""
    light = np.stack([np.interp(levels[:, k], np.arange(256), LINEAR.ravel()) for k in range(3)], axis=1)
    return np.asarray(np.log(np.maximum(light, 1e-4)), np.float64)
