"""The map of the post roads: provinces, roads, a stamp for every city with a corner for each colour's house."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from calibration.art.thurn_and_taxis.clearings import Clearings, Places, clearings, nearest
from calibration.art.thurn_and_taxis.provinces import box_of, colour_of, draw_pattern, draw_shield, land, province_of
from calibration.art.thurn_and_taxis.regions import Region, regions
from calibration.art.thurn_and_taxis.signs import draw_sign
from calibration.art.thurn_and_taxis.stacks import draw_stacks, has_stacks, left_of_stacks
from calibration.drawing import colours
from calibration.drawing.colours import FAINT, IVORY, MARBLE, SAND, SEPIA, Rgb, mixed
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink, text_width
from calibration.drawing.shapes import inset
from calibration.sheet_parts import MARKER_BAND
from companion.board.lattice import Point
from companion.board.layout import Board
from companion.games.thurn_and_taxis.drawings import printed

STAMP = 31.0
"""The side (mm) of the stamp around a city, on which its houses stand."""
_ROAD = 2.6
_FRAME = 2.4
_NAME_BELOW, _RIBBON = 18.6, 18.6
"""How far (mm) below a city its name stands, and half the length of the ribbon."""
_SCENERY = {"Tyrol": "peak", "Schweiz": "peak", "Salzburg": "peak", "Boehmen": "fir", "Baden": "fir", "Polen": "fir"}


def draw_post_roads(ink: Ink, board: Board) -> None:
    """Draw the map at the left and the places of all stacks at its right."""
    cities = board.groups["city"].places
    provinces = province_of(board)
    box = _map_box(board)
    left, top, right, bottom = box
    frame = [(left, top), (right, top), (right, bottom), (left, bottom)]
    lands = regions(cities, box)
    roads = {ends: road_line(cities[ends[0]], cities[ends[1]]) for ends in road_ends(board)}
    with ink.clipped(frame):
        _lands(ink, lands, provinces)
        free = _clearings(box, lands, provinces, cities, list(roads.values()))
        free = _province_names(ink, free, provinces, cities)
        _scenery(ink, free, provinces, cities)
        for width, colour in ((_ROAD, mixed(SEPIA, DARK, 0.35)), (_ROAD - 0.9, IVORY)):
            for line in roads.values():
                ink.line(line, colour, width)
    ink.polygon(frame, None, SEPIA, 0.3)
    ink.polygon(inset(frame, -1.0), None, mixed(SEPIA, DARK, 0.3), 0.8)
    for city, (x, y) in cities.items():
        with ink.placed(x, y):
            _stamp(ink, board, city, provinces.get(city, ""))
    if has_stacks(board):
        draw_stacks(ink, board, right + _FRAME)


def road_ends(board: Board) -> Iterator[tuple[str, str]]:
    """The roads of a board, by the cities at their ends."""
    cities = {site: city for city, site in zip(board.groups["city"].places, board.groups["city"].sites, strict=True)}
    for first, second in board.links.get("road", ()):
        if first in cities and second in cities:
            yield cities[first], cities[second]


def road_line(start: Point, end: Point) -> list[Point]:
    """A road as it winds a little between two cities; from either end it is the same."""
    (x0, y0), (x1, y1) = sorted((start, end))
    length = max(math.dist(start, end), 0.1)
    across = ((y0 - y1) / length, (x1 - x0) / length)
    swing = 0.035 * length * (1 if round(x0 + y1) % 2 else -1)
    points = []
    for k in range(17):
        share = k / 16
        aside = swing * math.sin(math.pi * share) * (0.7 + 0.6 * math.sin(2.5 * math.pi * share))
        points.append((x0 + (x1 - x0) * share + across[0] * aside, y0 + (y1 - y0) * share + across[1] * aside))
    return points


def _map_box(board: Board) -> tuple[float, float, float, float]:
    """The map reaches up to the stacks at its right, or over the whole panel where they are elsewhere."""
    right = left_of_stacks(board) - 5 if has_stacks(board) else board.size[0] - MARKER_BAND
    return MARKER_BAND + _FRAME, MARKER_BAND + _FRAME, right - _FRAME, board.size[1] - MARKER_BAND - _FRAME


def _lands(ink: Ink, lands: Mapping[str, Region], provinces: Mapping[str, str]) -> None:
    for city, region in lands.items():
        province = provinces.get(city, "")
        colour = land(province)
        ink.polygon(region.outline, colour, colour, 0.3)
    for city, region in lands.items():
        province = provinces.get(city, "")
        shade = mixed(land(province), mixed(colour_of(province), DARK, 0.25), 0.3)
        with ink.clipped(region.outline):
            draw_pattern(ink, province, box_of(region.outline), shade)
    for city, region in lands.items():
        for other, border in region.borders.items():
            if provinces.get(city) != provinces.get(other) and city < other:
                ink.line(border, mixed(IVORY, SAND, 0.3), 2.2)
                ink.line(border, mixed(SEPIA, DARK, 0.2), 0.5)


def _clearings(
    box: tuple[float, float, float, float], lands: Mapping[str, Region], provinces: Mapping[str, str],
    cities: Mapping[str, Point], roads: Sequence[Sequence[Point]],
) -> Clearings:  # fmt: skip
    low, high = STAMP / 2, _NAME_BELOW + 2.9
    stamps = [(x, y + (high - low) / 2, _RIBBON, (high + low) / 2) for x, y in cities.values()]
    borders = [
        border
        for city, region in lands.items()
        for other, border in region.borders.items()
        if city < other and provinces.get(city) != provinces.get(other)
    ]
    return clearings(box, stamps, [*roads, *borders])


def _province_names(ink: Ink, free: Clearings, provinces: Mapping[str, str], cities: Mapping[str, Point]) -> Clearings:
    """Each province's shield and name where its land has most room; returns what is free then."""
    left, top, right, bottom = free.box
    grid = np.stack(np.meshgrid(np.arange(left, right, 4.0), np.arange(top, bottom, 4.0)), axis=-1).reshape(-1, 2)
    home = nearest(grid, list(cities.values()))
    for province in dict.fromkeys(provinces.values()):
        own = [k for k, city in enumerate(cities) if provinces.get(city) == province]
        places = grid[np.isin(home, own)]
        if not len(places):
            continue
        name = printed(province).upper()
        x, y, height, half = _roomiest(free, places, name)
        dark = mixed(colour_of(province), DARK, 0.55)
        draw_shield(ink, province, x, y - 2.6, 10.0, dark)
        ink.text(x, y + 6.2, name, height, dark, spacing=0.16, bold=True)
        free = free.with_taken([(x, y, half, 8.6)])
    return free


