"""Finds glare and gloom: places where the light is so different from what paper and patches show that colours are lost.

Such as a lamp's reflection, or a shadow whose depth was not found. What lies there is unknown, neither empty nor taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.correction import ColourCorrection
from vision.colour.light_map import LightMap
from vision.colour.swatches import all_clipped
from vision.location.board_pose import BoardPose
from vision.pictures import Gray, Image, interpolated

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_STEP = 2.5
"""Side (mm) of the cells in which light is judged."""
_LEAST = 2
"""Side (cells) of the smallest patch; smaller ones are glints on pieces."""
_HALO = 6
"""Width (cells) of the veil around a patch."""
_EDGE_WINDOW = 13
"""Side (cells) of the surroundings in which the edge of a shadow is looked for."""
_STEP_OF_LIGHT = 0.3
"""Natural logarithm by which the light must change there for an edge."""
_STRONGER = 0.2
"""Natural logarithm by which light exceeds that on the brightest paper to be stronger than usual."""
_STRONG_SHEEN = 0.12
"""Mirrored light (1 is the white of paper) that is known too roughly to be taken off."""
_GLOOM = 0.1
"""Light (1 is white) below which a place of `_WIDE` cells is in gloom: nothing printed is that dark."""
_WIDE = 12
"""Side (cells) of the smallest place in gloom."""


@dataclass(frozen=True, slots=True)
class Glare:
    """A mask (rows, columns), 255, of the cells of a sheet whose light is too strong or too weak; `any` is whether
    there are any.
    """

    cells: Gray
    any: bool
    burnt: Gray
    """the same without cells that only mirror light, which what stands up from the sheet does not"""

    @property
    def share(self) -> float:
        """The share of the sheet."""
        return float((self.cells > 0).mean()) if self.any else 0.0

    def at(self, places: npt.NDArray[np.floating]) -> Flags:
        """Which board places (..., 2), in millimetres, lie in glare."""
        return self._within(self.cells, places)

    def _within(self, cells: Gray, places: npt.NDArray[np.floating]) -> Flags:
        if not self.any:
            return np.zeros(places.shape[:-1], bool)
        rows, columns = cells.shape
        column = np.clip(places[..., 0] / _STEP, 0, columns - 1).astype(np.intp)
        row = np.clip(places[..., 1] / _STEP, 0, rows - 1).astype(np.intp)
        return np.asarray(cells[row, column] > 0)

    def spare(self, weight: Floats, places: Floats, standing: bool = False) -> Floats:
        """The weights (spots, points) of samples at places (spots, points, 2), zero for those in glare; for samples of
        what may be `standing` there, only where the light is burnt out or lost.
        """
        if not self.any:
            return weight
        return np.where(self._within(self.burnt if standing else self.cells, places), np.float32(0), weight)


class GlareFinder:
    """Finds glare on one board under one pose."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        axes = [np.arange(_STEP / 2, side, _STEP) for side in board.size]
        self._places = np.stack(np.meshgrid(*axes), axis=-1).astype(np.float32)
        flat = self._places.reshape(-1, 2)
        pixels = pose.project(np.column_stack([flat, np.zeros(len(flat))]))
        self._pixels = pixels.reshape(self._places.shape)

    def find(self, image: Image, colours: ColourCorrection) -> Glare:
        """The glare of a picture, including the veil around each patch."""
        shown = interpolated(image, self._pixels)
        light = colours.light(shown, self._places)
        cells = colours.outshines(shown, light).astype(np.uint8) * np.uint8(255)
        patch = np.ones((_LEAST, _LEAST), np.uint8)
        cells = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, patch), np.uint8)
        if cells.any():
            # At a shadow's edge the light is less certain: patches that only seem too light there get no veil.
            lamps = cells
            if colours.edges is not None:
                burnt = all_clipped(shown)
                lamps = np.where(burnt | ~self._beside_shadows(colours.edges), cells, np.uint8(0))
            veil = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _HALO + 1, 2 * _HALO + 1))
            cells = np.maximum(cells, np.asarray(cv2.dilate(lamps, veil), np.uint8))
        dark = (light.max(axis=1) < _GLOOM).reshape(cells.shape)
        gloom = cv2.morphologyEx(dark.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((_WIDE, _WIDE), np.uint8))
        burnt = cells = np.maximum(cells, np.asarray(gloom, np.uint8))
        if colours.sheen is not None:
            mirrored = colours.mirrored(self._places).reshape(cells.shape)
            cells = np.maximum(cells, (mirrored > _STRONG_SHEEN).astype(np.uint8) * np.uint8(255))
        return Glare(cells, bool(cells.any()), burnt)

    def _beside_shadows(self, light: LightMap) -> Flags:
        """Which cells (rows, columns) lie along the edge of a shadow, with no stronger than usual light nearby."""
        level = np.log(light.at(self._places.reshape(-1, 2)).mean(axis=1)).reshape(self._places.shape[:2])
        around = np.ones((_EDGE_WINDOW, _EDGE_WINDOW), np.uint8)
        most, least = cv2.dilate(level, around), cv2.erode(level, around)
        return np.asarray((most - least > _STEP_OF_LIGHT) & (most < _STRONGER))
