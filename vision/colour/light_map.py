"""How the light varies over a sheet: shadows, sunlit patches and gradual changes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures import interpolated

Floats = npt.NDArray[np.float32]

_MOST = 30_000
"""OpenCV's remap accepts at most about this many places (a row of 32,767) in one call."""


@dataclass(frozen=True, slots=True)
class LightMap:
    """The light relative to the sheet's brightest, on a grid of square cells over the sheet.

    `level` (rows, columns) is the natural logarithm in the middle of each cell, `step` the side of a cell in
    millimetres or in the unit of the places asked about. `tint` (3,), BGR, scales the logarithm per channel: all
    shadows have one tint.
    """

    step: float
    level: Floats
    tint: Floats

    def at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The factors (n, 3), BGR, of the light at places (n, 2)."""
        return np.asarray(np.exp(self.logarithm_at(places)), np.float32)

    def logarithm_at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The natural logarithms (n, 3) of these factors."""
        return np.asarray(in_grid(self.level, self.step, places)[:, None] * self.tint, np.float32)


def in_grid(values: Floats, step: float, places: npt.NDArray[np.floating]) -> Floats:
    """Values (n, ...) at places (n, 2) from those in the middle of each cell (rows, columns, ...) of side `step`."""
    cells = (places / step - 0.5).astype(np.float32).reshape(-1, 2)
    parts = [interpolated(values, cells[k : k + _MOST, None])[:, 0] for k in range(0, len(cells), _MOST)]
    return np.concatenate(parts) if parts else np.zeros((0, *values.shape[2:]), np.float32)
