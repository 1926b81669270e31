"""Capitol's buildings and tiles: floors that stack, domes and gable roofs in the owners' colours, what is auctioned."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.game_art import DrawFace, DrawSurface
from calibration.drawing import colours
from calibration.drawing.colours import FLOOR, IVORY, Rgb, mixed, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.drawing.patterns import draw_owner_pattern
from calibration.drawing.shapes import arc, inset, polar, ring
from calibration.drawing.symbols import SYMBOLS, draw_symbol
from companion.board.layout import Board, Piece, face_outline

SIGN_OF_TILE: Mapping[str, str] = {"fountain": "fountain", "amphitheatre": "arena", "temple": "temple"}


def _floor(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A storey's ceiling: the same for every height, as it is the stack that tells it."""
    del board, label, inscription
    outline = face_outline(piece)
    ink.polygon(outline, mixed(FLOOR, DARK, 0.75))
    ink.polygon(inset(outline, 0.7), FLOOR)
    ink.polygon(inset(outline, 2.0), None, mixed(FLOOR, DARK, 0.35), 0.3)
    half = piece.size[0] / 2 - 2.0
    for k in (-1, 0, 1):
        at = 2 * half / 4 * k
        for line in ([(at, -half), (at, half)], [(-half, at), (half, at)]):
            ink.line(line, mixed(FLOOR, DARK, 0.16), 0.25)


def _floor_wall(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """An arcade."""
    del board, label, part
    half, low = piece.size[0] / 2, piece.height / 2
    shade = mixed(FLOOR, DARK, 0.7)
    ink.rectangle(-half, -low, 2 * half, 2 * low, mixed(FLOOR, IVORY, 0.3))
    ink.rectangle(-half, -low, 2 * half, 1.3, mixed(FLOOR, DARK, 0.25))
    ink.rectangle(-half, low - 0.9, 2 * half, 0.9, mixed(FLOOR, DARK, 0.35))
    for x in (-7.8, -2.6, 2.6, 7.8):
        ink.polygon([*arc(1.5, 180, 360, (x, -0.6)), (x + 1.5, low - 0.9), (x - 1.5, low - 0.9)], shade)
        ink.line(arc(2.0, 180, 360, (x, -0.6)), mixed(FLOOR, DARK, 0.4), 0.3)
    for x in (-half + 0.8, -5.2, 0.0, 5.2, half - 0.8):
        ink.rectangle(x - 0.5, -low + 1.3, 1.0, 2 * low - 2.2, mixed(FLOOR, IVORY, 0.6), mixed(FLOOR, DARK, 0.3), 0.15)


def _dome(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A dome from above: eight ribs, the owner's letter at the top."""
    del board, inscription
    field, radius = colours.named(label), piece.size[0] / 2
    ink.disc(0, 0, radius, DARK)
    ink.disc(0, 0, radius - 0.6, field)
    with ink.clipped(ring(radius - 0.6, 48)):
        draw_owner_pattern(ink, label, (-radius, -radius, radius, radius))
    for k in range(8):
        ink.line([polar(0.22 * radius, 45 * k), polar(radius - 0.6, 45 * k)], mixed(field, on(field), 0.45), 0.35)
    ink.disc(0, 0, 0.5 * radius, field, on(field), 0.4)
    ink.text(0, 0, label[:1].upper(), 0.5 * radius, on(field), bold=True)


def _dome_facet(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """One of the eight, with the letter near its foot and a gilt tip."""
    del board, part
    field, slant = colours.named(label), piece.size[0] * 0.7
    half = 0.3 * slant
    ink.rectangle(-half, -1, 2 * half, slant + 3, field)
    draw_owner_pattern(ink, label, (-half, 5.0, half, slant))
    ink.disc(0, 0, 3.2, mixed(field, on(field), 0.3))
    ink.disc(0, 0, 2.0, mixed(colours.GOLD, DARK, 0.15))
    middle = 0.74 * slant
    ink.disc(0, middle, 2.1, field)
    ink.text(0, middle, label[:1].upper(), 2.5, on(field), bold=True)


def _gable(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A gable roof from above: two slopes, the nearer one darker, the ridge between."""
    del board, inscription
    outline = face_outline(piece)
    field, half = colours.named(label), piece.size[0] / 2
    ink.polygon(outline, DARK)
    inner = inset(outline, 0.7)
    ink.polygon(inner, field)
    with ink.clipped(inner):
        draw_owner_pattern(ink, label, (-half, -half, half, half))
    ink.rectangle(-half + 0.7, -0.8, 2 * half - 1.4, 1.6, mixed(field, on(field), 0.6))
    for side in (-1, 1):
        ink.disc(0, side * 0.5 * half, 3.4, field)
        ink.text(0, side * 0.5 * half, label[:1].upper(), 4.2, on(field), bold=True, angle=0 if side > 0 else 180)


def _gable_surface(ink: Ink, board: Board, piece: Piece, label: str, part: str) -> None:
    """A tiled slope with the owner's letter, or a pediment."""
    del board
    field, half = colours.named(label), piece.size[0] / 2
    if part == "slope":
        ink.rectangle(-half, -half, 2 * half, 2 * half, field)
        draw_owner_pattern(ink, label, (-half, -0.75 * half, half, 0.75 * half))
        ink.disc(0, 0, 4.3, field)
        ink.text(0, 0, label[:1].upper(), 5.2, on(field), bold=True)
        return
    stone = mixed(FLOOR, IVORY, 0.45)
    ink.rectangle(-half, -piece.height, 2 * half, piece.height, field)
    pediment = inset([(-half, 0), (0, -piece.height), (half, 0)], 1.5)
    ink.polygon(pediment, stone, mixed(field, DARK, 0.5), 0.3)
    ink.disc(0, -0.36 * piece.height, 2.3, field, mixed(field, DARK, 0.5), 0.3)
    ink.text(0, -0.36 * piece.height, label[:1].upper(), 2.6, on(field), bold=True)


def _auctioned(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A fountain, an amphitheatre or a temple: its sign on its colour, its name along the lower edge."""
    del board, inscription
    outline = face_outline(piece)
    field, side = colours.TILES.get(label, colours.UNKNOWN), piece.size[0]
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.9), IVORY)
    ink.polygon(inset(outline, 1.7), field)
    draw_auction_sign(ink, label, 0, -0.05 * side, 0.6 * side, on(field), field)
    ink.text(0, 0.375 * side, label.upper(), 0.062 * side, on(field), spacing=0.16, widest=0.8 * side)


def draw_auction_sign(ink: Ink, label: str, x: float, y: float, size: float, colour: Rgb, ground: Rgb) -> None:
    """The sign of what is auctioned, in a square of `size` mm; its first letter where it has none."""
    sign = SIGN_OF_TILE.get(label, label)
    if sign in SYMBOLS:
        draw_symbol(ink, sign, x, y, size, colour, ground)
    else:
        ink.text(x, y, label[:1].upper(), size / 2, colour, bold=True)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("floor", "square"): _floor,
    ("dome", "disc"): _dome,
    ("gable", "square"): _gable,
    ("fountain", "square"): _auctioned,
    ("monument", "square"): _auctioned,
}
SURFACES: Mapping[tuple[str, str], DrawSurface] = {
    ("floor", "square"): _floor_wall,
    ("dome", "disc"): _dome_facet,
    ("gable", "square"): _gable_surface,
}
FIELDS: Mapping[tuple[str, str], Rgb] = {("floor", "1"): FLOOR}
