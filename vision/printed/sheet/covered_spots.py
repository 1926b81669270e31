"""Masks of a sheet, one pixel per millimetre: the area of given spots, and the spots within an area."""

from __future__ import annotations

import math
from collections.abc import Iterable

import cv2
import numpy as np

from companion.board.layout import Board, Spot
from vision.pictures import Gray


def area_of(spots: Iterable[Spot], size: tuple[float, float]) -> Gray:
    """A mask of the sheet, one pixel per millimetre: 255 on spots and up to 3 mm around them."""
    mask = np.zeros((math.ceil(size[1]), math.ceil(size[0])), np.uint8)
    for spot in spots:
        cv2.fillConvexPoly(mask, np.array(spot.outline).round().astype(np.int32), 255)
    return np.asarray(cv2.dilate(mask, np.ones((7, 7), np.uint8)), np.uint8)


class SpotCoverage:
    """Finds the spots of a board that lie within masks of its sheet."""

    def __init__(self, board: Board) -> None:
        self._names = list(board.spots)
        places = [np.array([spot.centre, *spot.outline]).round().astype(np.intp) for spot in board.spots.values()]
        self._counts = np.array([len(each) for each in places])
        self._starts = np.cumsum(self._counts) - self._counts
        self._columns, self._rows = np.concatenate(places).T

    def under(self, mask: Gray) -> set[str]:
        """The spots whose middle or most of whose corners lie in a mask."""
        rows, columns = (
            np.clip(each, 0, side - 1) for each, side in zip((self._rows, self._columns), mask.shape, strict=True)
        )
        inside = mask[rows, columns] > 0
        found = inside[self._starts] | (np.add.reduceat(inside.astype(np.intp), self._starts) > 0.5 * self._counts)
        return {self._names[k] for k in np.flatnonzero(found)}
