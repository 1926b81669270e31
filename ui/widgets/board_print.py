"""What is printed on a board, as a calm ground for the pieces: river, grid, spaces, slots and coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise

from kivy.graphics import Color, InstructionGroup
from kivy.graphics import RoundedRectangle as Rounded

from companion.board.lattice import Point
from companion.board.layout import Board
from ui.drawing.board_drawing import BoardDrawing, drawing_of
from ui.drawing.shapes import between, box, centre_of, circle, contains, dashed, scaled, stroke
from ui.drawing.theme import BOARD_HAIRLINE, BOARD_INK, GRID, PRINT, PROVINCES, RIVER, SHEET, mixed, piece_style
from ui.services.text import _, capitalised, place_name
from ui.widgets.board_frame import BoardFrame, Box, shown_part, site_centre, site_outline
from ui.widgets.ground_print import draw_channels, draw_grounds, draw_marks, draw_regions, regions_of
from ui.widgets.painting import band, outline, polygon, text_width, thin_lines, triangles, written

RIVERSIDE = "bridge"
"""the features that lie along the river, in the order in which it runs"""
SOURCE = "source"
LEGIBLE_REGION = 6.5
"""pixels below which the name of a region is not written"""
LARGE_SPACE = 24.0
"""millimetres from which a place that is no road's end bears its name"""


def draw_print(group: InstructionGroup, board: Board, frame: BoardFrame, sheet: Box) -> None:
    """Draw the sheet, `sheet` in pixels, and all that is printed on it."""
    left, low, right, high = sheet
    group.add(Color(*BOARD_HAIRLINE))
    group.add(Rounded(pos=(left - 1, low - 1), size=(right - left + 2, high - low + 2), radius=[9]))
    group.add(Color(*SHEET))
    group.add(Rounded(pos=(left, low), size=(right - left, high - low), radius=[8]))
    drawing = drawing_of(board)
    draw_grounds(group, board, frame, drawing)
    draw_regions(group, board, frame, drawing)
    _draw_river(group, board, frame)
    _draw_parts_of_map(group, board, frame, drawing)
    _draw_grid(group, board, frame)
    draw_channels(group, board, frame, drawing)
    draw_marks(group, board, frame, drawing)
    _draw_spaces(group, board, frame, drawing)
    _draw_place_names(group, board, frame, drawing)
    _draw_names(group, board, frame, regions_of(board, drawing), low)
    _draw_slots(group, board, frame)
    _draw_coordinates(group, board, frame)


def _draw_river(group: InstructionGroup, board: Board, frame: BoardFrame) -> None:
    sites = list(board.features.get(RIVERSIDE, {}).values())
    if len(sites) < 2:
        return
    places = [board.lattice.centre(site) for site in sites]
    pixels = frame.pixels(_rounded([_border(board, places[0]), *places, _border(board, places[-1])]))
    band(group, pixels, mixed(RIVER, PRINT, 0.12), frame.scale * 13)
    band(group, pixels, RIVER, frame.scale * 11.5)


def _border(board: Board, place: Point) -> Point:
    """Where the way from the sheet's middle through a place of the grid leaves the grid."""
    middle, step = (board.size[0] / 2, board.size[1] / 2), 1.0
    while _is_inside(board, between(middle, place, step)):
        step += 0.05
    return between(middle, place, step)


def _is_inside(board: Board, point: Point) -> bool:
    places = board.lattice.places
    return any(contains([places[v] for v in corners], point) for corners in board.lattice.triangle_corners.values())


def _rounded(points: list[Point]) -> list[Point]:
    """A polyline with its corners cut twice (Chaikin), ends kept."""
    for _round in range(2):
        cut = [between(a, b, share) for a, b in pairwise(points) for share in (0.25, 0.75)]
        points = [points[0], *cut, points[-1]]
    return points


