"""Finds objects over a sheet that are not its pieces: a hand, a sleeve, a telephone.

Where neither the sheet nor the pieces found explain a whole patch of the picture, there is a foreign object; everything
connected to the patch with its colours belongs to it, even if it was read as a piece.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Gray
from vision.printed.pieces.likelihood import OUTLIER

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_UNEXPLAINED = -13.0
"""Mean log density below which a sample is not explained by the sheet."""
_WORSE = 4.0
"""Distance by which it must also lie below the median log density of the picture's bare sheet."""
_UNLIKE = -11.0
"""Log density below which a sample with the foreign object's colours may belong to it."""
_DISC = 10.0
"""Diameter (mm) of the disc that must fit into a patch: shadows' fringes, slipped roofs and crumbs are narrower."""
_LEAST = 400.0
"""Smallest surface (mm²) of a patch."""
_ASTRAY = 0.35
"""Share of the samples right next to a piece that must be unexplained for the piece to be dropped; shadows explain
fewer.
"""
_SHORTEST = 8
"""Smallest number of samples that this share is taken of."""
_CELL = 6.0
"""Side (Lab) of the cells of the colour histogram."""
_BINS = 17, 43, 43
"""Cells along L, a and b."""
_LEAST_LAB = np.array([0.0, -129.0, -129.0], np.float32)
"""Lab of the first cell."""


def foreign_in(lab: Floats, density: Floats, explained: Floats, numbers: Numbers, on_sheet: Flags, side: float) -> Gray:
    """A mask (255) of foreign objects among samples (rows, columns) of a picture, `side` mm of the sheet apart.

    `density` are the log densities of the samples' colours `lab` on the sheet, `explained` those under the pieces
    found; `numbers` is the piece each sample shows, 0 for none; `on_sheet` is where the sheet would be visible without
    pieces.
    """
    bare = on_sheet & (numbers == 0)
    usual = float(np.median(density[bare])) if bare.any() else 0.0
    least = min(_UNEXPLAINED, usual - _WORSE)
    strays: set[int] = set()
    while True:
        standing, seen = _without(strays, numbers, on_sheet)
        fresh = _strays(standing, seen, seen & (density < least))
        if not fresh:
            break
        strays |= fresh
    mean = cv2.blur(np.where(seen, density, np.float32(0)), (3, 3))
    odd = np.where(mean < least, 255, 0).astype(np.uint8)
    patches = _large(cv2.morphologyEx(odd, cv2.MORPH_OPEN, _disc(_DISC / side)), _LEAST / side**2)
    while patches.any():
        foreign = _grown(patches, lab, density, np.where(standing > 0, explained, density), side)
        fresh = _strays(standing, seen, seen & (foreign > 0))
        if not fresh:
            return foreign
        strays |= fresh
        standing, seen = _without(strays, numbers, on_sheet)
    return patches


def _without(strays: set[int], numbers: Numbers, on_sheet: Flags) -> tuple[Numbers, Flags]:
    """The pieces without the `strays`, and where the sheet would then be visible."""
    standing = np.where(np.isin(numbers, list(strays)), 0, numbers).astype(np.int16)
    return standing, np.asarray(on_sheet & (cv2.dilate(standing, _disc(3)) == 0), bool)


def _strays(standing: Numbers, seen: Flags, odd: Flags) -> set[int]:
    """The pieces next to which most of what is visible is unexplained."""
    found = set()
    for number in np.unique(standing[standing > 0]).tolist():
        rows, columns = np.nonzero(standing == number)
        around = np.s_[max(rows.min() - 2, 0) : rows.max() + 3, max(columns.min() - 2, 0) : columns.max() + 3]
        ring = (cv2.dilate((standing[around] == number).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0) & seen[around]
        if float(odd[around][ring].sum()) > _ASTRAY * max(int(ring.sum()), _SHORTEST):
            found.add(int(number))
    return found


def _grown(patches: Gray, lab: Floats, density: Floats, explained: Floats, side: float) -> Gray:
    """Patches extended to everything connected whose colours fit the patches better than the pieces found."""
    cells = np.clip((lab - _LEAST_LAB) * np.float32(1 / _CELL), 0, np.array(_BINS, np.float32) - 1).astype(np.intp)
    numbers = np.ravel_multi_index(tuple(np.moveaxis(cells, -1, 0)), _BINS)
    seen = np.bincount(numbers[patches > 0], minlength=math.prod(_BINS)).reshape(_BINS).astype(np.float32)
    common = np.log(_widened(seen) / np.float32(seen.sum() * _CELL**3) + np.float32(math.exp(OUTLIER)))
    own = (common.ravel()[numbers] > explained) & (density < _UNLIKE)
    alike = np.where(own, 255, 0).astype(np.uint8)
    joined = np.asarray(cv2.morphologyEx(alike, cv2.MORPH_OPEN, _disc(3)), np.uint8) | patches
    _count, parts = cv2.connectedComponents(joined)
    joined = np.isin(parts, np.unique(parts[patches > 0])).astype(np.uint8) * np.uint8(255)
    closed = cv2.morphologyEx(joined, cv2.MORPH_CLOSE, _disc(_DISC / side))
    return np.asarray(cv2.dilate(closed, _disc(3)), np.uint8)


def _large(mask: npt.NDArray[np.generic], least: float) -> Gray:
    """The connected parts of a mask with at least `least` pixels."""
    _count, parts, stats, _middles = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
    large = np.where(stats[:, cv2.CC_STAT_AREA] >= least, 255, 0).astype(np.uint8)
    large[0] = 0
    return np.asarray(large[parts], np.uint8)


def _widened(cells: Floats) -> Floats:
    """A histogram over Lab, smoothed over neighbouring cells."""
    result = cells
    for axis in range(3):
        result = np.asarray((result + np.roll(result, 1, axis) + np.roll(result, -1, axis)) / 3, np.float32)
    return result


def _disc(diameter: float) -> Gray:
    side = 2 * round((diameter - 1) / 2) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
