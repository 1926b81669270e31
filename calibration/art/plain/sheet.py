"""The map of a board without art: a lattice or grid, the places of groups, and the links between them."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.drawing.colours import FAINT, IVORY, MARBLE, MARBLE_SHADE, RUBRIC, SEPIA
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.sheet_parts import draw_scale
from companion.board.lattice import Point
from companion.board.layout import Board, PlaceGroup

PLAIN_BAND = 5.0
"""Width (mm) of the white edge of a plain sheet, which most printers leave white anyway."""
LARGEST_TITLE = 9.0
"""Size (mm) of the letters of a plain sheet's title where there is room for them."""
SCALE_ROOM = (104.0, 9.0)
"""Width and height (mm) of the scale of a hundred millimetres with its numbers."""


def draw_plain(ink: Ink, board: Board) -> None:
    """Draw a board's lattice, links, grid and groups, with the names of all places, and the title where none lies."""
    _draw_title(ink, board)
    _draw_scale(ink, board)
    places: dict[str, Point] = {site: at for group in board.groups.values() for site, at in group.sites.items()}
    if board.grid is not None:
        places |= board.grid.cells
    for first, second in board.lattice.edge_ends.values():
        ink.line([board.lattice.places[first], board.lattice.places[second]], SEPIA, 0.25)
    for vertex, (x, y) in board.lattice.places.items():
        ink.text(x, y, vertex, 2.4, SEPIA)
    for pairs in board.links.values():
        for first, second in pairs:
            ink.line([places[first], places[second]], SEPIA, 2.2)
            ink.line([places[first], places[second]], IVORY, 1.4)
    if board.grid is not None:
        for index, (cell, (x, y)) in enumerate(board.grid.cells.items()):
            shade = (MARBLE, MARBLE_SHADE)[(index + index // board.grid.columns) % 2]
            ink.polygon(board.grid.outline(cell), shade, FAINT, 0.25)
            ink.text(x, y, cell, 2.4, SEPIA)
    for group in board.groups.values():
        _draw_group(ink, group)
    in_lattice = (site for kind in board.features.values() for site in kind.values() if board.lattice.corners(site))
    places |= {site: board.lattice.centre(site) for site in in_lattice}
    _draw_features(ink, board.features, places)
    for name, (x, y) in board.slots.items():
        ink.disc(x, y, board.slot_diameter / 2, MARBLE, SEPIA, 0.5)
        ink.text(x, y, name, 2.4, SEPIA, widest=0.8 * board.slot_diameter)


def _draw_title(ink: Ink, board: Board) -> None:
    """The name and the edition above everything that lies on the sheet, if a line of letters has room there."""
    top, _bottom = _reach(board)
    left, right = _free_width(board, PLAIN_BAND, top)
    size = min(LARGEST_TITLE, (top - PLAIN_BAND) / 2)
    if size < 2.4:
        return
    name, _, edition = board.name.partition(", ")
    x, y = (left + right) / 2, (PLAIN_BAND + top) / 2
    ink.text(x, y - 0.3 * size, name, size, RUBRIC, widest=right - left - 4)
    ink.text(x, y + 0.6 * size, edition, 0.35 * size, SEPIA, widest=right - left - 4)


def _draw_scale(ink: Ink, board: Board) -> None:
    """The scale below everything that lies on the sheet, if it has room there."""
    _top, bottom = _reach(board)
    edge = board.size[1] - PLAIN_BAND
    left, right = _free_width(board, bottom, edge)
    width, height = SCALE_ROOM
    if right - left >= width and edge - bottom >= height:
        draw_scale(ink, (left + right - 100) / 2, (bottom + edge) / 2 + 2)


def _reach(board: Board) -> tuple[float, float]:
    """The smallest and the largest y (mm) of all places and of the pieces that lie on them."""
    heights = [y for spot in board.spots.values() for _x, y in spot.outline]
    heights += [y for _x, y in board.lattice.places.values()]
    heights += [y + sign * board.slot_diameter / 2 for _x, y in board.slots.values() for sign in (-1, 1)]
    for group in board.groups.values():
        heights += [y for name in group.places for _x, y in group.outline(name)]
    if board.grid is not None:
        heights += [y for cell in board.grid.cells for _x, y in board.grid.outline(cell)]
    return min(heights, default=board.size[1] / 2), max(heights, default=board.size[1] / 2)


def _free_width(board: Board, top: float, bottom: float) -> tuple[float, float]:
    """The ends (x in mm) of the widest stretch between the markers and patches that reach into a strip of the sheet."""
    half = board.markers.side / 2 + board.markers.quiet_zone
    taken = [(x - half, x + half) for x, y in board.markers.centres.values() if y - half < bottom and y + half > top]
    for patch in board.patches:
        (x, y), reach = patch.centre, patch.side / 2 + 1
        if y - reach < bottom and y + reach > top:
            taken.append((x - reach, x + reach))
    ends, reached = [], PLAIN_BAND
    for left, right in [*sorted(taken), (board.size[0] - PLAIN_BAND, board.size[0])]:
        ends.append((reached, max(reached, left)))
        reached = max(reached, right)
    return max(ends, key=lambda stretch: stretch[1] - stretch[0])


def _draw_group(ink: Ink, group: PlaceGroup) -> None:
    width, height = group.size[0], group.size[-1]
    for name, (x, y) in group.places.items():
        if group.shape == "disc":
            ink.disc(x, y, width / 2, MARBLE, SEPIA, 0.3)
        else:
            ink.polygon(group.outline(name), MARBLE, SEPIA, 0.3)
        ink.text(x, y, name, min(2.4, height / 3), SEPIA, widest=0.9 * width)


def _draw_features(ink: Ink, features: Mapping[str, Mapping[str, str]], places: Mapping[str, Point]) -> None:
    for kind in features.values():
        for name, site in kind.items():
            if site in places:
                x, y = places[site]
                ink.text(x, y + 4.5, name, 1.9, DARK, widest=28)
