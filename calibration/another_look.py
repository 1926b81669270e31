"""Photographed spots as another photograph would show them: how sure a reading may be is learnt on these."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

Patches = npt.NDArray[np.uint8]
Doubles = npt.NDArray[np.float64]

_SEED = 20261129
_TINT, _UNEVEN = 0.1, 0.12
"""Standard deviations (natural logarithms) of what is left of a picture's tint, and of a spot's light, once the light
is estimated.
"""
_ASTRAY = 0.8
"""Standard deviation (patch pixels) of where a spot is taken to lie."""
_SOFT = 0.6
"""Most blur (patch pixels) by which a picture may differ unnoticed."""
_NOISE = 2.5
"""Standard deviation of grey levels, by sensor and compression."""


def looked_at_again(patches: Patches, gains: Doubles, pictures: npt.NDArray[np.intp]) -> tuple[Patches, Doubles]:
    """Patches (n, side, side, 3) and gains (n, 3) of other looks at the same spots, those of one picture in one light.

    Equal patches give equal looks.
    """
    dice = np.random.default_rng(_SEED)
    tints = dice.normal(0, _TINT, (int(pictures.max()) + 1, 3))
    blurs = dice.uniform(0, _SOFT, len(tints))
    looks = np.empty_like(patches)
    for look, patch, picture in zip(looks, patches, pictures, strict=True):
        right, down = dice.normal(0, _ASTRAY, 2)
        motion = np.array([[1, 0, right], [0, 1, down]], np.float64)
        moved = cv2.warpAffine(patch, motion, patch.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
        soft = cv2.GaussianBlur(moved, (0, 0), max(0.05, blurs[picture]))
        look[:] = np.clip(soft + dice.normal(0, _NOISE, soft.shape), 0, 255).astype(np.uint8)
    light = tints[pictures] + dice.normal(0, _UNEVEN, (len(patches), 1))
    return looks, gains + light
