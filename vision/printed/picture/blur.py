"""Measures a picture's blur on the sides of the printed markers, which are sharp steps."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.space import LINEAR
from vision.location.board_pose import BoardPose
from vision.location.registration import marker_corners
from vision.pictures import Image, interpolated

Floats = npt.NDArray[np.float64]

_ALONG = np.linspace(0.25, 0.75, 12)
"""Where along a marker's side it is probed, in parts of its length."""
_REACH = 3.2
"""Length (mm) of a probe to either side of a marker's side, within dark border and white margin."""
_STEP = 0.16
"""Spacing (mm) of a probe's samples."""
_PLATEAU = 2.2
"""Distance (mm) from the side beyond which the levels are constant."""
_LEAST_CONTRAST = 0.02
"""Smallest difference (linear light) between dark and white."""
_FEWEST = 3
"""Fewest markers from which blur is measured."""
_AREA = math.sqrt(2 / math.pi)
"""Area between a step and the same step under a blur of standard deviation 1."""


_LEVELS = 4095
"""Steps of linear light in the table from light back to levels."""
_LEVEL_OF = (
    np.clip(np.interp(np.arange(_LEVELS + 1) / _LEVELS, LINEAR, np.arange(256)), 0, 255).round().astype(np.uint8)
)


def blurred(image: Image, deviation: float) -> Image:
    """A drawing as an unfocused lens would show it: the blur (standard deviation, pixels) is applied to linear
    light.
    """
    light = cv2.GaussianBlur(LINEAR[image], (0, 0), deviation)
    return np.asarray(_LEVEL_OF[(light * np.float32(_LEVELS)).round().astype(np.intp)], np.uint8)


def blur_of(image: Image, board: Board, pose: BoardPose) -> float | None:
    """The blur of a picture (standard deviation, mm on the board, mean over directions); None without enough
    markers.
    """
    ids = sorted(pose.markers & board.markers.centres.keys())
    if len(ids) < _FEWEST:
        return None
    corners = np.stack([marker_corners(board, marker) for marker in ids])
    along = np.roll(corners, -1, axis=1) - corners
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / np.linalg.norm(along, axis=2, keepdims=True)
    feet = corners[:, :, None] + along[:, :, None] * _ALONG[:, None]
    across = np.arange(-_REACH, _REACH + _STEP / 2, _STEP)
    places = feet[:, :, :, None] + outward[:, :, None, None] * across[:, None]
    pixels = pose.project(np.concatenate([places, np.zeros((*places.shape[:-1], 1))], axis=-1).reshape(-1, 3))
    shown = interpolated(image, pixels.reshape(-1, len(across), 2))
    light = LINEAR[shown].mean(axis=-1).reshape(places.shape[:-1]).mean(axis=2)
    within = ((pixels >= 0) & (pixels < np.array(pose.size))).all(axis=1).reshape(len(ids), -1).all(axis=1)
    spreads = _spread(light[within], across)
    known = np.isfinite(spreads).all(axis=1)
    if known.sum() < _FEWEST:
        return None
    return float(np.median(np.sqrt((spreads[known] ** 2).mean(axis=1))))


def _spread(light: npt.NDArray[np.floating], across: Floats) -> Floats:
    """The blur (markers, sides), standard deviation in mm, of profiles (markers, sides, steps); NaN where contrast is
    too low.
    """
    dark = np.median(light[..., across < -_PLATEAU], axis=-1, keepdims=True)
    white = np.median(light[..., across > _PLATEAU], axis=-1, keepdims=True)
    contrast = white - dark
    rise = np.clip((light - dark) / np.maximum(contrast, 1e-6), 0.0, 1.0)
    middle = across[-1] + _STEP / 2 - rise.sum(axis=-1, keepdims=True) * _STEP
    step = np.clip((across - middle) / _STEP + 0.5, 0.0, 1.0)
    area = np.abs(rise - step).sum(axis=-1) * _STEP
    return np.where(contrast[..., 0] > _LEAST_CONTRAST, area / _AREA, np.nan)
