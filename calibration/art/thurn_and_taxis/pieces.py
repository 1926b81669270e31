"""Pieces that stand on the maps of Thurn and Taxis: post houses, carriages, and the clergy's audience tiles."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.game_art import DrawFace, DrawSurface
from calibration.art.thurn_and_taxis.provinces import draw_shield, provinces_of
from calibration.art.thurn_and_taxis.signs import RANK_SIGNS, draw_sign, draw_wheel
from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, RUBRIC, SAND, Rgb, mixed, on
from calibration.drawing.ink import Ink
from calibration.drawing.patterns import draw_owner_pattern
from calibration.drawing.shapes import arc, inset
from companion.board.layout import Board, Piece, face_outline
from companion.games.thurn_and_taxis.drawings import printed


def _house(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A hipped roof from above, in the owner's colour and pattern, with the letter."""
    del board, inscription
    outline = face_outline(piece)
    field, half = colours.named(label), piece.size[0] / 2
    ink.polygon(outline, mixed(field, DARK, 0.55))
    ink.polygon(inset(outline, 0.35), field)
    with ink.clipped(inset(outline, 0.6)):
        draw_owner_pattern(ink, label, (-half, -half, half, half))
    for x, y in outline:
        ink.line([(0.92 * x, 0.92 * y), (0.5 * x, 0.5 * y)], mixed(field, DARK, 0.4), 0.35)
    ink.disc(0, 0, 0.66 * half, field)
    ink.text(0, 0, label[:1].upper(), 0.78 * half, on(field), bold=True)


def _house_wall(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """A door between two windows, and a horn over it."""
    del board, part
    field, half, low = colours.named(label), piece.size[0] / 2, piece.height / 2
    ink.rectangle(-half, -low, 2 * half, 2 * low, field)
    light, dark = mixed(field, IVORY, 0.75), mixed(field, DARK, 0.55)
    ink.rectangle(-half, -low, 2 * half, 1.2, dark)
    ink.polygon([*arc(1.1, 180, 360, (0, 1.4)), (1.1, low), (-1.1, low)], dark)
    for x in (-3.2, 1.6):
        ink.rectangle(x, 0.6, 1.6, 2.0, light, dark, 0.2)
        ink.line([(x + 0.8, 0.6), (x + 0.8, 2.6)], dark, 0.2)
    for x in (-3.2, -0.8, 1.6):
        ink.rectangle(x, -2.8, 1.6, 1.8, light, dark, 0.2)


def _carriage(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """The roof of a coach: the shields of its provinces and the first letters of its name."""
    del board, inscription
    outline = face_outline(piece)
    field = colours.CARRIAGES.get(label, colours.UNKNOWN)
    ink.polygon(outline, mixed(field, DARK, 0.6))
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 1.0), None, mixed(field, on(field), 0.45), 0.25)
    pair = provinces_of(label) or (label,)
    size, first = (4.2, -5.1) if len(pair) > 1 else (5.6, -3.6)
    for k, province in enumerate(pair):
        draw_shield(ink, province, first + 3.6 * k, 0, size, on(field))
    ink.text(3.9, 0, printed(label)[:3], 2.7, on(field), bold=True, widest=5.4)


def _carriage_wall(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """The coach from the side, or from its end: wheels below a body with windows."""
    field, low = colours.CARRIAGES.get(label, colours.UNKNOWN), piece.height / 2
    width = piece.size[0] if part == "wall" else piece.size[-1]
    half = width / 2
    del board
    light, dark = mixed(field, IVORY, 0.75), mixed(field, DARK, 0.6)
    ink.rectangle(-half, -low, width, 2 * low, field)
    ink.rectangle(-half, -low, width, 1.0, dark)
    for x in (-3.6, 0.6) if part == "wall" else (-1.5,):
        ink.rectangle(x, -2.8, 3.0, 2.4, light, dark, 0.25)
    ink.rectangle(-half, 0.9, width, 0.5, dark)
    ink.rectangle(-half, 2.4, width, low - 2.4, mixed(SAND, DARK, 0.12))
    for x in (-4.8, 4.8) if part == "wall" else (-2.8, 2.8):
        draw_wheel(ink, x, low - 2.4, 2.3, mixed(DARK, field, 0.1), light)


def _audience(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A tile in its player's colour with the sign of its rank, which is the inscription, and the player's letter."""
    del board
    field, radius = colours.named(label), piece.size[0] / 2
    ink.disc(0, 0, radius, mixed(field, DARK, 0.55))
    ink.disc(0, 0, radius - 0.5, field)
    with ink.clipped(arc(radius - 0.7, 0, 355)):
        draw_owner_pattern(ink, label, (-radius, -radius, radius, radius))
    ink.disc(0, 0, 0.74 * radius, field, mixed(field, on(field), 0.6), 0.25)
    if inscription in RANK_SIGNS:
        draw_sign(ink, RANK_SIGNS[inscription], 0, -0.1 * radius, 0.84 * radius, on(field), field)
        ink.text(0, 0.53 * radius, label[:1].upper(), 0.22 * radius, on(field), bold=True)
    else:
        ink.text(0, 0, label[:1].upper(), 0.8 * radius, on(field), bold=True)


def _audience_reverse(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """The side that tells no rank."""
    del board, inscription
    field, radius = colours.named(label), piece.size[0] / 2
    ink.disc(0, 0, radius, mixed(RUBRIC, DARK, 0.5))
    ink.disc(0, 0, radius - 0.5, IVORY)
    ink.disc(0, 0, radius - 1.7, None, field, 1.6)
    draw_sign(ink, "letter", 0, 0, 0.95 * radius, RUBRIC, IVORY)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("house", "square"): _house,
    ("carriage", "rectangle"): _carriage,
    ("audience", "disc"): _audience,
}
REVERSES: Mapping[tuple[str, str], DrawFace] = {("audience", "disc"): _audience_reverse}
SURFACES: Mapping[tuple[str, str], DrawSurface] = {
    ("house", "square"): _house_wall,
    ("carriage", "rectangle"): _carriage_wall,
}
FIELDS: Mapping[tuple[str, str], Rgb] = {("carriage", name): colour for name, colour in colours.CARRIAGES.items()}
