"""The symbols of the printed edition, each drawn in one colour in a square of 10 mm around the origin."""

from __future__ import annotations

from collections.abc import Callable

from calibration.drawing.colours import Rgb
from calibration.drawing.ink import Ink, PathStep
from calibration.drawing.shapes import arc, polar, smooth

_LEAF: tuple[PathStep, ...] = (
    ("M", -0.9, 0.0), ("C", -0.3, -0.55, 0.5, -0.45, 0.9, 0.0), ("C", 0.5, 0.45, -0.3, 0.55, -0.9, 0.0), ("Z",),
)  # fmt: skip

Symbol = Callable[[Ink, Rgb, Rgb], None]
"""Draws in a colour; the second colour is that of the ground, which shows through."""


def draw_symbol(
    ink: Ink, name: str, x: float, y: float, size: float, colour: Rgb, ground: Rgb, angle: float = 0.0
) -> None:
    """Draw a symbol in a square of `size` mm around (x, y).

    Raises KeyError where there is no such symbol.
    """
    with ink.placed(x, y, angle, size / 10):
        SYMBOLS[name](ink, colour, ground)


def _temple(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon([(-5, -1.3), (0, -4.7), (5, -1.3)], colour)
    ink.polygon([(-2.4, -1.9), (0, -3.5), (2.4, -1.9)], ground)
    ink.rectangle(-4.6, -0.9, 9.2, 0.9, colour)
    for x in (-4.1, -1.8, 0.5, 2.8):
        ink.rectangle(x, 0.3, 1.3, 2.9, colour)
    ink.rectangle(-4.6, 3.2, 9.2, 0.7, colour)
    ink.rectangle(-5, 4.0, 10, 0.8, colour)


def _baths(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon(arc(3.1, 180, 360, (0, -1.5)), colour)
    ink.rectangle(-4.7, -1.2, 9.4, 2.6, colour)
    for x in (-3.0, 0.0, 3.0):
        ink.polygon([*arc(0.85, 180, 360, (x, 0.3)), (x + 0.85, 1.4), (x - 0.85, 1.4)], ground)
    for y in (2.6, 4.3):
        ink.path(smooth([(-4.8 + 1.2 * k, y + (0.45 if k % 2 else -0.45)) for k in range(9)]), None, colour, 0.75)


def _theatre(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    middle = (0.0, 1.4)
    ink.polygon(arc(5, 180, 360, middle), colour)
    for radius in (3.9, 2.8):
        ink.line(arc(radius, 180, 360, middle), ground, 0.35)
    for angle in (216, 252, 288, 324):
        ink.line([polar(1.9, angle, middle), polar(5, angle, middle)], ground, 0.35)
    ink.polygon(arc(1.8, 180, 360, middle), ground)
    ink.rectangle(-5, 2.0, 10, 1.4, colour)
    for x in (-3.4, 0.0, 3.4):
        ink.rectangle(x - 0.5, 2.0, 1.0, 0.8, ground)


def _arena(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    flat = 0.78
    ink.polygon(arc(5, 0, 355, flat=flat), colour)
    ink.polygon(arc(3.9, 0, 355, flat=flat), ground)
    ink.polygon(arc(3.5, 0, 355, flat=flat), colour)
    for angle in range(0, 360, 30):
        (x0, y0), (x1, y1) = polar(2.1, angle + 15), polar(5.2, angle + 15)
        ink.line([(x0, y0 * flat), (x1, y1 * flat)], ground, 0.4)
    ink.polygon(arc(1.9, 0, 355, flat=0.62), ground)


def _fountain(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", -4.6, 1.0), ("L", 4.6, 1.0), ("C", 4.4, 2.8, 2.6, 3.4, 0.9, 3.5), ("L", 0.9, 4.1), ("L", 2.4, 4.8),
         ("L", -2.4, 4.8), ("L", -0.9, 4.1), ("L", -0.9, 3.5), ("C", -2.6, 3.4, -4.4, 2.8, -4.6, 1.0), ("Z",)],
        colour,
    )  # fmt: skip
    ink.line([(0, 0.4), (0, -4.4)], colour, 0.8)
    for side in (-1, 1):
        ink.path(
            [("M", side * 0.3, -4.0), ("C", side * 2.2, -4.4, side * 3.6, -2.2, side * 3.7, 0.2)], None, colour, 0.8
        )
        ink.path(
            [("M", side * 0.2, -2.2), ("C", side * 1.2, -2.4, side * 1.8, -1.2, side * 1.9, 0.2)], None, colour, 0.7
        )


def _hill(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    foot = 3.4
    for x, reach, height in ((0.3, 4.4, 6.6), (-2.6, 2.6, 3.6), (2.8, 2.4, 2.8)):
        top = foot - height
        slope: list[PathStep] = [
            ("M", x - reach, foot), ("C", x - 0.5 * reach, foot - 0.15 * height, x - 0.42 * reach, top, x, top),
            ("C", x + 0.42 * reach, top, x + 0.5 * reach, foot - 0.15 * height, x + reach, foot), ("Z",),
        ]  # fmt: skip
        ink.path(slope, colour, ground, 0.5)
    ink.rectangle(-5.2, 3.6, 10.4, 0.6, colour)


def _bridge(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon([(-5, 1.2), (-5, -0.6), (0, -2.6), (5, -0.6), (5, 1.2)], colour)
    for x, radius in ((-3.1, 1.1), (0.0, 1.5), (3.1, 1.1)):
        ink.polygon([*arc(radius, 180, 360, (x, 0.4)), (x + radius, 1.3), (x - radius, 1.3)], ground)
    for y in (2.5, 4.0):
        ink.path(smooth([(-4.8 + 1.2 * k, y + (0.4 if k % 2 else -0.4)) for k in range(9)]), None, colour, 0.6)


def _drop(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    ink.path(
        [("M", 0, -4.8), ("C", 1.0, -2.2, 3.4, -0.4, 3.4, 1.6), ("C", 3.4, 3.6, 1.9, 4.8, 0, 4.8),
         ("C", -1.9, 4.8, -3.4, 3.6, -3.4, 1.6), ("C", -3.4, -0.4, -1.0, -2.2, 0, -4.8), ("Z",)],
        colour,
    )  # fmt: skip


def _treasury(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    for x, y in ((-2.1, 1.7), (2.1, 1.7), (0.0, -1.7)):
        ink.disc(x, y, 2.7, colour, ground, 0.5)
        ink.disc(x, y, 1.9, None, ground, 0.35)
        ink.text(x, y, "I", 1.9, ground, bold=True)


def _laurel(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    for side in (-1, 1):
        ink.line([(side * x, y) for x, y in arc(4.0, 85, -60)], colour, 0.35)
        for k in range(9):
            angle = 76 - 16.5 * k
            for radius, lean in ((4.55, 34), (3.45, -34)):
                x, y = polar(radius, angle)
                turn = angle - 90 + lean
                with ink.placed(side * x, y, turn if side > 0 else 180 - turn):
                    ink.path(_LEAF, colour)


def _star(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    ink.polygon([polar(5 if k % 2 == 0 else 1.9, 45 * k - 90) for k in range(8)], colour)


SYMBOLS: dict[str, Symbol] = {
    "temple": _temple,
    "baths": _baths,
    "theatre": _theatre,
    "arena": _arena,
    "fountain": _fountain,
    "hill": _hill,
    "bridge": _bridge,
    "drop": _drop,
    "treasury": _treasury,
    "laurel": _laurel,
    "star": _star,
}