def _roomiest(free: Clearings, places: Places, name: str) -> tuple[float, float, float, float]:
    """Where a name has most room: x, y, its height and half its length; it is set smaller where it would touch."""
    for height in (2.7, 2.3):
        half = text_width(name, height, 0.16) / 2 + 0.5
        room = free.room(places, half, 8.6)
        if room.max() > 1.0:
            break
    else:
        height, half = 1.9, text_width(name, 1.9, 0.16) / 2 + 0.5
        room = free.room(places, half, 8.6)
    x, y = places[room.argmax()]
    return float(x), float(y), height, half


def _scenery(ink: Ink, free: Clearings, provinces: Mapping[str, str], cities: Mapping[str, Point]) -> None:
    """Mountains and forests where nothing else stands."""
    left, top, right, bottom = free.box
    stray = [
        (left + 5 + 9 * column + row % 2 * 4.5 + odd / 5 - 1, top + 5 + 7.5 * row + odd % 3 - 1, odd)
        for row in range(int((bottom - top) / 7.5))
        for column in range(int((right - left) / 9))
        if (odd := (row * 37 + column * 61) % 11) not in (0, 4)
    ]
    places = np.array(stray)[:, :2]
    names = list(cities)
    clear = free.room(places, 3.4, 3.4) > 1.8
    for (x, y, odd), home, fits in zip(stray, nearest(places, list(cities.values())), clear, strict=True):
        province = provinces.get(names[home], "")
        if fits and province in _SCENERY:
            ground = land(province)
            shade = mixed(ground, mixed(colour_of(province), DARK, 0.3), 0.42)
            draw_sign(ink, _SCENERY[province], x, y, 6.4 + odd % 3, shade, mixed(ground, IVORY, 0.5))


def _stamp(ink: Ink, board: Board, city: str, province: str) -> None:
    """A postage stamp: perforated, calm where houses will stand, the province's shield on the city's spot."""
    half, colour = STAMP / 2, colour_of(province)
    dark = mixed(colour, DARK, 0.45)
    _perforated(ink, half)
    ink.rectangle(-half + 0.9, -half + 0.9, 2 * half - 1.8, 2 * half - 1.8, MARBLE, dark, 0.4)
    x, y = board.groups["city"].places[city]
    for group in board.groups.values():
        if group.kind == "house" and city in group.places:
            place = group.places[city]
            draw_house_place(ink, group.name, place[0] - x, place[1] - y, group.size[0])
    ink.disc(0, 0, board.groups["city"].size[0] / 2 + 0.3, MARBLE, dark, 0.3)
    draw_shield(ink, province, 0, 0, 6.4, dark)
    _ribbon(ink, printed(city), _NAME_BELOW, dark)


def _perforated(ink: Ink, half: float) -> None:
    ink.rectangle(-half, -half, 2 * half, 2 * half, IVORY, SEPIA, 0.25)
    count = 12
    for k in range(count):
        at = -half + (k + 0.5) * 2 * half / count
        for x, y in ((at, -half), (at, half), (-half, at), (half, at)):
            ink.disc(x, y, 0.62, mixed(SEPIA, SAND, 0.25))


def draw_house_place(ink: Ink, colour: str, x: float, y: float, side: float) -> None:
    """Where a colour's house stands: pale, with the colour's letter under the house."""
    field = colours.named(colour)
    half = side / 2
    ink.rectangle(x - half, y - half, side, side, mixed(field, MARBLE, 0.86), mixed(field, FAINT, 0.6), 0.25)
    ink.text(x, y, colour[:1].upper(), 3.0, mixed(field, MARBLE, 0.62))


def _ribbon(ink: Ink, name: str, y: float, dark: Rgb) -> None:
    """The name on a ribbon whose tails hang behind it."""
    for side in (-1, 1):
        tail = [(side * 12.5, y - 1.7), (side * 18.6, y - 1.7), (side * 16.9, y + 0.9), (side * 18.6, y + 3.4),
                (side * 12.5, y + 3.4)]  # fmt: skip
        ink.polygon(tail, mixed(SAND, SEPIA, 0.25), dark, 0.25)
    ink.rectangle(-16, y - 2.9, 32, 5.6, IVORY, dark, 0.35)
    ink.text(0, y - 0.1, name, 3.3, DARK, spacing=0.05, widest=30)
