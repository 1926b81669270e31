"""Plane geometry for drawing: points in millimetres, y down, angles in degrees clockwise as seen."""

from __future__ import annotations

import math
from collections.abc import Sequence

from calibration.drawing.ink import PathStep
from companion.board.lattice import Point


def polar(radius: float, angle: float, centre: Point = (0.0, 0.0)) -> Point:
    """The point at this distance and direction from `centre`; 0 degrees is right, 90 down."""
    turn = math.radians(angle)
    return centre[0] + radius * math.cos(turn), centre[1] + radius * math.sin(turn)


def ring(radius: float, count: int, start: float = 0.0, centre: Point = (0.0, 0.0)) -> list[Point]:
    """The corners of a regular polygon."""
    return [polar(radius, start + 360 * k / count, centre) for k in range(count)]


def arc(radius: float, start: float, end: float, centre: Point = (0.0, 0.0), flat: float = 1.0) -> list[Point]:
    """Points along an arc, one every five degrees or closer; `flat` squeezes it vertically."""
    count = max(2, math.ceil(abs(end - start) / 5) + 1)
    points = [polar(radius, start + (end - start) * k / (count - 1)) for k in range(count)]
    return [(centre[0] + x, centre[1] + y * flat) for x, y in points]


def inset(points: Sequence[Point], distance: float) -> list[Point]:
    """A convex polygon with every side moved inwards by `distance`."""
    middle = (sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points))
    sides = []
    for (x0, y0), (x1, y1) in zip(points, [*points[1:], points[0]], strict=True):
        length = math.hypot(x1 - x0, y1 - y0)
        normal = ((y0 - y1) / length, (x1 - x0) / length)
        offset = normal[0] * x0 + normal[1] * y0
        if normal[0] * middle[0] + normal[1] * middle[1] < offset:
            normal, offset = (-normal[0], -normal[1]), -offset
        sides.append((normal, offset + distance))
    corners = []
    for ((a, b), e), ((c, d), f) in zip([sides[-1], *sides[:-1]], sides, strict=True):
        determinant = a * d - b * c
        corners.append(((e * d - b * f) / determinant, (a * f - e * c) / determinant))
    return corners


def smooth(points: Sequence[Point]) -> list[PathStep]:
    """A path through all points without corners (Catmull-Rom)."""
    padded = [points[0], *points, points[-1]]
    commands: list[PathStep] = [("M", *points[0])]
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        commands.append(("C", bx + (cx - ax) / 6, by + (cy - ay) / 6, cx - (dx - bx) / 6, cy - (dy - by) / 6, cx, cy))
    return commands
