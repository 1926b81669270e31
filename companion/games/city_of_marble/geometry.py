"""What the rules need to know of a City of Marble board, worked out once a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from companion.board.layout import Board
from companion.errors import InvalidDocument

COLOURS = ("red", "yellow", "green", "blue")
AQUEDUCTS = ("grey", "brown", "white")
SPACES = ("temple", "baths", "theatre", "arena", "treasury")


@dataclass(frozen=True)
class Geometry:
    """Wards are named by their short diagonal, all else by its vertices."""

    wards: tuple[str, ...]
    """every rhombus inside the grid"""
    triangles: Mapping[str, tuple[str, str]]
    """ward -> the two triangles it covers"""
    across: Mapping[str, tuple[str, ...]]
    """ward -> the triangles beyond its four sides"""
    corners: Mapping[str, tuple[str, ...]]
    around: Mapping[str, tuple[str, ...]]
    """inner vertex -> its six triangles"""
    beside: Mapping[str, tuple[str, ...]]
    """edge -> its one or two triangles"""
    ends: Mapping[str, tuple[str, str]]
    edges: Mapping[str, tuple[str, ...]]
    """vertex -> its edges"""
    neighbours: Mapping[str, tuple[str, ...]]
    hills: Mapping[str, str]
    """hill name -> triangle"""
    hill_corners: Mapping[str, tuple[str, ...]]
    """hill triangle -> its vertices"""
    bridges: Mapping[str, str]
    """triangle -> bridge name"""
    sources: Mapping[str, str]
    """aqueduct colour -> source vertex"""

    def far_end(self, colour: str, line: tuple[str, ...]) -> str:
        """The vertex at which an aqueduct of these edges ends; the source itself where none is laid."""
        return self.vertices(colour, line)[-1]

    def vertices(self, colour: str, line: tuple[str, ...]) -> tuple[str, ...]:
        """The vertices of an aqueduct from its source to its far end."""
        path = [self.sources[colour]]
        for edge in line:
            path.append(self.other_end(edge, path[-1]))
        return tuple(path)

    def other_end(self, edge: str, vertex: str) -> str:
        """The end of `edge` that is not `vertex`."""
        first, second = self.ends[edge]
        return second if vertex == first else first


def geometry(board: Board) -> Geometry:
    """The geometry of a board, checked.

    Raises InvalidDocument where City of Marble cannot be played on it.
    """
    return _geometry(_Identity(board))


class _Identity:
    def __init__(self, board: Board) -> None:
        self.board = board

    def __hash__(self) -> int:
        return id(self.board)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.board is self.board


@cache
def _geometry(identity: _Identity) -> Geometry:
    board = identity.board
    check_board(board)
    lattice = board.lattice
    wards = tuple(lattice.rhombus_sides)
    triangles = {ward: (lattice.edge_triangles[ward][0], lattice.edge_triangles[ward][1]) for ward in wards}
    across = {
        ward: tuple(
            triangle
            for side in lattice.rhombus_sides[ward]
            for triangle in lattice.edge_triangles[side]
            if triangle not in triangles[ward]
        )
        for ward in wards
    }
    hills = dict(board.features["hill"])
    return Geometry(
        wards=wards,
        triangles=triangles,
        across=across,
        corners=lattice.rhombus_corners,
        around={vertex: six for vertex, six in lattice.vertex_triangles.items() if len(six) == 6},
        beside=lattice.edge_triangles,
        ends=lattice.edge_ends,
        edges=lattice.vertex_edges,
        neighbours=lattice.neighbours,
        hills=hills,
        hill_corners={triangle: lattice.triangle_corners[triangle] for triangle in hills.values()},
        bridges={triangle: name for name, triangle in board.features["bridge"].items()},
        sources=dict(board.features["source"]),
    )


def check_board(board: Board) -> None:
    """Refuse a board on which City of Marble cannot be played, with the entry and the reason.

    Raises InvalidDocument.
    """

    def refuse(entry: str, reason: str) -> InvalidDocument:
        return InvalidDocument(board.id, entry, reason)

    lattice = board.lattice
    for kind, needed in (("hill", 3), ("bridge", 0), ("source", 0)):
        if kind not in board.features and needed == 0:
            raise refuse(f"feature.{kind}", "is missing; City of Marble needs it (it may be empty)")
        if len(board.features.get(kind, {})) < needed:
            raise refuse(f"feature.{kind}", f"needs at least {needed} entries")
    for kind in ("hill", "bridge"):
        for name, site in board.features[kind].items():
            if site not in lattice.triangle_corners:
                raise refuse(f"feature.{kind}.{name}", f"{site} is no triangle of the grid")
    taken: dict[str, str] = {}
    for name, site in board.features["hill"].items():
        for corner in lattice.triangle_corners[site]:
            if corner in taken:
                raise refuse(
                    f"feature.hill.{name}",
                    f"shares vertex {corner} with {taken[corner]}; a site between two hills could not hold three wards",
                )
            taken[corner] = name
    for name, site in board.features["bridge"].items():
        if site in board.features["hill"].values():
            raise refuse(f"feature.bridge.{name}", f"lies on {site}, which is a hill space")
    for name, site in board.features["source"].items():
        if name not in AQUEDUCTS:
            raise refuse(f"feature.source.{name}", f"is no aqueduct; they are {', '.join(AQUEDUCTS)}")
        if site not in lattice.places:
            raise refuse(f"feature.source.{name}", f"{site} is no vertex of the grid")
    for name in AQUEDUCTS:
        if name not in board.features["source"]:
            raise refuse(f"feature.source.{name}", "is missing")
    for space in SPACES:
        if space not in board.slots:
            raise refuse(f"slots.place.{space}", "is missing")
