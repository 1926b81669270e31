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
        cells = (places / self.step - 0.5).astype(np.float32).reshape(-1, 2)
        parts = [interpolated(self.level, cells[k : k + _MOST, None])[:, 0] for k in range(0, len(cells), _MOST)]
        level = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return np.asarray(level[:, None] * self.tint, np.float32)
