"""Sheen: light of a window or lamp that the sheet's surface mirrors towards the camera, on top of what is printed.

It is measured where black is printed, on the markers and the black patch, and interpolated between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.light_map import in_grid
from vision.colour.swatches import Swatches, swatches_of
from vision.location.board_pose import BoardPose
from vision.pictures import Image

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.floating]

_MODULES = 6
"""Modules along a marker's side; the outermost are black."""
_USUAL = 0.25
"""Quantile of the blacks, relative to the paper beside them, that is taken for black without sheen."""
_MOST = 0.45
"""Black relative to the paper beside it from which something else is seen there."""
_LEAST = 0.03
"""Light, relative to the brightest paper, by which some black must exceed the usual for sheen."""
_FEWEST = 4
"""Fewest blacks by which sheen is measured."""
_NEAR = 40.0
"""Distance (mm) within which a measurement counts fully; farther ones lose weight with its fourth power."""
_BESIDE = 2.0
"""Distance (mm) from the black patch's rim at which the paper beside it is sampled."""
_STEP = 10.0
"""Side (mm) of the cells."""


@dataclass(frozen=True, slots=True)
class Sheen:
    """Light (n, 3), linear BGR as the camera has it, measured at board places (n, 2), in millimetres; and the same
    `between` them, in the middle of cells of the sheet (rows, columns, 3).
    """

    places: Floats
    light: Floats
    between: Floats

    def at(self, places: npt.NDArray[np.floating]) -> Floats:
        """The light (n, 3) added at board places (n, 2), in millimetres."""
        return in_grid(self.between, _STEP, places)


@dataclass(frozen=True, slots=True)
class Blacks:
    """Where black is printed, and the paper beside it."""

    black: Swatches
    paper: Swatches
    size: tuple[float, float]
    """of the sheet (mm)"""

    def sheen(self, black: Floats, paper: Floats) -> Sheen | None:
        """The sheen by the light (n, 3) of black and paper; None where no black is lighter than the usual."""
        ratio = black.mean(axis=1) / np.maximum(paper.mean(axis=1), 1e-4)
        known = self.black.usable & self.paper.within & (ratio < _MOST)
        if known.sum() < _FEWEST:
            return None
        usual = float(np.quantile(ratio[known], _USUAL))
        more = np.maximum(black[known] - usual * paper[known], 0)
        if more.mean(axis=1).max() < _LEAST * float(paper[known].mean(axis=1).max()):
            return None
        return sheen_of(self.black.places[known], more, self.size)


def sheen_of(places: Places, light: Floats, size: tuple[float, float]) -> Sheen:
    """The sheen measured at places (n, 2) of a sheet of this size; between them the nearest count most."""
    weight, total = _weights(places.astype(np.float64).tobytes(), size)
    between = (weight @ light) / total
    return Sheen(places.astype(np.float32), light.astype(np.float32), between.astype(np.float32))


@lru_cache(maxsize=2)
def _weights(places: bytes, size: tuple[float, float]) -> tuple[Places, Places]:
    """The weight (rows, columns, n) of each of n places in the cells of a sheet, and the sum of all (rows, columns, 1):
    the same under every response of a camera.
    """
    axes = [np.arange(_STEP / 2, side + _STEP / 2, _STEP) for side in size]
    cells = np.stack(np.meshgrid(*axes), axis=-1)
    measured = np.frombuffer(places, np.float64).reshape(-1, 2)
    weight = 1.0 / (((cells[:, :, None] - measured) ** 2).sum(axis=-1) + _NEAR**2) ** 2
    return weight, weight.sum(axis=-1, keepdims=True)


def blacks_of(image: Image, board: Board, pose: BoardPose) -> Blacks:
    """The blacks of all markers, each on its four sides, and of the blackest patch."""
    ways = np.array([[1, 0], [-1, 0], [0, 1], [0, -1]])
    centres = np.array(list(board.markers.centres.values()))
    module, zone = board.markers.side / _MODULES, board.markers.quiet_zone

    def around(reach: float, size: float) -> Swatches:
        places = (centres[:, None] + reach * ways).reshape(-1, 2)
        return _joined(swatches_of(image, pose, places, size), centres)

    black = [around(module * (_MODULES - 1) / 2, module / 4)]
    paper = [around(board.markers.side / 2 + zone / 2, zone / 4)]
    if board.patches:
        patch = min(board.patches, key=lambda each: sum(each.rgb))
        centre = np.array([patch.centre])
        beside = centre + (patch.side / 2 + _BESIDE) * ways[:2]
        black.append(swatches_of(image, pose, centre, 0.3 * patch.side))
        paper.append(_joined(swatches_of(image, pose, beside, _BESIDE / 2), centre))
    return Blacks(_all(black), _all(paper), board.size)


def _joined(found: Swatches, centres: npt.NDArray[np.float64]) -> Swatches:
    """One swatch at each centre: the median of those around it."""
    count = len(centres)
    levels = np.median(found.levels.reshape(count, -1, 3), axis=1).astype(np.float32)
    clipped = found.clipped.reshape(count, -1, 3).mean(axis=1) > 0.5
    return Swatches(centres, levels, np.asarray(clipped), np.asarray(found.within.reshape(count, -1).all(axis=1)))


def _all(found: list[Swatches]) -> Swatches:
    return Swatches(
        np.concatenate([each.places for each in found]),
        np.concatenate([each.levels for each in found]),
        np.concatenate([each.clipped for each in found]),
        np.concatenate([each.within for each in found]),
    )
