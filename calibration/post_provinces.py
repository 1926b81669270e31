"""The provinces of Thurn and Taxis: each has a colour, a shield of its own, and the shield's motif as its pattern."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from calibration import colours
from calibration.colours import INK as DARK
from calibration.colours import IVORY, mixed, on
from calibration.ink import Command, Ink, Rgb
from calibration.post_signs import draw_sign
from calibration.shapes import polar
from companion.board.lattice import Point
from companion.board.layout import Board
from companion.games.thurn_and_taxis.geometry import CARRIAGE_OF, PROVINCES

_SHIELD: tuple[Command, ...] = (
    ("M", -4.2, -4.8), ("L", 4.2, -4.8), ("L", 4.2, -0.4), ("C", 4.2, 2.4, 2.2, 4.2, 0, 5.0),
    ("C", -2.2, 4.2, -4.2, 2.4, -4.2, -0.4), ("Z",),
)  # fmt: skip
_SHIELD_POINTS = (
    (-4.2, -4.8), (4.2, -4.8), (4.2, -0.4), (3.9, 1.4), (3.1, 2.9), (1.7, 4.2), (0.0, 5.0), (-1.7, 4.2), (-3.1, 2.9),
    (-3.9, 1.4), (-4.2, -0.4),
)  # fmt: skip


def colour_of(province: str) -> Rgb:
    """The full colour of a province."""
    return colours.PROVINCES.get(province, colours.UNKNOWN)


def province_of(board: Board) -> dict[str, str]:
    """City -> its province, as the board's features say."""
    return {
        site.partition("/")[2]: province for province in PROVINCES for site in board.features.get(province, {}).values()
    }


def provinces_of(carriage: str) -> tuple[str, ...]:
    """The province or the pair of provinces that a carriage to Rome, or a stack of bonus tiles, stands for."""
    return tuple(province for province, name in CARRIAGE_OF.items() if name == carriage)


def draw_shield(ink: Ink, province: str, x: float, y: float, size: float, rim: Rgb = DARK) -> None:
    """The shield of a province, `size` mm tall."""
    field = colour_of(province)
    with ink.placed(x, y, 0, size / 10):
        ink.path(_SHIELD, field)
        with ink.clipped(_SHIELD_POINTS):
            _charge(ink, province, on(field), field)
        ink.path(_SHIELD, None, rim, 0.55)


def draw_pattern(ink: Ink, province: str, box: tuple[float, float, float, float], colour: Rgb) -> None:
    """A province's motif over a box (left, top, right, bottom), aligned to the sheet so that neighbours match."""
    left, top, right, bottom = box
    for x, y in _lattice(box, 7.0):
        match province:
            case "Schweiz":
                ink.line([(x - 1.0, y), (x + 1.0, y)], colour, 0.3)
                ink.line([(x, y - 1.0), (x, y + 1.0)], colour, 0.3)
            case "Tyrol":
                ink.line([(x - 2.4, y + 0.9), (x, y - 0.9), (x + 2.4, y + 0.9)], colour, 0.3)
            case "Baiern":
                lozenge = [(x, y - 1.5), (x + 1.0, y), (x, y + 1.5), (x - 1.0, y)]
                ink.polygon(lozenge, None, mixed(colour, DARK, 0.12), 0.25)
            case "Boehmen":
                ink.disc(x, y, 0.45, colour)
            case "Polen":
                for turn in (0, 60, 120):
                    ink.line([polar(1.0, turn, (x, y)), polar(1.0, turn + 180, (x, y))], colour, 0.25)
            case "Hohenzollern":
                ink.rectangle(x - 1.0, y - 1.0, 1.0, 1.0, colour)
                ink.rectangle(x, y, 1.0, 1.0, colour)
            case _:
                break
    height = bottom - top
    if province == "Baden":
        for x in _steps(left - height, right, 5.0, -(bottom % 5.0)):
            ink.line([(x, bottom), (x + height, top)], colour, 0.3)
    elif province == "Wuerttemberg":
        for y in _steps(top, bottom, 4.0):
            ink.line([(left, y), (right, y)], colour, 0.3)
    elif province == "Salzburg":
        for x in _steps(left, right, 4.0):
            ink.line([(x, top), (x, bottom)], colour, 0.3)


def _steps(low: float, high: float, step: float, shift: float = 0.0) -> Iterator[float]:
    first = int((low - shift) // step)
    yield from (k * step + shift for k in range(first, int((high - shift) // step) + 2))


def _lattice(box: tuple[float, float, float, float], step: float) -> Iterator[Point]:
    left, top, right, bottom = box
    for y in _steps(top, bottom, step):
        for x in _steps(left, right, step, step / 2 if round(y / step) % 2 else 0.0):
            yield x, y


def _charge(ink: Ink, province: str, colour: Rgb, field: Rgb) -> None:
    """What the shield bears; a star for a province of another edition."""
    match province:
        case "Baden":
            ink.polygon([(-4.6, -5.2), (-1.6, -5.2), (4.6, 2.2), (4.6, 5.2), (3.6, 5.2), (-4.6, -3.0)], colour)
        case "Wuerttemberg":
            for y in (-3.2, -0.4, 2.4):
                ink.rectangle(-5, y - 0.65, 10, 1.3, colour)
        case "Hohenzollern":
            ink.rectangle(-5, -5.2, 5, 5.2, colour)
            ink.rectangle(0, 0, 5, 5.2, colour)
        case "Schweiz":
            ink.rectangle(-0.9, -3.8, 1.8, 7.2, colour)
            ink.rectangle(-3.0, -1.2, 6.0, 1.8, colour)
        case "Tyrol":
            for y in (-1.4, 2.2):
                ink.polygon(
                    [(-5, y + 2.2), (0, y - 2.4), (5, y + 2.2), (5, y + 3.9), (0, y - 0.7), (-5, y + 3.9)], colour
                )
        case "Baiern":
            for row in range(-2, 3):
                for column in range(-3, 4):
                    x, y = 2.8 * column + 1.4 * (row % 2), 2.3 * row
                    ink.polygon([(x, y - 2.1), (x + 1.2, y), (x, y + 2.1), (x - 1.2, y)], mixed(field, DARK, 0.62))
        case "Boehmen":
            draw_sign(ink, "crown", 0, -0.4, 6.6, colour, field)
        case "Salzburg":
            ink.rectangle(-1.4, -5.2, 2.8, 10.4, colour)
        case _:
            draw_sign(ink, "star", 0, -0.3, 7.4, colour, field)


def box_of(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of some points."""
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def land(province: str) -> Rgb:
    """The pale colour of a province's land on maps."""
    return mixed(colour_of(province), IVORY, 0.55)
