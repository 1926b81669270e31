"""The map of Capitol: nine areas in three colours, each with its name, emblem, squares and fountains."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, MARBLE, RIVER, RIVER_EDGE, RUBRIC, SEPIA, Rgb, mixed, on
from calibration.drawing.emblems import draw_emblem
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset, ring, smooth
from calibration.drawing.symbols import draw_symbol
from calibration.sheet_parts import draw_scale
from companion.board.lattice import Point
from companion.board.layout import Board

SIGN_OF_COLOUR: Mapping[str, str] = {"white": "sun", "black": "moon", "red": "flame"}
"""The second sign of an area's colour, on the board and on its permits."""
EMBLEM_OF_AREA: Mapping[str, str] = {
    "Capitoline": "temple",
    "Quirinal": "spears",
    "Viminal": "branch",
    "Field of Mars": "shield",
    "Palatine": "crown",
    "Esquiline": "tree",
    "Tiber Island": "staff",
    "Aventine": "birds",
    "Caelian": "arches",
}
_ISLAND = "Tiber Island"
_SMALL, _LARGE = "small square", "large square"
_NAME_BAND = 20.0
"""Height (mm) of the strip above an area's squares that bears its name."""


def draw_capitol(ink: Ink, board: Board) -> None:
    """Draw all areas of a board with their squares."""
    fountains = set(board.features.get("fountain", {}).values())
    for area, colour in areas_of(board).items():
        field = _field(board, area)
        _ground(ink, area, colour, field)
        _name(ink, area, colour, field)
        for group in board.groups.values():
            if group.prefix != area or group.kind not in (_SMALL, _LARGE):
                continue
            for place, (x, y) in group.places.items():
                with ink.placed(x, y):
                    _square(ink, colour, group.size[0], place, group.kind == _LARGE)
                    if f"{area}/{place}" in fountains:
                        _printed_fountain(ink, group.size[0])


def draw_capitol_margins(ink: Ink, board: Board) -> None:
    """The title beside the areas, which fill the panel, and the scale."""
    name, _, edition = board.name.partition(", ")
    low = board.size[1] - 44
    ink.text(17, low, name.upper(), 15, RUBRIC, anchor="start", spacing=0.12, angle=-90, widest=132)
    ink.text(30, low, edition, 2.6, SEPIA, anchor="start", angle=-90)
    draw_symbol(ink, "laurel", board.size[0] - 18, low - 16, 16, mixed(RUBRIC, IVORY, 0.2), IVORY)
    ink.text(board.size[0] - 18, low - 16, "SPQR", 2.0, RUBRIC, widest=7)
    draw_scale(ink, board.size[0] - 20, 62, 90)


def areas_of(board: Board) -> dict[str, str]:
    """Area -> the name of its colour, in the order of the board."""
    coloured = {
        site.partition("/")[0]: colour for colour in SIGN_OF_COLOUR for site in board.features.get(colour, {}).values()
    }
    order = dict.fromkeys(group.prefix for group in board.groups.values() if group.kind == _SMALL)
    return {area: coloured[area] for area in order if area in coloured}


def emblem_of(area: str) -> str:
    """The emblem of an area; a hill for one that this edition does not know."""
    return EMBLEM_OF_AREA.get(area, "hill")


def draw_roundel(
    ink: Ink, emblem: str, x: float, y: float, radius: float, field: Rgb, colour: Rgb | None = None
) -> None:
    """An emblem on an ivory disc with a rim, as on areas and cards."""
    ink.disc(x, y, radius, IVORY, mixed(field, DARK, 0.45), 0.4)
    ink.disc(x, y, 0.88 * radius, None, mixed(field, IVORY, 0.35), 0.2)
    draw_emblem(ink, emblem, x, y, 1.25 * radius, colour or mixed(field, DARK, 0.55), IVORY)


def _field(board: Board, area: str) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of an area's ground: its squares with a margin, and the name above."""
    spans = [
        (x - group.size[0] / 2, y - group.size[0] / 2, x + group.size[0] / 2, y + group.size[0] / 2)
        for group in board.groups.values()
        if group.prefix == area and group.kind in (_SMALL, _LARGE)
        for x, y in group.places.values()
    ]
    left, top, right, bottom = (
        pick(values) for pick, values in zip((min, min, max, max), zip(*spans, strict=True), strict=True)
    )
    return left - 6, top - _NAME_BAND, right + 6, bottom + 8


def _ground(ink: Ink, area: str, colour: str, field: tuple[float, float, float, float]) -> None:
    outline = _chamfered(field, 4.0)
    fill = colours.AREAS[colour]
    dark = mixed(fill, DARK, 0.55)
    ink.polygon(outline, RIVER if area == _ISLAND else fill)
    if area == _ISLAND:
        with ink.clipped(outline):
            _waves(ink, field)
        field = (field[0] + 2.6, field[1] + 2.6, field[2] - 2.6, field[3] - 2.6)
        ink.polygon(_chamfered(field, 3.4), fill, RIVER_EDGE, 0.3)
    ink.polygon(outline, None, dark, 0.5)
    inner = _chamfered((field[0] + 1.4, field[1] + 1.4, field[2] - 1.4, field[3] - 1.4), 3.2)
    with ink.clipped(inner):
        _paving(ink, colour, field)
    ink.polygon(inner, None, mixed(fill, DARK if colour == "white" else IVORY, 0.4), 0.25)


