"""Silhouettes of old towns: rows of gabled houses, and over them what each city is known by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, Rgb, mixed
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import arc, smooth

LANDMARKS: Mapping[str, str] = {
    "Mannheim": "palace", "Carlsruhe": "palace", "Freiburg": "spire", "Stuttgart": "castle", "Ulm": "spire",
    "Sigmaringen": "hill castle", "Basel": "spires", "Zuerich": "helmets", "Innsbruck": "onion",
    "Wuerzburg": "hill castle", "Nuernberg": "castle", "Regensburg": "spires", "Ingolstadt": "helmets",
    "Augsburg": "onion", "Passau": "onions",
    "Muenchen": "onions", "Kempten": "helmets", "Pilsen": "spire", "Budweis": "castle", "Linz": "spires",
    "Salzburg": "hill castle", "Lodz": "palace",
}  # fmt: skip


def draw_skyline(ink: Ink, city: str, width: float, height: float, colour: Rgb, sky: Rgb) -> None:
    """A town `width` mm wide, up to `height` mm tall, the middle of its foot at the origin; the same every time."""
    chance = Random(city)
    dark = mixed(colour, DARK, 0.35)
    window = mixed(sky, IVORY, 0.7)
    ink.disc(width * (0.3 if chance.random() < 0.5 else -0.3), -0.8 * height, 0.11 * height, mixed(sky, IVORY, 0.75))
    hills = smooth([(-width / 2 - 2 + k * (width + 4) / 5, -height * chance.uniform(0.18, 0.4)) for k in range(6)])
    ink.path([*hills, ("L", width / 2 + 3, 0), ("L", -width / 2 - 3, 0), ("Z",)], mixed(sky, colour, 0.28))
    _houses(ink, chance, width, 0.42 * height, mixed(sky, dark, 0.5), window)
    _TALL[LANDMARKS.get(city, "spire")](ink, chance.uniform(-0.12, 0.12) * width, height, dark, window)
    _houses(ink, chance, width, 0.28 * height, dark, window)


def _houses(ink: Ink, chance: Random, width: float, height: float, colour: Rgb, window: Rgb) -> None:
    x = -width / 2 - chance.uniform(0, 2)
    while x < width / 2:
        across = chance.uniform(2.4, 4.2)
        wall, roof = height * chance.uniform(0.4, 0.65), height * chance.uniform(0.3, 0.5)
        gable = [(x, 0.0), (x, -wall), (x + across / 2, -wall - roof), (x + across, -wall), (x + across, 0.0)]
        ink.polygon(gable, colour, window, 0.12)
        for k in range(2):
            ink.rectangle(x + across * (0.26 + 0.32 * k), -0.75 * wall, 0.45, 0.65, window)
        x += across + chance.uniform(-0.3, 0.2)


def _tower(ink: Ink, x: float, width: float, height: float, colour: Rgb, window: Rgb) -> None:
    ink.rectangle(x - width / 2, -height, width, height, colour)
    for share in (0.93, 0.74):
        ink.polygon(
            [*arc(0.13 * width, 180, 360, (x, -share * height)), (x + 0.13 * width, -share * height + 1.0),
             (x - 0.13 * width, -share * height + 1.0)],
            window,
        )  # fmt: skip


def _nave(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    eaves, ridge = -0.34 * height, -0.5 * height
    ink.polygon([(x, 0), (x, eaves), (x + 1.6, ridge), (x + 8.2, ridge), (x + 9.4, eaves), (x + 9.4, 0)], colour)
    for k in range(4):
        at, sill = x + 2.2 + 1.9 * k, -0.14 * height
        ink.polygon([*arc(0.35, 180, 360, (at, -0.3 * height)), (at + 0.35, sill), (at - 0.35, sill)], window)


def _pointed(ink: Ink, x: float, width: float, low: float, high: float, colour: Rgb, window: Rgb) -> None:
    _tower(ink, x, width, low, colour, window)
    ink.polygon([(x - width / 2, -low), (x, -high), (x + width / 2, -low)], colour)


def _bulb(ink: Ink, x: float, width: float, low: float, high: float, colour: Rgb, window: Rgb) -> None:
    """A tower under an onion."""
    _tower(ink, x, width, low, colour, window)
    rise, half = high - low, width / 2
    for side in (-half, half):
        ink.path(
            [("M", x, -low), ("L", x + 0.8 * side, -low),
             ("C", x + 1.7 * side, -low - 0.3 * rise, x + 0.9 * side, -low - 0.5 * rise, x + 0.1 * side,
              -low - 0.66 * rise),
             ("L", x, -high), ("Z",)],
            colour,
        )  # fmt: skip


def _helmet(ink: Ink, x: float, width: float, low: float, high: float, colour: Rgb, window: Rgb) -> None:
    """A tower under a round cap with a lantern."""
    _tower(ink, x, width, low, colour, window)
    ink.polygon(arc(0.56 * width, 180, 360, (x, -low)), colour)
    ink.rectangle(x - 0.16 * width, -high + 0.6, 0.32 * width, high - low, colour)
    ink.line([(x, -high), (x, -high + 0.8)], colour, 0.25)


def _spire(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    _nave(ink, x, height, colour, window)
    _pointed(ink, x, 3.6, 0.52 * height, 0.98 * height, colour, window)


def _spires(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    _nave(ink, x + 1, height, colour, window)
    for at in (x - 2.4, x + 1.4):
        _pointed(ink, at, 2.8, 0.5 * height, 0.9 * height, colour, window)


def _onion(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    _nave(ink, x, height, colour, window)
    _bulb(ink, x, 3.6, 0.56 * height, 0.95 * height, colour, window)


def _onions(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    _nave(ink, x + 1, height, colour, window)
    for at in (x - 2.8, x + 1.8):
        _bulb(ink, at, 3.1, 0.58 * height, 0.92 * height, colour, window)


def _helmets(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    _nave(ink, x + 1, height, colour, window)
    for at in (x - 2.8, x + 1.8):
        _helmet(ink, at, 3.0, 0.58 * height, 0.86 * height, colour, window)


def _castle(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    for at, width, share in ((x, 9.0, 0.46), (x - 4.6, 3.2, 0.64), (x + 3.4, 4.0, 0.8)):
        _tower(ink, at, width, share * height, colour, window)
        for k in range(int(width / 1.2)):
            ink.rectangle(at - width / 2 + 1.2 * k, -share * height - 0.8, 0.7, 0.9, colour)


def _hill_castle(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    rises = ((-15, 0.0), (-9, 0.16), (-5, 0.38), (6, 0.42), (10, 0.18), (16, 0.0))
    ink.path([*smooth([(x + aside, -share * height) for aside, share in rises]), ("Z",)], mixed(colour, window, 0.35))
    with ink.placed(x, -0.38 * height):
        _castle(ink, 0, 0.62 * height, colour, window)


def _palace(ink: Ink, x: float, height: float, colour: Rgb, window: Rgb) -> None:
    ink.rectangle(x - 9, -0.44 * height, 18, 0.44 * height, colour)
    for k in range(9):
        ink.rectangle(x - 8.2 + 1.9 * k, -0.36 * height, 0.7, 1.2, window)
    for at in (x - 7.6, x + 7.6):
        ink.polygon([(at - 2, -0.44 * height), (at, -0.58 * height), (at + 2, -0.44 * height)], colour)
    _helmet(ink, x, 4.2, 0.6 * height, 0.94 * height, colour, window)


_TALL: Mapping[str, Callable[[Ink, float, float, Rgb, Rgb], None]] = {
    "spire": _spire,
    "spires": _spires,
    "onion": _onion,
    "onions": _onions,
    "helmets": _helmets,
    "castle": _castle,
    "hill castle": _hill_castle,
    "palace": _palace,
}
