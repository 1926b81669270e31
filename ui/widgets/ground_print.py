"""What a game's `drawing.toml` adds to the printed board: grounds of areas, regions of a map, printed water, marks."""

from __future__ import annotations

from kivy.graphics import InstructionGroup

from companion.board.layout import Board
from ui.drawing.board_drawing import ABOVE, BoardDrawing, PlayerMark, area_of
from ui.drawing.shapes import between, box, circle, dashed, nearer_part, scaled
from ui.drawing.theme import BLUE, BOARD_INK, PRINT, SHEET, Colour, mixed, player_style, readable_on
from ui.services.text import _, place_name
from ui.widgets.board_frame import BoardFrame, shown_part, site_centre, site_outline
from ui.widgets.painting import outline, polygon, triangles, written
from ui.widgets.piece_signs import channel, pips

REACH, CORNERS = 150.0, 24
"""how far (mm) a region reaches from a place, and of how many corners that reach is drawn"""
PALE = 0.45
"""how much of the sheet shows through a region's colour"""


def draw_grounds(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """The ground of each area in its colour, with its name and the colour's; its places are paler."""
    for kind, colour in drawing.grounds.items():
        for name, site in board.features.get(kind, {}).items():
            if site.partition("/")[0] in {each.prefix for each in board.groups.values()}:
                _draw_area(group, board, frame, (name, kind), site, colour)


def _draw_area(
    group: InstructionGroup, board: Board, frame: BoardFrame, names: tuple[str, str], site: str, colour: Colour
) -> None:
    left, top, right, bottom = area_of(board, site)
    field = frame.pixels(((left, top), (right, top), (right, bottom), (left, bottom)))
    polygon(group, field, colour)
    outline(group, field, mixed(colour, BOARD_INK, 0.5), 1.2)
    ink = readable_on(colour)
    for text, share, bold in ((place_name(board.game, names[0]).upper(), 0.32, True), (_(names[1]), 0.84, False)):
        place = frame.pixel((left + (right - left) * share, top + ABOVE / 2))
        written(group, text, place, frame.scale * 7.5, ink, bold=bold)
    prefix = site.partition("/")[0]
    for places in (each for each in board.groups.values() if each.prefix == prefix):
        for inside in places.sites:
            polygon(group, frame.pixels(site_outline(board, inside)), mixed(colour, SHEET, 0.8))


def draw_regions(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """The land around each place of a map in its region's colour, up to where another place is nearer."""
    left, top, right, bottom = shown_part(board)
    sites = [site for kind in drawing.regions for site in board.features.get(kind, {}).values()]
    places = {site: centre for site in sites if (centre := site_centre(board, site)) is not None}
    for site, kind in regions_of(board, drawing).items():
        centre = places[site]
        land = tuple((min(max(x, left), right), min(max(y, top), bottom)) for x, y in circle(centre, REACH, CORNERS))
        for other in places.values():
            if other != centre:
                land = nearer_part(land, centre, other)
        polygon(group, frame.pixels(land), mixed(drawing.regions[kind], SHEET, PALE))


def regions_of(board: Board, drawing: BoardDrawing) -> dict[str, str]:
    """Site -> its region, for the places of a map."""
    return {
        site: kind
        for kind in drawing.regions
        for site in board.features.get(kind, {}).values()
        if site_centre(board, site) is not None
    }


def draw_channels(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """Printed water: it joins the sides of a cell that have a neighbour."""
    grid = board.grid
    for kind in drawing.channels:
        for cell in board.features.get(kind, {}).values():
            if grid is not None and cell in grid.cells:
                sides = [side for side in "NESW" if side in grid.neighbours[cell]]
                polygon(group, frame.pixels(grid.outline(cell)), mixed(SHEET, PRINT, 0.18))
                if len(sides) == 2:
                    channel(group, sides[0], sides[1], frame.pixel(grid.cells[cell]), grid.side * frame.scale)


def draw_marks(group: InstructionGroup, board: Board, frame: BoardFrame, drawing: BoardDrawing) -> None:
    """Where a player's piece lies: a dashed outline, the captions with the colour, and where it opens."""
    captions: dict[str, list[tuple[str, str]]] = {}
    for kind, mark in drawing.marks.items():
        for colour, site in board.features.get(kind, {}).items():
            centre = site_centre(board, site)
            if centre is not None:
                captions.setdefault(site, []).append((mark.caption, colour))
                _draw_outlets(group, board, frame, mark, colour, site)
    for site, lines in captions.items():
        x, y = site_centre(board, site) or (0.0, 0.0)
        triangles(group, dashed(frame.pixels(scaled(site_outline(board, site), (x, y), 0.94)), 1.2, 5, 4), PRINT)
        for number, (caption, colour) in enumerate(lines):
            middle = x + 17.0 * (number - (len(lines) - 1) / 2)
            style = player_style(board, colour)
            written(group, caption, frame.pixel((middle - 3.4, y)), frame.scale * 5.4, mixed(PRINT, BOARD_INK, 0.5))
            polygon(group, frame.pixels(box(middle + 3.6, y, 6.4, 6.4)), style.fill)
            pips(group, frame.pixel((middle + 3.6, y)), frame.scale * 6.4, style)


def _draw_outlets(
    group: InstructionGroup, board: Board, frame: BoardFrame, mark: PlayerMark, colour: str, site: str
) -> None:
    """Arrows into the cells into which a place opens: beside each of its cells, and where its ends are open."""
    grid = board.grid
    covered = site.rpartition("/")[2].split("-")
    if grid is None or not all(cell in grid.cells for cell in covered):
        return
    opens = board.features.get(mark.outlet, {}).get(colour) if mark.outlet else None
    lies_across = grid.cells[covered[0]][1] == grid.cells[covered[-1]][1]
    for cell in covered:
        for side, beyond in grid.neighbours[cell].items():
            is_end = (side in "EW") == lies_across
            if beyond not in covered and (not is_end or not mark.outlet or beyond == opens):
                dx, dy = (grid.cells[beyond][k] - grid.cells[cell][k] for k in (0, 1))
                tip, foot = (between(grid.cells[cell], grid.cells[beyond], share) for share in (0.66, 0.53))
                base = [(foot[0] - dy * 0.1 * turn, foot[1] + dx * 0.1 * turn) for turn in (1, -1)]
                polygon(group, frame.pixels([base[0], tip, base[1]]), mixed(BLUE, SHEET, 0.25))
