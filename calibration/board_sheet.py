"""A board's sheet: markers and patches at their exact places, and between them the map, its title and its spaces."""

from __future__ import annotations

from calibration import colours
from calibration.city_sheet import draw_city
from calibration.colours import FAINT, IVORY, MARBLE, RUBRIC, SEPIA, TRAVERTINE, mixed
from calibration.colours import INK as DARK
from calibration.faces import BUILDING_OF_WARD, NUMERALS, POINTS, draw_house
from calibration.ink import Ink, Rgb, text_width
from calibration.markers import draw_marker, draw_patch
from calibration.plain_sheet import draw_plain
from calibration.shapes import inset, ring
from calibration.symbols import SYMBOLS, draw_symbol
from companion.board.lattice import Point
from companion.board.layout import Board

MARKER_BAND = 36.0
"""Nothing but markers lies within this distance (mm) of the sheet's edges; patches may lie in the left margin."""


def draw_board(ink: Ink, board: Board) -> None:
    """Draw the whole sheet on a page of the board's size."""
    width, height = board.size
    left, top, right, bottom = MARKER_BAND, MARKER_BAND, width - MARKER_BAND, height - MARKER_BAND
    panel = [(left, top), (right, top), (right, bottom), (left, bottom)]
    ink.polygon(panel, TRAVERTINE)
    with ink.clipped(panel):
        if board.lattice.places:
            draw_city(ink, board)
        else:
            draw_plain(ink, board)
        _title(ink, board)
        if "building" in board.pieces:
            _guide(ink, board)
        _scale(ink, right - 110, bottom - 8)
        for name, place in board.slots.items():
            _slot(ink, name, place, board.slot_diameter)
    ink.polygon(inset(panel, 0.15), None, SEPIA, 0.3)
    for marker in board.markers.centres:
        draw_marker(ink, board.markers, marker)
    for patch in board.patches:
        draw_patch(ink, patch)


def _slot(ink: Ink, name: str, place: Point, diameter: float) -> None:
    """A circle where envoys stand, with the sign of what they bring."""
    x, y = place
    radius = diameter / 2
    accent = colours.BUILDINGS.get(name, (138, 104, 30))
    ink.disc(x, y, radius, MARBLE, SEPIA, 0.5)
    ink.disc(x, y, radius - 1.1, None, accent, 1.0)
    ink.disc(x, y, radius - 2.1, None, FAINT, 0.2)
    pale = mixed(accent, MARBLE, 0.55)
    if name in SYMBOLS:
        draw_symbol(ink, name, x, y - 1.5, 15, pale, MARBLE)
    ink.text(x, y + 10.5, name.upper(), 2.4, mixed(accent, DARK, 0.35), spacing=0.14, widest=24)


def _title(ink: Ink, board: Board) -> None:
    name, _, edition = board.name.partition(", ")
    first, _, second = name.partition(": ")
    ink.text(44, 56, (first if second else name).upper(), 15, RUBRIC, anchor="start", spacing=0.1, widest=110)
    if second:
        ink.text(45, 73, second.upper(), 5.2, DARK, anchor="start", spacing=0.22, widest=100)
    ink.line([(45, 80), (45 + min(100.0, text_width(second.upper(), 5.2, 0.22)), 80)], RUBRIC, 0.4)
    ink.text(45, 85, edition, 2.6, SEPIA, anchor="start")


def _scale(ink: Ink, x: float, y: float) -> None:
    """A map's scale of a hundred millimetres: it shows whether the printer kept the size."""
    for k in range(10):
        ink.rectangle(x + 10 * k, y - 1.6, 10, 1.6, SEPIA if k % 2 == 0 else MARBLE)
    ink.rectangle(x, y - 1.6, 100, 1.6, None, SEPIA, 0.2)
    for value in (0, 50, 100):
        ink.text(x + value, y - 3.6, str(value), 1.7, SEPIA)
    ink.text(x + 75, y - 3.6, "mm", 1.7, SEPIA)


def _guide(ink: Ink, board: Board) -> None:
    """Which building a hexagon of n houses becomes, and what it brings."""
    left, top = 45.0, board.size[1] - 100.0
    ink.line([(left, top - 6), (left + 58, top - 6)], RUBRIC, 0.4)
    draw_house(ink, left + 21, top - 10, 0, 1.4)
    draw_symbol(ink, "laurel", left + 56, top - 10, 6.0, RUBRIC, TRAVERTINE)
    for row, (ward, points) in enumerate(POINTS):
        building = BUILDING_OF_WARD[ward]
        y = top + 4 + 13 * row
        hexagon = ring(5.6, 6, 0, (left + 6, y))
        ink.polygon(hexagon, DARK)
        ink.polygon(inset(hexagon, 0.45), IVORY)
        ink.polygon(inset(hexagon, 0.95), colours.BUILDINGS[building])
        field: Rgb = colours.BUILDINGS[building]
        draw_symbol(ink, building, left + 6, y, 5.4, colours.on(field), field)
        ink.text(left + 21, y, NUMERALS[building], 3.6, DARK, bold=True)
        ink.text(left + 30, y, building.upper(), 2.6, DARK, anchor="start", spacing=0.12)
        ink.text(left + 58, y, str(points), 4.6, RUBRIC, anchor="end")
