"""Estimates how a sheet bulges between its markers, from what is printed on it and on the tiles lying there.

Markers determine the sheet's rim; where the paper waves inside, prints appear shifted. The heights minimise the squared
differences of colours, as in the registration of Lucas and Kanade (1981).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.location.relief import FLAT, Relief, bulge_terms
from vision.pictures import Image, interpolated
from vision.printed.pieces.likelihood import OVER_CHANNELS
from vision.printed.sheet.canvas import Canvas, Laid

Floats = npt.NDArray[np.float32]

_STEP = 4.0
"""Spacing (mm) of the places compared."""
_BLURS = 4.0, 2.5, 2.5, 2.5
"""Blur (standard deviation, mm) under which the places are compared, one for each round."""
_OFF = 12.0
"""Lab distance from the expected colour at which a place's weight falls to a quarter: a piece or odd light."""
_SPREAD = 3.0
"""Prior standard deviation (mm) of each coefficient of a bulge."""
_NOISE = 6.0
"""Standard deviation (Lab) of a place's colour around the expected one."""
_ALIKE = 40.0
"""Number of places whose errors are assumed identical."""
_RIM = 36.0
"""Width (mm) of the sheet's rim that is not compared: markers lie there, hands and other things reach over it."""
_LEAST = 0.8
"""Shift (mm on the sheet) that a bulge must cause to be believed; less can be due to how tiles lie."""
_MOSTLY = 0.9
"""Quantile of the shifts over the sheet that must reach it."""


def bulged(
    image: Image, pose: BoardPose, colours: ColourCorrection, canvas: Canvas, board: Board, laid: Mapping[str, Laid]
) -> BoardPose:
    """The pose with the bulge of the sheet; the same pose where the sheet does not bulge noticeably.

    `laid` are the tiles on the sheet; the canvas is left showing them.
    """
    places, inside, terms = _compared(board.size)
    flat = places.reshape(-1, 2)
    expected, tops = _expected_centred(canvas, board, laid, places)
    # A point raised by a millimetre appears where a point this much (mm) farther from the camera's foot would.
    lean = ((flat - pose.eye[:2]) / (pose.eye[2] - tops)[:, None]).astype(np.float32)
    prior = np.eye(terms.shape[1]) / _SPREAD**2
    found, moved, now, relief = np.zeros(len(prior)), 0.0, pose, pose.relief or Relief(board.size, FLAT)
    for blur in _BLURS:
        raised = np.column_stack([flat, tops])
        lab = colours.to_lab(interpolated(image, now.project(raised).reshape(places.shape)), places)
        shown, sought = (cv2.GaussianBlur(each, (0, 0), blur / _STEP) for each in (lab, expected))
        off = (shown - sought).reshape(-1, 3)
        right, down = (
            cv2.Scharr(shown, cv2.CV_32F, *way, scale=1 / 32 / _STEP).reshape(-1, 3) for way in ((1, 0), (0, 1))
        )
        change = right * lean[:, :1] + down * lean[:, 1:]
        weight = inside / (1.0 + (off * off) @ OVER_CHANNELS / _OFF**2) ** 2 / (_NOISE**2 * _ALIKE)
        normal = terms.T @ (terms * ((change * change) @ OVER_CHANNELS * weight)[:, None]) + prior
        gradient = terms.T @ ((change * off) @ OVER_CHANNELS * weight) + prior @ found
        found = found - np.linalg.solve(normal, gradient)
        moved = float(np.quantile(np.linalg.norm((terms @ found)[:, None] * lean, axis=1)[inside], _MOSTLY))
        if moved < _LEAST / 2:
            return pose
        now = replace(pose, relief=replace(relief, bulge=tuple(found.tolist())))
    return now if moved > _LEAST else pose


@lru_cache(maxsize=4)
def _compared(size: tuple[float, float]) -> tuple[Floats, npt.NDArray[np.bool_], Floats]:
    """The places (rows, columns, 2) that are compared, which of them count, and the bulge's terms there; shared, not to
    be changed.
    """
    axes = [np.arange(_STEP / 2, side, _STEP) for side in size]
    places = np.stack(np.meshgrid(*axes), axis=-1).astype(np.float32)
    flat = places.reshape(-1, 2)
    inside = ((flat > _RIM) & (flat < np.array(size) - _RIM)).all(axis=1)
    return places, np.asarray(inside), bulge_terms(flat, size).astype(np.float32)


def _expected_centred(canvas: Canvas, board: Board, laid: Mapping[str, Laid], places: Floats) -> tuple[Floats, Floats]:
    """The expected Lab at places (rows, columns, 2) with every tile centred (true on average), so that movement of the
    sheet can be told from misplaced tiles; and the height (places,) of the surface there.
    """
    canvas.lay({
        name: Laid(tile.label, replace(tile.placement, shift=(0.0, 0.0))) for name, tile in laid.items()
    })  # fmt: skip
    expected = canvas.middle(places)
    canvas.lay(laid)
    tops = np.zeros(places.shape[:2], np.float32)
    for spot in (board.spots[name] for name in laid):
        corners = (np.array(spot.outline) / _STEP).astype(np.int32)
        cv2.fillConvexPoly(tops, corners, spot.base + board.pieces[spot.piece].height)
    return expected, tops.ravel()
