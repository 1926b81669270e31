"""A laurel wreath, open above: the leaves as polygons. No Kivy."""

from __future__ import annotations

import math

from companion.board.lattice import Point
from ui.drawing.shapes import Points

LEAVES = 9
"""on each side"""


def laurel(centre: Point, radius: float) -> tuple[Points, ...]:
    """The leaves of a wreath around a centre, from below upwards, left and right in turn; `radius` to the twigs."""
    return tuple(
        _leaf(centre, radius, side, number, inner=inner)
        for number in range(LEAVES)
        for side in (-1, 1)
        for inner in (False, True)
        if not (inner and number == LEAVES - 1)
    )


def _leaf(centre: Point, radius: float, side: int, number: int, *, inner: bool) -> Points:
    """A leaf that points upwards along the twig, away from it to the outside or to the inside."""
    share = number / (LEAVES - 1)
    bearing = math.radians(270 + side * (12 + 132 * share))
    x, y = centre[0] + radius * math.cos(bearing), centre[1] + radius * math.sin(bearing)
    lean = 34 if number < LEAVES - 1 else 0
    along = bearing + side * math.radians(90 + (lean if inner else -lean))
    length, width = radius * (0.40 - 0.10 * share), radius * 0.085
    points = []
    for step in range(13):
        turn = math.tau * step / 12
        forth, across = (1 - math.cos(turn)) / 2 * length, math.sin(turn) * width
        points.append(
            (
                x + forth * math.cos(along) - across * math.sin(along),
                y + forth * math.sin(along) + across * math.cos(along),
            )
        )
    return tuple(points[:-1])
