"""The colours of painted wood: one hue, lighter and darker, and often stronger than the print of the same name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]

_OFF = np.array([3.0, 6.0, 6.0], np.float32)
"""Distance by which a set's paint may differ from the printed colour of the same name: lightness, along its hue,
across.
"""
_TURNED = 0.12
"""Distance across its hue, in parts of its chroma."""


class PaintTolerance(NamedTuple):
    """How paint may deviate from the print: `deeper` is the largest factor on the chroma; `lightness`, and `hue` in
    parts of the chroma, are standard deviations beyond the bounds.
    """

    deeper: float
    lightness: float
    hue: float


LIKE_PRINT = PaintTolerance(1.1, 0.0, 0.0)
"""Paint close to the print."""
FREE = PaintTolerance(1.8, 4.0, 0.15)
"""Paint that is stronger or of another shade."""
_COLOURLESS = 12.0
"""Chroma (Lab) below which a colour has no hue."""

PaintBounds = tuple[Floats, Floats, Floats]
"""Least and most of lightness, colour along a hue and across it, and the standard deviation beyond these."""


@dataclass(frozen=True, slots=True)
class Paint:
    """The bounds of painted labels' colours at the points of a plan.

    `low` and `high` (labels, points, 3) bound lightness and colour along and across the hue; `hue` (labels, 2) is its
    direction in a and b; `astray` (labels, 3) is the standard deviation beyond the bounds.
    """

    low: Floats
    high: Floats
    hue: Floats
    astray: Floats

    @classmethod
    def of(
        cls, colours: npt.NDArray[np.floating], dimmest: Floats, brightest: Floats, freedom: PaintTolerance = LIKE_PRINT
    ) -> Paint:
        """The paint for printed colours (labels, 3) in Lab, dimmed and lightened at points (points,) by up to these
        factors.
        """
        strength = np.linalg.norm(colours[:, 1:], axis=1)
        hue = np.where(
            strength[:, None] > _COLOURLESS, colours[:, 1:] / np.maximum(strength[:, None], 1e-6), [1.0, 0.0]
        )
        across = np.stack([-hue[:, 1], hue[:, 0]], axis=1)
        own = np.column_stack(
            [colours[:, 0], (colours[:, 1:] * hue).sum(axis=1), (colours[:, 1:] * across).sum(axis=1)]
        )
        deeper = np.where(strength > _COLOURLESS, freedom.deeper, 1.0)[:, None]
        ends = own[:, None] * dimmest[:, None], own[:, None] * brightest[:, None]
        low, high = np.minimum(*ends) - _OFF, np.maximum(*ends) + _OFF
        high[..., 1] = np.maximum(high[..., 1], own[:, 1:2] * deeper + _OFF[1])
        turned = _TURNED * strength[:, None]
        low[..., 2] -= turned
        high[..., 2] += turned
        astray = np.column_stack(
            [np.full(len(colours), freedom.lightness), np.zeros(len(colours)), freedom.hue * strength]
        )
        astray *= strength[:, None] > _COLOURLESS
        return cls(*(each.astype(np.float32) for each in (low, high, hue, astray)))

    def of_label(self, label: int) -> PaintBounds:
        """The bounds of a label at all points."""
        return self.low[label], self.high[label], self.astray[label]

    def upper(self, labels: Sequence[int]) -> PaintBounds:
        """The bounds (n, 1, 3) of the upper sides of pieces of n labels."""
        return self.low[labels, 0][:, None], self.high[labels, 0][:, None], self.astray[labels][:, None]

    def turned(self, samples: Floats, label: int) -> Floats:
        """Lab samples (..., 3) as lightness and colour along and across a label's hue; independent of the tolerance."""
        along, across = self.hue[label]
        turn = np.array([[1.0, 0.0, 0.0], [0.0, along, -across], [0.0, across, along]], np.float32)
        return np.asarray(samples @ turn, np.float32)