def _draw_grid(group: InstructionGroup, board: Board, frame: BoardFrame) -> None:
    lattice = board.lattice
    places = {vertex: frame.pixel(place) for vertex, place in lattice.places.items()}
    thin_lines(group, ((places[a], places[b]) for a, b in lattice.edge_ends.values()), GRID)
    border = [(a, b) for edge, (a, b) in lattice.edge_ends.items() if len(lattice.edge_triangles[edge]) == 1]
    thin_lines(group, ((places[a], places[b]) for a, b in border), PRINT)
    for place in places.values():
        polygon(group, circle(place, max(1.0, frame.scale * 0.9), 8), mixed(GRID, PRINT, 0.5))
    left, top, right, bottom = shown_part(board)
    sites = dict(board.grid.cells) if board.grid is not None else {}
    sites |= {site: place for places in board.groups.values() for site, place in places.sites.items()}
    roads: list[Point] = []
    for a, b in (pair for pairs in board.links.values() for pair in pairs):
        roads += stroke(frame.pixel(sites[a]), frame.pixel(sites[b]), max(2.0, frame.scale * 1.4))
    triangles(group, roads, mixed(PRINT, SHEET, 0.2))
    joined = {site for pairs in board.links.values() for pair in pairs for site in pair}
    for site, (x, y) in sites.items():
        if left <= x <= right and top <= y <= bottom:
            shape = frame.pixels(site_outline(board, site))
            if site in joined:
                polygon(group, shape, mixed(PRINT, SHEET, 0.2))
            outline(group, shape, PRINT if site in joined else GRID, 1.0)


