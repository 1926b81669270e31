"""The printed markers and colour patches of a sheet."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt

from calibration.drawing.ink import Ink
from companion.board.layout import Markers, Patch


def marker_modules(markers: Markers, marker: int) -> npt.NDArray[np.bool_]:
    """The modules (rows, columns) of a marker with its black border, True for black."""
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    size = dictionary.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(dictionary, marker, size) < 128)


def draw_marker(ink: Ink, markers: Markers, marker: int) -> None:
    """Draw a marker with its white quiet zone at its place on the sheet."""
    x, y = markers.centres[marker]
    half = markers.side / 2
    margin = half + markers.quiet_zone
    ink.rectangle(x - margin, y - margin, 2 * margin, 2 * margin, (255, 255, 255))
    draw_modules(ink, marker_modules(markers, marker), x - half, y - half, markers.side)


def draw_modules(ink: Ink, modules: npt.NDArray[np.bool_], x: float, y: float, side: float) -> None:
    """Draw a square of modules (rows, columns), True for black, with its upper left corner at (x, y)."""
    module = side / len(modules)
    # White modules on one black square leave no hairlines between black neighbours.
    ink.rectangle(x, y, side, side, (0, 0, 0))
    for row, column in np.argwhere(~modules):
        run = 1
        if column and not modules[row, column - 1]:
            continue
        while column + run < len(modules) and not modules[row, column + run]:
            run += 1
        left, top = x + column * module, y + row * module
        joins = row + 1 < len(modules) and not modules[row + 1, column : column + run].any()
        ink.rectangle(left, top, run * module, module * (1.2 if joins else 1.0), (255, 255, 255))


def draw_patch(ink: Ink, patch: Patch) -> None:
    """Draw a colour patch, with a hairline around a light one to make it visible on paper."""
    x, y = patch.centre
    half = patch.side / 2
    ink.rectangle(x - half, y - half, patch.side, patch.side, patch.rgb)
    if min(patch.rgb) > 235:
        ink.rectangle(x - half - 0.1, y - half - 0.1, patch.side + 0.2, patch.side + 0.2, None, (150, 150, 150), 0.2)
