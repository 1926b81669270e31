"""Tells a gable from a dome of its colour by the light on it: two slopes that meet in a ridge, or a round one.

Under a window a gable has a bright and a dark slope; outlines of some twenty pixels hardly tell the two apart.
"""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

LEAST = 60
"""Fewest pixels of a roof of which the light is compared."""
_PARTS = np.linspace(0.3, 0.7, 9)
"""Shares of a gable, as seen, that one of its slopes may take."""
_OUTLIERS = 0.25
"""Share of a roof that may show something else: a letter, the end of a gable, the shadow of a neighbour."""
_FINEST = 2.0
"""Least deviation of lightness (Lab) that is told from none: half a cell in which evidence is kept, and noise."""


def ridged(lightness: npt.NDArray[np.floating], roof: Flags, ridges: Iterable[npt.NDArray[np.floating]]) -> float:
    """By how many factors of e the lightness (rows, columns) of a `roof` is better explained by two even slopes than by
    a round one; below 0 where the round one is better, 0 where too little is seen. `ridges` are the directions (x, y)
    in which a ridge may run.
    """
    rows, columns = np.nonzero(roof)
    if len(rows) < LEAST:
        return 0.0
    values = lightness[roof].astype(np.float64)
    places = np.stack([columns - columns.mean(), rows - rows.mean()], axis=1)
    slopes = min(_of_slopes(values, places, np.asarray(ridge, np.float64)) for ridge in ridges)
    return float(np.log(max(_FINEST, _of_dome(values, places)) / max(_FINEST, slopes)))


def largest(mask: Flags) -> Flags:
    """The largest connected part of a mask."""
    count, numbers, sizes, _middles = cv2.connectedComponentsWithStats(mask.astype(np.uint8), connectivity=4)
    if count < 2:
        return mask
    return np.asarray(numbers == 1 + int(sizes[1:, cv2.CC_STAT_AREA].argmax()), bool)


def _of_slopes(values: Floats, places: Floats, ridge: Floats) -> float:
    """The deviation from the two even halves, parted along a ridge, that explain the lightness best."""
    across = places @ np.array([-ridge[1], ridge[0]])
    deviations = []
    for at in np.quantile(across, _PARTS):
        off = np.abs(values - np.where(across < at, np.median(values[across < at]), np.median(values[across >= at])))
        deviations.append(_deviation(off))
    return min(deviations)


def _of_dome(values: Floats, places: Floats) -> float:
    """The deviation from lightness that changes as a polynomial of the second degree."""
    x, y = places.T / max(1.0, float(np.abs(places).max()))
    design = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    used = np.ones(len(values), bool)
    off = np.zeros_like(values)
    for _again in range(3):
        shape = np.linalg.lstsq(design[used], values[used], rcond=None)[0]
        off = np.abs(values - design @ shape)
        used = off <= np.quantile(off, 1 - _OUTLIERS)
    return _deviation(off)


def _deviation(off: Floats) -> float:
    """The standard deviation of those of absolute residuals that are no outliers."""
    kept = np.sort(off)[: max(1, round(len(off) * (1 - _OUTLIERS)))]
    return float(np.sqrt((kept**2).mean()))
