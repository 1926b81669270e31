"""Caps: the second edition's tops of pawns and cubes, each colour with a figure of its own, alike in every turn.

A figure is of dark and light parts wider than a millimetre, so that shadow, glare or another printer leaves it what it
is, where the colour alone would be taken for another one.
"""

from __future__ import annotations

from collections.abc import Callable

from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, Rgb, lightness
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import arc, inset
from companion.board.layout import Board, Piece, face_outline

_RADIUS = 5.0
"""Figures are drawn for discs of this radius (mm)."""
_MEDALLION, _LETTER, _BULL = 2.0, 2.4, 2.9
"""Radius of the round field of a letter, the letter's height, and the radius of a bull's eye, on such a disc."""
Figure = Callable[[Ink, Rgb], None]


def draw_cap(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """The figure of the label's colour with its letter in the middle, on a disc or a square."""
    del board, inscription
    outline, field = face_outline(piece), colours.named(label)
    other = DARK if lightness(field) > 0.45 else IVORY
    ink.polygon(outline, DARK)
    with ink.clipped(outline), ink.placed(0, 0, 0, piece.size[0] / 2 / _RADIUS):
        ink.disc(0, 0, 1.5 * _RADIUS, field)
        _FIGURES.get(label, _stripe)(ink, other)
        medallion = other if _FIGURES.get(label) is _bull else field
        ink.disc(0, 0, _MEDALLION, medallion)
        ink.text(0, 0, label[:1].upper(), _LETTER, DARK if lightness(medallion) > 0.45 else IVORY, bold=True)
    if piece.shape == "disc":
        ink.disc(0, 0, piece.size[0] / 2 - 0.15, None, DARK, 0.3)
    else:
        ink.polygon(inset(outline, 0.25), None, DARK, 0.5)


def _bull(ink: Ink, colour: Rgb) -> None:
    ink.disc(0, 0, _BULL, colour)


def _halves(ink: Ink, colour: Rgb) -> None:
    ink.polygon([*arc(1.5 * _RADIUS, -90, 90)], colour)


def _quarters(ink: Ink, colour: Rgb) -> None:
    for start in (0, 180):
        ink.polygon([(0, 0), *arc(1.5 * _RADIUS, start, start + 90)], colour)


def _stripe(ink: Ink, colour: Rgb) -> None:
    ink.rectangle(-1.5 * _RADIUS, -0.33 * _RADIUS, 3 * _RADIUS, 0.66 * _RADIUS, colour)


def _thirds(ink: Ink, colour: Rgb) -> None:
    for start in (-90, 30, 150):
        ink.polygon([(0, 0), *arc(1.5 * _RADIUS, start, start + 60)], colour)


_FIGURES: dict[str, Figure] = {
    "black": _bull,
    "white": _bull,
    "purple": _halves,
    "orange": _quarters,
    "red": _stripe,
    "blue": _thirds,
    "yellow": _quarters,
    "green": _halves,
}
"""Of each usual colour; a dark and a light colour may share one, for it is the other way round on the other."""
