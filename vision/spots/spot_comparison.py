"""Whether the picture at a spot is still the same: two patches compared after registering them on each other.

Each patch is brought to the light of teaching first, then a little more or less light, and a little displacement, may
tell them apart.
"""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from vision.spots.spot_features import SIDE, light_of

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Patches = npt.NDArray[np.uint8]

_SOFT = 1.2
"""Blur (standard deviation, patch pixels) under which differences of sharpness hardly count."""
_FARTHEST = 4
"""Most pixels of a patch by which the same piece may seem displaced."""
_FAINT = 0.04
"""Difference of levels (0 to 1) that noise and compression make."""
_ASTRAY = 0.6
"""Pixels by which a patch may still be displaced, as a factor on the steepness of its edges."""
_WORST = 0.1
"""The part of a patch that differs most, which is judged: shapes differ in a few places."""
_MOST_GAIN = 0.5
"""Natural logarithm of light by which patches of one piece may differ, all colours alike."""
_GAMMA = 2.2
_USUAL_ODDS = 0.05
"""Odds of a change of any spot between two photographs."""
_EVEN = 8.0
"""Misfit from which a spot that is surely read as two things has changed. Between altered photographs of Qwirkle 2 % of
220 unmoved tiles had more (half of them above 1.1), 20 % of pairs of one colour and another shape less (half above 20),
5 % of pairs of another colour; new tiles had more than 78.
"""
_STEEP = 2.0
"""Nats for a factor e of the misfit."""
_MOST_NATS = 6.0
"""Most nats for a change or against it."""


def misfit(first: Patches, second: Patches, gains: tuple[Doubles, Doubles]) -> Doubles:
    """How much pairs of patches (n, SIDE, SIDE, 3) differ, each with the gains (n, 3; natural logarithms) of its light:
    the mean squared difference, over what the same piece may show, in the places that differ most; about 1 or less
    where nothing changed.
    """
    if not len(first):
        return np.zeros(0)
    pairs = zip(_levels(first, gains[0]), _levels(second, gains[1]), strict=True)
    return np.array([min(_misfit(one, other), _misfit(other, one)) for one, other in pairs])


def change_odds(misfits: Doubles) -> Doubles:
    """The odds (n,) that something changed by the misfits of patches alone, before a word on what they show."""
    nats = np.clip(_STEEP * (np.log(np.maximum(misfits, 1e-6)) - np.log(_EVEN)), -_MOST_NATS, _MOST_NATS)
    return np.asarray(_USUAL_ODDS * np.exp(nats), np.float64)


def _levels(patches: Patches, gains: Doubles) -> Floats:
    """Levels (n, SIDE, SIDE, 3) in the light of teaching, softened."""
    light = light_of(patches) * np.exp(gains).astype(np.float32)[:, None, None]
    levels = np.clip(light, 0, 1.5) ** np.float32(1 / _GAMMA)
    return np.stack([cv2.GaussianBlur(each, (0, 0), _SOFT) for each in levels])


def _misfit(still: Floats, moved: Floats) -> float:
    """The least misfit of the middle of one patch anywhere near the middle of another."""
    middle = slice(_FARTHEST, SIDE - _FARTHEST)
    template, steep = still[middle, middle], _steepness(still)[middle, middle]
    allowed = _FAINT**2 + (_ASTRAY * steep) ** 2
    best = np.inf
    for down in range(2 * _FARTHEST + 1):
        for right in range(2 * _FARTHEST + 1):
            there = moved[down : down + len(template), right : right + len(template)]
            weight = 1 / allowed[..., None]
            gain = float((weight * template * there).sum() / max(float((weight * there * there).sum()), 1e-9))
            gain = float(np.clip(gain, np.exp(-_MOST_GAIN / _GAMMA), np.exp(_MOST_GAIN / _GAMMA)))
            off = np.sort((weight * (template - gain * there) ** 2).mean(axis=-1), axis=None)
            best = min(best, float(off[-round(_WORST * off.size) :].mean()))
    return best


def _steepness(levels: Floats) -> Floats:
    """The steepness (SIDE, SIDE) of a patch in its steepest colour, levels per pixel."""
    across, down = np.gradient(levels, axis=1), np.gradient(levels, axis=0)
    return np.asarray(np.sqrt(across**2 + down**2).max(axis=-1), np.float32)
