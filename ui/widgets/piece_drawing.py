"""Pieces as they lie on the drawn board: shape, colour and sign of each, and how it stands to the table."""

from __future__ import annotations

import math
from dataclasses import replace

from kivy.graphics import InstructionGroup

from companion.board.lattice import Point
from companion.board.layout import Board, Piece, Spot
from ui.theme import (
    BADGES,
    INK,
    OUTLINES,
    SHEET,
    WHITE,
    Colour,
    PieceStyle,
    contrast,
    luminance,
    mixed,
    piece_style,
    readable_on,
)
from ui.viewmodels import PieceState, PieceView
from ui.widgets.board_frame import BoardFrame
from ui.widgets.painting import outline, polygon, triangles, written
from ui.widgets.shapes import (
    Points,
    between,
    box,
    centre_of,
    circle,
    dashed,
    moved,
    scaled,
    site_sections,
    stretched,
    stroke,
)

STONE = mixed(SHEET, INK, 0.06)
HEXAGON_GROWTH, CUBE_GROWTH, PAWN_GROWTH, BAR_GROWTH = 1.3, 1.15, 1.2, 2.1
"""how much larger than life small pieces are drawn, to be read from the other side of a table"""
SECTION_REACH = 0.27


def drawn_piece(board: Board, frame: BoardFrame, view: PieceView) -> InstructionGroup:
    """The instructions that draw one piece."""
    spot = board.spots[view.spot]
    piece = board.pieces[spot.piece]
    label = spot.name.rpartition(" ")[2] if piece.lies_on == "slot" else view.label
    style = piece_style(board, piece.name, label)
    group = InstructionGroup()
    shape = frame.pixels(figure(board, spot, piece))
    if view.state is PieceState.GONE:
        _gone(group, shape, style.fill, frame.scale)
        return group
    if view.state is PieceState.OWED:
        ghost = mixed(style.fill, SHEET, 0.62)
        style = replace(style, fill=ghost, ink=mixed(INK, SHEET, 0.25))
    _body(group, piece, shape, style, frame.scale)
    if piece.lies_on == "slot":
        _count(group, view.label, shape, frame.scale)
    return group


def drawn_state(board: Board, frame: BoardFrame, view: PieceView) -> InstructionGroup:
    """The marks, above all pieces, of one that is not simply lying there; nothing for one that is."""
    group = InstructionGroup()
    colour = OUTLINES.get(view.state)
    if colour is None or view.state is PieceState.GONE:
        return group
    spot = board.spots[view.spot]
    shape = frame.pixels(figure(board, spot, board.pieces[spot.piece]))
    if view.state is PieceState.OWED:
        triangles(group, dashed(shape, 2.0, 6, 4), colour)
        return group
    outline(group, shape, WHITE, max(5.0, frame.scale * 3.2))
    outline(group, shape, colour, max(3.0, frame.scale * 2.0))
    if view.state in BADGES:
        badge(group, BADGES[view.state], max(shape, key=lambda p: (p[1], p[0])), frame.scale, colour)
    return group


def figure(board: Board, spot: Spot, piece: Piece) -> Points:
    """The outline (mm) that a piece is drawn with: its own, moved or grown where others would hide it."""
    centre = spot.centre
    if piece.shape == "hexagon":
        return scaled(spot.outline, centre, HEXAGON_GROWTH)
    if piece.shape == "bar":
        return stretched(spot.outline, centre, BAR_GROWTH)
    if piece.shape == "square" and piece.raised_by:
        aside = piece.size[0] * 0.85
        return scaled(moved(spot.outline, aside, aside), (centre[0] + aside, centre[1] + aside), CUBE_GROWTH)
    if piece.shape == "disc" and piece.lies_on == "slot":
        around = circle(centre, board.slot_diameter * 0.28, len(piece.labels))
        centre = around[piece.labels.index(spot.name.rpartition(" ")[2])]
    if piece.shape == "disc":
        return circle(centre, piece.size[0] / 2 * PAWN_GROWTH)
    return spot.outline


