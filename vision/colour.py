"""Light and camera colour taken out of a picture, frame by frame, by the printed patches and the paper's white.

Colours are compared in CIE Lab (L 0 to 100) as the sheet was printed; light is linear, 1.0 is full white.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.pictures import Image
from vision.registration import BoardPose

Floats = npt.NDArray[np.float32]

_levels = np.arange(256) / 255.0
LINEAR: Floats = np.where(_levels <= 0.04045, _levels / 12.92, ((_levels + 0.055) / 1.055) ** 2.4).astype(np.float32)
"""The linear light of each sRGB level."""

_SURFACE_RIDGE = np.array([1e-6, 0.02, 0.02, 0.2, 0.2, 0.2])
"""How firmly the fall-off of light is held to be level, and more firmly still to be a plane."""
_FEWEST_PATCHES = 4

CLIPPED = 252
"""Levels from here on say only that the light was more than the sensor takes."""


@dataclass(frozen=True, slots=True)
class ColourCorrection:
    """What makes a camera's colours the sheet's: a fall-off of light over the board, then a 3 x 3 matrix (linear BGR).

    `fall_off` holds the coefficients of the logarithm of the light over 1, x, y, x2, xy, y2, with x and y from -1 to 1
    over the sheet. `error` is the root mean square distance in Lab between the patches as corrected and as printed.
    """

    size: tuple[float, float]
    fall_off: Floats
    matrix: Floats
    error: float

    def to_lab(self, samples: npt.NDArray[np.uint8], places: npt.NDArray[np.floating]) -> Floats:
        """Lab (..., 3) of BGR samples (..., 3) taken at board places (..., 2) in millimetres."""
        light = LINEAR[samples.reshape(-1, 3)]
        light = light * np.exp(-_surface(places.reshape(-1, 2), self.size) @ self.fall_off)[:, None]
        return linear_to_lab(light @ self.matrix.T).reshape(samples.shape)


def fit_colours(image: Image, board: Board, pose: BoardPose) -> ColourCorrection:
    """The correction for one picture; without printed patches only the light's fall-off and level are corrected."""
    whites, paper = _paper(image, board, pose)
    surface = _surface(whites, board.size)
    fall_off = _ridge(surface, np.log(paper.mean(axis=1)), _SURFACE_RIDGE * max(1, len(whites))).astype(np.float32)
    white = (paper / np.exp(surface @ fall_off)[:, None]).mean(axis=0) if len(whites) else np.ones(3)
    diagonal = np.diag(1.0 / np.maximum(white, 1e-3))
    centres = np.array([patch.centre for patch in board.patches]).reshape(-1, 2)
    light, usable = _squares(image, pose, centres, 0.3 * board.patches[0].side if board.patches else 1.0)
    if usable.sum() < _FEWEST_PATCHES:
        return ColourCorrection(board.size, fall_off, diagonal.astype(np.float32), 0.0)
    seen = (light / np.exp(_surface(centres, board.size) @ fall_off)[:, None])[usable]
    printed = LINEAR[np.array([patch.rgb[::-1] for patch in board.patches])][usable]
    # Relative errors matter: a dark patch counts as much as a light one.
    weight = (1.0 / (0.05 + printed.mean(axis=1)))[:, None]
    change = _ridge(seen * weight, (printed - seen @ diagonal.T) * weight, 0.02 * np.ones(3)).T
    matrix = (diagonal + change).astype(np.float32)
    off = linear_to_lab(seen @ matrix.T) - linear_to_lab(printed)
    return ColourCorrection(board.size, fall_off, matrix, float(np.sqrt((off**2).sum(axis=1).mean())))


def linear_to_lab(light: npt.NDArray[np.floating]) -> Floats:
    """Lab (n, 3) of linear BGR light (n, 3); what is over white is taken as white."""
    pixels = np.clip(np.asarray(light, np.float32), 0.0, 1.0).reshape(-1, 1, 3)
    return cast(Floats, cv2.cvtColor(pixels, cv2.COLOR_LBGR2Lab).reshape(-1, 3))


def to_lab(colours: npt.NDArray[np.uint8]) -> Floats:
    """Lab (..., 3) of sRGB colours (..., 3), BGR."""
    return linear_to_lab(LINEAR[colours.reshape(-1, 3)]).reshape(colours.shape)


def _surface(places: npt.NDArray[np.floating], size: tuple[float, float]) -> Floats:
    x, y = (2.0 * places[:, axis] / size[axis] - 1.0 for axis in (0, 1))
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1).astype(np.float32)


def _ridge(
    inputs: npt.NDArray[np.floating], outputs: npt.NDArray[np.floating], penalty: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """Least squares with a penalty on each squared coefficient."""
    return np.asarray(np.linalg.solve(inputs.T @ inputs + np.diag(penalty), inputs.T @ outputs), np.float64)


def _paper(image: Image, board: Board, pose: BoardPose) -> tuple[npt.NDArray[np.float64], Floats]:
    """Places (n, 2) in the white margins around the markers, and their linear light (n, 3)."""
    reach = board.markers.side / 2 + board.markers.quiet_zone / 2
    ways = reach * np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    places = (np.array(list(board.markers.centres.values()))[:, None] + ways).reshape(-1, 2)
    light, usable = _squares(image, pose, places, 0.25 * board.markers.quiet_zone)
    level = light.mean(axis=1)
    # A finger or a shadow on a marker's margin is no paper: keep what is near the brightest.
    usable &= level > 0.4 * max(level[usable].max(initial=0.0), 0.02)
    return places[usable], light[usable]


def _squares(
    image: Image, pose: BoardPose, places: npt.NDArray[np.float64], reach: float
) -> tuple[Floats, npt.NDArray[np.bool_]]:
    """Median linear light (n, 3) of squares of half-side `reach` mm around places (n, 2), and which are fit to use:
    in view and not clipped.
    """
    steps = np.linspace(-reach, reach, 4)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    flat = (places[:, None] + grid).reshape(-1, 2)
    pixels = pose.project(np.column_stack([flat, np.zeros(len(flat))])).round().astype(int).reshape(-1, len(grid), 2)
    height, width = image.shape[:2]
    within = ((pixels >= 0) & (pixels < np.array([width, height]))).all(axis=(1, 2))
    levels = image[np.clip(pixels[..., 1], 0, height - 1), np.clip(pixels[..., 0], 0, width - 1)]
    clipped = (levels >= CLIPPED).any(axis=2).mean(axis=1) > 0.3
    return np.median(LINEAR[levels], axis=1).astype(np.float32), within & ~clipped
