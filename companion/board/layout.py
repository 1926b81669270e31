"""Board definitions: one file describes a board to the rules, the camera, the printer and the screen alike.

Millimetres, origin at the sheet's top-left corner, x right, y down.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from companion.board.lattice import Point, TriangularLattice, triangular_lattice
from companion.documents import Table, parse_toml, read_text

EMPTY = ""
"""The label of a spot on which nothing of its kind lies."""

Outline = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Markers:
    """The ArUco markers of a sheet: `centres` maps a marker's id to its centre, `side` is its black square, both mm."""

    dictionary: str
    side: float
    quiet_zone: float
    centres: Mapping[int, Point]


@dataclass(frozen=True, slots=True)
class Patch:
    """A printed patch of known colour (sRGB, 0 to 255), a square of `side` mm around `centre`."""

    name: str
    centre: Point
    side: float
    rgb: tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Piece:
    """A kind of physical piece: `shape` and `size` as drawn (mm), `height` standing on the board (mm)."""

    name: str
    shape: str
    size: tuple[float, ...]
    height: float
    labels: tuple[str, ...]
    lies_on: str
    raised_by: str


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where pieces of one kind may lie: `name` is the piece kind and the site, `labels` what may be seen there.

    `outline` is the piece's own outline in board millimetres, `base` the height (mm) of what it stands on.
    """

    name: str
    piece: str
    site: str
    labels: tuple[str, ...]
    centre: Point
    outline: Outline
    base: float
    height: float


@dataclass(frozen=True, slots=True)
class Board:
    """A validated board definition. `features` maps kind -> name -> site; `slots` maps a named circle to its place."""

    id: str
    game: str
    name: str
    size: Point
    lattice: TriangularLattice
    markers: Markers
    patches: tuple[Patch, ...]
    features: Mapping[str, Mapping[str, str]]
    slots: Mapping[str, Point]
    slot_diameter: float
    palette: tuple[str, ...]
    pieces: Mapping[str, Piece]
    spots: Mapping[str, Spot]
    definition: Mapping[str, Any]
    """The document this board was read from, for the header of a record."""

    @property
    def digest(self) -> str:
        """SHA-256 of the definition, hexadecimal."""
        text = json.dumps(dict(self.definition), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


def load_board(path: Path) -> Board:
    """The board defined in a TOML file.

    Raises InvalidDocument.
    """
    return parse_board(parse_toml(read_text(path), path.name))


def parse_board(document: Table) -> Board:
    """The board of a definition document.

    Raises InvalidDocument.
    """
    document.only(
        "format", "id", "game", "name", "size", "lattice", "markers", "patches", "feature", "slots", "palette", "piece"
    )
    if document.integer("format") != 1:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format 1")
    width, height = _point(document, "size", 10_000)
    lattice = _lattice(document.table("lattice"), (width, height))
    features = {
        kind: MappingProxyType(_features(document.table("feature").table(kind), lattice))
        for kind in document.table("feature", optional=True)
    }
    slots_table = document.table("slots", optional=True)
    slot_diameter = slots_table.number("diameter", 1, 500, 40)
    places = slots_table.table("place", optional=True)
    slots = {name: _point(places, name, 10_000) for name in places}
    for name, (x, y) in slots.items():
        if not (0 <= x <= width and 0 <= y <= height):
            raise places.invalid(name, "lies outside the sheet")
    palette = document.texts("palette", longest=8)
    if len(set(palette)) != len(palette):
        raise document.invalid("palette", "names a colour twice")
    pieces: dict[str, Piece] = {}
    for table in document.tables("piece", longest=40):
        piece = _piece(table, palette, pieces)
        pieces[piece.name] = piece
    board = Board(
        id=document.text("id", longest=100),
        game=document.text("game", longest=100),
        name=document.text("name", longest=100),
        size=(width, height),
        lattice=lattice,
        markers=_markers(document.table("markers"), (width, height)),
        patches=_patches(document.table("patches", optional=True)),
        features=MappingProxyType(features),
        slots=MappingProxyType(slots),
        slot_diameter=slot_diameter,
        palette=palette,
        pieces=MappingProxyType(pieces),
        spots=MappingProxyType(
            {spot.name: spot for piece in pieces.values() for spot in _spots(piece, lattice, features, slots, pieces)}
        ),
        definition=MappingProxyType(dict(document.values)),
    )
    return board


def _point(table: Table, key: str, largest: float) -> Point:
    values = table.sequence(key, longest=2)
    if len(values) != 2 or not all(isinstance(v, int | float) and abs(v) <= largest for v in values):
        raise table.invalid(key, f"must be two numbers [x, y] in millimetres, at most {largest:g}")
    return float(values[0]), float(values[1])


def _lattice(table: Table, size: Point) -> TriangularLattice:
    table.only("kind", "columns", "rows", "sum", "side", "centre", "without")
    table.choice("kind", ("triangular",))
    sums = table.integers("sum", 0, 60, longest=2)
    if len(sums) != 2:
        raise table.invalid("sum", "must be two numbers, the smallest and the largest q + r")
    smallest, largest = sums
    columns, rows = table.integer("columns", 2, 26), table.integer("rows", 2, 30)
    without = frozenset(table.texts("without", optional=True))
    lattice = triangular_lattice(
        columns, rows, smallest, largest, table.number("side", 1, 500), _point(table, "centre", 10_000), frozenset()
    )
    for name in without:
        if name not in lattice.triangle_corners:
            raise table.invalid("without", f"names {name!r}, which is no triangle of the grid")
    if without:
        lattice = triangular_lattice(
            columns, rows, smallest, largest, lattice.side, _point(table, "centre", 10_000), without
        )
    if not lattice.triangle_corners:
        raise table.invalid("sum", "leaves no triangle in the grid")
    for vertex, (x, y) in lattice.places.items():
        if not (0 <= x <= size[0] and 0 <= y <= size[1]):
            raise table.invalid("centre", f"puts vertex {vertex} outside the sheet")
    return lattice


def _features(table: Table, lattice: TriangularLattice) -> dict[str, str]:
    result: dict[str, str] = {}
    for name in table:
        text = table.text(name, longest=20)
        site = lattice.canonical(text)
        if site is None:
            raise table.invalid(name, f"is {text!r}, which is no vertex, edge or triangle of the grid")
        if site in result.values():
            raise table.invalid(name, f"lies on {site}, where another of its kind lies already")
        result[name] = site
    return result


def _markers(table: Table, size: Point) -> Markers:
    table.only("dictionary", "side", "quiet_zone", "first_id", "centres")
    dictionary = table.choice("dictionary", ("DICT_4X4_50",))
    side, first = table.number("side", 5, 200), table.integer("first_id", 0, 49)
    centres: dict[int, Point] = {}
    for index, value in enumerate(table.sequence("centres", longest=50 - first)):
        place = Table({"centre": value}, table.source, table.at(f"centres[{index + 1}]"))
        x, y = _point(place, "centre", 10_000)
        if not (side / 2 <= x <= size[0] - side / 2 and side / 2 <= y <= size[1] - side / 2):
            raise place.invalid("", "puts a marker over the sheet's edge")
        centres[first + index] = (x, y)
    if len(centres) < 4:
        raise table.invalid("centres", "needs at least four markers, well spread")
    return Markers(dictionary, side, table.number("quiet_zone", 0, 50), MappingProxyType(centres))


def _patches(table: Table) -> tuple[Patch, ...]:
    if not table.values:
        return ()
    table.only("side", "patch")
    side = table.number("side", 1, 100)
    result = []
    for patch in table.tables("patch", longest=40):
        patch.only("name", "centre", "rgb")
        rgb = patch.integers("rgb", 0, 255, longest=3)
        if len(rgb) != 3:
            raise patch.invalid("rgb", "must be three numbers")
        result.append(
            Patch(patch.text("name", longest=40), _point(patch, "centre", 10_000), side, (rgb[0], rgb[1], rgb[2]))
        )
    return tuple(result)


def _piece(table: Table, palette: tuple[str, ...], known: Mapping[str, Piece]) -> Piece:
    table.only("name", "shape", "size", "height", "labels", "lies_on", "raised_by")
    name = table.text("name", longest=40)
    if name in known:
        raise table.invalid("name", f"{name!r} is described twice")
    size = table.sequence("size", longest=2)
    if not size or not all(isinstance(v, int | float) and 0 < v <= 500 for v in size):
        raise table.invalid("size", "must be one or two lengths in millimetres")
    raised_by = table.text("raised_by", "", longest=40)
    if raised_by and raised_by not in known:
        raise table.invalid("raised_by", f"names {raised_by!r}, which is not described above it")
    labels = palette if table.values.get("labels") == "palette" else table.texts("labels", longest=40)
    return Piece(
        name,
        table.choice("shape", ("rhombus", "triangle", "hexagon", "square", "bar", "disc")),
        tuple(float(v) for v in size),
        table.number("height", 0, 500),
        labels,
        table.text("lies_on", longest=40),
        raised_by,
    )


def _spots(
    piece: Piece,
    lattice: TriangularLattice,
    features: Mapping[str, Mapping[str, str]],
    slots: Mapping[str, Point],
    pieces: Mapping[str, Piece],
) -> list[Spot]:
    base, below = 0.0, piece.raised_by
    while below:
        base, below = base + pieces[below].height, pieces[below].raised_by
    if piece.lies_on == "slot":
        return [
            Spot(
                f"{piece.name} {slot} {label}",
                piece.name,
                slot,
                ("1", "2", "3"),
                place,
                _shape(piece, place, 0),
                0.0,
                piece.height,
            )
            for slot, place in slots.items()
            for label in piece.labels
        ]
    sites: tuple[str, ...]
    if piece.lies_on == "rhombus":
        sites = tuple(lattice.rhombus_sides)
    elif piece.lies_on == "edge":
        sites = tuple(lattice.edge_ends)
    elif piece.lies_on == "inner vertex":
        sites = tuple(vertex for vertex, around in lattice.vertex_triangles.items() if len(around) == 6)
    else:
        sites = tuple(features.get(piece.lies_on, {}).values())
    return [
        Spot(
            f"{piece.name} {site}", piece.name, site, piece.labels, lattice.centre(site),
            _outline(piece, site, lattice), base, piece.height,
        )
        for site in sites
    ]  # fmt: skip


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


def _shape(piece: Piece, centre: Point, angle: float) -> Outline:
    cosine, sine = math.cos(angle), math.sin(angle)
    return tuple((centre[0] + x * cosine - y * sine, centre[1] + x * sine + y * cosine) for x, y in face_outline(piece))


def _polar(radius: float, angle: float) -> Point:
    return radius * math.cos(angle), radius * math.sin(angle)
