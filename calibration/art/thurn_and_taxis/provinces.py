"""The provinces of Thurn and Taxis: each has a colour, a shield of its own, and the shield's motif as its pattern."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from calibration.art.thurn_and_taxis.signs import draw_sign
from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, Rgb, mixed, on
from calibration.drawing.ink import Ink, PathStep
from calibration.drawing.shapes import polar
from companion.board.lattice import Point
from companion.board.layout import Board
from companion.games.thurn_and_taxis.geometry import CARRIAGE_OF, PROVINCES

_SHIELD: tuple[PathStep, ...] = (
    ("M", -4.2, -4.8), ("L", 4.2, -4.8), ("L", 4.2, -0.4), ("C", 4.2, 2.4, 2.2, 4.2, 0, 5.0),
    ("C", -2.2, 4.2, -4.2, 2.4, -4.2, -0.4), ("Z",),
)  # fmt: skip
_SHIELD_POINTS = (
    (-4.2, -4.8), (4.2, -4.8), (4.2, -0.4), (3.9, 1.4), (3.1, 2.9), (1.7, 4.2), (0.0, 5.0), (-1.7, 4.2), (-3.1, 2.9),
    (-3.9, 1.4), (-4.2, -0.4),
)  # fmt: skip


_MOTIFS: Mapping[str, tuple[tuple[Point, ...], ...]] = {
    "Schweiz": (((-1.0, 0.0), (1.0, 0.0)), ((0.0, -1.0), (0.0, 1.0))),
    "Tyrol": (((-2.4, 0.9), (0.0, -0.9), (2.4, 0.9)),),
    "Baiern": (((0.0, -1.5), (1.0, 0.0), (0.0, 1.5), (-1.0, 0.0), (0.0, -1.5)),),
    "Boehmen": (
        ((1.2, 0.8), (-1.2, 0.8), (-1.4, -0.7), (-0.5, 0.1), (0.0, -0.9), (0.5, 0.1), (1.4, -0.7), (1.2, 0.8)),
    ),
    "Polen": tuple((polar(1.0, turn), polar(1.0, turn + 180)) for turn in (0, 60, 120)),
    "Hohenzollern": (((-1.0, -1.0), (0.0, -1.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0), (-1.0, 0.0), (-1.0, -1.0)),),
}
"""Province -> the lines of its pattern's motif, around the origin; those of the other provinces are hatched."""


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
    lines = [
        [(x + dx, y + dy) for dx, dy in line] for line in _MOTIFS.get(province, ()) for x, y in _lattice(box, 7.0)
    ] or _hatching(province, box)
    commands: list[PathStep] = []
    for start, *others in lines:
        commands += [("M", *start), *(("L", *point) for point in others)]
    if commands:
        ink.path(commands, None, colour, 0.3)


def _hatching(province: str, box: tuple[float, float, float, float]) -> list[list[Point]]:
    left, top, right, bottom = box
    height = bottom - top
    match province:
        case "Baden":
            starts = _steps(left - height, right, 5.0, -(bottom % 5.0))
            return [[(x, bottom), (x + height, top)] for x in starts]
        case "Wuerttemberg":
            return [[(left, y), (right, y)] for y in _steps(top, bottom, 4.0)]
        case "Salzburg":
            return [[(x, top), (x, bottom)] for x in _steps(left, right, 4.0)]
        case _:
            return []


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
