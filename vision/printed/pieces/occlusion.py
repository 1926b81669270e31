"""Which pieces hide which: their silhouettes in a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Spot
from vision.location.board_pose import BoardPose
from vision.printed.pieces.patches import PatchView

Floats = npt.NDArray[np.float32]

_SCALE = 0.5
"""Silhouettes are drawn at this scale of the picture: a pixel does not matter to whole samples."""


class Silhouettes:
    """Draws pieces as they stand under one pose, the nearest last, each with its own number."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        self._shape = (int(pose.camera.height * _SCALE) + 1, int(pose.camera.width * _SCALE) + 1)
        self._corners: dict[str, Floats] = {}
        self._distances: dict[str, float] = {}
        for piece in board.pieces:
            spots = [spot for spot in board.spots.values() if spot.piece == piece]
            if spots:
                self._corners |= _ends(spots, pose)
                away = np.linalg.norm(np.array([spot.centre for spot in spots]) - pose.eye[:2], axis=1)
                self._distances |= {spot.name: float(each) for spot, each in zip(spots, away, strict=True)}

    def outline(self, spot: str) -> Floats:
        """The corners (n, 2) of the silhouette of a piece on a spot, in order, in pixels of the picture."""
        return np.asarray(cv2.convexHull(self._corners[spot])[:, 0] / np.float32(_SCALE))

    def distance(self, spot: str) -> float:
        """The distance (mm, along the board) from the camera to a piece on a spot."""
        return self._distances[spot]

    def draw(self, spots: Iterable[tuple[str, int]]) -> npt.NDArray[np.int16]:
        """A picture of the number (above 0) of the piece that each pixel shows, 0 for none."""
        picture = np.zeros(self._shape, np.int16)
        for name, number in sorted(spots, key=lambda spot: -self._distances[spot[0]]):
            self.add(picture, name, number)
        return picture

    def add(self, picture: npt.NDArray[np.int16], spot: str, number: int) -> None:
        """Draw one more piece over what is drawn already."""
        limit = 4.0 * max(self._shape)
        corners = np.clip(self._corners[spot], -limit, limit).round().astype(np.int32)
        cv2.fillConvexPoly(picture, cv2.convexHull(corners), number)


def _ends(spots: Sequence[Spot], pose: BoardPose) -> dict[str, Floats]:
    """Spot -> the corners of a piece there, at its foot and at its top, in pixels of the reduced picture."""
    outlines = np.array([spot.outline for spot in spots])
    places = np.empty((2, *outlines.shape[:2], 3))
    places[..., :2] = outlines
    for end, height in enumerate((0.0, spots[0].height)):
        places[end, ..., 2] = spots[0].base + height
    pixels = pose.project(places).reshape(2, *outlines.shape) * np.float32(_SCALE)
    return {spot.name: pixels[:, k].reshape(-1, 2) for k, spot in enumerate(spots)}


def widened(picture: npt.NDArray[np.int16], view: PatchView, reach: float) -> npt.NDArray[np.int16]:
    """Silhouettes widened by `reach` millimetres at the places of a view."""
    apart = np.diff(view.plan.places[:, :2], axis=1), np.diff(view.pixels[:, :2], axis=1)
    board, seen = (float(np.median(np.linalg.norm(each, axis=2))) for each in apart)
    side = 2 * round(reach * seen / board * _SCALE) + 1
    return np.asarray(cv2.dilate(picture, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side))), np.int16)


def numbers_at(picture: npt.NDArray[np.int16], pixels: Floats) -> npt.NDArray[np.int16]:
    """The numbers at pixels (..., 2) of the full picture."""
    columns = np.clip((pixels[..., 0] * _SCALE).astype(np.intp), 0, picture.shape[1] - 1)
    rows = np.clip((pixels[..., 1] * _SCALE).astype(np.intp), 0, picture.shape[0] - 1)
    return picture[rows, columns]
