"""The map of the roads to Rome: starts in the north, a place for every carriage beside each city, audiences in Rome."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from calibration.art.thurn_and_taxis.clearings import Clearings, clearings
from calibration.art.thurn_and_taxis.provinces import draw_shield, provinces_of
from calibration.art.thurn_and_taxis.sheet import road_ends, road_line
from calibration.art.thurn_and_taxis.signs import RANK_SIGNS, draw_sign
from calibration.drawing import colours
from calibration.drawing.colours import FAINT, IVORY, MARBLE, RIVER, RIVER_EDGE, RUBRIC, SAND, SEPIA, mixed
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink, PathStep, text_width
from calibration.drawing.shapes import inset, smooth
from calibration.sheet_parts import MARKER_BAND
from companion.board.lattice import Point
from companion.board.layout import Board, PlaceGroup
from companion.games.thurn_and_taxis.drawings import printed
from companion.games.thurn_and_taxis.geometry import ROME, STARTS, STARTS_FOR_TWO
from companion.games.thurn_and_taxis.state import RANK_VALUE

_ALPS, _HILLS = (58.0, 138.0), (150.0, 318.0)
"""Between these heights on the sheet (mm) mountains and cypresses stand where there is room."""


def draw_roads_to_rome(ink: Ink, board: Board) -> None:
    """Draw the map with its spaces."""
    cities = board.groups["city"].places
    roads = [road_line(cities[start], cities[end]) for start, end in road_ends(board)]
    shore = _eastern_shore(board, roads)
    _land(ink, board, shore)
    _scenery(ink, _free(board, roads, shore))
    for width, colour in ((2.2, mixed(SEPIA, DARK, 0.35)), (1.4, IVORY)):
        for line in roads:
            ink.line(line, colour, width)
    for line in roads:
        _southward(ink, sorted(line, key=lambda point: point[1]))
    for group in board.groups.values():
        if group.kind == "carriage":
            for x, y in group.places.values():
                with ink.placed(x, y):
                    _carriage_place(ink, group)
    for city, place in cities.items():
        _city(ink, board, city, place)
    for name, place in board.groups["passengers"].places.items():
        with ink.placed(*place):
            _passengers(ink, name, board.groups["passengers"].size[0])
    for rank, place in board.groups["audience"].places.items():
        with ink.placed(*place):
            _audience(ink, board, rank)
    _legend(ink, board)


def _free(board: Board, roads: Sequence[Sequence[Point]], shore: Sequence[Point]) -> Clearings:
    """What the map's places, names, roads and seas leave free."""
    taken = [
        (x, y, group.size[0] / 2 + 1, group.size[-1] / 2 + 1)
        for group in board.groups.values()
        for x, y in group.places.values()
    ]
    names = [
        (x, y - 8, text_width(printed(city), 2.7) / 2, 2.0) for city, (x, y) in board.groups["city"].places.items()
    ]
    box = (MARKER_BAND, MARKER_BAND, board.size[0] - MARKER_BAND, board.size[1] - MARKER_BAND)
    passengers = board.groups["passengers"]
    right = max(x for x, _ in passengers.places.values()) + passengers.size[0] / 2
    top = min(y for _, y in passengers.places.values()) - passengers.size[-1] / 2
    west = ((box[0] + right) / 2, (top + box[3]) / 2, (right - box[0]) / 2 + 8, (box[3] - top) / 2 + 14)
    east = [(x + 20, y, 22.0, 8.0) for x, y in shore]
    rome = [(x - 35, y, 16.0, 5.0) for city, (x, y) in board.groups["city"].places.items() if city == ROME]
    return clearings(box, [*taken, *names, *rome, west, *east], roads)


def _land(ink: Ink, board: Board, east: Sequence[Point]) -> None:
    """Land between two seas: the western one with the passengers' spaces, the eastern one where nothing lies."""
    width, height = board.size
    ground = mixed(SAND, IVORY, 0.45)
    ink.rectangle(0, 0, width, height, ground)
    passengers = board.groups["passengers"]
    right = max(x for x, _ in passengers.places.values()) + passengers.size[0] / 2
    top = min(y for _, y in passengers.places.values()) - passengers.size[-1] / 2
    west = [(20.0, top - 14), (right - 22, top - 10), (right - 4, top - 5), (right + 2.5, top + 12),
            (right + 4, top + 40), (right + 2.5, top + 68), (right + 9, top + 92), (right + 8, top + 118),
            (right + 20, top + 136), (right + 16, height)]  # fmt: skip
    for shore, corner in ((west, 0.0), (east, width)):
        closing: list[PathStep] = [("L", corner, shore[-1][1]), ("L", corner, shore[0][1]), ("Z",)]
        line = smooth(shore)
        ink.path([*line, *closing], mixed(RIVER, ground, 0.6), mixed(RIVER, ground, 0.6), 4.0)
        ink.path([*line, *closing], RIVER)
        ink.path(line, None, mixed(SEPIA, RIVER_EDGE, 0.3), 0.45)
    for k in range(24):
        _wave(ink, 38.5 + k * 53 % 26, top - 4 + k * 6.4)
    for k, (x, y) in enumerate(east[2:-1]):
        _wave(ink, x + 4 + k * 5 % 4, y - 3)


