"""Where light is so much stronger or weaker than paper and patches tell that a picture shows nothing else: a lamp's
reflection, or a shadow whose level was not found. What lies there is unknown, neither bare nor taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour import ColourCorrection
from vision.light_map import LightMap
from vision.location.board_pose import BoardPose
from vision.pictures import Gray, Image, interpolated
from vision.swatches import all_clipped

Floats = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

_STEP = 2.5
"""Side (mm) of the cells in which light is judged."""
_LEAST, _HALO = 2, 6
"""Side (cells) of the smallest patch that is no glint on a piece, and how far beyond it (cells) its veil reaches."""
_BESIDE, _STEP_OF_LIGHT, _STRONGER = 13, 0.3, 0.2
"""Side (cells) of the surroundings in which light changes at the edge of a shadow, by which logarithm it must, and from
which logarithm on it is stronger than on the brightest paper.
"""
_GLOOM, _WIDE = 0.1, 12
"""The light, beside 1 of white, that no printed place of so many cells a side is darker than."""


@dataclass(frozen=True, slots=True)
class Glare:
    """The cells (rows, columns) of a sheet whose light is too strong or too weak to tell anything, 255; `any` of them
    at all.
    """

    cells: Gray
    any: bool

    def at(self, places: npt.NDArray[np.floating]) -> Flags:
        """Which board places (..., 2), in millimetres, lie in it."""
        if not self.any:
            return np.zeros(places.shape[:-1], bool)
        rows, columns = self.cells.shape
        column = np.clip(places[..., 0] / _STEP, 0, columns - 1).astype(np.intp)
        row = np.clip(places[..., 1] / _STEP, 0, rows - 1).astype(np.intp)
        return np.asarray(self.cells[row, column] > 0)

    def spare(self, weight: Floats, places: Floats) -> Floats:
        """The weights (spots, points) of samples of places (spots, points, 2), zero for those that lie in it."""
        return np.where(self.at(places), np.float32(0), weight) if self.any else weight


class GlareFinder:
    """Looks for glare on one board under one pose."""

    def __init__(self, board: Board, pose: BoardPose) -> None:
        axes = [np.arange(_STEP / 2, side, _STEP) for side in board.size]
        self._places = np.stack(np.meshgrid(*axes), axis=-1).astype(np.float32)
        flat = self._places.reshape(-1, 2)
        pixels = pose.project(np.column_stack([flat, np.zeros(len(flat))]))
        self._pixels = pixels.reshape(self._places.shape)

    def find(self, image: Image, colours: ColourCorrection) -> Glare:
        """The glare of a picture, with the veil around each patch of it."""
        shown = interpolated(image, self._pixels)
        light = colours.light(shown, self._places)
        cells = colours.outshines(shown, light).astype(np.uint8) * np.uint8(255)
        patch = np.ones((_LEAST, _LEAST), np.uint8)
        cells = np.asarray(cv2.morphologyEx(cells, cv2.MORPH_OPEN, patch), np.uint8)
        if cells.any():
            # Along the edge of a shadow, where light is known less well, what seems too light has no veil around it.
            lamps = cells
            if colours.edges is not None:
                burnt = all_clipped(shown)
                lamps = np.where(burnt | ~self._beside_shadows(colours.edges), cells, np.uint8(0))
            veil = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * _HALO + 1, 2 * _HALO + 1))
            cells = np.maximum(cells, np.asarray(cv2.dilate(lamps, veil), np.uint8))
        dark = (light.max(axis=1) < _GLOOM).reshape(cells.shape)
        gloom = cv2.morphologyEx(dark.astype(np.uint8) * 255, cv2.MORPH_OPEN, np.ones((_WIDE, _WIDE), np.uint8))
        cells = np.maximum(cells, np.asarray(gloom, np.uint8))
        return Glare(cells, bool(cells.any()))

    def _beside_shadows(self, light: LightMap) -> Flags:
        """Which cells (rows, columns) lie along the edge of a shadow, with no stronger light nearby than the usual."""
        level = np.log(light.at(self._places.reshape(-1, 2)).mean(axis=1)).reshape(self._places.shape[:2])
        around = np.ones((_BESIDE, _BESIDE), np.uint8)
        most, least = cv2.dilate(level, around), cv2.erode(level, around)
        return np.asarray((most - least > _STEP_OF_LIGHT) & (most < _STRONGER))
