"""The places beside the map of the post roads where carriages, bonus tiles and office tiles lie in stacks."""

from __future__ import annotations

import math

from calibration.art.thurn_and_taxis.provinces import colour_of, draw_shield, provinces_of
from calibration.art.thurn_and_taxis.signs import OFFICIAL_SIGNS, draw_sign
from calibration.drawing.colours import FAINT, GOLD, IVORY, MARBLE, RUBRIC, SEPIA, mixed, named, on
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.drawing.symbols import draw_symbol
from calibration.sheet_parts import MARKER_BAND, draw_scale
from companion.board.layout import Board, PlaceGroup
from companion.games.thurn_and_taxis.drawings import printed
from companion.games.thurn_and_taxis.geometry import PROVINCES
from companion.games.thurn_and_taxis.state import CARRIAGE_POINTS, OUTSIDE_TILES, TILE_VALUES

_HEADINGS = {"end": "", "carriages": "CARRIAGES", "bonus": "BONUS TILES", "office": "OFFICES OF HONOR"}
_LEAST_WIDTH = 100.0
"""Millimetres that the stacks, the key and the scale need beside the map."""


def left_of_stacks(board: Board) -> float:
    """The left edge of all stacks; infinite where there are none."""
    edges = [
        x - group.size[0] / 2
        for name, group in board.groups.items()
        if name in _HEADINGS
        for x, _ in group.places.values()
    ]
    return min(edges, default=math.inf)


def has_stacks(board: Board) -> bool:
    """Whether the stacks are together to the right of all cities, with room for a title."""
    left, cities = left_of_stacks(board), [x for x, _ in board.groups["city"].places.values()]
    return max(cities) < left < board.size[0] - MARKER_BAND - _LEAST_WIDTH


def draw_stacks(ink: Ink, board: Board, left: float) -> None:
    """Draw the title and the places of all stacks between `left` and the panel's right edge."""
    right, middle = board.size[0] - MARKER_BAND, (left + board.size[0] - MARKER_BAND) / 2
    _title(ink, board, left, right)
    for name, group in board.groups.items():
        if name not in _HEADINGS:
            continue
        top = min(y for _, y in group.places.values()) - group.size[-1] / 2
        if _HEADINGS[name]:
            _heading(ink, _HEADINGS[name], middle, top - 5.2, right - left - 12)
        for place, (x, y) in group.places.items():
            with ink.placed(x, y):
                _place(ink, group, place)
    _key(ink, board, middle, board.size[1] - MARKER_BAND - 27)
    draw_scale(ink, middle - 50, board.size[1] - MARKER_BAND - 4)


def _title(ink: Ink, board: Board, left: float, right: float) -> None:
    middle = (left + right) / 2
    name, _, edition = board.name.partition(", ")
    draw_symbol(ink, "laurel", middle, 48, 17, mixed(GOLD, DARK, 0.25), IVORY)
    draw_sign(ink, "post horn", middle, 47.6, 8.0, RUBRIC, IVORY)
    ink.text(middle, 64, name.upper(), 8, RUBRIC, spacing=0.1, widest=right - left - 15)
    ink.line([(left + 10, 70.4), (right - 10, 70.4)], RUBRIC, 0.35)
    ink.text(middle, 73.6, edition, 2.1, SEPIA)


def _heading(ink: Ink, text: str, x: float, y: float, width: float) -> None:
    ink.text(x, y, text, 2.4, RUBRIC, spacing=0.2)
    reach = 1.4 * len(text) + 3
    for side in (-1, 1):
        ink.line([(x + side * reach, y), (x + side * width / 2, y)], mixed(RUBRIC, SEPIA, 0.5), 0.25)


def _place(ink: Ink, group: PlaceGroup, place: str) -> None:
    width, height = group.size[0], group.size[-1]
    ink.rectangle(-width / 2 - 0.6, -height / 2 - 0.6, width + 1.2, height + 1.2, MARBLE, SEPIA, 0.4)
    ink.rectangle(-width / 2 + 0.5, -height / 2 + 0.5, width - 1, height - 1, None, FAINT, 0.25)
    pale = mixed(SEPIA, MARBLE, 0.3)
    if group.name == "carriages":
        draw_sign(ink, "coach", -6, -0.5, 17, mixed(SEPIA, MARBLE, 0.62), MARBLE)
        ink.text(15, -4.5, place, 9, pale)
        points = CARRIAGE_POINTS.get(int(place), 0) if place.isdigit() else 0
        ink.text(15, 6.5, f"{points} points", 2.2, SEPIA, widest=12)
    elif group.name == "office":
        draw_sign(ink, OFFICIAL_SIGNS.get(place, "star"), 0, -2.6, 11, mixed(SEPIA, MARBLE, 0.5), MARBLE)
        ink.text(0, 7.2, place.upper(), 1.9, SEPIA, spacing=0.06, widest=21)
    else:
        draw_stack_sign(ink, place, -4.2)
        values = TILE_VALUES.get(place, (1,))
        ink.text(0, 8.6, " · ".join(map(str, values)), 2.2, SEPIA)


def draw_stack_sign(ink: Ink, stack: str, y: float, scale: float = 1.0) -> None:
    """What a bonus tile is for, about 20 mm wide around (0, y): a length, provinces, or the end of the game."""
    with ink.placed(0, y, 0, scale):
        if stack.isdigit():
            for k in range(int(stack)):
                x = (k - (int(stack) - 1) / 2) * 2.7
                ink.rectangle(x - 1.05, 2.4 - 0.35 * (k % 2), 2.1, 3.0, mixed(GOLD, IVORY, 0.4), DARK, 0.2)
            ink.text(0, -2.6, stack + ("+" if stack == "7" else ""), 6.2, DARK)
        elif stack == "end":
            draw_sign(ink, "post horn", 0, 0, 12, RUBRIC, MARBLE)
        elif stack == OUTSIDE_TILES:
            others = [province for province in PROVINCES if province != "Baiern"]
            for k, province in enumerate(others):
                draw_shield(ink, province, (k % 4 - 1.5) * 4.9, (k // 4 - 0.5) * 5.9, 4.9)
        else:
            pair = provinces_of(stack)
            for k, province in enumerate(pair):
                dark = mixed(colour_of(province), DARK, 0.6)
                draw_shield(ink, province, (k - (len(pair) - 1) / 2) * 8.6, -1.6 if len(pair) > 1 else -1.4, 7.8)
                ink.text(0, 3.6 + 2.4 * k if len(pair) > 1 else 4.9, printed(province), 1.7, dark, widest=19)


def _key(ink: Ink, board: Board, x: float, y: float) -> None:
    """Which corner of a stamp is whose."""
    houses = [group for group in board.groups.values() if group.kind == "house"]
    city = next(iter(board.groups["city"].places), "")
    if not all(city in group.places for group in houses):
        return
    left, top = board.groups["city"].places[city]
    _heading(ink, "HOUSES", x, y - 18.5, 90)
    ink.rectangle(x - 14.2, y - 14.2, 28.4, 28.4, MARBLE, SEPIA, 0.4)
    for group in houses:
        dx, dy = group.places[city][0] - left, group.places[city][1] - top
        field = named(group.name)
        with ink.placed(x + dx, y + dy):
            ink.rectangle(-4.5, -4.5, 9, 9, field, DARK, 0.3)
            ink.text(0, 0, group.name[:1].upper(), 4.2, on(field), bold=True)
        side = 1 if dx > 0 else -1
        ink.text(x + side * 18, y + dy, group.name, 2.6, DARK, anchor="start" if side > 0 else "end")