def edge_colour(fill: Colour) -> Colour:
    """A darker shade of a fill for its outline; for near black a lighter one."""
    return mixed(fill, INK, 0.55) if luminance(fill) > 0.03 else mixed(fill, WHITE, 0.35)


def _body(group: InstructionGroup, piece: Piece, shape: Points, style: PieceStyle, scale: float) -> None:
    """A piece as it lies there, without its state."""
    centre = centre_of(shape)
    edge = edge_colour(style.fill)
    if piece.shape == "hexagon":
        polygon(group, shape, STONE)
        polygon(group, scaled(shape, centre, 0.84), style.fill)
        outline(group, shape, mixed(STONE, INK, 0.75), 1.2)
        size = 0.72 if len(style.letter) == 1 else 0.58
        written(group, style.letter, centre, scale * piece.size[0] * size, style.ink)
        return
    polygon(group, shape, style.fill)
    if piece.shape == "rhombus":
        triangles(group, site_sections(shape, SECTION_REACH), mixed(style.fill, SHEET, 0.72))
        written(group, style.letter, centre, scale * piece.size[0] * 0.36, style.ink)
    elif piece.shape == "triangle":
        _landmark(group, piece.name, centre, scale * piece.size[0], style)
    elif piece.shape == "bar":
        _notches(group, shape, style)
    elif piece.shape == "disc":
        polygon(group, scaled(shape, centre, 0.62), mixed(style.fill, readable_on(style.fill), 0.22))
        pips(group, centre, scale * piece.size[0] * PAWN_GROWTH, style)
    else:
        pips(group, centre, scale * piece.size[0] * CUBE_GROWTH, style)
    outline(group, shape, edge, 1.2)


def _landmark(group: InstructionGroup, name: str, centre: Point, side: float, style: PieceStyle) -> None:
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


def _notches(group: InstructionGroup, bar: Points, style: PieceStyle) -> None:
    """Cuts across a bar, evenly spread: they tell an aqueduct's line without its colour."""
    start, end = between(bar[0], bar[3], 0.5), between(bar[1], bar[2], 0.5)
    across = ((bar[3][0] - bar[0][0]) / 2, (bar[3][1] - bar[0][1]) / 2)
    width = math.hypot(*across)
    cuts: list[Point] = []
    for k in range(style.notches):
        middle = between(start, end, (k + 1) / (style.notches + 1))
        cuts += stroke(
            (middle[0] - across[0], middle[1] - across[1]), (middle[0] + across[0], middle[1] + across[1]), width * 0.6
        )
    triangles(group, cuts, mixed(style.fill, style.ink, 0.75))


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


def _count(group: InstructionGroup, label: str, shape: Points, scale: float) -> None:
    """How many pawns stand together, where it is more than one."""
    if label != "1":
        right, top = max(x for x, _ in shape), max(y for _, y in shape)
        centre = (right - 1.2 * scale, top - 1.2 * scale)
        polygon(group, circle(centre, scale * 3.6), WHITE)
        outline(group, circle(centre, scale * 3.6), INK, 1.0)
        written(group, label, centre, scale * 5.6, INK)


def _gone(group: InstructionGroup, shape: Points, colour: Colour, scale: float) -> None:
    """A piece to be taken off the table: an empty outline, crossed out."""
    strong = colour if contrast(colour, SHEET) > 2 else edge_colour(colour)
    triangles(group, dashed(shape, 2.2, 5, 3), strong)
    centre = centre_of(shape)
    arm = scale * 3.2
    for slope in (1, -1):
        start, end = (centre[0] - arm, centre[1] - slope * arm), (centre[0] + arm, centre[1] + slope * arm)
        triangles(group, stroke(start, end, 2.4), OUTLINES[PieceState.GONE])


def badge(group: InstructionGroup, sign: str, centre: Point, scale: float, colour: Colour) -> None:
    """A round sign that says what is the matter here."""
    radius = max(scale * 4.6, 8.0)
    polygon(group, circle(centre, radius), colour)
    outline(group, circle(centre, radius), WHITE, 1.6)
    written(group, sign, centre, radius * 1.5, WHITE)
