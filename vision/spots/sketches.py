"""Spots at a glance: some colours of each tell, far sooner than patches, whether anything changed."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.flat_pose import Projection
from vision.pictures import Image, interpolated

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

CELLS, _FINER = 6, 2
"""Cells of a sketch along a side, and samples along one of a cell."""
_POINTS = CELLS * _FINER
_MOST_HALVINGS = 5
_FEW = 7
"""Of the points of a sketch every so manieth is glanced at."""


class Halvings:
    """A picture at its size, half of it, a quarter and so on, each made when it is first asked for."""

    def __init__(self, image: Image) -> None:
        self._pictures = [image]

    def reduced(self, times: int) -> Image:
        """The picture halved so many times, or as often as it can be."""
        while len(self._pictures) <= times:
            last = self._pictures[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._pictures.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._pictures[times]


class Sketcher:
    """Sketches the squares (spots, 4, 3), given by their corners in board millimetres, around the spots of a kind.

    `outside` (side, side) are the parts of a square that a piece does not fill; None: what is there counts too.
    Keeps where to look until the pose changes.
    """

    def __init__(self, squares: Doubles, outside: npt.NDArray[np.bool_] | None = None) -> None:
        along = (np.arange(_POINTS) + 0.5) / _POINTS
        right, down = (each.reshape(1, -1, 1) for each in np.meshgrid(along, along))
        first, second, _, fourth = (squares[:, k : k + 1] for k in range(4))
        self._places = first + right * (second - first) + down * (fourth - first)
        self._outside: npt.NDArray[np.bool_] | None = None
        if outside is not None:
            middles = (along * len(outside)).astype(np.intp)
            self._outside = outside[np.ix_(middles, middles)].ravel()
        self._pose: Projection | None = None
        self._pixels: Floats = np.zeros((0, 0, 2), np.float32)
        self._halvings = 0

    def sketch(self, picture: Halvings, pose: Projection) -> Floats:
        """The mean colours (spots, CELLS, CELLS, 3) of the parts of each square."""
        if pose is not self._pose:
            self._look_from(pose)
        full, image = picture.reduced(0), picture.reduced(self._halvings)
        scale = np.array([image.shape[1] / full.shape[1], image.shape[0] / full.shape[0]], np.float32)
        colours = interpolated(image, (self._pixels + np.float32(0.5)) * scale - np.float32(0.5)).astype(np.float32)
        if self._outside is not None:
            colours[:, self._outside] = colours[:, ~self._outside].mean(axis=1, keepdims=True)
        cells = colours.reshape(-1, CELLS, _FINER, CELLS, _FINER, 3)
        return np.asarray(cells.mean(axis=(2, 4)), np.float32)

    def glance(self, image: Image, pose: Projection) -> npt.NDArray[np.uint8]:
        """Single pixels (n, 3) of every square: far sooner had than a sketch, and as noisy as the picture."""
        if pose is not self._pose:
            self._look_from(pose)
        columns, rows = self._pixels[:, ::_FEW].reshape(-1, 2).round().astype(np.intp).T
        height, width = image.shape[:2]
        return np.asarray(image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)])

    def _look_from(self, pose: Projection) -> None:
        count = len(self._places)
        self._pose = pose
        self._pixels = pose.project(self._places.reshape(-1, 3)).reshape(count, -1, 2)
        steps = np.linalg.norm(np.diff(self._pixels[:, :_POINTS], axis=1), axis=2)
        apart = float(np.median(steps)) if steps.size else 1.0
        self._halvings = int(np.clip(np.round(np.log2(max(apart, 1.0))), 0, _MOST_HALVINGS))
