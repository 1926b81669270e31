"""Where a board lies on the screen, and which of its sites a touch means. No Kivy.

Board coordinates are millimetres with y down, screen coordinates pixels with y up.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from companion.board.lattice import Point
from companion.board.layout import Board
from ui.drawing.board_drawing import told_around, told_part
from ui.drawing.shapes import Points, circle, stroke

MARGIN = 14.0
"""millimetres shown around the outermost site, for its coordinates"""

Box = tuple[float, float, float, float]
"""left, low, right, high"""


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """A similarity from board millimetres to screen pixels; `origin` is the pixel of the sheet's top-left corner."""

    scale: float
    origin: Point

    def pixel(self, point: Point) -> Point:
        """The screen position of a board position."""
        return self.origin[0] + point[0] * self.scale, self.origin[1] - point[1] * self.scale

    def pixels(self, points: Iterable[Point]) -> Points:
        """Several at once."""
        return tuple(self.pixel(point) for point in points)

    def millimetres(self, pixel: Point) -> Point:
        """The board position of a screen position."""
        return (pixel[0] - self.origin[0]) / self.scale, (self.origin[1] - pixel[1]) / self.scale


def shown_part(board: Board) -> Box:
    """The part of the sheet worth showing (mm: left, top, right, bottom), without what only the camera needs.

    Of a printed sheet that is its panel, or what its game's drawing says; of another all sites with a margin.
    """
    told = told_part(board)
    if told is not None:
        return told
    radius = board.slot_diameter / 2
    points = [point for spot in board.spots.values() for point in spot.outline]
    points += board.lattice.places.values()
    for x, y in board.slots.values():
        points += [(x - radius, y - radius), (x + radius, y + radius)]
    return (
        max(0.0, min(x for x, _ in points) - MARGIN),
        max(0.0, min(y for _, y in points) - MARGIN),
        min(board.size[0], max(x for x, _ in points) + MARGIN),
        min(board.size[1], max(y for _, y in points) + MARGIN),
    )


def seen_part(frame: BoardFrame, part: Box, window: Box) -> Box:
    """What a window (pixels) shows of a part of the sheet (mm: left, top, right, bottom)."""
    left, top = frame.millimetres((window[0], window[3]))
    right, bottom = frame.millimetres((window[2], window[1]))
    return max(left, part[0]), max(top, part[1]), min(right, part[2]), min(bottom, part[3])


def fitted(part: Box, window: Box) -> BoardFrame:
    """The frame that shows a part of a sheet (mm, y down) as large as fits into a window (pixels, y up), at its top."""
    width, height = window[2] - window[0], window[3] - window[1]
    scale = max(min(width / (part[2] - part[0]), height / (part[3] - part[1])), 0.01)
    left = window[0] + (width - (part[2] - part[0]) * scale) / 2
    return BoardFrame(scale, (left - part[0] * scale, window[3] + part[1] * scale))


NEAREST = 6.0
"""how many times as large as the whole part a board can be drawn"""


def nearer(frame: BoardFrame, pixel: Point, factor: float) -> BoardFrame:
    """A frame drawn larger by a factor, the board position under `pixel` kept where it is."""
    x, y = (pixel[k] + (frame.origin[k] - pixel[k]) * factor for k in (0, 1))
    return BoardFrame(frame.scale * factor, (x, y))


def moved_by(frame: BoardFrame, dx: float, dy: float) -> BoardFrame:
    """A frame shifted by pixels."""
    return BoardFrame(frame.scale, (frame.origin[0] + dx, frame.origin[1] + dy))


