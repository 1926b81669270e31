"""The map of Aqua Romana: field with printed curves, the builders' road with its fountains, podiums and reserve."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.aqua_romana.pieces import draw_channels, draw_ground, draw_kind
from calibration.drawing import colours
from calibration.drawing.colours import (
    FAINT,
    IVORY,
    MARBLE,
    MARBLE_SHADE,
    RIVER,
    RIVER_EDGE,
    RUBRIC,
    SAND,
    SEPIA,
    mixed,
    on,
)
from calibration.drawing.colours import INK as DARK
from calibration.drawing.emblems import draw_emblem
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset, ring
from calibration.drawing.symbols import draw_symbol
from calibration.sheet_parts import draw_scale
from companion.board.grid import SIDES, SquareGrid
from companion.board.layout import Board, PlaceGroup

_NUMERALS = {2: "II", 3: "III", 4: "IV"}
_REMINDERS = (
    ("SETTING UP", ("Reservoirs lie where their colours", "are marked for II, III or IV players.")),
    (
        "A TURN",
        (
            "Choose your worker and a builder",
            "at the end of his row or column.",
            "Lay the builder's tile before him;",
            "all whose aqueducts grew walk on.",
            "The builder goes to the next free",
            "space; past a fountain, lay another",
            "such tile, away from open ends.",
        ),
    ),
    (
        "CLOSING",
        (
            "The worker takes the podium of the",
            "length, or the next lower free one;",
            "you take a builder of the reserve.",
        ),
    ),
)
_BONUS = (("I", "+4"), ("II", "+3"), ("III", "+2"))
"""For the workers on the three highest podiums (rulebook, end of the game)."""


def draw_aqua_romana(ink: Ink, board: Board) -> None:
    """Draw a board's field, road, podiums and reserve, and what a table needs to set them up."""
    groups = board.groups
    if "path" in groups:
        _road(ink, groups["path"])
    if "fountain" in groups:
        for x, y in groups["fountain"].places.values():
            _fountain(ink, x, y, groups["fountain"].size[0] / 2)
    if board.grid is not None:
        _field(ink, board, board.grid)
        if "reservoir" in groups:
            _reservoir_places(ink, board, board.grid, groups["reservoir"])
    if "podium" in groups:
        _podiums(ink, groups["podium"])
    if "reserve" in groups:
        _reserve(ink, groups["reserve"])
    _title(ink, board)
    _bonus(ink, board.size[0] - 62.5, board.size[1] - 136)
    draw_scale(ink, 60, board.size[1] - 152, 90)


def _title(ink: Ink, board: Board) -> None:
    name, _, edition = board.name.partition(", ")
    ink.text(43, 49, name.upper(), 12, RUBRIC, anchor="start", spacing=0.08, widest=111)
    ink.line([(43.5, 58.5), (154, 58.5)], RUBRIC, 0.4)
    ink.text(43.5, 62.5, edition, 2.6, SEPIA, anchor="start")
    draw_emblem(ink, "arches", 62.5, 100, 38, mixed(SAND, SEPIA, 0.45), mixed(SAND, IVORY, 0.45))
    y = 136.0
    for title, lines in _REMINDERS:
        ink.text(62.5, y, title, 2.4, RUBRIC, spacing=0.12)
        for row, line in enumerate(lines):
            ink.text(62.5, y + 5.6 + 4.4 * row, line, 2.0, DARK, widest=47)
        y += 12.0 + 4.4 * len(lines)


def _field(ink: Ink, board: Board, grid: SquareGrid) -> None:
    half = grid.side / 2
    curves = set(board.features.get("curve", {}).values())
    for index, (cell, (x, y)) in enumerate(grid.cells.items()):
        row, column = divmod(index, grid.columns)
        ink.polygon(grid.outline(cell), (MARBLE, MARBLE_SHADE)[(row + column) % 2], FAINT, 0.25)
        if cell in curves:
            _printed_curve(ink, grid, cell)
        ink.text(x - half + 2.2, y - half + 2.9, cell, 1.7, DARK if cell in curves else SEPIA, anchor="start")
    left, top = grid.corner
    right, bottom = left + grid.side * grid.columns, top + grid.side * grid.rows
    outline = [(left, top), (right, top), (right, bottom), (left, bottom)]
    ink.polygon(outline, None, SEPIA, 0.6)


