"""Plane figures as the drawing code needs them: corner points in, points or triangles out. No Kivy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import cycle, pairwise

from companion.board.lattice import Point

Points = tuple[Point, ...]
NOTHING = 1e-6
"""a length that only rounding leaves"""


def centre_of(points: Sequence[Point]) -> Point:
    """The mean of the corners."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def scaled(points: Iterable[Point], centre: Point, factor: float) -> Points:
    """The points moved away from `centre` by a factor."""
    return tuple((centre[0] + (x - centre[0]) * factor, centre[1] + (y - centre[1]) * factor) for x, y in points)


def moved(points: Iterable[Point], dx: float, dy: float) -> Points:
    """The points shifted."""
    return tuple((x + dx, y + dy) for x, y in points)


def circle(centre: Point, radius: float, corners: int = 28) -> Points:
    """A circle as a polygon."""
    angles = (math.tau * k / corners for k in range(corners))
    return tuple((centre[0] + radius * math.cos(a), centre[1] + radius * math.sin(a)) for a in angles)


def box(x: float, y: float, width: float, height: float) -> Points:
    """An upright rectangle around its centre."""
    w, h = width / 2, height / 2
    return (x - w, y - h), (x + w, y - h), (x + w, y + h), (x - w, y + h)


def rounded(x: float, y: float, width: float, height: float, radii: Sequence[float], corners: int = 8) -> Points:
    """A rectangle from its upper left corner clockwise; `radii` of upper left, upper right, lower right, lower left."""
    middles = (
        (x + radii[0], y + height - radii[0]), (x + width - radii[1], y + height - radii[1]),
        (x + width - radii[2], y + radii[2]), (x + radii[3], y + radii[3]),
    )  # fmt: skip
    found: list[Point] = []
    for number, ((middle_x, middle_y), radius) in enumerate(zip(middles, radii, strict=True)):
        for step in range(corners + 1 if radius else 1):
            angle = math.pi - (number + step / corners) * math.pi / 2
            found.append((middle_x + radius * math.cos(angle), middle_y + radius * math.sin(angle)))
    return tuple(found)


def between(start: Point, end: Point, share: float) -> Point:
    """The point at a share of the way from start to end."""
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def band(start: Point, end: Point, width: float) -> Points:
    """A straight line of some width as a rectangle."""
    length = math.dist(start, end) or 1.0
    x, y = (end[1] - start[1]) * width / (2 * length), (start[0] - end[0]) * width / (2 * length)
    return (
        (start[0] + x, start[1] + y),
        (end[0] + x, end[1] + y),
        (end[0] - x, end[1] - y),
        (start[0] - x, start[1] - y),
    )


def shortened(start: Point, end: Point, around_start: Points, around_end: Points) -> tuple[Point, Point]:
    """What of a line lies outside two upright rectangles around its ends; both ends in its middle where they meet."""
    leaves, enters = _way_out(start, end, around_start), 1 - _way_out(end, start, around_end)
    if leaves >= enters:
        leaves = enters = 0.5
    return between(start, end, leaves), between(start, end, enters)


def _way_out(start: Point, end: Point, around: Points) -> float:
    """The share of a line from start to end after which it leaves an upright rectangle around its start."""
    shares = [1.0]
    for axis in (0, 1):
        step = end[axis] - start[axis]
        if abs(step) > NOTHING:
            reach = (max if step > 0 else min)(point[axis] for point in around) - start[axis]
            shares.append(reach / step)
    return min(shares)


def fan(points: Sequence[Point]) -> list[Point]:
    """A convex polygon as triangles, three points each."""
    return [p for k in range(1, len(points) - 1) for p in (points[0], points[k], points[k + 1])]


def rim(points: Sequence[Point], width: float) -> tuple[Points, Points]:
    """The outer and the inner side of a line of some width along a convex polygon's edge, mitred at its corners."""
    outer, inner = [], []
    after_each = [_direction(*side) for side in _sides(points)]
    for (x, y), before, after in zip(points, (*after_each[-1:], *after_each[:-1]), after_each, strict=True):
        bend = max(1 + before[0] * after[0] + before[1] * after[1], 0.1)
        dx, dy = (before[1] + after[1]) / bend * width / 2, -(before[0] + after[0]) / bend * width / 2
        outer.append((x + dx, y + dy))
        inner.append((x - dx, y - dy))
    return tuple(outer), tuple(inner)


