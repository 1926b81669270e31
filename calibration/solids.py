"""The surfaces of paper solids, laid flat: boxes, lids that stack, prisms, domes of facets and gable roofs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from calibration.drawing.shapes import polar, ring
from companion.board.lattice import Point
from companion.board.layout import Piece

_TAB = 3.0
"""Depth (mm) of a tab to glue."""
_PRISM_SIDES, _DOME_SIDES = 6, 8
"""A pawn is a prism of this many sides, a dome has so many facets; both are as large as their disc."""


@dataclass(frozen=True, slots=True)
class Surface:
    """A panel other than a face, in its own frame: y runs down to the solid's foot where it stands.

    The origin of a `wall`, of an `end` (a box's short side) and of a `slope` is its middle, that of a `gable` the
    middle of its foot, that of a `facet` the top of the dome. `turn` is the frame's, in degrees clockwise.
    """

    part: str
    outline: tuple[Point, ...]
    origin: Point
    turn: float


@dataclass(frozen=True, slots=True)
class Net:
    """A flat paper that folds to a piece's size and height, in millimetres from its own top-left corner.

    Panels and tabs are convex and meet along the folds. `faces` are the middles of the panels that bear the piece's
    face from above, `surfaces` are those that a game may draw on, then instead of the face.
    """

    size: Point
    panels: tuple[tuple[Point, ...], ...]
    tabs: tuple[tuple[Point, ...], ...]
    faces: tuple[Point, ...]
    surfaces: tuple[Surface, ...] = ()


def net_of(piece: Piece) -> Net:
    """The net of a piece: a dome or a gable roof by its `top`, a lid where it stacks, else a prism (disc) or a box.

    Domes, roofs and lids are open below.
    """
    length, width = piece.size[0], piece.size[-1]
    if piece.top == "dome":
        return _dome(length, piece.height)
    if piece.top == "ridge":
        return _gable_roof(length, width, piece.height)
    if piece.shape == "disc":
        return _prism(length, piece.height)
    if piece.stacked:
        return _lid(length, width, piece.height)
    return _box(length, width, piece.height)


def _box(length: float, width: float, height: float) -> Net:
    """Four panels in a column, the ends left and right of the first."""
    left, top = height + _depth(width), _depth(height)
    panels, faces, surfaces, y = [], [], list[Surface](), top
    for depth, turn in ((width, None), (height, 0.0), (width, None), (height, 180.0)):
        panel, middle = _rectangle(left, y, length, depth), (left + length / 2, y + depth / 2)
        panels.append(panel)
        if width in (depth, height):
            faces.append(middle)
        if turn is not None:
            surfaces.append(Surface("wall", panel, middle, turn))
        y += depth
    tabs = [_tab((left + length, y), (left, y))]
    for near, far in ((left, left - height), (left + length, left + length + height)):
        panel, middle = _rectangle(min(near, far), top, height, width), ((near + far) / 2, top + width / 2)
        panels.append(panel)
        surfaces.append(Surface("wall" if length == width else "end", panel, middle, 90.0 if far < near else -90.0))
        edges = [((far, top), (near, top)), ((far, top + width), (far, top)), ((near, top + width), (far, top + width))]
        tabs.extend(_tab(a, b) if far < near else _tab(b, a) for a, b in edges)
        if length == width == height:
            faces.append(middle)
    size = (length + 2 * left, y + _depth(length))
    return Net(size, tuple(panels), tuple(tabs), tuple(faces), tuple(surfaces))


def _lid(length: float, width: float, height: float) -> Net:
    """The face with a wall on each of its sides; two of the walls have a tab at either end."""
    left, right, top, bottom = height, height + length, height, height + width
    middle = ((left + right) / 2, (top + bottom) / 2)
    walls = (
        (_rectangle(left, 0, length, height), (middle[0], height / 2), 180.0),
        (_rectangle(right, top, height, width), (right + height / 2, middle[1]), -90.0),
        (_rectangle(left, bottom, length, height), (middle[0], bottom + height / 2), 0.0),
        (_rectangle(0, top, height, width), (height / 2, middle[1]), 90.0),
    )
    tabs = (
        _tab((left, top), (left, 0)),
        _tab((right, 0), (right, top)),
        _tab((right, bottom), (right, bottom + height)),
        _tab((left, bottom + height), (left, bottom)),
    )
    return Net(
        (length + 2 * height, width + 2 * height),
        (_rectangle(left, top, length, width), *(outline for outline, _, _ in walls)),
        tabs,
        (middle,),
        tuple(Surface("wall", outline, origin, turn) for outline, origin, turn in walls),
    )


def _prism(diameter: float, height: float) -> Net:
    """Side panels in a row, the lid above the third; its area is that of the disc."""
    flats = diameter * math.sqrt(math.pi / (2 * math.sqrt(3)))
    side = flats / math.sqrt(3)
    top = flats + _depth(side)
    panels = [_rectangle(k * side, top, side, height) for k in range(_PRISM_SIDES)]
    middle = (2.5 * side, top - flats / 2)
    lid = ring(side, _PRISM_SIDES, 0, middle)
    tabs = [_tab((_PRISM_SIDES * side, top), (_PRISM_SIDES * side, top + height))]
    edges = zip(lid, [*lid[1:], lid[0]], strict=True)
    tabs.extend(_tab(a, b, narrow=True) for a, b in edges if (a[1] + b[1]) / 2 < top - 1e-6)
    surfaces = tuple(Surface("wall", panel, (panel[0][0] + side / 2, top + height / 2), 0.0) for panel in panels)
    size = (_PRISM_SIDES * side + _depth(height), top + height)
    return Net(size, (*panels, tuple(lid)), tuple(tabs), (middle,), surfaces)


def _dome(diameter: float, height: float) -> Net:
    """A fan of facets around the top; the polygon at its foot has the disc's area."""
    radius = diameter / 2 * math.sqrt(2 * math.pi / _DOME_SIDES / math.sin(math.tau / _DOME_SIDES))
    slant, foot = math.hypot(radius, height), 2 * radius * math.sin(math.pi / _DOME_SIDES)
    step = 2 * math.degrees(math.asin(foot / 2 / slant))
    angles = [90 + step * (k - _DOME_SIDES / 2) for k in range(_DOME_SIDES + 1)]
    rim = [polar(slant, angle) for angle in angles]
    tab = _tab(rim[-1], (0.0, 0.0))
    low_x, low_y, high_x, high_y = _bounds([*rim, *tab])
    shift = (-low_x, -low_y)
    facets = [_moved(((0.0, 0.0), a, b), shift) for a, b in pairwise(rim)]
    surfaces = tuple(
        Surface("facet", facet, shift, angle + step / 2 - 90) for facet, angle in zip(facets, angles, strict=False)
    )
    return Net((high_x - low_x, high_y - low_y), tuple(facets), (_moved(tab, shift),), (), surfaces)


def _gable_roof(length: float, width: float, height: float) -> Net:
    """Two slopes that share the ridge, a gable at either end of the first."""
    slant = math.hypot(width / 2, height)
    down = width**2 / (2 * slant)
    out = math.sqrt(width**2 - down**2)
    left, right = out, out + length
    slopes = (_rectangle(left, 0, length, slant), _rectangle(left, slant, length, slant))
    ends = ((left, -1.0), (right, 1.0))
    gables = [((x, 0.0), (x, slant), (x + side * out, down)) for x, side in ends]
    tabs = (_tab(gables[0][1], gables[0][2]), _tab(gables[1][2], gables[1][1]))
    turn = math.degrees(math.atan2(-out / 2, down / 2 - slant))
    surfaces = (
        Surface("slope", slopes[0], (left + length / 2, slant / 2), 180.0),
        Surface("slope", slopes[1], (left + length / 2, 1.5 * slant), 0.0),
        *(
            Surface("gable", gable, (x + side * out / 2, down / 2), side * turn)
            for gable, (x, side) in zip(gables, ends, strict=True)
        ),
    )
    return Net((length + 2 * out, max(2 * slant, down)), (*slopes, *gables), tabs, (), surfaces)


def _rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _moved(points: tuple[Point, ...], shift: Point) -> tuple[Point, ...]:
    return tuple((x + shift[0], y + shift[1]) for x, y in points)


def _bounds(points: list[Point]) -> tuple[float, float, float, float]:
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _tab(start: Point, end: Point, *, narrow: bool = False) -> tuple[Point, ...]:
    """A tab to the left of the way from start to end (as seen), tapered; a narrow one leaves 60 degrees beside it."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    along, depth = ((x1 - x0) / length, (y1 - y0) / length), _depth(length)
    out = (along[1] * depth, -along[0] * depth)
    taper = 0.3 * depth if length > 2 * _TAB and not narrow else 0.6 * depth
    return (
        start, (x0 + out[0] + along[0] * taper, y0 + out[1] + along[1] * taper),
        (x1 + out[0] - along[0] * taper, y1 + out[1] - along[1] * taper), end,
    )  # fmt: skip


def _depth(length: float) -> float:
    """How deep a tab on an edge of this length is."""
    return min(_TAB, 0.55 * length)
