"""What a board definition says, as values.

Millimetres, origin at the sheet's top-left corner, x right, y down.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from companion.board.grid import SquareGrid
from companion.board.lattice import Point, TriangularLattice

EMPTY = ""
"""The label of a spot on which nothing of its kind lies."""

Outline = tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Markers:
    """The ArUco markers of a sheet: `centres` maps a marker's id to its centre, `side` is its black square, both mm.

    A board that is located by its own looks has none.
    """

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
    """A kind of physical piece: `shape` and `size` as drawn (mm), `height` standing on the board (mm).

    A label of an `oriented` piece also says how it is turned; the others lie in any turn in which they fit. The labels
    of a `stacked` one count how many of it stand on one another. Its `top` is flat, a dome, or a ridge along its own x.
    """

    name: str
    shape: str
    size: tuple[float, ...]
    height: float
    labels: tuple[str, ...]
    lies_on: str
    raised_by: str
    without: frozenset[str] = frozenset()
    """cells and places of its kind on which it never lies"""
    oriented: bool = False
    stacked: bool = False
    top: str = "flat"
    bare: frozenset[str] = frozenset()
    """labels that never carry another piece; pieces with the other labels usually do"""


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
class PlaceGroup:
    """Named places of one kind off the grid (a path's spaces, an area's squares); `shape` and `size` (mm) as drawn.

    A place is the site `prefix/place`; groups may share a prefix (an area's small and large squares). `turns` are the
    degrees, clockwise as seen, of the places that lie turned.
    """

    name: str
    kind: str
    shape: str
    size: tuple[float, ...]
    places: Mapping[str, Point]
    prefix: str
    turns: Mapping[str, float]

    def outline(self, place: str) -> Outline:
        """The corners of a place that is no disc, in board millimetres."""
        x, y = self.places[place]
        half_width, half_height = self.size[0] / 2, self.size[-1] / 2
        angle = math.radians(self.turns.get(place, 0.0))
        cosine, sine = math.cos(angle), math.sin(angle)
        corners = (
            (-half_width, -half_height), (half_width, -half_height), (half_width, half_height),
            (-half_width, half_height),
        )  # fmt: skip
        return tuple((x + right * cosine - down * sine, y + right * sine + down * cosine) for right, down in corners)

    @property
    def sites(self) -> Mapping[str, Point]:
        """Site -> its centre on the sheet, in millimetres."""
        return {f"{self.prefix}/{place}": point for place, point in self.places.items()}


@dataclass(frozen=True, repr=False)
class Board:
    """A validated board definition. `features` maps kind -> name -> site; `slots` maps a named circle to its place.

    `lattice` has no vertices and `grid` is None where the board has none; sites of groups are written `prefix/place`.
    """

    id: str
    game: str
    name: str
    size: Point
    lattice: TriangularLattice
    grid: SquareGrid | None
    groups: Mapping[str, PlaceGroup]
    links: Mapping[str, tuple[tuple[str, str], ...]]
    """kind -> pairs of sites that are joined, a road's two ends"""
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
    beside: Mapping[str, Board]
    """name -> a further sheet of this edition, which lies next to the board on the table"""

    @property
    def sheets(self) -> tuple[Board, ...]:
        """This board and the further sheets of its edition."""
        return self, *self.beside.values()

    @cached_property
    def all_spots(self) -> Mapping[str, Spot]:
        """The spots of this board and of the further sheets of its edition, by name."""
        return {name: spot for sheet in self.sheets for name, spot in sheet.spots.items()}

    def are_adjoining(self, one: str, other: str) -> bool:
        """Whether two sites of the lattice share a vertex; always false for other sites."""
        return not set(self.lattice.corners(one)).isdisjoint(self.lattice.corners(other))

    def __repr__(self) -> str:
        """In short: whatever shows a board is described often, by Kivy at each change of a screen."""
        return f"{type(self).__name__}({self.id!r})"

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the definition, hexadecimal."""
        text = json.dumps(dict(self.definition), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()
