"""The map of a city on the triangular lattice: river, mosaic, sites, named spaces, walls, sources, envoys' circles."""

from __future__ import annotations

import math

from calibration.art.city_of_marble.pieces import BUILDING_OF_WARD, NUMERALS, POINTS, draw_house
from calibration.drawing import colours
from calibration.drawing.colours import (
    FAINT,
    IVORY,
    MARBLE,
    MARBLE_SHADE,
    RIVER,
    RIVER_EDGE,
    RUBRIC,
    SEPIA,
    TRAVERTINE,
    Rgb,
    mixed,
)
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset, ring, smooth
from calibration.drawing.symbols import SYMBOLS, draw_symbol
from calibration.sheet_parts import draw_scale, draw_title
from companion.board.lattice import Point, TriangularLattice
from companion.board.layout import Board

_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII")


def draw_city(ink: Ink, board: Board) -> None:
    """Draw the lattice of a board with its features."""
    lattice = board.lattice
    _river(ink, board)
    for name, corners in lattice.triangle_corners.items():
        shade = MARBLE if _points_up(lattice, name) else MARBLE_SHADE
        ink.polygon([lattice.places[corner] for corner in corners], shade)
    walls = _walls(lattice)
    with ink.clipped(walls):
        _river(ink, board)
    for ends in lattice.edge_ends.values():
        ink.line([lattice.places[end] for end in ends], FAINT, 0.25)
    for vertex, around in lattice.vertex_triangles.items():
        if len(around) == 6:
            ink.polygon(ring(15 / 3**0.5, 6, 0, lattice.places[vertex]), None, FAINT, 0.25, (0.9, 0.7))
    for kind in ("hill", "bridge"):
        for name, triangle in board.features.get(kind, {}).items():
            _space(ink, lattice, kind, name, triangle)
    sources = board.features.get("source", {})
    with ink.clipped(walls):
        for vertex in sources.values():
            ink.disc(*lattice.places[vertex], 8.0, RIVER, RIVER_EDGE, 0.35)
            ink.disc(*lattice.places[vertex], 7.0, None, RIVER_EDGE, 0.2)
    ink.polygon(walls, None, SEPIA, 1.0)
    ink.polygon(walls, None, IVORY, 0.35)
    for vertex, (x, y) in lattice.places.items():
        ink.disc(x, y, 2.3, IVORY)
        ink.text(x, y, vertex, 1.7, SEPIA)
    for colour, vertex in sources.items():
        _source(ink, lattice, colour, vertex)
    draw_title(ink, board)
    if "building" in board.pieces:
        _guide(ink, board)
    draw_scale(ink, board.size[0] - 146, board.size[1] - 44)
    for name, place in board.slots.items():
        _slot(ink, name, place, board.slot_diameter)


def _points_up(lattice: TriangularLattice, triangle: str) -> bool:
    heights = sorted(lattice.places[corner][1] for corner in lattice.triangle_corners[triangle])
    return heights[2] - heights[1] < heights[1] - heights[0]


def _walls(lattice: TriangularLattice) -> list[Point]:
    """The outline of the grid, in turn."""
    onward: dict[str, list[str]] = {}
    for edge, beside in lattice.edge_triangles.items():
        if len(beside) == 1:
            first, second = lattice.edge_ends[edge]
            onward.setdefault(first, []).append(second)
            onward.setdefault(second, []).append(first)
    start = min(onward)
    outline, previous, here = [start], start, onward[start][0]
    while here != start:
        outline.append(here)
        following = [vertex for vertex in onward[here] if vertex != previous]
        previous, here = here, following[0] if following else start
    return [lattice.places[vertex] for vertex in outline]


def _river(ink: Ink, board: Board) -> None:
    """The Tiber, through the bridge spaces in the order of their names, from edge to edge of the map."""
    crossings = [board.lattice.centre(triangle) for _, triangle in sorted(board.features.get("bridge", {}).items())]
    if len(crossings) < 2:
        return
    (x0, y0), (x1, y1) = crossings[0], crossings[-1]
    banks = [(x0 - 12, y0 - 70), (x0 - 8, y0 - 28), *crossings, (x1 + 8, y1 + 26), (x1 - 6, y1 + 70)]
    course = smooth(banks)
    for width, colour in ((17.0, RIVER_EDGE), (16.4, RIVER)):
        ink.path(course, None, colour, width)
    for shift in (-4.0, 0.0, 4.0):
        ink.path(smooth([(x + shift, y + shift / 3) for x, y in banks]), None, mixed(RIVER, RIVER_EDGE, 0.45), 0.3)


def _space(ink: Ink, lattice: TriangularLattice, kind: str, name: str, triangle: str) -> None:
    """A printed hill or bridge space: paler than the tile that will lie on it."""
    corners = [lattice.places[corner] for corner in lattice.triangle_corners[triangle]]
    x, y = lattice.centre(triangle)
    up = 1 if _points_up(lattice, triangle) else -1
    colour = (150, 120, 80) if kind == "hill" else (70, 110, 136)
    field = mixed((214, 200, 170) if kind == "hill" else (196, 214, 222), IVORY, 0.25)
    ink.polygon(inset(corners, 1.0), field, colour, 0.35)
    ink.polygon(inset(corners, 2.0), None, mixed(field, colour, 0.45), 0.2)
    draw_symbol(ink, kind, x, y - 1.6 * up, 8.6, colour, field)
    if kind == "bridge" and name.isdigit() and int(name) <= len(_ROMAN):
        name = f"pons {_ROMAN[int(name) - 1]}"
    ink.text(x, y + 5.6 * up, name.upper(), 1.75, mixed(colour, DARK, 0.4), spacing=0.1, widest=17.5)


def _source(ink: Ink, lattice: TriangularLattice, colour: str, vertex: str) -> None:
    """A water source: a disc in the aqueduct's colour, with the vertex's name in the pool beside it."""
    x, y = lattice.places[vertex]
    field = colours.AQUEDUCTS.get(colour, colours.named(colour))
    ink.disc(x, y, 2.1, field, DARK, 0.4)
    ink.text(x, y, colour[:1].upper(), 2.0, colours.on(field), bold=True)
    inland = [lattice.centre(triangle) for triangle in lattice.vertex_triangles[vertex]]
    dx, dy = sum(px for px, _ in inland) / len(inland) - x, sum(py for _, py in inland) / len(inland) - y
    reach = 4.7 / math.hypot(dx, dy)
    ink.text(x + dx * reach, y + dy * reach, vertex, 1.7, SEPIA)


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
