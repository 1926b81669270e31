"""How sharp the spots of a picture are, and bringing a sharper picture down to what was taught."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import gray_of
from vision.spots.spot_features import SIDE

Patches = npt.NDArray[np.uint8]

SHARPEST, SOFTEST = 0.3, 4.0
"""The range of blurs that are told apart, patch pixels."""
_LITTLE, _MUCH = 0.7, 1.4
"""Blurs (patch pixels) that are added to measure how much they flatten edges."""
_EDGES = 0.98
"""Quantile of steepness above which an edge counts as one of the sharpest."""
_FEW = 64
"""Most patches of which a picture's sharpness is measured."""
_ALIKE, _ALIKE_OF_FEW = 1.2, 1.5
"""Factor between two blurs up to which they count as the same, measured on many spots, or on few, where it depends more
on what lies there.
"""
_UNLIKE = 1.6
"""Factor between the blurs of two pictures from which their spots look unlike."""


def blur_of(patches: Patches) -> float:
    """The blur (standard deviation, patch pixels) of the sharpest edges of patches (n, SIDE, SIDE, 3).

    Measured as `vision.camera.picture_quality` does, by how much added blur flattens the edges.
    """
    if not len(patches):
        return SOFTEST
    chosen = patches[:: -(-len(patches) // _FEW)]
    sheet = gray_of(np.ascontiguousarray(chosen.reshape(-1, SIDE, 3))).astype(np.float32).reshape(-1, SIDE, SIDE)
    once, twice = _steepness(sheet, _LITTLE), _steepness(sheet, _MUCH)
    sharpest = once >= np.quantile(once, _EDGES)
    ratio = float(np.median(once[sharpest] / np.maximum(twice[sharpest], 1e-3))) ** 2
    if ratio <= 1.0:
        return SOFTEST
    return float(np.clip(np.sqrt(max(_MUCH**2 - ratio * _LITTLE**2, 0.0) / (ratio - 1.0)), SHARPEST, SOFTEST))


def level_for(blur: float, levels: Sequence[float], alike: float = _ALIKE) -> int:
    """The number of the sharpest of some blurs, in their order, that a picture of this blur can be brought to; else the
    softest.
    """
    return next((number for number, level in enumerate(levels) if blur <= alike * level), len(levels) - 1)


def are_unlike(blurs: tuple[float, float]) -> bool:
    """Whether pictures with these blurs of their spots differ in sharpness so much that they look unlike."""
    return max(blurs) > _UNLIKE * min(blurs)


def tolerance(spots: int) -> float:
    """The factor between two blurs, measured on so many spots, up to which they count as the same."""
    return _ALIKE if spots >= _FEW else _ALIKE_OF_FEW


def softened_to(blur: float, patches: Patches, own: float, alike: float = _ALIKE) -> Patches:
    """Patches of a blur of their own (patch pixels) as they look under a greater one; unchanged where they are as soft
    already, or nearly.
    """
    if own * alike >= blur:
        return patches
    more = math.sqrt(blur**2 - own**2)
    return np.stack([cv2.GaussianBlur(patch, (0, 0), more) for patch in patches]) if len(patches) else patches


def _steepness(sheet: npt.NDArray[np.float32], deviation: float) -> npt.NDArray[np.float32]:
    """The gradient (n, SIDE - 2, SIDE - 2) of patches after blurring each."""
    soft = np.stack([cv2.GaussianBlur(patch, (0, 0), deviation) for patch in sheet])
    across, down = soft[:, 1:-1, 2:] - soft[:, 1:-1, :-2], soft[:, 2:, 1:-1] - soft[:, :-2, 1:-1]
    return np.asarray(np.sqrt(across**2 + down**2), np.float32)
