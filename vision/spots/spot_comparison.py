"""Whether the picture at a spot is still the same: two patches compared after registering them on each other.

Each patch is brought to the light of teaching first, then a little more or less light, and a little displacement, may
tell them apart.
"""

from __future__ import annotations

from collections.abc import Iterator

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
_FREE_GAIN, _MOST_GAIN = 0.5, 1.5
"""Natural logarithms of light by which patches of one piece may differ, all colours alike: by as much as the light of a
picture is off at single spots, and by as much as the edge of a shadow that nobody noticed.
"""
_GAIN_COST = 0.7
"""Natural logarithm by which a misfit grows for each of light beyond the free one."""
_MOST_VEIL = 0.08
"""Most levels by which glare may lift all of a patch, or another exposure lower it."""
_GAMMA = 2.2
_USUAL_ODDS = 0.05
"""Odds of a change of any spot between two photographs."""
_EVEN = 5.5
"""Misfit from which a spot that is surely read as two things has changed. Between altered photographs of Qwirkle 1 % of
650 looks at unmoved tiles had more than 3.2 (the most 6.1), 20 % of pairs of one colour and another shape less than 5.5
(half above 13), 4 % of pairs of another colour; all 208 new tiles had more than 28.
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
    """The least misfit of the middle of one patch anywhere near the middle of another, in its light."""
    middle = slice(_FARTHEST, SIDE - _FARTHEST)
    template, steep = still[middle, middle], _steepness(still)[middle, middle]
    allowed = _FAINT**2 + (_ASTRAY * steep[..., None]) ** 2
    weight = np.broadcast_to(1 / allowed, template.shape).astype(np.float32)
    best = np.inf
    for down in range(2 * _FARTHEST + 1):
        for right in range(2 * _FARTHEST + 1):
            there = moved[down : down + len(template), right : right + len(template)]
            for gain, veil in _lights(template, there, weight):
                off = np.sort((weight * (template - gain * there - veil) ** 2).mean(axis=-1), axis=None)
                cost = _GAIN_COST * max(0.0, abs(np.log(gain)) * _GAMMA - _FREE_GAIN)
                best = min(best, float(off[-round(_WORST * off.size) :].mean() * np.exp(cost)))
    return best


def _lights(template: Floats, there: Floats, weight: Floats) -> Iterator[tuple[float, float]]:
    """Gains and veils (levels) that bring one patch close to another, within what light may do: without a veil, and
    with the one that a patch with a pattern tells.
    """
    total = float(weight.sum())
    level, level_there = float((weight * template).sum()) / total, float((weight * there).sum()) / total
    yield _gain((weight * there * template).sum(), (weight * there * there).sum()), 0.0
    off = there - level_there
    gain = _gain((weight * off * (template - level)).sum(), (weight * off * off).sum())
    yield gain, float(np.clip(level - gain * level_there, -_MOST_VEIL, _MOST_VEIL))


def _gain(together: np.float32, alone: np.float32) -> float:
    most = np.exp(_MOST_GAIN / _GAMMA)
    return float(np.clip(together / max(alone, np.float32(1e-9)), 1 / most, most))


def _steepness(levels: Floats) -> Floats:
    """The steepness (SIDE, SIDE) of a patch in its steepest colour, levels per pixel."""
    across, down = np.gradient(levels, axis=1), np.gradient(levels, axis=0)
    return np.asarray(np.sqrt(across**2 + down**2).max(axis=-1), np.float32)