def _printed_curve(ink: Ink, grid: SquareGrid, cell: str) -> None:
    """A channel that joins the cell's two inward sides, on ground of its own."""
    inward = [side for side in SIDES if side in grid.neighbours[cell]]
    half = grid.side / 2
    with ink.clipped(grid.outline(cell)), ink.placed(*grid.cells[cell]):
        turn = 270.0 if inward == ["N", "W"] else 90.0 * SIDES.index(inward[0])
        draw_ground(ink, "curve", turn, half, mixed(SAND, MARBLE, 0.2), trees=3)
        draw_channels(ink, [(inward[0], inward[1])], half)


def _reservoir_places(ink: Ink, board: Board, grid: SquareGrid, group: PlaceGroup) -> None:
    """A dashed outline where a reservoir may lie, its outlets, and for how many players which colour lies there."""
    length, width = group.size
    for place, (x, y) in group.places.items():
        colour_of = {
            count: colour
            for count in _NUMERALS
            for colour, site in board.features.get(f"reservoir_{count}", {}).items()
            if site == f"{group.prefix}/{place}"
        }
        front = 1 if y < grid.corner[1] + grid.side * grid.rows / 2 else -1
        corners = [
            (-length / 2, -width / 2),
            (length / 2, -width / 2),
            (length / 2, width / 2),
            (-length / 2, width / 2),
        ]
        with ink.placed(x, y):
            ink.polygon(inset(corners, 0.3), None, RIVER_EDGE, 0.35, (1.6, 1.1))
            for side in (-1, 1):
                _outlet(ink, side * grid.side / 2, front * (width / 2 - 2.6), 90.0 * front)
            for side in _open_ends(board, grid, place, colour_of):
                _outlet(ink, side * (length / 2 - 2.6), 0, 90.0 - 90.0 * side)
            for index, (count, colour) in enumerate(colour_of.items()):
                middle = 14.0 * (index - (len(colour_of) - 1) / 2)
                ink.text(middle - 1.0, 0, _NUMERALS[count], 2.4, SEPIA, anchor="end")
                field = colours.named(colour)
                ink.disc(middle + 2.6, 0, 2.2, field, DARK, 0.25)
                ink.text(middle + 2.6, 0, colour[:1].upper(), 2.2, on(field), bold=True)


def _open_ends(board: Board, grid: SquareGrid, place: str, colour_of: Mapping[int, str]) -> list[int]:
    """At which ends (-1 left, 1 right) the reservoirs that may lie on a place have an outlet."""
    first, _, second = place.partition("-")
    if first not in grid.cells or second not in grid.cells:
        return []
    if set(colour_of) == {3}:
        return [-1, 1]
    ends = set()
    for count, colour in colour_of.items():
        cell = board.features.get(f"outlet_{count}", {}).get(colour)
        if cell is not None:
            ends.add(-1 if grid.cells[cell][0] < grid.cells[first][0] else 1)
    return sorted(ends)


def _outlet(ink: Ink, x: float, y: float, turn: float) -> None:
    with ink.placed(x, y, turn):
        ink.polygon([(-1.4, -2.0), (1.4, 0), (-1.4, 2.0)], mixed(RIVER_EDGE, MARBLE, 0.2))


def _road(ink: Ink, group: PlaceGroup) -> None:
    """Paved spaces in the order of their numbers, and between them the way on."""
    half = group.size[0] / 2
    places = list(group.places.items())
    xs, ys = [x for _, (x, _) in places], [y for _, (_, y) in places]
    left, top, right, bottom = min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
    depth = 2 * half
    for x, y, across, down in (
        (left, top, right - left, depth), (left, bottom - depth, right - left, depth),
        (left, top, depth, bottom - top), (right - depth, top, depth, bottom - top),
    ):  # fmt: skip
        ink.rectangle(x, y, across, down, SAND)
    for index, (name, (x, y)) in enumerate(places):
        corners = [(x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)]
        ink.polygon(inset(corners, 0.4), MARBLE, SEPIA, 0.3)
        ink.text(x - half + 1.6, y - half + 2.4, name, 1.9, SEPIA, anchor="start")
        onward = places[(index + 1) % len(places)][1]
        step = (onward[0] - x, onward[1] - y)
        if step[0] and step[1]:
            continue
        turn = 0.0 if step[0] > 0 else 180.0 if step[0] < 0 else 90.0 if step[1] > 0 else 270.0
        with ink.placed(x + step[0] / 2, y + step[1] / 2, turn):
            ink.polygon([(-1.5, -2.6), (1.5, 0), (-1.5, 2.6), (-0.5, 0)], mixed(SAND, SEPIA, 0.55))


