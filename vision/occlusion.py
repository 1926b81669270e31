"""What stands before what: the silhouettes of pieces in a picture."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.registration import BoardPose

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_SCALE = 0.5
"""Silhouettes are drawn at half the picture's size: a pixel more or less does not matter to whole samples."""


class Silhouettes:
    """Draws pieces as they stand under one pose, the nearest last, each with a number of its own."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        self._board, self._pose = board, pose
        self._hulls: dict[str, npt.NDArray[np.int32]] = {}
        self._shape = (int(pose.camera.height * _SCALE) + 1, int(pose.camera.width * _SCALE) + 1)

    def draw(self, spots: Iterable[tuple[str, int]]) -> npt.NDArray[np.int16]:
        """A picture with the number (above 0) of the piece that each pixel shows, 0 where there is none of these."""
        eye = self._pose.eye
        picture = np.zeros(self._shape, np.int16)
        placed = [(self._board.spots[name], number) for name, number in spots]
        for spot, number in sorted(placed, key=lambda item: -float(np.hypot(*(eye[:2] - item[0].centre)))):
            cv2.fillConvexPoly(picture, self._hull(spot), number)
        return picture

    def _hull(self, spot: Spot) -> npt.NDArray[np.int32]:
        if spot.name not in self._hulls:
            corners = np.array(spot.outline)
            ends = [np.column_stack([corners, np.full(len(corners), z)]) for z in (spot.base, spot.base + spot.height)]
            pixels = self._pose.project(np.concatenate(ends)) * _SCALE
            limit = 4.0 * max(self._shape)
            self._hulls[spot.name] = cv2.convexHull(np.clip(pixels, -limit, limit).round().astype(np.int32))
        return self._hulls[spot.name]


def numbers_at(picture: npt.NDArray[np.int16], pixels: Floats) -> npt.NDArray[np.int16]:
    """The numbers that pixels (..., 2) of the full picture show."""
    columns = np.clip((pixels[..., 0] * _SCALE).astype(np.intp), 0, picture.shape[1] - 1)
    rows = np.clip((pixels[..., 1] * _SCALE).astype(np.intp), 0, picture.shape[0] - 1)
    return picture[rows, columns]
