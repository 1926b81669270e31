"""Faces that serve any game: pawns, sticks, plain tiles with a letter, score tracks, and laurels on the reverse."""

from __future__ import annotations

from calibration.drawing import colours
from calibration.drawing.colours import (
    FAINT,
    IVORY,
    MARBLE,
    MARBLE_SHADE,
    RUBRIC,
    SAND,
    SEPIA,
    TRAVERTINE,
    WATER,
    mixed,
    on,
)
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset
from calibration.drawing.symbols import draw_symbol
from companion.board.layout import Board, Piece, face_outline


def draw_plain_face(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """A face with the label's first letter, for a piece of any shape: in the colour that the label names, else in one
    that no label beside it has.
    """
    if piece.shape == "bar":
        _stick(ink, piece, label)
    elif piece.shape == "disc":
        draw_pawn(ink, board, piece, label, inscription)
    else:
        _tile(ink, piece, label)


def draw_pawn(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """A disc in the label's colour with its letter in a ring."""
    del board, inscription
    field, radius = colours.named(label), piece.size[0] / 2
    ink.disc(0, 0, radius, DARK)
    ink.disc(0, 0, radius - 0.45, field)
    ink.disc(0, 0, 0.74 * radius, None, on(field), 0.3)
    ink.text(0, 0, label[:1].upper(), 0.78 * radius, on(field), bold=True)


def draw_plain_reverse(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """The side that lies down: its inscription in laurels."""
    del board, label
    outline = face_outline(piece)
    field = colours.TRIANGLES.get(piece.name, SAND)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.75), mixed(field, IVORY, 0.45))
    ink.polygon(inset(outline, 1.6), None, mixed(field, DARK, 0.35), 0.3)
    colour = mixed(field, DARK, 0.65)
    draw_symbol(ink, "laurel", 0, 0, 13.0, mixed(field, DARK, 0.4), IVORY)
    ink.text(0, 0, inscription or "SPQR", 5.5 if inscription else 1.9, colour, bold=bool(inscription), widest=6.4)


def draw_score_track(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """A hundred squares in rows that run to and fro."""
    del board, label, inscription
    width, height = piece.size[0], piece.size[-1]
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), TRAVERTINE)
    ink.polygon(inset(outline, 2.0), None, RUBRIC, 0.3)
    side = (min(width, height) - 8) / 10
    for value in range(100):
        row, column = divmod(value, 10)
        if row % 2:
            column = 9 - column
        x, y = -5 * side + column * side, 5 * side - (row + 1) * side
        special = value % 10 == 0
        ink.rectangle(x, y, side, side, SAND if special else (MARBLE, MARBLE_SHADE)[(row + column) % 2], FAINT, 0.25)
        ink.text(x + side / 2, y + side / 2, str(value), 3.4 if special else 2.6, RUBRIC if special else SEPIA)


def _stick(ink: Ink, piece: Piece, label: str) -> None:
    outline = face_outline(piece)
    field = colours.AQUEDUCTS.get(label, colours.named(label))
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.35), field)
    half = piece.size[0] / 2
    for side in (-1, 1):
        ink.line([(side * 2.5, 0), (side * (half - 1.0), 0)], DARK, 1.3)
        ink.line([(side * 2.5, 0), (side * (half - 1.0), 0)], mixed(WATER, IVORY, 0.3), 0.9)
    ink.text(0, 0, label[:1].upper(), 2.4, on(field), bold=True)


def _ground(piece: Piece, label: str) -> colours.Rgb:
    """The colour that a label names, or one by its place among the labels of its piece."""
    place = piece.labels.index(label) if label in piece.labels else 0
    return colours.PLAYERS.get(label, colours.PLAIN[place % len(colours.PLAIN)])


def _tile(ink: Ink, piece: Piece, label: str) -> None:
    outline = face_outline(piece)
    field = _ground(piece, label)
    width = min(max(x for x, _ in outline), max(y for _, y in outline)) * 2
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.05 * width), field)
    ink.polygon(inset(outline, 0.12 * width), None, on(field), 0.035 * width)
    ink.text(0, 0, label[:1].upper(), 0.42 * width, on(field), bold=True)
