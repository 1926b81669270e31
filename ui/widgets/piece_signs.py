"""Signs that distinguish drawn pieces without their colour: pips, notches, channels, summits, arches, ridges."""

from __future__ import annotations

import math

from kivy.graphics import InstructionGroup

from companion.board.lattice import Point
from ui.drawing.shapes import Points, between, box, centre_of, circle, fan, stroke
from ui.drawing.theme import BLUE, BOARD_INK, SHEET, WHITE, PieceStyle, mixed
from ui.widgets.painting import band, outline, polygon, triangles, written

CHANNELS: dict[str, tuple[str, ...]] = {
    "curve": ("NE",),
    "straight": ("NS",),
    "bridge": ("NS", "EW"),
    "double curve": ("NE", "SW"),
}
"""the drawing of a tile -> the pairs of its sides that a channel joins, before it is turned clockwise"""
SIDES = "NESW"
PIPS: dict[int, tuple[Point, ...]] = {
    1: ((0.0, 0.0),),
    2: ((-0.2, 0.2), (0.2, -0.2)),
    3: ((-0.22, 0.22), (0.0, 0.0), (0.22, -0.22)),
    4: ((-0.2, 0.2), (0.2, 0.2), (-0.2, -0.2), (0.2, -0.2)),
}


def pips(group: InstructionGroup, centre: Point, size: float, style: PieceStyle) -> None:
    """Dots as on a die, for the players' colours in the order of the palette."""
    for dx, dy in PIPS.get(style.pips, ()):
        polygon(group, circle((centre[0] + dx * size, centre[1] + dy * size), max(size * 0.1, 1.0), 12), style.ink)


def count(group: InstructionGroup, number: str, centre: Point, scale: float) -> None:
    """How many lie or stand together."""
    radius = max(scale * 3.6, 6.5)
    polygon(group, circle(centre, radius), WHITE)
    outline(group, circle(centre, radius), BOARD_INK, 1.0)
    written(group, number, centre, radius * 1.55, BOARD_INK)


def channels(group: InstructionGroup, label: str, centre: Point, side: float) -> None:
    """The water of a tile such as `curve 90`, on a square `side` pixels wide; a bridge's first channel goes below."""
    kind, _, turned = label.rpartition(" ")
    quarter = int(turned) // 90
    for number, pair in enumerate(CHANNELS.get(kind, ())):
        start, end = (SIDES[(SIDES.index(name) + quarter) % 4] for name in pair)
        way = _way(start, end, centre, side / 2)
        if number and kind == "bridge":
            band(
                group,
                [between(way[0], way[-1], 0.3), between(way[0], way[-1], 0.7)],
                mixed(SHEET, BOARD_INK, 0.12),
                side * 0.4,
            )
        _water(group, way, side)


def channel(group: InstructionGroup, start: str, end: str, centre: Point, side: float) -> None:
    """Water that joins two sides (N, E, S, W) of a square `side` pixels wide."""
    _water(group, _way(start, end, centre, side / 2), side)


def _water(group: InstructionGroup, way: tuple[Point, ...], side: float) -> None:
    band(group, way, mixed(BLUE, BOARD_INK, 0.3), side * 0.24)
    band(group, way, mixed(BLUE, WHITE, 0.35), side * 0.16)


def _way(start: str, end: str, centre: Point, reach: float) -> tuple[Point, ...]:
    """The middle line of a channel between two sides of a square: straight, or a quarter of a circle."""
    steps = {"N": (0.0, 1.0), "E": (1.0, 0.0), "S": (0.0, -1.0), "W": (-1.0, 0.0)}
    (ax, ay), (bx, by) = steps[start], steps[end]
    x, y = centre
    if (ax + bx, ay + by) == (0.0, 0.0):
        return (x + ax * reach, y + ay * reach), (x + bx * reach, y + by * reach)
    corner = x + (ax + bx) * reach, y + (ay + by) * reach
    turns = ((math.sin(k / 8 * math.pi / 2), math.cos(k / 8 * math.pi / 2)) for k in range(9))
    return tuple(
        (corner[0] - reach * (ax * sine + bx * cosine), corner[1] - reach * (ay * sine + by * cosine))
        for sine, cosine in turns
    )


def ridge(group: InstructionGroup, roof: Points, style: PieceStyle) -> None:
    """A pitched roof seen from above: one half in the shade, and the ridge."""
    left, right = between(roof[0], roof[1], 0.5), between(roof[3], roof[2], 0.5)
    triangles(group, fan((left, roof[1], roof[2], right)), mixed(style.fill, BOARD_INK, 0.22))
    triangles(group, stroke(left, right, 1.6), mixed(style.fill, BOARD_INK, 0.6))


def landmark(group: InstructionGroup, name: str, centre: Point, side: float, style: PieceStyle) -> None:
    """A hill's summit, a bridge's arches; another piece of this shape shows its letter."""
    x, y = centre
    ink = mixed(style.fill, style.ink, 0.7)
    if name == "hill":
        for dx, dy, size in ((-0.08, -0.07, 0.17), (0.08, -0.07, 0.12)):
            peak = (x + dx * side, y + (dy + size) * side)
            left, right = (x + (dx - size * 0.8) * side, y + dy * side), (x + (dx + size * 0.8) * side, y + dy * side)
            polygon(group, (left, right, peak), ink)
            polygon(group, (between(peak, left, 0.35), between(peak, right, 0.35), peak), SHEET)
    elif name == "bridge":
        polygon(group, box(x, y + 0.02 * side, 0.46 * side, 0.17 * side), ink)
        for dx in (-0.11, 0.11):
            arch = circle((x + dx * side, y - 0.065 * side), 0.08 * side, 20)
            polygon(group, [(px, max(py, y - 0.066 * side)) for px, py in arch], style.fill)
    elif style.letter:
        written(group, style.letter, centre, side * 0.3, style.ink)


def notches(group: InstructionGroup, bar: Points, style: PieceStyle) -> None:
    """Cuts across a bar, evenly spread: they mark an aqueduct's line without its colour."""
    start, end = between(bar[0], bar[3], 0.5), between(bar[1], bar[2], 0.5)
    across = ((bar[3][0] - bar[0][0]) / 2, (bar[3][1] - bar[0][1]) / 2)
    width = math.hypot(*across)
    cuts: list[Point] = []
    for k in range(style.notches):
        x, y = between(start, end, (k + 1) / (style.notches + 1))
        cuts += stroke((x - across[0], y - across[1]), (x + across[0], y + across[1]), width * 0.6)
    triangles(group, cuts, mixed(style.fill, style.ink, 0.75))


def basin(group: InstructionGroup, shape: Points, style: PieceStyle) -> None:
    """A piece longer than wide that stands for its owner's colour: a rim of it around a paler middle, with pips."""
    centre = centre_of(shape)
    height = abs(shape[0][1] - shape[2][1])
    inner = tuple((centre[0] + (x - centre[0]) * 0.82, centre[1] + (y - centre[1]) * 0.68) for x, y in shape)
    polygon(group, inner, mixed(style.fill, SHEET, 0.45))
    pips(group, centre, height * 0.75, PieceStyle(style.fill, BOARD_INK, pips=style.pips))
