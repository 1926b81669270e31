"""Veils: white light that single tiles mirror towards the camera, on top of what is printed on them.

A lamp mirrored in the middle of a sheet, or stray light in a deep shadow, makes dark print pale but paper hardly
lighter; so it shows on tiles alone, and is measured on each by what is printed on it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Spot
from vision.colour.light_map import in_grid

Floats = npt.NDArray[np.float32]

_STEP = 1.0
"""Side (mm) of the cells."""


@dataclass(frozen=True, slots=True)
class Veils:
    """Corrected light (BGR, 1 is white) that lies over the middle of each cell (rows, columns, 3) of a sheet."""

    light: Floats

    def at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The light (n, 3) over board places (n, 2) in millimetres."""
        return in_grid(self.light, _STEP, places)


def veils_over(spots: Mapping[Spot, Floats], size: tuple[float, float]) -> Veils:
    """The veils of the tiles on these spots; no light elsewhere."""
    width, height = (int(np.ceil(side / _STEP)) for side in size)
    light = np.zeros((height, width, 3), np.float32)
    for spot, veil in spots.items():
        cv2.fillConvexPoly(light, (np.array(spot.outline) / _STEP).round().astype(np.int32), veil.tolist())
    return Veils(light)
