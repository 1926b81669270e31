"""How the light on a sheet differs from place to place: shadows, sunlit patches, and what changes gently."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures import interpolated

Floats = npt.NDArray[np.float32]

_MOST = 30_000
"""OpenCV interpolates at so many places at once."""


@dataclass(frozen=True, slots=True)
class LightMap:
    """The logarithm of light beside that of the sheet's brightest, on a grid over the sheet: `level` (rows, columns)
    in the middles of cells of side `step`, in millimetres or whatever places are in; times the `tint` (3,), BGR, of all
    shadows.
    """

    step: float
    level: Floats
    tint: Floats

    def at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The factors (n, 3) by which light at places (n, 2) differs."""
        return np.asarray(np.exp(self.logarithm_at(places)), np.float32)

    def logarithm_at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The natural logarithms (n, 3) of these factors."""
        cells = (places / self.step - 0.5).astype(np.float32).reshape(-1, 2)
        parts = [interpolated(self.level, cells[k : k + _MOST, None])[:, 0] for k in range(0, len(cells), _MOST)]
        level = np.concatenate(parts) if parts else np.zeros(0, np.float32)
        return np.asarray(level[:, None] * self.tint, np.float32)
