"""Sketches: a few colours of each spot, which show much sooner than patches whether anything has changed."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.flat_pose import Projection
from vision.pictures import Image, interpolated

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]

CELLS = 6
"""Cells of a sketch along a side."""
_FINER = 2
"""Samples of a cell along a side."""
_POINTS = CELLS * _FINER
_MOST_HALVINGS = 5
"""Most times a picture is halved."""
_FEW = 7
"""A glance takes every this many points of a sketch."""


class Halvings:
    """A picture at full size, half, a quarter and so on, each computed on first use."""

    def __init__(self, image: Image) -> None:
        self._pictures = [image]

    def reduced(self, times: int) -> Image:
        """The picture halved this many times, or as often as possible."""
        while len(self._pictures) <= times:
            last = self._pictures[-1]
            size = (max(1, last.shape[1] // 2), max(1, last.shape[0] // 2))
            self._pictures.append(np.asarray(cv2.resize(last, size, interpolation=cv2.INTER_AREA), np.uint8))
        return self._pictures[times]


class Sketcher:
    """Sketches the squares around the spots of a kind of piece, given by their corners (spots, 4, 3) in board
    millimetres.

    `outside` (side, side) are the parts of a square that the piece does not fill; None: the whole square counts. What
    depends on the pose is kept until it is given another pose object.
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
        """Single pixels (n, 3) of every square: much faster than a sketch, and as noisy as the picture."""
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
