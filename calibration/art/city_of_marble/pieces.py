"""Faces of City of Marble's pieces on the board: wards, civic buildings, hills and bridges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.art.game_art import DrawFace
from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, SAND, Rgb, mixed, on
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset, polar
from calibration.drawing.symbols import SYMBOLS, draw_symbol
from companion.board.lattice import Point
from companion.board.layout import Board, Piece, face_outline

NUMERALS = {"temple": "III", "baths": "IV", "theatre": "V", "arena": "VI"}
"""How many buildings make each civic building; its second sign."""
BUILDING_OF_WARD = {"green": "temple", "blue": "baths", "yellow": "theatre", "red": "arena"}
POINTS = (("green", 2), ("blue", 3), ("yellow", 5), ("red", 8))
"""Victory points for the building that goes with each ward colour (rulebook, site completion step 4)."""

BRIDGE_NAME = "pons"
_LATIN = {"hill": "mons", "bridge": BRIDGE_NAME}


def _ward(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del inscription
    outline = face_outline(piece)
    field = colours.WARDS.get(label, colours.UNKNOWN)
    dark, building = mixed(field, DARK, 0.45), BUILDING_OF_WARD.get(label)
    ink.polygon(outline, DARK)
    inner = inset(outline, 0.75)
    ink.polygon(inner, field)
    with ink.clipped(inner):
        _streets(ink, label, mixed(field, DARK, 0.13))
        ink.polygon(inset(outline, 1.9), None, mixed(field, IVORY, 0.65), 0.3)
        _corners(ink, outline, board.lattice.side / piece.size[0], dark)
    ink.disc(0, 0, 6.4, IVORY, dark, 0.35)
    if building:
        draw_symbol(ink, building, 0, 0, 8.6, mixed(field, DARK, 0.6), IVORY)
        for angle in (0, 180):
            x, y = polar(13.3, angle)
            ink.text(x, y, NUMERALS[building], 4.0, on(field), bold=True, angle=angle)
    else:
        ink.text(0, 0, label, 3.0, DARK, widest=11)


def _corners(ink: Ink, outline: Sequence[Point], spread: float, dark: Rgb) -> None:
    """The sections of the small hexagons around the lattice's vertices, which lie `spread` times as far out."""
    radius = 15.0 / 3**0.5
    for corner, directions in (
        (outline[0], (150, 90, 30)),
        (outline[1], (150, 210)),
        (outline[2], (-30, -90, -150)),
        (outline[3], (-30, 30)),
    ):
        vertex = (corner[0] * spread, corner[1] * spread)
        rim = [polar(radius, angle, vertex) for angle in directions]
        ink.polygon([vertex, *rim], SAND)
        ink.line(rim, dark, 0.55)
        x, y = polar(0.6 * radius, sum(directions) / len(directions), vertex)
        draw_house(ink, x, y, sum(directions) / len(directions))


def draw_house(ink: Ink, x: float, y: float, angle: float, scale: float = 1.0) -> None:
    """A roof from above: one of the buildings that are counted when a site is complete."""
    with ink.placed(x, y, angle, scale):
        ink.rectangle(-1.15, -1.15, 2.3, 2.3, colours.RUBRIC, DARK, 0.25)
        ink.line([(0, -1.0), (0, 1.0)], mixed(colours.RUBRIC, IVORY, 0.7), 0.25)


def _streets(ink: Ink, label: str, colour: Rgb) -> None:
    """Masonry: another pattern for every ward colour."""
    if label == "red":
        for k in range(-12, 13):
            for angle in (30, -30):
                with ink.placed(0, 0, angle):
                    ink.line([(-40, 3.2 * k), (40, 3.2 * k)], colour, 0.22)
    elif label == "yellow":
        for k in range(-6, 7):
            ink.line([(-40, 2.6 * k), (40, 2.6 * k)], colour, 0.22)
            for step in range(-6, 7):
                x = 6 * step + (3 if k % 2 else 0)
                ink.line([(x, 2.6 * k), (x, 2.6 * (k + 1))], colour, 0.22)
    elif label == "green":
        for k in range(-10, 11):
            ink.line([(3 * k, -20), (3 * k, 20)], colour, 0.22)
    elif label == "blue":
        for k in range(-7, 8):
            wave = [(x / 2, 2.4 * k + (0.5 if x % 6 else -0.5)) for x in range(-60, 61, 3)]
            ink.line(wave, colour, 0.22)


def _building(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, inscription
    outline = face_outline(piece)
    field = colours.BUILDINGS.get(label, colours.UNKNOWN)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), IVORY)
    ink.polygon(inset(outline, 1.35), field)
    colour = on(field)
    if label in SYMBOLS:
        draw_symbol(ink, label, 0, 0, 7.4, colour, field)
    else:
        ink.text(0, 0, label, 2.2, colour, widest=9)
    for side in (-1, 1):
        if label in NUMERALS:
            ink.text(side * 5.35, 0, NUMERALS[label], 1.7, colour, bold=True, angle=-90 * side, widest=4.2)
        elif label == "fountain":
            draw_symbol(ink, "drop", side * 5.4, 0, 2.2, colour, field)


def _triangle(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A tile that looks the same from its three sides, but for the sign in its middle."""
    del board
    outline = face_outline(piece)
    field = colours.TRIANGLES.get(piece.name, colours.UNKNOWN)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.75), field)
    ink.polygon(inset(outline, 1.6), None, mixed(field, IVORY, 0.6), 0.3)
    reach = piece.size[0] / 12**0.5
    for angle in (0, 120, 240):
        with ink.placed(0, 0, angle):
            ink.text(
                0, reach - 3.15, (inscription or _LATIN.get(label, label)).upper(), 1.9, DARK, spacing=0.14, widest=18
            )
    ink.disc(0, 0, 4.4, mixed(field, IVORY, 0.75), mixed(field, DARK, 0.6), 0.3)
    if piece.name in SYMBOLS:
        draw_symbol(ink, piece.name, 0, -0.2, 6.4, mixed(field, DARK, 0.7), mixed(field, IVORY, 0.75))


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("ward", "rhombus"): _ward,
    ("building", "hexagon"): _building,
    ("hill", "triangle"): _triangle,
    ("bridge", "triangle"): _triangle,
}
