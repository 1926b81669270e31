"""Nets of paper solids that replace wooden pieces: the shapes to cut out and fold, with their printed faces."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.drawing.colours import AQUEDUCTS, FAINT, PAPER, mixed, named, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.editions import USUAL, Edition
from calibration.faces import draw_face
from calibration.registry import art_of
from calibration.solids import Net, net_of
from companion.board.lattice import Point
from companion.board.layout import Board, Piece


def draw_net(ink: Ink, board: Board, piece: Piece, label: str, edition: Edition = USUAL) -> None:
    """Draw a piece's net with its top-left corner at the origin: cut the full lines, fold the dashed ones."""
    net = net_of(piece)
    art = art_of(board)
    plain = AQUEDUCTS.get(label, named(label)) if piece.shape == "bar" else named(label)
    field = art.fields.get((piece.name, label), plain)
    for tab in net.tabs:
        ink.polygon(tab, PAPER, FAINT, 0.25)
        _hatch(ink, tab)
    for panel in net.panels:
        ink.polygon(panel, field)
    draw_surface = art.surfaces.get((piece.name, piece.shape))
    if draw_surface is not None:
        for surface in net.surfaces:
            with ink.clipped(surface.outline), ink.placed(*surface.origin, surface.turn):
                draw_surface(ink, board, piece, label, surface.part)
    drawn = {surface.origin for surface in net.surfaces} if draw_surface is not None else set()
    for panel in net.panels:
        ink.polygon(panel, None, mixed(field, DARK, 0.35), 0.2)
    for x, y in net.faces:
        if (x, y) in drawn:
            continue
        panel = next(p for p in net.panels if _inside(p, (x, y)))
        with ink.clipped(panel), ink.placed(x, y):
            draw_face(ink, board, piece, label, edition=edition)
    for fold in _folds(net):
        ink.line(fold, mixed(field, on(field), 0.5), 0.15, (0.8, 0.6))


def _folds(net: Net) -> list[tuple[Point, Point]]:
    """The lines along which panels and tabs meet."""
    counted: dict[tuple[Point, Point], int] = {}
    for shape in (*net.panels, *net.tabs):
        for a, b in zip(shape, [*shape[1:], shape[0]], strict=True):
            first, second = sorted(((round(a[0], 3), round(a[1], 3)), (round(b[0], 3), round(b[1], 3))))
            counted[first, second] = counted.get((first, second), 0) + 1
    return [edge for edge, count in counted.items() if count > 1]


def _hatch(ink: Ink, tab: Sequence[Point]) -> None:
    """Mark a tab as one to glue."""
    with ink.clipped(tab):
        low, high = min(x + y for x, y in tab), max(x + y for x, y in tab)
        y = min(y for _, y in tab)
        for step in range(int((high - low) / 1.2) + 1):
            start = low + 1.2 * step - y
            ink.line([(start, y), (start - 40, y + 40)], FAINT, 0.12)


def _inside(polygon: Sequence[Point], point: Point) -> bool:
    """Whether a point lies in a convex polygon."""
    turns = [
        (x1 - x0) * (point[1] - y0) - (y1 - y0) * (point[0] - x0)
        for (x0, y0), (x1, y1) in zip(polygon, [*polygon[1:], polygon[0]], strict=True)
    ]
    return all(turn >= 0 for turn in turns) or all(turn <= 0 for turn in turns)