def _direction(start: Point, end: Point) -> Point:
    length = math.dist(start, end) or 1.0
    return (end[0] - start[0]) / length, (end[1] - start[1]) / length


def contains(points: Sequence[Point], point: Point) -> bool:
    """Whether a point lies within a convex polygon, its border included."""
    turns = [(bx - ax) * (point[1] - ay) - (by - ay) * (point[0] - ax) for (ax, ay), (bx, by) in _sides(points)]
    return min(turns) >= -1e-9 or max(turns) <= 1e-9


def stroke(start: Point, end: Point, width: float) -> list[Point]:
    """A straight line of some width as two triangles."""
    return fan(band(start, end, width))


def dashes(points: Sequence[Point], dash: float, gap: float) -> list[tuple[Point, Point]]:
    """The ends of the dashes of a closed polygon's outline; whole dashes on every side."""
    found: list[tuple[Point, Point]] = []
    filled = dash / (dash + gap)
    for start, end in _sides(points):
        count = max(1, round((math.dist(start, end) + gap) / (dash + gap)))
        period = 1 / (count - 1 + filled)
        found += [
            (between(start, end, k * period), between(start, end, k * period + period * filled)) for k in range(count)
        ]
    return found


def _sides(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return [(points[k], points[(k + 1) % len(points)]) for k in range(len(points))]


def stairs(points: Sequence[Point]) -> Points:
    """A line that keeps its height up to the next point and changes it there."""
    found = [points[0]]
    for x, y in points[1:]:
        if y != found[-1][1]:
            found += [(x, found[-1][1]), (x, y)]
    return (*found, (points[-1][0], found[-1][1]))


def dashes_along(points: Sequence[Point], dash: float, gap: float) -> list[tuple[Point, Point]]:
    """The straight pieces of a line's dashes, which go on around its corners; without a gap those of the line."""
    if not gap:
        return list(pairwise(points))
    found: list[tuple[Point, Point]] = []
    is_drawn, left = True, dash
    for start, end in pairwise(points):
        place, length = 0.0, math.dist(start, end)
        while length - place > NOTHING:
            until = min(length, place + left)
            if is_drawn:
                found.append((between(start, end, place / length), between(start, end, until / length)))
            left -= until - place
            place = until
            if left <= NOTHING:
                is_drawn = not is_drawn
                left = dash if is_drawn else gap
    return found


def leads(series: Sequence[Sequence[int]]) -> list[tuple[int, int, int]]:
    """(place, place after it, number of the series) wherever one series alone is the highest."""
    found: list[tuple[int, int, int]] = []
    for place, values in enumerate(zip(*series, strict=True)):
        most = max(values)
        if values.count(most) > 1:
            continue
        leader = values.index(most)
        if found and found[-1][1:] == (place, leader):
            found[-1] = found[-1][0], place + 1, leader
        else:
            found.append((place, place + 1, leader))
    return found


def axis_marks(least: int, most: int, count: int) -> range:
    """At most `count` + 1 whole numbers at even steps of 1, 2 or 5 times a power of ten that enclose both ends."""
    step, factors = 1, cycle((2.0, 2.5, 2.0))
    while -(-most // step) - least // step > count:
        step = round(step * next(factors))
    return range(least // step * step, max(-(-most // step), least // step + 1) * step + 1, step)


def lanes(series: Sequence[Sequence[int]]) -> list[list[int]]:
    """For each value of each series how many series before it have the same value at this place."""
    return [
        [sum(other[place] == value for other in series[:number]) for place, value in enumerate(line)]
        for number, line in enumerate(series)
    ]


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """The places moved as little as keeps their order and a gap between them; closer where low to high has no room."""
    gap = min(gap, (high - low) / max(1, len(places) - 1))
    spread_out = list(places)
    upwards = sorted(range(len(places)), key=lambda each: places[each])
    floor = low
    for each in upwards:
        spread_out[each] = floor = max(spread_out[each], floor)
        floor += gap
    ceiling = high
    for each in reversed(upwards):
        spread_out[each] = ceiling = min(spread_out[each], ceiling)
        ceiling -= gap
    return spread_out
