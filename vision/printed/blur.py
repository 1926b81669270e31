"""How blurred a picture is, measured where its sharp edges are known: on the sides of the printed markers."""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour_space import LINEAR
from vision.location.board_pose import BoardPose
from vision.location.registration import marker_corners
from vision.pictures import Image, interpolated

Floats = npt.NDArray[np.float64]

_ALONG = np.linspace(0.25, 0.75, 12)
_REACH, _STEP = 3.2, 0.16
"""How far (mm) from a marker's side its profile is taken, within dark border and white margin, and how finely."""
_PLATEAU = 2.2
"""Distance (mm) from a side from which on all is as dark or as light as it gets."""
_LEAST_CONTRAST = 0.02
"""Linear light by which dark and light must differ."""
_FEWEST = 3
_AREA = math.sqrt(2 / math.pi)
"""Area between a step and the same step under a blur of standard deviation 1."""


_LEVELS = 4095
"""Steps of linear light from which the levels of a blurred picture are looked up."""
_LEVEL_OF = (
    np.clip(np.interp(np.arange(_LEVELS + 1) / _LEVELS, LINEAR, np.arange(256)), 0, 255).round().astype(np.uint8)
)


def blurred(image: Image, deviation: float) -> Image:
    """A drawing as a lens out of focus would show it: it is light that is blurred (standard deviation, pixels)."""
    light = cv2.GaussianBlur(LINEAR[image], (0, 0), deviation)
    return np.asarray(_LEVEL_OF[(light * np.float32(_LEVELS)).round().astype(np.intp)], np.uint8)


def blur_of(image: Image, board: Board, pose: BoardPose) -> float | None:
    """Standard deviation (mm on the board, on average) of the blur of a picture; None without markers to tell it."""
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
    """Standard deviation (markers, sides) of the blur of profiles (markers, sides, steps); NaN where nothing shows."""
    dark = np.median(light[..., across < -_PLATEAU], axis=-1, keepdims=True)
    white = np.median(light[..., across > _PLATEAU], axis=-1, keepdims=True)
    contrast = white - dark
    rise = np.clip((light - dark) / np.maximum(contrast, 1e-6), 0.0, 1.0)
    middle = across[-1] + _STEP / 2 - rise.sum(axis=-1, keepdims=True) * _STEP
    step = np.clip((across - middle) / _STEP + 0.5, 0.0, 1.0)
    area = np.abs(rise - step).sum(axis=-1) * _STEP
    return np.where(contrast[..., 0] > _LEAST_CONTRAST, area / _AREA, np.nan)
