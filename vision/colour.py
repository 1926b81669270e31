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
    whites = _paper_samples(image, board, pose)
    names = [patch for patch in board.patches if _mean(image, pose, patch.centre, 0.3 * patch.side) is not None]
    white_places = [place for place, _ in whites]
    levels = [level for _, level in whites]
    brightness = np.array([np.log(level.mean()) for level in levels], np.float32)
    surface = _surface(np.array(white_places, np.float32).reshape(-1, 2), board.size)
    ridge = np.diag([1e-6, 0.02, 0.02, 0.2, 0.2, 0.2]).astype(np.float32) * max(1, len(levels))
    fall_off = (
        np.linalg.solve(surface.T @ surface + ridge, surface.T @ brightness) if levels else np.zeros(6, np.float32)
    ).astype(np.float32)
    white = np.mean([level / np.exp(_surface(np.array([place]), board.size) @ fall_off) for place, level in whites], axis=0) \
        if whites else np.ones(3)
    diagonal = np.diag(1.0 / np.maximum(white, 1e-3))
    if len(names) < 4:
        return ColourCorrection(board.size, fall_off, diagonal.astype(np.float32), 0.0)
    seen = np.array(
        [
            cast(Floats, _mean(image, pose, patch.centre, 0.3 * patch.side))
            / np.exp(_surface(np.array([patch.centre]), board.size) @ fall_off)
            for patch in names
        ]
    )
    printed = LINEAR[np.array([patch.rgb[::-1] for patch in names])]
    weight = (1.0 / (0.05 + printed.mean(axis=1)))[:, None]
    left, right = seen * weight, (printed - seen @ diagonal.T) * weight
    change = np.linalg.solve(left.T @ left + 0.02 * np.eye(3), left.T @ right).T
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


def _paper_samples(image: Image, board: Board, pose: BoardPose) -> list[tuple[tuple[float, float], Floats]]:
    """Linear light of the white margin on the four sides of every marker, with its place; clipped ones left out."""
    reach = board.markers.side / 2 + board.markers.quiet_zone / 2
    found = []
    for x, y in board.markers.centres.values():
        for right, down in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            place = (x + right * reach, y + down * reach)
            light = _mean(image, pose, place, 0.25 * board.markers.quiet_zone)
            if light is not None and light.mean() > 0.01:
                found.append((place, light))
    if not found:
        return []
    # A finger or a shadow on a marker's margin is no paper: keep what is near the brightest.
    brightest = max(light.mean() for _, light in found)
    return [(place, light) for place, light in found if light.mean() > 0.4 * brightest]


def _mean(image: Image, pose: BoardPose, place: tuple[float, float], reach: float) -> Floats | None:
    """Mean linear light (3,) of the square of half-side `reach` mm around a place; None out of view or clipped."""
    steps = np.linspace(-reach, reach, 4)
    grid = np.array([[place[0] + dx, place[1] + dy, 0.0] for dy in steps for dx in steps])
    pixels = np.round(pose.project(grid)).astype(int)
    height, width = image.shape[:2]
    if pixels.min() < 0 or pixels[:, 0].max() >= width or pixels[:, 1].max() >= height:
        return None
    levels = image[pixels[:, 1], pixels[:, 0]]
    if (levels >= CLIPPED).any(axis=1).mean() > 0.3:
        return None
    return cast(Floats, np.median(LINEAR[levels], axis=0))
