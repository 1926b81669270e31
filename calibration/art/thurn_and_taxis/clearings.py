"""Where a map has room for names, mountains and trees: clear of everything that stands on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from companion.board.lattice import Point

Places = npt.NDArray[np.float64]
"""(n, 2), millimetres."""
Rectangle = tuple[float, float, float, float]
"""The middle, and half the width and height."""


@dataclass(frozen=True, slots=True)
class Clearings:
    """A box (left, top, right, bottom) and the rectangles in it (m, 4) that must stay free of anything else."""

    box: tuple[float, float, float, float]
    taken: npt.NDArray[np.float64]

    def room(self, places: Places, half_width: float, half_height: float) -> npt.NDArray[np.float64]:
        """How far (mm, along x or y) a rectangle around each place stays from what is there; below 0 it overlaps."""
        left, top, right, bottom = self.box
        half = np.array([half_width, half_height])
        edges = np.minimum(places - half - (left, top), (right, bottom) - places - half).min(axis=1)
        reach = self.taken[:, 2:] + half
        across, down = (np.abs(places[:, None, k] - self.taken[:, k]) - reach[:, k] for k in (0, 1))
        gaps = np.maximum(across, down, out=across).min(axis=1, initial=np.inf)
        return np.asarray(np.minimum(edges, gaps))

    def with_taken(self, rectangles: Sequence[Rectangle]) -> Clearings:
        """The same with more rectangles in it."""
        return Clearings(self.box, np.vstack([self.taken, np.array(rectangles).reshape(-1, 4)]))


def clearings(
    box: tuple[float, float, float, float], rectangles: Sequence[Rectangle], lines: Sequence[Sequence[Point]]
) -> Clearings:
    """A map with rectangles and lines on it; a line is taken at its points only, so they must lie close together."""
    points = [(x, y, 0.0, 0.0) for line in lines for x, y in line]
    return Clearings(box, np.array([*rectangles, *points]).reshape(-1, 4))


def nearest(places: Places, cities: Sequence[Point]) -> npt.NDArray[np.intp]:
    """For each place, which city is nearest."""
    return np.asarray(np.linalg.norm(places[:, None] - np.array(cities), axis=2).argmin(axis=1))
