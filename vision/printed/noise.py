"""A sensor's noise: how much of it a picture shows, and the picture with less of it."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.board_pose import BoardPose
from vision.pictures import Image

_ROWS = 24
"""Every so many rows noise is measured."""
_WHITE = 0.95
"""The part of all levels that is below what is taken for white: noise counts beside it."""
_QUIET = 6.0
"""Noise (levels, white being 255) that is left alone, and down to which more is smoothed."""
_LEAST, _MOST = 0.6, 0.35
"""Standard deviation of the smoothing: at least so many pixels; at most so many millimetres if that is more."""
_OF_NORMAL = 0.6745 * math.sqrt(6)
"""Median size of a second difference of noise of standard deviation 1."""


def noise_of(image: Image) -> float:
    """Standard deviation of a picture's noise from pixel to pixel, in levels as if white were 255.

    Most second differences along rows show noise alone: edges are few.
    """
    rows = image[::_ROWS].astype(np.int16)
    change = np.abs(rows[:, 2:] - 2 * rows[:, 1:-1] + rows[:, :-2])
    return _quantile(change, 0.5) / _OF_NORMAL * 255.0 / max(_quantile(rows, _WHITE), 1.0)


def _quantile(levels: npt.NDArray[np.int16], part: float) -> float:
    """The same as `numpy.quantile`, by counting whole levels instead of sorting them."""
    counts, place = np.cumsum(np.bincount(levels.ravel())), part * (levels.size - 1)
    below, above = np.searchsorted(counts, [math.floor(place), math.ceil(place)], side="right").tolist()
    return float(below + (above - below) * (place % 1.0))


def quietened(image: Image, pose: BoardPose) -> Image:
    """The picture, smoothed as far as its noise asks for and the pieces on a board at this pose allow."""
    noise = noise_of(image)
    if noise <= _QUIET:
        return image
    scale = pose.camera.focal / float(np.linalg.norm(pose.eye))
    needed = noise / _QUIET / (2.0 * math.sqrt(math.pi))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(_LEAST, min(needed, _MOST * scale))), np.uint8)
