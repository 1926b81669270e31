"""What lies over a sheet and is none of its pieces: a hand, a sleeve, a telephone.

Where neither the sheet nor what was found on it explains a whole patch of the picture, something foreign is seen; all
that is joined to the patch and has its colours belongs to it, be it taken for a piece or not.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from vision.pictures import Gray
from vision.printed.likelihood import OUTLIER

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.int16]

_UNEXPLAINED, _WORSE = -13.0, 4.0
"""Mean log density of what the sheet does not explain, and by how much it is worse than that of half the picture."""
_UNLIKE = -11.0
"""Log density below which a sample may belong to something foreign that has its colour."""
_DISC, _LEAST = 10.0, 400.0
"""Diameter (mm) of the disc that must find room in a patch, and the least surface (mm²) of one: a shadow's fringe, a
roof that slipped or a crumb are smaller.
"""
_ASTRAY, _SHORTEST = 0.35, 8
"""The part of what is seen close beside a piece, of so many samples at least, that is odd where there is no such piece;
shadows make less of it odd.
"""
_CELL = 6.0
"""Side (Lab) of the cells by which colours are told to be alike."""
_BINS = 17, 43, 43
_LEAST_LAB = np.array([0.0, -129.0, -129.0], np.float32)


def foreign_in(lab: Floats, density: Floats, explained: Floats, numbers: Numbers, on_sheet: Flags, side: float) -> Gray:
    """Where something foreign is seen, 255, in samples (rows, columns) of a picture, `side` mm of the sheet apart.

    `density` are the log densities of their colours `lab` if they show the sheet, `explained` those if they show what
    was found; `numbers` says which piece found each shows, 0 for none, and `on_sheet` where the sheet would be seen if
    nothing were there.
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
    """The pieces found without some of them, and where the sheet would be seen then."""
    standing = np.where(np.isin(numbers, list(strays)), 0, numbers).astype(np.int16)
    return standing, np.asarray(on_sheet & (cv2.dilate(standing, _disc(3)) == 0), bool)


def _strays(standing: Numbers, seen: Flags, odd: Flags) -> set[int]:
    """The pieces of which most of what is seen close beside them is odd."""
    found = set()
    for number in np.unique(standing[standing > 0]).tolist():
        rows, columns = np.nonzero(standing == number)
        around = np.s_[max(rows.min() - 2, 0) : rows.max() + 3, max(columns.min() - 2, 0) : columns.max() + 3]
        ring = (cv2.dilate((standing[around] == number).astype(np.uint8), np.ones((5, 5), np.uint8)) > 0) & seen[around]
        if float(odd[around][ring].sum()) > _ASTRAY * max(int(ring.sum()), _SHORTEST):
            found.add(int(number))
    return found


def _grown(patches: Gray, lab: Floats, density: Floats, explained: Floats, side: float) -> Gray:
    """Patches with all that is joined to them and rather has their colours than those of what was found."""
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
    """The connected parts of a mask that have so many pixels."""
    _count, parts, stats, _middles = cv2.connectedComponentsWithStats(np.asarray(mask, np.uint8))
    large = np.where(stats[:, cv2.CC_STAT_AREA] >= least, 255, 0).astype(np.uint8)
    large[0] = 0
    return np.asarray(large[parts], np.uint8)


def _widened(cells: Floats) -> Floats:
    """What lies in cells of Lab, shared with their neighbours."""
    result = cells
    for axis in range(3):
        result = np.asarray((result + np.roll(result, 1, axis) + np.roll(result, -1, axis)) / 3, np.float32)
    return result


def _disc(diameter: float) -> Gray:
    side = 2 * round((diameter - 1) / 2) + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (side, side)), np.uint8)