def _fountain(ink: Ink, x: float, y: float, radius: float) -> None:
    ink.rectangle(x - radius, y - radius, 2 * radius, 2 * radius, SAND)
    basin = ring(0.97 * radius, 8, 22.5, (x, y))
    ink.polygon(basin, MARBLE, mixed(RIVER_EDGE, DARK, 0.35), 0.4)
    ink.polygon(inset(basin, 1.6), RIVER, mixed(RIVER_EDGE, DARK, 0.2), 0.3)
    draw_symbol(ink, "fountain", x, y, 1.0 * radius, mixed(RIVER_EDGE, DARK, 0.35), RIVER)


def _podiums(ink: Ink, group: PlaceGroup) -> None:
    """Pedestals; one number where two stand on the same."""
    width, height = group.size
    values = {name: name.rstrip("abcdefghijklmnopqrstuvwxyz") for name in group.places}
    for value in dict.fromkeys(values.values()):
        mine = [group.places[name] for name in group.places if values[name] == value]
        left, right = min(x for x, _ in mine) - width / 2, max(x for x, _ in mine) + width / 2
        top, bottom = mine[0][1] - height / 2, mine[0][1] + height / 2
        tint = mixed(MARBLE, SAND, 0.2 + 0.04 * float(value) if value.isdigit() else 0.2)
        ink.rectangle(left + 0.9, top + 2.6, right - left - 1.8, height - 5.2, tint, SEPIA, 0.3)
        for y, reach in ((top, 0.0), (bottom - 2.6, 0.0)):
            ink.rectangle(left + reach, y, right - left - 2 * reach, 2.6, MARBLE, SEPIA, 0.3)
        for x, y in mine:
            ink.disc(x, y - 2.0, 5.6, MARBLE, FAINT, 0.3)
        ink.text((left + right) / 2, bottom - 6.0, value, 3.6, RUBRIC, bold=True)


def _reserve(ink: Ink, group: PlaceGroup) -> None:
    radius = group.size[0] / 2
    x = sum(x for x, _ in group.places.values()) / len(group.places)
    ink.text(x, min(y for _, y in group.places.values()) - radius - 6.0, "RESERVE", 3.2, RUBRIC, spacing=0.2)
    for kind, (x, y) in group.places.items():
        field = colours.BUILDERS.get(kind, colours.UNKNOWN)
        ink.disc(x, y, radius, MARBLE, mixed(field, DARK, 0.2), 0.4)
        ink.disc(x, y, radius - 0.9, None, field, 1.0)
        with ink.placed(x, y):
            draw_kind(ink, kind, 0.5 * radius, mixed(field, SEPIA, 0.35), MARBLE)
        ink.text(x, y + radius + 3.4, kind.upper(), 2.0, mixed(field, DARK, 0.7), spacing=0.14, widest=46)


def _bonus(ink: Ink, x: float, y: float) -> None:
    """What the workers on the three highest podiums bring at the end."""
    ink.text(x, y, "HIGHEST PODIUMS", 2.4, RUBRIC, spacing=0.12, widest=46)
    ink.line([(x - 22, y + 4), (x + 22, y + 4)], RUBRIC, 0.4)
    for row, (rank, points) in enumerate(_BONUS):
        top = y + 14 + 15 * row
        draw_symbol(ink, "laurel", x - 10, top, 12, RUBRIC, IVORY)
        ink.text(x - 10, top, rank, 3.2, DARK, bold=True)
        ink.text(x + 5, top, points, 5.0, RUBRIC, anchor="start")
