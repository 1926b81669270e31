"""The signs of Thurn and Taxis, each drawn in one colour in a square of 10 mm around the origin, as all signs are."""

from __future__ import annotations

from calibration.drawing.colours import Rgb
from calibration.drawing.emblems import EMBLEMS
from calibration.drawing.ink import Ink, PathStep
from calibration.drawing.shapes import arc, polar
from calibration.drawing.symbols import SYMBOLS, Symbol


def draw_sign(
    ink: Ink, name: str, x: float, y: float, size: float, colour: Rgb, ground: Rgb, angle: float = 0.0
) -> None:
    """Draw a sign of this name, or the emblem or symbol of any game, in a square of `size` mm around (x, y).

    Raises KeyError where there is none.
    """
    draw = SIGNS.get(name) or EMBLEMS.get(name) or SYMBOLS[name]
    with ink.placed(x, y, angle, size / 10):
        draw(ink, colour, ground)


def _post_horn(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.disc(-0.5, 1.0, 2.75, None, colour, 1.05)
    ink.line([(-4.4, -1.75), (2.0, -1.75)], colour, 1.05)
    ink.path(
        [("M", 1.0, -2.25), ("C", 2.8, -2.4, 4.0, -3.0, 4.9, -4.3), ("L", 4.9, 0.8),
         ("C", 4.0, -0.5, 2.8, -1.1, 1.0, -1.25), ("Z",)],
        colour,
    )  # fmt: skip
    ink.rectangle(-5.0, -2.5, 0.9, 1.5, colour)
    for angle in (30, 90, 150):
        ink.disc(*polar(2.75, angle, (-0.5, 1.0)), 0.42, ground)
    ink.path([("M", -1.9, -1.3), ("C", -2.9, 0.9, 0.4, 3.2, 1.6, 4.9)], None, colour, 0.35)
    ink.disc(1.7, 4.6, 0.55, colour)


def _coach(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", -2.9, -3.5), ("L", 2.7, -3.5), ("C", 3.4, -1.6, 3.0, 0.4, 1.9, 1.3), ("L", -2.3, 1.3),
         ("C", -3.3, 0.4, -3.6, -1.6, -2.9, -3.5), ("Z",)],
        colour,
    )  # fmt: skip
    ink.rectangle(-3.3, -4.1, 6.5, 0.8, colour)
    ink.rectangle(-1.9, -4.7, 3.6, 0.8, colour)
    for x in (-1.9, 0.45):
        ink.rectangle(x, -2.7, 1.6, 1.5, ground)
    ink.line([(-0.2, -0.7), (-0.2, 1.0)], ground, 0.25)
    ink.path([("M", 2.6, -0.6), ("L", 4.4, -0.9), ("L", 4.4, -0.3), ("L", 3.4, 1.9), ("L", 2.4, 1.9), ("Z",)], colour)
    ink.line([(4.2, -0.7), (4.0, -2.6)], colour, 0.5)
    ink.line([(-4.4, 1.8), (4.6, 1.8)], colour, 0.6)
    for x, radius in ((-2.9, 2.0), (3.2, 1.6)):
        draw_wheel(ink, x, 4.6 - radius, radius, colour, ground)


def draw_wheel(ink: Ink, x: float, y: float, radius: float, colour: Rgb, ground: Rgb) -> None:
    """A wheel with eight spokes."""
    ink.disc(x, y, radius, ground)
    ink.disc(x, y, 0.88 * radius, None, colour, 0.24 * radius)
    for angle in range(0, 180, 45):
        ink.line([polar(0.8 * radius, angle, (x, y)), polar(0.8 * radius, angle + 180, (x, y))], colour, 0.14 * radius)
    ink.disc(x, y, 0.28 * radius, colour)


