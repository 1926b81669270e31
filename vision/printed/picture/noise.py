"""Measures a sensor's noise in a picture, and smooths the picture accordingly."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.board_pose import BoardPose
from vision.pictures import Image

_ROWS = 24
"""Noise is measured on every this many rows."""
_WHITE = 0.95
"""Quantile of all levels taken for white, relative to which noise counts."""
_QUIET = 6.0
"""Noise (levels, white being 255) up to which a picture is left alone, and down to which others are smoothed."""
_LEAST = 0.6
"""Smallest standard deviation (pixels) of the smoothing."""
_MOST = 0.35
"""Largest (mm on the board), if that is more."""
_OF_NORMAL = 0.6745 * math.sqrt(6)
"""Median absolute second difference of noise of standard deviation 1."""


def noise_of(image: Image) -> float:
    """Standard deviation of a picture's noise between pixels, in levels as if white were 255.

    Most second differences along rows are noise alone, as edges are few.
    """
    rows = image[::_ROWS].astype(np.int16)
    change = np.abs(rows[:, 2:] - 2 * rows[:, 1:-1] + rows[:, :-2])
    return _quantile(change, 0.5) / _OF_NORMAL * 255.0 / max(_quantile(rows, _WHITE), 1.0)


def _quantile(levels: npt.NDArray[np.int16], part: float) -> float:
    """Equal to `numpy.quantile`, but counts whole levels instead of sorting."""
    counts, place = np.cumsum(np.bincount(levels.ravel())), part * (levels.size - 1)
    below, above = np.searchsorted(counts, [math.floor(place), math.ceil(place)], side="right").tolist()
    return float(below + (above - below) * (place % 1.0))


def quietened(image: Image, pose: BoardPose) -> Image:
    """The picture smoothed as far as its noise requires and the size of the board in it allows."""
    noise = noise_of(image)
    if noise <= _QUIET:
        return image
    scale = pose.camera.focal / float(np.linalg.norm(pose.eye))
    needed = noise / _QUIET / (2.0 * math.sqrt(math.pi))
    return np.asarray(cv2.GaussianBlur(image, (0, 0), max(_LEAST, min(needed, _MOST * scale))), np.uint8)
