"""The light in which a picture's spots are read: estimated from the spots recognised, with slopes over the board."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from vision.colour.light_map import LightMap

Doubles = npt.NDArray[np.float64]

FEWEST_SURE = 6
"""Fewest surely recognised spots from which the light is estimated."""
_SLOPE_RIDGE = 0.3
"""Ridge penalty on the slopes of the light, as a share of all spots."""
_ODD_LIGHT = 0.35
"""Natural logarithm by which a spot's light may differ from its label's usual light before its weight drops."""
MOST_GAIN = 3.5
"""Largest natural logarithm by which a spot is brightened or darkened."""


@dataclass(frozen=True, slots=True)
class SpotLight:
    """The gains applied to spots: natural logarithms; rows of `parts` (3, 3) are the even, rightward and downward part
    (BGR).

    Places on the board run from -1 to 1 in both directions. `edges` are those of shadows and sunlight, if any, on a
    sheet of 2 by 2.
    """

    parts: Doubles
    edges: LightMap | None = None

    @classmethod
    def even(cls, gain: Doubles) -> SpotLight:
        """The same gains everywhere."""
        return cls(np.stack([gain, np.zeros(3), np.zeros(3)]))

    def at(self, places: Doubles) -> Doubles:
        """The gains (n, 3) at places (n, 2)."""
        return np.asarray(np.clip(_slope(places) @ self.parts + self._beyond_edges(places), -MOST_GAIN, MOST_GAIN))

    def around(self, places: Doubles, reach: Doubles) -> tuple[Doubles, Doubles]:
        """The smallest and the largest gains (n, 3) within a reach (2,) of places: they differ where an edge is
        near.
        """
        ways = np.array([[0.0, 0.0], [-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]]) * reach
        around = np.stack([self.at(places + way) for way in ways])
        return around.min(axis=0), around.max(axis=0)

    def shifted(self, gain: Doubles) -> SpotLight:
        """The same with the gains raised by `gain` everywhere."""
        return replace(self, parts=np.vstack([self.parts[:1] + gain, self.parts[1:]]))

    def after(self, places: Doubles, light: Doubles, expected: Doubles, trust: Doubles) -> SpotLight:
        """The gains that bring the light of trusted spots to what is expected; unchanged where too few are trusted."""
        if trust.sum() < FEWEST_SURE:
            return self
        terms, wanted = _slope(places), expected - light - self._beyond_edges(places)
        middle = np.median(wanted[trust > 0], axis=0)
        parts = np.stack([middle, np.zeros(3), np.zeros(3)])
        for _ in range(4):
            off = np.linalg.norm(wanted - terms @ parts, axis=1)
            weight = trust / (1.0 + (off / _ODD_LIGHT) ** 2)
            ridge = np.diag([1e-6, _SLOPE_RIDGE * weight.sum(), _SLOPE_RIDGE * weight.sum()])
            parts = np.linalg.solve(terms.T @ (terms * weight[:, None]) + ridge, terms.T @ (wanted * weight[:, None]))
        return replace(self, parts=parts)

    def _beyond_edges(self, places: Doubles) -> Doubles:
        if self.edges is None:
            return np.zeros((len(places), 3))
        return -self.edges.logarithm_at(places + 1.0).astype(np.float64)


def _slope(places: Doubles) -> Doubles:
    return np.column_stack([np.ones(len(places)), places])
