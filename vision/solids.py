"""The visible parts of a stack of pieces with another on top, as polygons in a picture.

Board frame: millimetres, x right, y down, z up from the sheet.
"""

from __future__ import annotations

import math
from enum import IntEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision.registration import BoardPose

Floats = npt.NDArray[np.float64]

_LEVELS = 5
"""Rings by which a dome is drawn."""


class Part(IntEnum):
    """What a pixel of a stack shows."""

    NONE = 0
    WALL = 1
    DECK = 2
    """the upper side of the topmost piece of the stack"""
    ROOF = 3


def rider_points(top: str, outline: Floats, base: float, height: float) -> Floats:
    """Points (n, 3) whose convex hull is a piece on a stack.

    `top` is the board's, `ridge across` for one that runs along y, or `box` for an upright form.
    """
    rise = base + height
    if top == "dome":
        centre = outline.mean(axis=0)
        angles = np.linspace(0.0, math.pi / 2, _LEVELS)
        rings = [_level(centre + (outline - centre) * math.cos(a), base + height * math.sin(a)) for a in angles]
        return np.concatenate(rings)
    if top in ("ridge", "ridge across"):
        sides = ([0, 3], [1, 2]) if top == "ridge" else ([0, 1], [2, 3])
        ends = np.stack([outline[side].mean(axis=0) for side in sides])
        return np.concatenate([_level(outline, base), _level(ends, rise)])
    return np.concatenate([_level(outline, base), _level(outline, rise)])


def draw_stack(
    canvas: npt.NDArray[np.uint8],
    pose: BoardPose,
    outline: Floats,
    height: float,
    rider: Floats | None,
    offset: Floats,
    scale: float,
) -> None:
    """Draw the parts of a stack `height` mm high over `outline` (n, 2), with a rider's points on it, by their numbers.

    The canvas shows the picture reduced by `scale`, from pixel `offset` of the reduced picture on.
    """
    feet, deck = _level(outline, 0.0), _level(outline, height)
    pixels = (
        (pose.project(np.concatenate([feet, deck] + ([] if rider is None else [rider]))) + 0.5) * scale - 0.5 - offset
    )
    count = len(outline)
    _fill(canvas, pixels[: 2 * count], Part.WALL)
    _fill(canvas, pixels[count : 2 * count], Part.DECK)
    if rider is not None:
        _fill(canvas, pixels[2 * count :], Part.ROOF)


def _level(outline: Floats, z: float) -> Floats:
    return np.column_stack([outline, np.full(len(outline), z)])


def _fill(canvas: npt.NDArray[np.uint8], points: npt.NDArray[np.floating], part: Part) -> None:
    hull = cv2.convexHull(np.round(points * 16).astype(np.int32))
    cv2.fillConvexPoly(canvas, hull, int(part), cv2.LINE_8, 4)
