"""Emblems of places and colours, each drawn in one colour in a square of 10 mm around the origin, like the symbols."""

from __future__ import annotations

import math

from calibration.drawing.colours import Rgb
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import arc, polar, smooth
from calibration.drawing.symbols import SYMBOLS, Symbol


def draw_emblem(ink: Ink, name: str, x: float, y: float, size: float, colour: Rgb, ground: Rgb) -> None:
    """Draw an emblem, or the symbol with this name, in a square of `size` mm around (x, y).

    Raises KeyError where there is neither.
    """
    draw = EMBLEMS.get(name) or SYMBOLS[name]
    with ink.placed(x, y, 0.0, size / 10):
        draw(ink, colour, ground)


def _sun(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon([polar(5 if k % 2 == 0 else 3.3, 15 * k) for k in range(24)], colour)
    ink.disc(0, 0, 2.9, colour, ground, 0.5)


def _moon(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    ink.polygon([*arc(4.7, 60, 300, (0.9, 0)), *arc(4.2, 290, 70, (2.0, 0))], colour)


def _flame(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", 0.4, -5.0), ("C", 1.2, -2.8, 3.9, -1.6, 3.9, 1.5), ("C", 3.9, 3.8, 2.2, 5.0, 0, 5.0),
         ("C", -2.3, 5.0, -3.9, 3.6, -3.9, 1.4), ("C", -3.9, -0.4, -2.9, -1.4, -2.3, -2.6),
         ("C", -2.0, -1.6, -1.6, -1.2, -1.0, -1.0), ("C", -1.2, -2.6, -0.6, -4.0, 0.4, -5.0), ("Z",)],
        colour,
    )  # fmt: skip
    ink.path(
        [("M", 0.3, 0.2), ("C", 0.9, 1.4, 1.8, 1.9, 1.8, 3.0), ("C", 1.8, 4.0, 1.0, 4.5, 0, 4.5),
         ("C", -1.0, 4.5, -1.8, 4.0, -1.8, 3.0), ("C", -1.8, 1.9, -0.3, 1.6, 0.3, 0.2), ("Z",)],
        ground,
    )  # fmt: skip


def _spears(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    for turn in (-32, 32):
        with ink.placed(0, 0, turn):
            ink.rectangle(-0.35, -2.6, 0.7, 7.8, colour)
            ink.polygon([(0, -5.3), (1.15, -3.4), (0.35, -2.3), (-0.35, -2.3), (-1.15, -3.4)], colour)


def _branch(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    del ground
    ink.path([("M", 0, 5.0), ("C", -0.4, 2.0, 0.6, -1.5, 0.2, -4.2)], None, colour, 0.55)
    for k in range(5):
        for side in (-1, 1):
            y = 3.0 - 1.6 * k
            with ink.placed(0.1, y, -62 if side > 0 else -118):
                ink.path(
                    [("M", 0, 0), ("C", 1.2, -1.0, 2.6, -0.8, 3.7, 0), ("C", 2.6, 0.5, 1.2, 0.5, 0, 0), ("Z",)], colour
                )


def _shield(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    with ink.placed(0, 0, 24):
        ink.rectangle(-0.3, -5.4, 0.6, 10.8, colour)
    with ink.placed(0, 0, -24):
        ink.rectangle(-0.3, -5.4, 0.6, 10.8, colour)
    ink.disc(0, 0, 3.9, colour, ground, 0.5)
    ink.disc(0, 0, 2.7, None, ground, 0.45)
    ink.disc(0, 0, 1.0, ground)


def _crown(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    tops = [(-4.8, -2.6), (-2.4, 0.4), (0.0, -4.0), (2.4, 0.4), (4.8, -2.6)]
    ink.polygon([*tops, (3.9, 2.6), (-3.9, 2.6)], colour)
    ink.rectangle(-3.9, 3.1, 7.8, 1.2, colour)
    for x, y in (tops[0], tops[2], tops[4]):
        ink.disc(x, y, 0.75, colour)
    for x in (-2.0, 0.0, 2.0):
        ink.disc(x, 1.3, 0.5, ground)


def _tree(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.polygon([(-0.6, 0.5), (0.6, 0.5), (1.0, 4.3), (2.2, 4.9), (-2.2, 4.9), (-1.0, 4.3)], colour)
    for x, y, radius in ((0, -2.6, 2.4), (-2.5, -0.6, 2.1), (2.5, -0.6, 2.1), (0, -0.2, 2.2)):
        ink.disc(x, y, radius, colour)
    for x, y in ((-1.0, -2.4), (1.4, -1.4), (-2.4, -0.4), (0.6, 0.2)):
        ink.disc(x, y, 0.42, ground)


def _staff(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """The staff of Aesculapius, whose temple stood on the island."""
    ink.rectangle(-0.4, -4.2, 0.8, 9.2, colour)
    ink.disc(0, -4.4, 0.75, colour)
    coils = [(2.0 * math.sin(math.pi * k / 3), 4.4 - 0.6 * k) for k in range(14)]
    for width, ink_colour in ((1.7, ground), (0.95, colour)):
        ink.path(smooth(coils), None, ink_colour, width)
    ink.disc(*coils[-1], 0.8, colour)


def _birds(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """The birds that Remus saw."""
    del ground
    for x, y, size in ((-2.0, -2.0, 1.0), (2.2, 0.4, 0.9), (-1.4, 3.0, 0.75)):
        with ink.placed(x, y, 0, size):
            ink.path(
                [("M", -3.0, -1.2), ("C", -1.8, -1.9, -0.6, -1.3, 0, 0.1), ("C", 0.6, -1.3, 1.8, -1.9, 3.0, -1.2),
                 ("C", 1.8, -1.0, 0.9, -0.2, 0.3, 1.3), ("L", -0.3, 1.3), ("C", -0.9, -0.2, -1.8, -1.0, -3.0, -1.2),
                 ("Z",)],
                colour,
            )  # fmt: skip


def _arches(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    """An aqueduct in two storeys."""
    ink.rectangle(-5, -4.4, 10, 9.0, colour)
    for x in (-3.4, 0.0, 3.4):
        ink.polygon([*arc(1.25, 180, 360, (x, 1.9)), (x + 1.25, 4.7), (x - 1.25, 4.7)], ground)
    for x in (-4.0, -2.0, 0.0, 2.0, 4.0):
        ink.polygon([*arc(0.65, 180, 360, (x, -2.0)), (x + 0.65, -0.6), (x - 0.65, -0.6)], ground)
    ink.line([(-5, -3.3), (5, -3.3)], ground, 0.35)


def _senator(ink: Ink, colour: Rgb, ground: Rgb) -> None:
    ink.path(
        [("M", -4.6, 5.0), ("C", -4.4, 1.6, -3.0, -0.2, -1.2, -0.8), ("L", 1.2, -0.8),
         ("C", 3.0, -0.2, 4.4, 1.6, 4.6, 5.0), ("Z",)],
        colour,
    )  # fmt: skip
    for start, end in (((2.6, -0.2), (-3.4, 5.0)), ((3.6, 1.2), (-0.6, 5.0)), ((-2.0, -0.4), (-2.8, 2.2))):
        ink.line([start, end], ground, 0.4)
    ink.disc(0, -2.9, 2.1, colour, ground, 0.45)
    for side in (-1, 1):
        for k in range(4):
            x, y = polar(2.1, -90 + side * (28 + 24 * k), (0, -2.9))
            ink.disc(x, y, 0.5, colour, ground, 0.15)


EMBLEMS: dict[str, Symbol] = {
    "sun": _sun,
    "moon": _moon,
    "flame": _flame,
    "spears": _spears,
    "branch": _branch,
    "shield": _shield,
    "crown": _crown,
    "tree": _tree,
    "staff": _staff,
    "birds": _birds,
    "arches": _arches,
    "senator": _senator,
}
