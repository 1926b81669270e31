"""What the rules need to know of a City of Marble board, worked out once a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.errors import InvalidDocument

COLOURS = ("red", "yellow", "green", "blue")
AQUEDUCTS = ("grey", "brown", "white")
HILLS = 3
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
    order: Mapping[str, int]
    """ward -> its position in listing order"""
    overlapping: Mapping[str, frozenset[str]]
    """ward -> the wards that cover a triangle of it, itself included"""
    adjoining: Mapping[str, tuple[str, ...]]
    """triangle -> the wards that share a side with it without covering it"""
    beyond: Mapping[str, frozenset[str]]
    """ward -> the wards that share a side with it"""
    corners: Mapping[str, tuple[str, ...]]
    around: Mapping[str, tuple[str, ...]]
    """inner vertex -> its six triangles"""
    beside: Mapping[str, tuple[str, ...]]
    """edge -> its one or two triangles"""
    ends: Mapping[str, tuple[str, str]]
    between: Mapping[tuple[str, str], str]
    """two neighbouring vertices, in either order -> their edge"""
    edges: Mapping[str, tuple[str, ...]]
    """vertex -> its edges"""
    steps: Mapping[str, tuple[tuple[str, str, tuple[str, ...]], ...]]
    """vertex -> each of its edges, with the vertex at the other end and the one or two triangles it is a side of"""
    neighbours: Mapping[str, tuple[str, ...]]
    hills: Mapping[str, str]
    """hill name -> triangle"""
    hill_corners: Mapping[str, tuple[str, ...]]
    """hill triangle -> its vertices"""
    bridges: Mapping[str, str]
    """triangle -> bridge name"""
    sources: Mapping[str, str]
    """aqueduct colour -> source vertex"""

    def other_end(self, edge: str, vertex: str) -> str:
        """The end of `edge` that is not `vertex`."""
        first, second = self.ends[edge]
        return second if vertex == first else first


@once_a_board
def geometry(board: Board) -> Geometry:
    """The geometry of a board, checked.

    Raises InvalidDocument where City of Marble cannot be played on it.
    """
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
    over: dict[str, set[str]] = {triangle: set() for triangle in lattice.triangle_corners}
    adjoining: dict[str, list[str]] = {triangle: [] for triangle in lattice.triangle_corners}
    for ward in wards:
        for triangle in triangles[ward]:
            over[triangle].add(ward)
        for triangle in across[ward]:
            adjoining[triangle].append(ward)
    hills = dict(board.features["hill"])
    return Geometry(
        wards=wards,
        triangles=triangles,
        across=across,
        order={ward: place for place, ward in enumerate(wards)},
        overlapping={ward: frozenset(over[first] | over[second]) for ward, (first, second) in triangles.items()},
        beyond={
            ward: frozenset(adjoining[first] + adjoining[second]) - over[first] - over[second]
            for ward, (first, second) in triangles.items()
        },
        adjoining={triangle: tuple(near) for triangle, near in adjoining.items()},
        corners=lattice.rhombus_corners,
        around={vertex: six for vertex, six in lattice.vertex_triangles.items() if len(six) == 6},
        beside=lattice.edge_triangles,
        ends=lattice.edge_ends,
        between={pair: edge for edge, (a, b) in lattice.edge_ends.items() for pair in ((a, b), (b, a))},
        edges=lattice.vertex_edges,
        steps={
            vertex: tuple(
                (edge, next(end for end in lattice.edge_ends[edge] if end != vertex), lattice.edge_triangles[edge])
                for edge in edges
            )
            for vertex, edges in lattice.vertex_edges.items()
        },
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
    features, lattice = board.features, board.lattice
    for kind in ("hill", "bridge", "source"):
        if kind not in features:
            raise InvalidDocument(board.id, f"feature.{kind}", "is missing; City of Marble needs it")
    if len(features["hill"]) < HILLS:
        raise InvalidDocument(board.id, "feature.hill", f"needs at least {HILLS} hills, not {len(features['hill'])}")
    _check_triangles(board)
    for name, site in features["source"].items():
        if name not in AQUEDUCTS:
            raise InvalidDocument(board.id, f"feature.source.{name}", f"must be one of {', '.join(AQUEDUCTS)}")
        if site not in lattice.places:
            raise InvalidDocument(board.id, f"feature.source.{name}", f"{site} is no vertex of the grid")
    missing = [f"feature.source.{name}" for name in AQUEDUCTS if name not in features["source"]]
    missing += [f"slots.place.{space}" for space in SPACES if space not in board.slots]
    if missing:
        raise InvalidDocument(board.id, missing[0], "is missing")


def _check_triangles(board: Board) -> None:
    corner_of: dict[str, str] = {}
    hills = board.features["hill"]
    for kind in ("hill", "bridge"):
        for name, site in board.features[kind].items():
            if site not in board.lattice.triangle_corners:
                raise InvalidDocument(board.id, f"feature.{kind}.{name}", f"{site} is no triangle of the grid")
    for name, site in hills.items():
        for corner in board.lattice.triangle_corners[site]:
            if corner in corner_of:
                reason = (
                    f"shares vertex {corner} with {corner_of[corner]}; a site between them could not hold three wards"
                )
                raise InvalidDocument(board.id, f"feature.hill.{name}", reason)
            corner_of[corner] = name
    for name, site in board.features["bridge"].items():
        if site in hills.values():
            raise InvalidDocument(board.id, f"feature.bridge.{name}", f"lies on {site}, which is a hill space")
