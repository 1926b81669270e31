"""The land of each city on a map: what is nearer to it than to any other, with borders that wind like real ones."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from companion.board.lattice import Point

_STEP, _SWING = 3.0, 3.2
"""Millimetres between the points of a winding border, and how far one strays from the straight line."""


@dataclass(frozen=True, slots=True)
class Region:
    """A city's land: its outline, and its borders by the city on the other side."""

    outline: tuple[Point, ...]
    borders: Mapping[str, tuple[Point, ...]]


def regions(cities: Mapping[str, Point], box: tuple[float, float, float, float]) -> dict[str, Region]:
    """The regions of all cities in a box (left, top, right, bottom); neighbours share their borders exactly."""
    left, top, right, bottom = box
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    result = {}
    for city, place in cities.items():
        cell = [(corner, "") for corner in corners]
        for other, there in cities.items():
            if other != city:
                cell = _nearer(cell, place, there, other)
        outline: list[Point] = []
        borders = {}
        for (start, beyond), (end, _) in zip(cell, [*cell[1:], cell[0]], strict=True):
            winding = [_wound(point) for point in _walk(start, end)] if beyond else [start, end]
            outline.extend(winding)
            if beyond:
                borders[beyond] = tuple(winding)
        result[city] = Region(tuple(outline), borders)
    return result


def _nearer(cell: Sequence[tuple[Point, str]], place: Point, there: Point, other: str) -> list[tuple[Point, str]]:
    """The part of a convex cell that is nearer to one place than to another. Each corner names what lies beyond the
    side that starts at it.
    """

    def excess(point: Point) -> float:
        return math.dist(point, place) ** 2 - math.dist(point, there) ** 2

    kept: list[tuple[Point, str]] = []
    for (start, beyond), (end, _) in zip(cell, [*cell[1:], cell[0]], strict=True):
        first, second = excess(start), excess(end)
        if first <= 0:
            kept.append((start, beyond))
        if (first <= 0) != (second <= 0):
            share = first / (first - second)
            crossing = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
            kept.append((crossing, other if first <= 0 else beyond))
    return kept


def _walk(start: Point, end: Point) -> list[Point]:
    count = max(2, math.ceil(math.dist(start, end) / _STEP) + 1)
    return [
        (start[0] + (end[0] - start[0]) * k / (count - 1), start[1] + (end[1] - start[1]) * k / (count - 1))
        for k in range(count)
    ]


def _wound(point: Point) -> Point:
    """A point moved by a smooth field that depends on its place only."""
    x, y = point
    return (
        x + _SWING * (0.6 * math.sin(y / 7.3 + x / 31) + 0.4 * math.sin(y / 3.1 - x / 11)),
        y + _SWING * (0.6 * math.sin(x / 7.9 - y / 29) + 0.4 * math.sin(x / 3.4 + y / 13)),
    )
