"""Draws pieces on the board: shape, colour, sign, and state (proposed, to be laid, to be removed, disputed)."""

from __future__ import annotations

from dataclasses import replace

from kivy.graphics import InstructionGroup

from companion.board.lattice import Point
from companion.board.layout import EMPTY, Board, Piece, Spot
from ui.drawing.shapes import (
    Points,
    centre_of,
    circle,
    dashed,
    moved,
    scaled,
    site_sections,
    stretched,
    stroke,
)
from ui.drawing.theme import (
    BADGES,
    BOARD_INK,
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
from ui.view_models.play_view import PieceState, PieceView
from ui.widgets.board_frame import BoardFrame
from ui.widgets.painting import outline, polygon, triangles, written
from ui.widgets.piece_signs import basin, channels, count, landmark, notches, pips, ridge

STONE = mixed(SHEET, BOARD_INK, 0.06)
HEXAGON_GROWTH, CUBE_GROWTH, PAWN_GROWTH, BAR_GROWTH = 1.3, 1.15, 1.2, 2.1
"""how much larger than life small pieces are drawn, to be read from the other side of a table"""
SECTION_REACH = 0.27
ROOF_SHARE = 0.68
"""scale of a piece that would otherwise cover the one it stands on"""
STACK_STEP = 0.8
"""millimetres that each lower piece of a stack peeps out"""


def drawn_piece(board: Board, frame: BoardFrame, view: PieceView) -> InstructionGroup:
    """The instructions that draw one piece."""
    spot = board.spots[view.spot]
    piece = board.pieces[spot.piece]
    group = InstructionGroup()
    if view.label == EMPTY:
        return group
    label = spot.name.rpartition(" ")[2] if piece.lies_on == "slot" else view.label
    style = piece_style(board, piece.name, label)
    shape = frame.pixels(figure(board, spot, piece))
    if view.state is PieceState.GONE:
        _gone(group, shape, style.fill, frame.scale)
        return group
    if view.state is PieceState.OWED:
        ghost = mixed(style.fill, SHEET, 0.62)
        style = replace(style, fill=ghost, ink=mixed(BOARD_INK, SHEET, 0.25))
    _body(group, piece, view, shape, style, frame.scale)
    if piece.lies_on == "slot" and view.label != "1":
        right, top = max(x for x, _ in shape), max(y for _, y in shape)
        count(group, view.label, (right - 1.2 * frame.scale, top - 1.2 * frame.scale), frame.scale)
    return group


def drawn_state(board: Board, frame: BoardFrame, view: PieceView) -> InstructionGroup:
    """The marks, above all pieces, of one that is not simply lying there; nothing for one that is."""
    group = InstructionGroup()
    colour = OUTLINES.get(view.state)
    if colour is None or view.state is PieceState.GONE:
        return group
    spot = board.spots[view.spot]
    shape = frame.pixels(figure(board, spot, board.pieces[spot.piece]))
    if view.state in (PieceState.OWED, PieceState.DOUBTFUL):
        triangles(group, dashed(shape, 2.0, 6, 4), colour)
    else:
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
    if piece.raised_by in board.pieces and piece.size[0] > board.pieces[piece.raised_by].size[0] * 0.8:
        return scaled(circle(centre, piece.size[0] / 2) if piece.shape == "disc" else spot.outline, centre, ROOF_SHARE)
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
    return mixed(fill, BOARD_INK, 0.55) if luminance(fill) > 0.03 else mixed(fill, WHITE, 0.35)


def _body(
    group: InstructionGroup, piece: Piece, view: PieceView, shape: Points, style: PieceStyle, scale: float
) -> None:
    """A piece as it lies there, without its state."""
    centre = centre_of(shape)
    edge = edge_colour(style.fill)
    if piece.shape == "hexagon":
        polygon(group, shape, STONE)
        polygon(group, scaled(shape, centre, 0.84), style.fill)
        outline(group, shape, mixed(STONE, BOARD_INK, 0.75), 1.2)
        size = 0.72 if len(style.letter) == 1 else 0.58
        written(group, style.letter, centre, scale * piece.size[0] * size, style.ink)
        return
    if piece.stacked:
        _stack(group, view.label, shape, style, scale)
        return
    if piece.oriented:
        polygon(group, shape, STONE)
        channels(group, view.label, centre, scale * piece.size[0])
        outline(group, shape, mixed(STONE, BOARD_INK, 0.6), 1.2)
        return
    polygon(group, shape, style.fill)
    if piece.shape == "rhombus":
        triangles(group, site_sections(shape, SECTION_REACH), mixed(style.fill, SHEET, 0.72))
        written(group, style.letter, centre, scale * piece.size[0] * 0.36, style.ink)
    elif piece.shape == "triangle":
        landmark(group, piece.name, centre, scale * piece.size[0], style)
    elif piece.shape == "bar":
        notches(group, shape, style)
    elif style.letter:
        height = max(y for _, y in shape) - min(y for _, y in shape)
        written(group, style.letter, centre, height * (0.62 if len(style.letter) == 1 else 0.54), style.ink)
    elif piece.shape == "disc":
        polygon(group, scaled(shape, centre, 0.62), mixed(style.fill, readable_on(style.fill), 0.22))
        pips(group, centre, scale * piece.size[0] * PAWN_GROWTH, style)
    elif piece.shape == "rectangle":
        basin(group, shape, style)
    else:
        if piece.top == "ridge":
            ridge(group, shape, style)
        width = max(x for x, _ in shape) - min(x for x, _ in shape)
        pips(group, centre, width, style)
    outline(group, shape, edge, 1.2)


def _stack(group: InstructionGroup, label: str, shape: Points, style: PieceStyle, scale: float) -> None:
    """Stacked pieces: each lower one peeps out, and their number is written."""
    number = int(label) if label.isdecimal() else 1
    edge = edge_colour(style.fill)
    for below in range(number - 1, -1, -1):
        floor = moved(shape, below * STACK_STEP * scale, -below * STACK_STEP * scale)
        polygon(group, floor, style.fill if below == 0 else mixed(style.fill, BOARD_INK, 0.12))
        outline(group, floor, edge, 1.0)
    left, top = min(x for x, _ in shape), max(y for _, y in shape)
    count(group, label, (left + 1.5 * scale, top - 1.5 * scale), scale)


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
    """A round sign for the state of a piece."""
    radius = max(scale * 4.6, 8.0)
    polygon(group, circle(centre, radius), colour)
    outline(group, circle(centre, radius), WHITE, 1.6)
    written(group, sign, centre, radius * 1.5, WHITE)
