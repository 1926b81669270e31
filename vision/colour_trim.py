"""The rest of a picture's colour error, learnt from what is known to lie before the camera.

Patches are few and paper is white: how this printer and this camera render the colours of the sheet and of the tiles
is seen on these themselves, once it is known what they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_UNIT = 50.0
"""Lab is given to the fit in such units."""
_SCALE = 5.0
"""Lab distance at which a sample counts half: it shows something else."""
_ROUNDS = 4
_RIDGE = np.array([0.002, 0.03, 0.03, 0.03, 0.01, 0.01, 0.02, 0.02, 0.02])
"""Penalties, per sample, on the coefficients over 1, L, a, b, x, y, x2, xy, y2."""
_FEWEST = 60
_MOST = 0.5
"""A trim that takes this part of a difference between colours away was learnt where other things lie."""
_GRID, _MARGIN = 5.0, 36.0
"""Distance (mm) of the places on the sheet by which colours are trimmed, and how far from the rim they begin."""


@dataclass(frozen=True, slots=True)
class Known:
    """Samples (n, 3) in Lab, board places (n, 2) in millimetres and the Lab (n, 3) that is printed there."""

    lab: Floats
    places: Floats
    printed: Floats

    def with_more(self, other: Known) -> Known:
        """Both together."""
        pairs = zip((self.lab, self.places, self.printed), (other.lab, other.places, other.printed), strict=True)
        return Known(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True, slots=True)
class ColourTrim:
    """What is still to be taken off Lab colours: linear in them, quadratic over a sheet of `size` millimetres."""

    size: tuple[float, float]
    coefficients: Floats
    """(9, 3)"""

    def off(self, lab: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """The error (n, 3) of samples (n, 3) at places (n, 2)."""
        return np.asarray((self.coefficients.T @ _features(lab, places, self.size)).T, np.float32)


def places_on(size: tuple[float, float]) -> Floats:
    """A grid (n, 2) over a sheet but for its rim, where markers are, in millimetres."""
    axes = [np.arange(_MARGIN, side - _MARGIN, _GRID, dtype=np.float32) for side in size]
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)


def learn_trim(known: Known, size: tuple[float, float]) -> ColourTrim:
    """The trim by samples of which most are what they are taken for; none where they are too few.

    Reweighted least squares: what is far off is something else. None, too, where colours would all become one.
    """
    if len(known.lab) < _FEWEST:
        return ColourTrim(size, np.zeros((9, 3), np.float32))
    features = _features(known.lab, known.places, size)
    off = np.ascontiguousarray((known.lab - known.printed).T)
    coefficients = np.zeros((9, 3), np.float32)
    for _ in range(_ROUNDS):
        stray = ((off - coefficients.T @ features) ** 2).sum(axis=0)
        weight = (1.0 / (1.0 + stray / _SCALE**2)) ** 2
        weighted = features * weight
        normal = features @ weighted.T + np.diag(_RIDGE * weight.sum())
        coefficients = np.linalg.solve(normal, weighted @ off.T).astype(np.float32)
    if np.linalg.norm(coefficients[1:4] / _UNIT, 2) > _MOST:
        coefficients = np.zeros((9, 3), np.float32)
    return ColourTrim(size, coefficients)


def _features(lab: Floats, places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    """What the trim is linear in (9, n)."""
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    light, a, b = lab.T / _UNIT
    return np.stack([np.ones_like(light), light - 1.0, a, b, x, y, x * x, x * y, y * y]).astype(np.float32, copy=False)
