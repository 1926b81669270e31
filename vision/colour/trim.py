"""The colour error that remains after correction, learnt from surfaces whose printed colour is known.

There are few patches, and paper is white; the sheet and the tiles recognised on it show how this printer and this
camera render all other colours.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_UNIT = 50.0
"""Lab values are divided by this before the fit, so that all terms have the same scale."""
_SCALE = 5.0
"""Lab distance at which a sample's weight is halved: farther off, it probably shows something else."""
_ROUNDS = 4
"""Rounds of reweighting."""
_RIDGE = np.array([0.002, 0.03, 0.03, 0.03, 0.01, 0.01, 0.02, 0.02, 0.02])
"""Ridge penalties per sample on the coefficients over 1, L, a, b, x, y, x2, xy, y2."""
_FEWEST = 60
"""Fewest samples from which a trim is learnt."""
_MOST = 0.5
"""A trim that removes this share or more of the difference between two colours is rejected: it was fitted to wrongly
identified surfaces.
"""
_GRID = 5.0
"""Spacing (mm) of the sheet samples used for the trim."""
_MARGIN = 36.0
"""Distance (mm) from the sheet's rim at which these samples begin; the markers lie outside."""


@dataclass(frozen=True, slots=True)
class Known:
    """Samples (n, 3) in Lab, board places (n, 2) in millimetres and the Lab (n, 3) that is printed there."""

    lab: Floats
    places: Floats
    printed: Floats

    def with_more(self, other: Known) -> Known:
        """These samples and others together."""
        pairs = zip((self.lab, self.places, self.printed), (other.lab, other.places, other.printed), strict=True)
        return Known(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True, slots=True)
class ColourTrim:
    """The error to subtract from Lab colours: linear in the colour, quadratic over a sheet of `size` millimetres."""

    size: tuple[float, float]
    coefficients: Floats
    """(9, 3)"""

    def off(self, lab: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """The error (n, 3) of Lab samples (n, 3) at places (n, 2)."""
        return np.asarray((self.coefficients.T @ _features(lab, places, self.size)).T, np.float32)

    def removed_from(self, lab: Floats, places: npt.NDArray[np.floating]) -> Floats:
        """Lab samples (..., 3) at places (..., 2) without the error."""
        return np.asarray(lab - self.off(lab.reshape(-1, 3), places.reshape(-1, 2)).reshape(lab.shape), np.float32)


def places_on(size: tuple[float, float]) -> Floats:
    """A grid of places (n, 2), millimetres, over a sheet without its rim of markers."""
    axes = [np.arange(_MARGIN, side - _MARGIN, _GRID, dtype=np.float32) for side in size]
    return np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2)


def learn_trim(known: Known, size: tuple[float, float]) -> ColourTrim:
    """The trim fitted to samples most of which are correctly identified; the zero trim where they are too few.

    Iteratively reweighted least squares: samples far off are something else and lose weight. A trim that would make
    different colours equal is rejected.
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
    """The terms (9, n) in which the trim is linear."""
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    light, a, b = lab.T / _UNIT
    return np.stack([np.ones_like(light), light - 1.0, a, b, x, y, x * x, x * y, y * y]).astype(np.float32, copy=False)