def held(frame: BoardFrame, part: Box, window: Box) -> BoardFrame:
    """The nearest frame whose scale is not below the one that fits `part` (mm), and which shows no needless margin."""
    whole = fitted(part, window)
    if frame.scale <= whole.scale * 1.001:
        return whole
    if frame.scale > whole.scale * NEAREST:
        middle = (window[0] + window[2]) / 2, (window[1] + window[3]) / 2
        frame = nearer(frame, middle, whole.scale * NEAREST / frame.scale)
    (left, high), (right, low) = frame.pixel(part[:2]), frame.pixel(part[2:])
    across, up = (window[0] + window[2] - left - right) / 2, window[3] - high
    if right - left > window[2] - window[0]:
        across = _shift(left, right, window[0], window[2])
    if high - low > window[3] - window[1]:
        up = _shift(low, high, window[1], window[3])
    return moved_by(frame, across, up)


def _shift(low: float, high: float, least: float, most: float) -> float:
    """How far a stretch is moved to cover a shorter one."""
    return min(0.0, least - low) or max(0.0, most - high)


def site_places(board: Board) -> Mapping[str, tuple[Point, float]]:
    """Site -> its centre and the radius (mm) within which a touch is exactly on it."""
    places: dict[str, tuple[Point, float]] = {}
    for spot in board.spots.values():
        places[spot.site] = (spot.centre, board.slot_diameter / 2 if spot.site in board.slots else 0.0)
    for sites in board.features.values():
        for site in sites.values():
            centre = site_centre(board, site)
            if centre is not None:
                places.setdefault(site, (centre, 0.0))
    return places


def site_centre(board: Board, site: str) -> Point | None:
    """The middle of a slot, cell, place of a group, vertex, edge or triangle; None where the board has no such site."""
    if site in board.slots:
        return board.slots[site]
    if board.grid is not None and site in board.grid.cells:
        return board.grid.cells[site]
    for group in board.groups.values():
        if site in group.sites:
            return group.sites[site]
    if all(corner in board.lattice.places for corner in site.split("-")):
        return board.lattice.centre(site)
    return next((spot.centre for spot in board.spots.values() if spot.site == site), None)


def nearest_site(places: Mapping[str, tuple[Point, float]], point: Point, reach: float) -> str | None:
    """The site nearest to a board position; None where none lies within `reach` mm."""

    def distance(site: str) -> float:
        centre, radius = places[site]
        return max(0.0, math.dist(centre, point) - radius)

    nearest = min(places, key=distance, default=None)
    return nearest if nearest is not None and distance(nearest) <= reach else None


def surroundings(board: Board, site: str) -> Box | None:
    """What of the print is marked together with a site, such as a town (mm: left, top, right, bottom); None for what
    stands for itself.
    """
    for name, (left, top, right, bottom) in told_around(board).items():
        if name in board.groups and site in board.groups[name].sites:
            x, y = board.groups[name].sites[site]
            return x + left, y + top, x + right, y + bottom
    return None


def site_outline(board: Board, site: str) -> Points:
    """What is drawn around a site (mm): a circle at a vertex or slot, the ward's rhombus at an edge, a triangle, what
    the game's drawing says of its group.
    """
    lattice = board.lattice
    if site in board.slots:
        return circle(board.slots[site], board.slot_diameter / 2)
    corners = site.split("-")
    centre = site_centre(board, site)
    if centre is None:
        raise KeyError(site)
    if board.grid is not None and site in board.grid.cells:
        return board.grid.outline(site)
    around = surroundings(board, site)
    if around is not None:
        left, top, right, bottom = around
        return (left, top), (right, top), (right, bottom), (left, bottom)
    for group in board.groups.values():
        if site in group.sites:
            place = site.removeprefix(f"{group.prefix}/")
            return circle(centre, group.size[0] / 2) if group.shape == "disc" else group.outline(place)
    if not all(corner in lattice.places for corner in corners):
        return circle(centre, 5.0)
    if len(corners) == 1:
        return circle(centre, lattice.side * 0.3)
    if site in lattice.rhombus_corners:
        return tuple(lattice.places[corner] for corner in lattice.rhombus_corners[site])
    ends = [lattice.places[corner] for corner in corners]
    if len(corners) == 2:
        bar = stroke(ends[0], ends[1], lattice.side * 0.2)
        return bar[0], bar[1], bar[2], bar[5]
    return tuple(ends)