def _wheel(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    draw_wheel(ink, 0, 0, 4.8, colour, ground)


def _letter(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.rectangle(-4.8, -3.3, 9.6, 6.6, colour)
    ink.line([(-4.5, -2.9), (0, 0.7), (4.5, -2.9)], ground, 0.45)
    for side in (-1, 1):
        ink.line([(side * 4.5, 2.9), (side * 1.3, -0.2)], ground, 0.3)
    ink.disc(0, 0.6, 1.45, colour, ground, 0.4)
    ink.disc(0, 0.6, 0.6, ground)


def _quill(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """A decree and the feather that signs it."""
    ink.polygon([(-4.4, -3.6), (2.0, -3.6), (2.0, 4.4), (-4.4, 4.4)], colour)
    for y in (-2.2, -0.9, 0.4):
        ink.line([(-3.5, y), (1.1, y)], ground, 0.35)
    ink.path(
        [("M", -1.2, 3.2), ("C", -0.6, 0.2, 1.4, -3.0, 4.9, -4.9), ("C", 5.0, -1.6, 2.8, 1.4, 0.2, 2.2), ("Z",)],
        colour, ground, 0.4,
    )  # fmt: skip
    ink.line([(-1.6, 3.7), (3.6, -3.2)], ground, 0.3)


def _hat(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """A cardinal's hat with its tassels."""
    ink.polygon([*arc(2.3, 180, 360, (0, -2.4), 0.95), (2.3, -1.6), (-2.3, -1.6)], colour)
    ink.polygon(arc(4.9, 0, 355, (0, -1.6), 0.26), colour)
    ink.line([(-2.2, -2.5), (2.2, -2.5)], ground, 0.35)
    for side in (-1, 1):
        ink.path(
            [("M", side * 0.8, -0.6), ("C", side * 1.6, 0.6, side * 3.2, -0.4, side * 3.3, 1.0)], None, colour, 0.4
        )
        for row, count in enumerate((1, 2, 3)):
            for k in range(count):
                ink.disc(side * 3.3 + (k - (count - 1) / 2) * 1.25, 1.5 + 1.35 * row, 0.55, colour)


def _mitre(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", -3.3, 2.4), ("C", -4.2, -0.4, -2.4, -3.4, 0, -4.9), ("C", 2.4, -3.4, 4.2, -0.4, 3.3, 2.4), ("Z",)],
        colour,
    )
    ink.line([(0, -3.9), (0, 1.2)], ground, 0.7)
    ink.line([(-1.9, -1.3), (1.9, -1.3)], ground, 0.7)
    ink.rectangle(-3.3, 2.9, 6.6, 1.0, colour)
    for x in (-2.6, 1.4):
        ink.polygon([(x, 3.9), (x + 1.2, 3.9), (x + 1.4, 5.0), (x - 0.2, 5.0)], colour)


def _chalice(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", -3.0, -1.6), ("L", 3.0, -1.6), ("C", 2.9, 0.7, 1.6, 1.6, 0.6, 1.8), ("L", 0.6, 3.2), ("L", 2.6, 4.2),
         ("L", 2.6, 4.9), ("L", -2.6, 4.9), ("L", -2.6, 4.2), ("L", -0.6, 3.2), ("L", -0.6, 1.8),
         ("C", -1.6, 1.6, -2.9, 0.7, -3.0, -1.6), ("Z",)],
        colour,
    )  # fmt: skip
    ink.disc(0, 2.4, 0.95, colour)
    ink.disc(0, -3.0, 1.9, colour, ground, 0.4)
    ink.line([(0, -4.1), (0, -1.9)], ground, 0.4)
    ink.line([(-0.9, -3.1), (0.9, -3.1)], ground, 0.4)


def _book(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.rectangle(-3.6, -4.6, 7.2, 9.2, colour)
    ink.rectangle(-2.5, -4.6, 0.4, 9.2, ground)
    ink.rectangle(0.25, -3.1, 0.8, 5.4, ground)
    ink.rectangle(-0.95, -1.7, 3.2, 0.8, ground)
    ink.line([(-2.1, 3.6), (3.1, 3.6)], ground, 0.4)


def _bell(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """The hand bell of an altar boy."""
    ink.path(
        [("M", -1.5, -1.0), ("C", -2.2, 0.4, -2.4, 2.2, -4.0, 3.2), ("L", 4.0, 3.2),
         ("C", 2.4, 2.2, 2.2, 0.4, 1.5, -1.0), ("C", 1.0, -1.9, -1.0, -1.9, -1.5, -1.0), ("Z",)],
        colour,
    )  # fmt: skip
    ink.disc(0, 4.0, 0.95, colour)
    ink.rectangle(-0.6, -4.9, 1.2, 3.4, colour)
    ink.disc(0, -4.3, 0.95, colour)
    ink.line([(-2.6, 2.1), (2.6, 2.1)], ground, 0.35)


def _house(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon([(-4.8, -0.6), (0, -4.8), (4.8, -0.6)], colour)
    ink.rectangle(-3.7, -0.4, 7.4, 5.0, colour)
    ink.polygon([*arc(0.9, 180, 360, (0, 2.2)), (0.9, 4.6), (-0.9, 4.6)], ground)
    for x in (-2.9, 1.7):
        ink.rectangle(x, 0.5, 1.2, 1.4, ground)


_PEAK: tuple[PathStep, ...] = (
    ("M", -5, 4.2),
    ("L", -1.2, -3.8),
    ("L", 0.9, 0.2),
    ("L", 1.9, -1.6),
    ("L", 5, 4.2),
    ("Z",),
)


def _peak(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(_PEAK, colour)
    ink.path(
        [("M", -1.2, -3.8), ("L", -2.5, -1.0), ("L", -1.5, -1.5), ("L", -0.8, -0.5), ("L", 0.0, -1.5), ("Z",)], ground
    )


def _fir(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    for top, reach in ((-5.0, 2.0), (-3.0, 2.7), (-0.8, 3.4)):
        ink.polygon([(0, top), (reach, top + 3.6), (-reach, top + 3.6)], colour)
    ink.rectangle(-0.5, 2.6, 1.0, 1.9, colour)


def _cypress(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    ink.path(
        [("M", 0, -5.2), ("C", 1.5, -2.6, 2.0, 0.6, 1.3, 3.0), ("L", -1.3, 3.0),
         ("C", -2.0, 0.6, -1.5, -2.6, 0, -5.2), ("Z",)],
        colour,
    )  # fmt: skip
    ink.rectangle(-0.3, 2.8, 0.6, 1.9, colour)


SIGNS: dict[str, Symbol] = {
    "post horn": _post_horn,
    "coach": _coach,
    "wheel": _wheel,
    "letter": _letter,
    "quill": _quill,
    "hat": _hat,
    "mitre": _mitre,
    "chalice": _chalice,
    "book": _book,
    "bell": _bell,
    "house": _house,
    "peak": _peak,
    "fir": _fir,
    "cypress": _cypress,
}
OFFICIAL_SIGNS = {"postmaster": "letter", "carrier": "post horn", "administrator": "quill", "cartwright": "wheel"}
RANK_SIGNS = {"cardinal": "hat", "bishop": "mitre", "priest": "chalice", "deacon": "book", "ministrant": "bell"}
