"""Paper solids that take the place of wooden pieces: what is cut out and folded, with the faces in their places."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from calibration.colours import AQUEDUCTS, FAINT, PAPER, mixed, named, on
from calibration.colours import INK as DARK
from calibration.faces import draw_face
from calibration.ink import Ink
from calibration.shapes import ring
from companion.board.lattice import Point
from companion.board.layout import Board, Piece

_TAB = 3.0
"""Depth (mm) of a tab to glue."""
_SIDES = 6
"""A pawn is a prism of this many sides, as large as its disc."""


@dataclass(frozen=True, slots=True)
class Net:
    """A flat paper that folds to a piece's size and height, in millimetres from its own top-left corner.

    Panels and tabs meet along the folds. `faces` are the middles of the panels that bear the piece's face from above.
    """

    size: Point
    panels: tuple[tuple[Point, ...], ...]
    tabs: tuple[tuple[Point, ...], ...]
    faces: tuple[Point, ...]


def net_of(piece: Piece) -> Net:
    """The net of a box (square, bar) or of a prism (disc)."""
    if piece.shape == "disc":
        return _prism(piece.size[0], piece.height)
    return _box(piece.size[0], piece.size[-1], piece.height)


def draw_net(ink: Ink, board: Board, piece: Piece, label: str) -> None:
    """Draw a piece's net with its top-left corner at the origin: cut the full lines, fold the dashed ones."""
    net = net_of(piece)
    field = AQUEDUCTS.get(label, named(label)) if piece.shape == "bar" else named(label)
    for tab in net.tabs:
        ink.polygon(tab, PAPER, FAINT, 0.25)
        _hatch(ink, tab)
    for panel in net.panels:
        ink.polygon(panel, field)
    for panel in net.panels:
        ink.polygon(panel, None, mixed(field, DARK, 0.35), 0.2)
    for x, y in net.faces:
        panel = next(p for p in net.panels if _inside(p, (x, y)))
        with ink.clipped(panel), ink.placed(x, y):
            draw_face(ink, board, piece, label)
    for fold in _folds(net):
        ink.line(fold, mixed(field, on(field), 0.5), 0.15, (0.8, 0.6))


def _box(length: float, width: float, height: float) -> Net:
    """Four panels in a column, the ends left and right of the first."""
    left, top = height + _depth(width), _depth(height)
    panels, faces, y = [], [], top
    for depth in (width, height, width, height):
        panels.append(_rectangle(left, y, length, depth))
        if width in (depth, height):
            faces.append((left + length / 2, y + depth / 2))
        y += depth
    tabs = [_tab((left + length, y), (left, y))]
    for near, far in ((left, left - height), (left + length, left + length + height)):
        panels.append(_rectangle(min(near, far), top, height, width))
        edges = [((far, top), (near, top)), ((far, top + width), (far, top)), ((near, top + width), (far, top + width))]
        tabs.extend(_tab(a, b) if far < near else _tab(b, a) for a, b in edges)
        if length == width == height:
            faces.append(((near + far) / 2, top + width / 2))
    return Net((length + 2 * left, y + _depth(length)), tuple(panels), tuple(tabs), tuple(faces))


def _prism(diameter: float, height: float) -> Net:
    """Side panels in a row, the lid above the third; its area is that of the disc."""
    flats = diameter * math.sqrt(math.pi / (2 * math.sqrt(3)))
    side = flats / math.sqrt(3)
    top = flats + _depth(side)
    panels = [_rectangle(k * side, top, side, height) for k in range(_SIDES)]
    middle = (2.5 * side, top - flats / 2)
    lid = ring(side, _SIDES, 0, middle)
    tabs = [_tab((_SIDES * side, top), (_SIDES * side, top + height))]
    edges = zip(lid, [*lid[1:], lid[0]], strict=True)
    tabs.extend(_tab(a, b) for a, b in edges if (a[1] + b[1]) / 2 < top - 1e-6)
    return Net((_SIDES * side + _depth(height), top + height), (*panels, tuple(lid)), tuple(tabs), (middle,))


def _rectangle(x: float, y: float, width: float, height: float) -> tuple[Point, ...]:
    return (x, y), (x + width, y), (x + width, y + height), (x, y + height)


def _tab(start: Point, end: Point) -> tuple[Point, ...]:
    """A tab to the left of the way from start to end (as seen), tapered."""
    (x0, y0), (x1, y1) = start, end
    length = math.hypot(x1 - x0, y1 - y0)
    along, depth = ((x1 - x0) / length, (y1 - y0) / length), _depth(length)
    out = (along[1] * depth, -along[0] * depth)
    taper = 0.3 * depth if length > 2 * _TAB else 0.6 * depth
    return (
        start, (x0 + out[0] + along[0] * taper, y0 + out[1] + along[1] * taper),
        (x1 + out[0] - along[0] * taper, y1 + out[1] - along[1] * taper), end,
    )  # fmt: skip


def _depth(length: float) -> float:
    """How deep a tab on an edge of this length is."""
    return min(_TAB, 0.55 * length)


def _folds(net: Net) -> list[tuple[Point, Point]]:
    """Where panels and tabs meet."""
    counted: dict[tuple[Point, Point], int] = {}
    for shape in (*net.panels, *net.tabs):
        for a, b in zip(shape, [*shape[1:], shape[0]], strict=True):
            first, second = sorted(((round(a[0], 3), round(a[1], 3)), (round(b[0], 3), round(b[1], 3))))
            counted[first, second] = counted.get((first, second), 0) + 1
    return [edge for edge, count in counted.items() if count > 1]


def _hatch(ink: Ink, tab: Sequence[Point]) -> None:
    """Marks a tab as one to glue."""
    with ink.clipped(tab):
        low, high = min(x + y for x, y in tab), max(x + y for x, y in tab)
        y = min(y for _, y in tab)
        for step in range(int((high - low) / 1.2) + 1):
            start = low + 1.2 * step - y
            ink.line([(start, y), (start - 40, y + 40)], FAINT, 0.12)


def _inside(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a convex polygon holds a point."""
    turns = [
        (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
        for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    ]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)