def _eastern_shore(board: Board, roads: Sequence[Sequence[Point]]) -> list[Point]:
    """From the end of the mountains to the first audience space in the east, to the right of all roads and places."""
    edge = board.size[0] - MARKER_BAND
    lying = [(x + group.size[0] / 2, y) for group in board.groups.values() for x, y in group.places.values()]
    lying += [point for road in roads for point in road]
    audiences = board.groups["audience"]
    east = [y for x, y in audiences.places.values() if x > 0.75 * edge]
    low = min([*east, board.size[1]]) - audiences.size[-1] / 2 - 8
    heights = np.arange(_ALPS[1] + 6, low, 14.0)
    shore = [(max((x for x, y in lying if abs(y - at) < 22), default=edge) + 5.0, float(at)) for at in heights]
    return [(edge + 20, _ALPS[1] - 8), (edge - 8, _ALPS[1] - 1), *shore, (edge - 8, low), (edge + 20, low + 6)]


def _wave(ink: Ink, x: float, y: float) -> None:
    wave = smooth([(x + 1.3 * j, y + (0.35 if j % 2 else -0.35)) for j in range(6)])
    ink.path(wave, None, mixed(RIVER, RIVER_EDGE, 0.8), 0.3)


def _scenery(ink: Ink, free: Clearings) -> None:
    """Mountains in the north, cypresses in the south, where nothing else stands."""
    left, _, right, _ = free.box
    for sign, low, high, size, sparse in (("peak", *_ALPS, 6.2, 2), ("cypress", *_HILLS, 5.0, 7)):
        stray = [
            (x, y, odd)
            for row in range(int((high - low) / 6))
            for column in range(int((right - left) / 8.6))
            if (odd := (row * 37 + column * 61) % 11) >= sparse
            for x, y in [(left + 5 + 8.6 * column + row % 2 * 4.3 + odd / 5, low + 6 * row + odd % 3)]
        ]
        clear = free.room(np.array(stray)[:, :2], 3.2, 3.2) > 0.8
        shade = mixed(SAND, SEPIA, 0.36) if sign == "peak" else mixed((96, 128, 84), SAND, 0.45)
        for (x, y, odd), fits in zip(stray, clear, strict=True):
            if fits:
                draw_sign(ink, sign, x, y, size + odd % 3, shade, IVORY)


def _southward(ink: Ink, line: list[Point]) -> None:
    """A small point in the middle of a road, towards Rome."""
    middle = len(line) // 2
    (x0, y0), (x1, y1) = line[middle - 1], line[middle + 1]
    with ink.placed(*line[middle], math.degrees(math.atan2(y1 - y0, x1 - x0))):
        ink.polygon([(-1.3, -1.7), (2.0, 0), (-1.3, 1.7)], mixed(SEPIA, DARK, 0.35))


def _carriage_place(ink: Ink, group: PlaceGroup) -> None:
    """A pale place in its carriage's colour."""
    colour = colours.CARRIAGES.get(group.prefix, colours.UNKNOWN)
    width, height = group.size[0], group.size[-1]
    pale, rim = mixed(colour, MARBLE, 0.78), mixed(colour, SEPIA, 0.4)
    ink.rectangle(-width / 2, -height / 2, width, height, pale, rim, 0.25)
    ink.text(0, 0, printed(group.prefix)[:3], 2.5, mixed(mixed(colour, DARK, 0.3), MARBLE, 0.4))


def _city(ink: Ink, board: Board, city: str, place: Point) -> None:
    x, y = place
    radius = board.groups["city"].size[0] / 2
    start = next((name for name, start in STARTS.items() if start == city), None)
    if city == ROME:
        ink.disc(x, y, radius + 0.6, RUBRIC, DARK, 0.4)
        draw_sign(ink, "temple", x, y - 0.2, 1.25 * radius, IVORY, RUBRIC)
        ink.text(x - 25, y, printed(city).upper(), 6.5, RUBRIC, anchor="end", spacing=0.15, bold=True)
        return
    ink.disc(x, y, radius, IVORY, mixed(SEPIA, DARK, 0.4), 0.4)
    if start:
        ink.disc(x, y, radius - 1.1, colours.CARRIAGES[start], DARK, 0.3)
        draw_shield(ink, start, x, y, 5.4)
    else:
        for_two = [name for name, start in STARTS_FOR_TWO.items() if start == city]
        ink.disc(x, y, 0.42 * radius, mixed(SEPIA, DARK, 0.3))
        for k, name in enumerate(for_two):
            _flag(ink, x + (k - (len(for_two) - 1) / 2) * 4.6, y, name)
    height = 2.7
    length = text_width(printed(city), height)
    ink.rectangle(x - length / 2 - 0.9, y - radius - 4.9, length + 1.8, 4.2, mixed(SAND, IVORY, 0.45))
    ink.text(x, y - radius - 2.7, printed(city), height, DARK)