def _draw_place_names(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """The names of cells and numbered places in their corners, those of large spaces along their lower side."""
    ink, size = mixed(PRINT, SHEET, 0.15), max(frame.scale * 3.6, 7.0)
    marked = {site for kind in drawing.marks for site in board.features.get(kind, {}).values()}
    named = [(cell, cell) for cell in board.grid.cells] if board.grid is not None else []
    for places in board.groups.values():
        named += [
            (site, place)
            for site, place in zip(places.sites, places.places, strict=True)
            if site not in marked and (place.isdecimal() or places.size[0] >= LARGE_SPACE)
        ]
    left, top, right, bottom = shown_part(board)
    for site, name in named:
        x, y = site_centre(board, site) or (0.0, 0.0)
        if not (left <= x <= right and top <= y <= bottom):
            continue
        shape = frame.pixels(site_outline(board, site))
        low, high = min(y for _x, y in shape), max(y for _x, y in shape)
        if name.isdecimal() or site == name:
            corner = min(x for x, _y in shape) + (text_width(name, size, bold=False) + size * 0.5) / 2
            written(group, name, (corner, high - size * 0.7), size, ink, bold=False)
        elif len(name) > 1:
            shown_name = capitalised(place_name(board.game, name))
            written(group, shown_name, (centre_of(shape)[0], low + size * 0.8), size * 1.2, ink, bold=False)


def _draw_names(
    group: InstructionGroup, board: Board, frame: BoardFrame, regions: Mapping[str, str], lowest: float
) -> None:
    """The names of the places that roads join, on paper, then those of their regions where these can be read.

    They stand below all that may lie around the place, above it where the sheet ends at `lowest` (pixels).
    """
    joined = dict.fromkeys(site for pairs in board.links.values() for pair in pairs for site in pair)
    size = max(frame.scale * 6.4, 8.0)
    small = size * 0.8
    shows_regions = frame.scale * 6.4 * 0.8 >= LEGIBLE_REGION
    for site in joined:
        centre = site_centre(board, site)
        if centre is None:
            continue
        name, region = site.rpartition("/")[2], regions.get(site, "") if shows_regions else ""
        around = [site, *(other for kind in board.groups if (other := f"{kind}/{name}") in board.groups[kind].sites)]
        heights = [y for each in around for _x, y in frame.pixels(site_outline(board, each))]
        x, y = frame.pixel(centre)[0], min(heights) - size * 0.62
        if y - size * (1.0 if region else 0.0) - size * 0.55 < lowest:
            y = max(heights) + size * (1.62 if region else 0.62)
        shown_name = place_name(board.game, name)
        polygon(group, box(x, y, text_width(shown_name, size) + size * 0.5, size * 1.1), SHEET)
        written(group, shown_name, (x, y), size, BOARD_INK)
        if region:
            below, region = y - size, place_name(board.game, region)
            polygon(group, box(x, below, text_width(region, small, bold=False) + small * 0.5, small * 1.1), SHEET)
            written(group, region, (x, below), small, mixed(PRINT, BOARD_INK, 0.5), bold=False)


def _draw_parts_of_map(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """Around the places of one feature on roads a ring of its own colour, where its game gives it no region."""
    joined = {site for pairs in board.links.values() for pair in pairs for site in pair}
    for number, (kind, sites) in enumerate(board.features.items()):
        for site in sites.values():
            centre = site_centre(board, site)
            if kind not in drawing.features and site in joined and centre is not None:
                fill = mixed(PROVINCES[number % len(PROVINCES)], SHEET, 0.35)
                polygon(group, circle(frame.pixel(centre), frame.scale * 17), fill)


def _draw_spaces(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """Where the pieces of each feature belong: a dashed outline with its name; at a source a ring of its colour."""
    joined = {site for pairs in board.links.values() for pair in pairs for site in pair}
    for kind, sites in board.features.items():
        for name, site in sites.items():
            centre = site_centre(board, site)
            if centre is None or site in joined or kind in drawing.features:
                continue
            if kind == SOURCE:
                style = piece_style(board, "aqueduct", name) if "aqueduct" in board.pieces else None
                ring = circle(frame.pixel(centre), frame.scale * 5.5)
                polygon(group, ring, style.fill if style else RIVER)
                outline(group, ring, mixed(BOARD_INK, PRINT, 0.4), 1.4)
                polygon(group, circle(frame.pixel(centre), frame.scale * 2.4), RIVER)
                continue
            shape = frame.pixels(scaled(site_outline(board, site), centre, 0.9))
            triangles(group, dashed(shape, 1.2, 5, 4), PRINT)
            text = _(kind) if name == site.partition("/")[0] else place_name(board.game, name)
            if not name.isdecimal():
                low = min(y for _x, y in shape)
                tip_down = sum(y < centre_of(shape)[1] for _x, y in shape) == 1
                y = max(p[1] for p in shape) - frame.scale * 5 if tip_down else low + frame.scale * 4.5
                written(
                    group, text, (centre_of(shape)[0], y), frame.scale * 5.4, mixed(PRINT, BOARD_INK, 0.4), bold=False
                )


def _draw_slots(group: InstructionGroup, board: Board, frame: BoardFrame) -> None:
    for name, place in board.slots.items():
        ring = frame.pixels(circle(place, board.slot_diameter / 2, 48))
        ground = piece_style(board, "building", name).fill if _is_building(board, name) else PRINT
        polygon(group, ring, mixed(ground, SHEET, 0.8))
        outline(group, ring, mixed(ground, BOARD_INK, 0.35), 1.6)
        below = frame.pixel((place[0], place[1] + board.slot_diameter / 2 + 4.5))
        caption = capitalised(place_name(board.game, name))
        written(group, caption, below, frame.scale * 6.5, mixed(PRINT, BOARD_INK, 0.5))


def _is_building(board: Board, name: str) -> bool:
    return "building" in board.pieces and name in board.pieces["building"].labels


def _draw_coordinates(group: InstructionGroup, board: Board, frame: BoardFrame) -> None:
    """Letters along the upper ends of the columns, numbers along the right ends of the rows."""
    lattice = board.lattice
    columns: dict[str, str] = {}
    rows: dict[str, str] = {}
    for vertex, (x, y) in lattice.places.items():
        letter, number = vertex[0], vertex[1:]
        if letter not in columns or y < lattice.places[columns[letter]][1]:
            columns[letter] = vertex
        if number not in rows or x > lattice.places[rows[number]][0]:
            rows[number] = vertex
    for ends, step in ((columns, (-0.5, -0.87)), (rows, (1.0, 0.0))):
        for text, vertex in ends.items():
            x, y = lattice.places[vertex]
            written(
                group, text, frame.pixel((x + step[0] * 9.5, y + step[1] * 9.5)), frame.scale * 5.2, PRINT, bold=False
            )
