"""The map of a board without art: a lattice or grid, the places of groups, and the links between them."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.drawing.colours import FAINT, IVORY, MARBLE, MARBLE_SHADE, SEPIA
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink
from calibration.sheet_parts import draw_scale, draw_title
from companion.board.lattice import Point
from companion.board.layout import Board, PlaceGroup


def draw_plain(ink: Ink, board: Board) -> None:
    """Draw a board's lattice, links, grid and groups, with the names of all places."""
    draw_title(ink, board)
    draw_scale(ink, board.size[0] - 146, board.size[1] - 44)
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
