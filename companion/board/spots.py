"""Where pieces may lie on a board, with their outlines."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.definition import Outline, Piece, PlaceGroup, Spot
from companion.board.grid import SquareGrid
from companion.board.lattice import Point, TriangularLattice

LATTICE_PLACES = ("rhombus", "edge", "inner vertex")
"""the values of a piece's `lies_on` that mean parts of the lattice; others name features or groups"""


@dataclass(frozen=True, slots=True)
class Places:
    """The lattice, grid, groups, features and slots of a board, on which its pieces lie."""

    lattice: TriangularLattice
    grid: SquareGrid | None
    groups: Mapping[str, PlaceGroup]
    features: Mapping[str, Mapping[str, str]]
    slots: Mapping[str, Point]


def spots_of(piece: Piece, places: Places, pieces: Mapping[str, Piece]) -> list[Spot]:
    """The spots on which a kind of piece may lie, in the order of the board; `pieces` are those that may raise it."""
    if piece.lies_on == "slot":
        return [
            _flat_spot(piece, f"{slot} {label}", slot, ("1", "2", "3"), place, 0.0)
            for slot, place in places.slots.items()
            for label in piece.labels
        ]
    base, below = 0.0, piece.raised_by
    while below:
        base, below = base + pieces[below].height, pieces[below].raised_by
    points = _points(piece, places)
    if points:
        turns = {
            f"{group.prefix}/{place}": math.radians(turn)
            for group in places.groups.values()
            for place, turn in group.turns.items()
        }
        return [
            _flat_spot(piece, site, site, piece.labels, at, base, turns.get(site, 0.0))
            for site, at in points.items()
            if site not in piece.without
        ]
    lattice = places.lattice
    return [
        Spot(
            f"{piece.name} {site}", piece.name, site, piece.labels, lattice.centre(site),
            _outline(piece, site, lattice), base, piece.height,
        )
        for site in _lattice_sites(piece, places)
    ]  # fmt: skip


def _flat_spot(
    piece: Piece, name: str, site: str, labels: tuple[str, ...], centre: Point, base: float, angle: float = 0.0
) -> Spot:
    """A spot of a piece that lies as its shape is drawn, turned by an angle (radians, clockwise as seen)."""
    outline = _shape(piece, centre, angle)
    return Spot(f"{piece.name} {name}", piece.name, site, labels, centre, outline, base, piece.height)


def _points(piece: Piece, places: Places) -> dict[str, Point]:
    """The places of groups and grid that the piece lies on."""
    points = {
        site: at for group in places.groups.values() if group.kind == piece.lies_on for site, at in group.sites.items()
    }
    if piece.lies_on == "cell" and places.grid is not None:
        points.update(places.grid.cells)
    elif piece.lies_on == "cell side" and places.grid is not None:
        points.update(places.grid.side_places(max(piece.size) / 2))
    return points


def _lattice_sites(piece: Piece, places: Places) -> tuple[str, ...]:
    lattice = places.lattice
    match piece.lies_on:
        case "rhombus":
            return tuple(lattice.rhombus_sides)
        case "edge":
            return tuple(lattice.edge_ends)
        case "inner vertex":
            return tuple(vertex for vertex, around in lattice.vertex_triangles.items() if len(around) == 6)
        case feature:
            return tuple(places.features.get(feature, {}).values())


def _outline(piece: Piece, site: str, lattice: TriangularLattice) -> Outline:
    centre = lattice.centre(site)
    if piece.shape == "rhombus":
        return _shrunk([lattice.places[v] for v in lattice.rhombus_corners[site]], centre, piece.size[0] / lattice.side)
    if piece.shape == "triangle":
        return _shrunk(
            [lattice.places[v] for v in lattice.triangle_corners[site]], centre, piece.size[0] / lattice.side
        )
    angle = 0.0
    if "-" in site:
        (x0, y0), (x1, y1) = (lattice.places[v] for v in site.split("-")[:2])
        angle = math.atan2(y1 - y0, x1 - x0)
    return _shape(piece, centre, angle)


def _shrunk(points: list[Point], centre: Point, factor: float) -> Outline:
    return tuple((centre[0] + (x - centre[0]) * factor, centre[1] + (y - centre[1]) * factor) for x, y in points)


def face_outline(piece: Piece) -> Outline:
    """A piece's corners in its own frame: millimetres around its middle, x right, y down.

    A rhombus has its long diagonal along x, a bar its length; a triangle has one corner up, a hexagon two sides level.
    """
    size = piece.size
    if piece.shape == "rhombus":
        half_long, half_short = size[0] * math.sqrt(3) / 2, size[0] / 2
        return (0.0, -half_short), (half_long, 0.0), (0.0, half_short), (-half_long, 0.0)
    if piece.shape == "triangle":
        return tuple(_polar(size[0] / math.sqrt(3), math.tau * (k / 3 - 0.25)) for k in range(3))
    if piece.shape == "disc":
        return tuple(_polar(size[0] / 2, math.tau * k / 16) for k in range(16))
    if piece.shape == "hexagon":
        return tuple(_polar(size[0] / math.sqrt(3), math.tau * k / 6) for k in range(6))
    half_length, half_width = size[0] / 2, size[-1] / 2
    return (
        (-half_length, -half_width), (half_length, -half_width), (half_length, half_width), (-half_length, half_width)
    )  # fmt: skip


def face_turn(spot: Spot, piece: Piece) -> float:
    """How far (degrees clockwise as seen, 0 to 360) a piece's face is turned where it lies on a spot."""
    own, first = face_outline(piece)[0], spot.outline[0]
    turn = math.atan2(first[1] - spot.centre[1], first[0] - spot.centre[0]) - math.atan2(own[1], own[0])
    return round(math.degrees(turn) % 360, 3) % 360


def _shape(piece: Piece, centre: Point, angle: float) -> Outline:
    cosine, sine = math.cos(angle), math.sin(angle)
    return tuple((centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine) for x, y in face_outline(piece))


def _polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)