def _chamfered(field: tuple[float, float, float, float], cut: float) -> list[Point]:
    left, top, right, bottom = field
    return [
        (left + cut, top), (right - cut, top), (right, top + cut), (right, bottom - cut),
        (right - cut, bottom), (left + cut, bottom), (left, bottom - cut), (left, top + cut),
    ]  # fmt: skip


def _waves(ink: Ink, field: tuple[float, float, float, float]) -> None:
    left, top, right, bottom = field
    shade = mixed(RIVER, RIVER_EDGE, 0.6)
    for y in (top + 1.3, bottom - 1.3):
        wave = [(left + 2.5 * k, y + (0.45 if k % 2 else -0.45)) for k in range(int((right - left) / 2.5) + 2)]
        ink.path(smooth(wave), None, shade, 0.35)
    for x in (left + 1.3, right - 1.3):
        wave = [(x + (0.45 if k % 2 else -0.45), top + 2.5 * k) for k in range(int((bottom - top) / 2.5) + 2)]
        ink.path(smooth(wave), None, shade, 0.35)


def _paving(ink: Ink, colour: str, field: tuple[float, float, float, float]) -> None:
    """Another masonry for every colour: large slabs, a net of small stones, or courses of bricks."""
    left, top, right, bottom = field
    fill = colours.AREAS[colour]
    line = mixed(fill, DARK, 0.1) if colour == "white" else mixed(fill, IVORY, 0.09)
    width, height = right - left, bottom - top
    if colour == "black":
        reach = int((width + height) / 5) + 1
        for k in range(reach):
            ink.line([(left + 5 * k, top), (left + 5 * k - height, bottom)], line, 0.25)
            ink.line([(right - 5 * k, top), (right - 5 * k + height, bottom)], line, 0.25)
        return
    course, length = (10.5, 21.0) if colour == "white" else (3.5, 10.5)
    for row in range(int(height / course) + 1):
        y = top + row * course
        ink.line([(left, y), (right, y)], line, 0.25)
        for k in range(int(width / length) + 2):
            x = left + k * length - (length / 2 if row % 2 else 0)
            ink.line([(x, y), (x, y + course)], line, 0.25)


def _name(ink: Ink, area: str, colour: str, field: tuple[float, float, float, float]) -> None:
    left, top, right, _ = field
    fill = colours.AREAS[colour]
    y = top + 10.5
    draw_roundel(ink, emblem_of(area), left + 12, y, 6.6, fill)
    ink.text(left + 22, y, area.upper(), 6.4, on(fill), anchor="start", spacing=0.14, widest=right - left - 62)
    draw_emblem(ink, SIGN_OF_COLOUR[colour], right - 10.5, y, 9, on(fill), fill)
    ink.text(right - 18, y, colour.upper(), 2.6, on(fill), anchor="end", spacing=0.16)


def _square(ink: Ink, colour: str, side: float, place: str, large: bool) -> None:
    """A calm square that a building or tile will cover, its number in a corner that stays in view."""
    half = side / 2
    fill = colours.AREAS[colour]
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    ink.polygon(corners, MARBLE, mixed(fill, DARK, 0.6), 0.5)
    ink.polygon(inset(corners, 0.8), None, mixed(fill, MARBLE, 0.3), 0.35)
    if large:
        draw_symbol(ink, "laurel", 0, 0, 20, mixed(MARBLE, SEPIA, 0.12), MARBLE)
        ink.text(0, 0, "L", 5.0, mixed(MARBLE, SEPIA, 0.3))
    else:
        ink.text(half - 1.9, half - 2.7, place, 2.1, SEPIA, anchor="end")


def _printed_fountain(ink: Ink, side: float) -> None:
    """A fountain that was always there: a stone basin instead of a square to build on."""
    half = side / 2
    corners = [(-half, -half), (half, -half), (half, half), (-half, half)]
    ink.polygon(corners, mixed(RIVER, MARBLE, 0.35), mixed(RIVER_EDGE, DARK, 0.4), 0.5)
    basin = ring(0.47 * side, 8, 22.5)
    ink.polygon(basin, MARBLE, mixed(RIVER_EDGE, DARK, 0.35), 0.4)
    ink.polygon(inset(basin, 1.5), RIVER, mixed(RIVER_EDGE, DARK, 0.2), 0.3)
    draw_symbol(ink, "fountain", 0, 0, 0.5 * side, mixed(RIVER_EDGE, DARK, 0.3), RIVER)
