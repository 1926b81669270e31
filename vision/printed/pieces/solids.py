"""The visible parts of a stack with another piece on top, as points and polygons.

Board frame: millimetres, x right, y down, z up from the sheet.
"""

from __future__ import annotations

import math
from enum import IntEnum

import cv2
import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

_LEVELS = 5
"""Rings that approximate a dome."""


class Part(IntEnum):
    """What a pixel of a stack shows."""

    NONE = 0
    WALL = 1
    DECK = 2
    """the upper side of the topmost piece of the stack"""
    ROOF = 3


def rider_points(top: str, outline: Floats, base: float, height: float) -> Floats:
    """Points (n, 3) whose convex hull is a piece on a stack.

    `top` is a top form of the board's pieces, `ridge across` for a ridge along y, or `box` for an upright form.
    """
    rise = base + height
    if top == "dome":
        centre = outline.mean(axis=0)
        angles = np.linspace(0.0, math.pi / 2, _LEVELS)[:-1]
        rings = [level(centre + (outline - centre) * math.cos(a), base + height * math.sin(a)) for a in angles]
        return np.concatenate([*rings, level(centre[None], rise)])
    if top in ("ridge", "ridge across"):
        sides = ([0, 3], [1, 2]) if top == "ridge" else ([0, 1], [2, 3])
        ends = np.stack([outline[side].mean(axis=0) for side in sides])
        return np.concatenate([level(outline, base), level(ends, rise)])
    return np.concatenate([level(outline, base), level(outline, rise)])


def level(outline: Floats, z: float) -> Floats:
    """An outline (n, 2) raised to a height, (n, 3)."""
    return np.column_stack([outline, np.full(len(outline), z)])


def fill_hull(canvas: npt.NDArray[np.uint8], pixels: npt.NDArray[np.floating], part: Part) -> None:
    """Draw the convex hull of points (n, 2), given to a fraction of a pixel, as a part of a solid."""
    hull = cv2.convexHull(np.round(pixels * 16).astype(np.int32))
    cv2.fillConvexPoly(canvas, hull, int(part), cv2.LINE_8, 4)