def _flag(ink: Ink, x: float, y: float, carriage: str) -> None:
    """Where a carriage starts with two players."""
    ink.rectangle(x - 2.1, y - 2.4, 4.2, 4.8, colours.CARRIAGES[carriage], DARK, 0.3)
    ink.text(x, y, "II", 2.3, colours.on(colours.CARRIAGES[carriage]), bold=True)


def _passengers(ink: Ink, carriage: str, side: float) -> None:
    """Where a carriage's audience tiles lie face down."""
    half, colour = side / 2, colours.CARRIAGES.get(carriage, colours.UNKNOWN)
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    ink.polygon(square, MARBLE, mixed(colour, DARK, 0.45), 0.5)
    ink.polygon(inset(square, 1.0), None, colour, 0.8)
    draw_sign(ink, "coach", 0, -2.6, 13.5, mixed(colour, mixed(MARBLE, SEPIA, 0.12), 0.45), MARBLE)
    names = provinces_of(carriage)
    for row, province in enumerate(names):
        y = 8.2 + 2.9 * (row - (len(names) - 1) / 2) - (0.8 if len(names) > 1 else 0)
        ink.text(0, y, printed(province), 1.9, mixed(colour, DARK, 0.6), widest=side - 4)


def _audience(ink: Ink, board: Board, rank: str) -> None:
    """An audience space: a place for each colour's tile, the rank's sign in the middle, its name and value."""
    half = board.groups["audience"].size[0] / 2
    square = [(-half, -half), (half, -half), (half, half), (-half, half)]
    ink.polygon(square, mixed(RUBRIC, IVORY, 0.8), mixed(RUBRIC, DARK, 0.3), 0.5)
    ink.polygon(inset(square, 0.9), None, mixed(RUBRIC, IVORY, 0.5), 0.3)
    x, y = board.groups["audience"].places[rank]
    for group in board.groups.values():
        if group.kind == "audience tile" and rank in group.places:
            left, top = group.places[rank]
            _tile_place(ink, group, left - x, top - y)
    ink.disc(0, 0, 6.1, IVORY, RUBRIC, 0.4)
    draw_sign(ink, RANK_SIGNS.get(rank, "star"), 0, 0, 8.4, RUBRIC, IVORY)
    cornered = board.size[0] - MARKER_BAND - x < half + 10
    text, width = f"{rank.upper()}  {RANK_VALUE.get(rank, '')}", 22 if cornered else 44
    ink.text(11.0 if cornered else 0.0, half + 4.4, text, 2.6, RUBRIC, spacing=0.12, widest=width)


def _tile_place(ink: Ink, group: PlaceGroup, x: float, y: float) -> None:
    field = colours.named(group.prefix)
    ink.disc(x, y, group.size[0] / 2, mixed(field, MARBLE, 0.86), mixed(field, FAINT, 0.5), 0.3)
    ink.text(x, y, group.prefix[:1].upper(), 4.2, mixed(field, MARBLE, 0.66))


def _legend(ink: Ink, board: Board) -> None:
    """How starts are marked, in the corner that the audiences leave free."""
    corner = board.size[0] - MARKER_BAND - 13.5, board.size[1] - MARKER_BAND - 38
    if any(
        abs(corner[0] - x) < 13.5 + group.size[0] / 2 and abs(corner[1] + 14 - y) < 16 + group.size[-1] / 2
        for group in board.groups.values()
        for x, y in group.places.values()
    ):
        return
    with ink.placed(*corner):
        ink.text(0, 0, "START", 2.2, RUBRIC, spacing=0.15)
        ink.disc(0, 8, 4.6, IVORY, mixed(SEPIA, DARK, 0.4), 0.4)
        ink.disc(0, 8, 3.6, colours.CARRIAGES["Boehmen"], DARK, 0.3)
        draw_shield(ink, "Boehmen", 0, 8, 5.0)
        ink.text(0, 14.8, "three or four players", 1.8, SEPIA, widest=25)
        _flag(ink, 0, 23, "Boehmen")
        ink.text(0, 28.2, "two players", 1.8, SEPIA, widest=25)
