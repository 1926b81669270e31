"""The triangular lattice: vertices, edges and triangles with their names, neighbours and places.

A vertex has axial coordinates q (letter A, B, ...) and r (number 1, 2, ...); neighbours differ by (1, 0), (0, 1) or
(1, -1). An edge or triangle is named by its vertices in order, letter first, then number: `G7-H7`, `E7-E8-F7`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

Point = tuple[float, float]

_VERTEX = re.compile(r"([A-Za-z])([1-9][0-9]?)")
_AROUND = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


@dataclass(frozen=True)
class TriangularLattice:
    """A finite part of the triangular lattice. All mappings go from names to names; places are in millimetres."""

    side: float
    places: Mapping[str, Point]
    """vertex -> (x, y)"""
    edge_ends: Mapping[str, tuple[str, str]]
    triangle_corners: Mapping[str, tuple[str, str, str]]
    edge_triangles: Mapping[str, tuple[str, ...]]
    """edge -> the one or two triangles it is a side of"""
    triangle_edges: Mapping[str, tuple[str, ...]]
    vertex_triangles: Mapping[str, tuple[str, ...]]
    """vertex -> its triangles in turn around it; six for an inner vertex"""
    vertex_edges: Mapping[str, tuple[str, ...]]
    neighbours: Mapping[str, tuple[str, ...]]
    rhombus_sides: Mapping[str, tuple[str, str, str, str]]
    """edge with two triangles -> the four sides of the rhombus whose short diagonal it is"""
    rhombus_corners: Mapping[str, tuple[str, str, str, str]]
    """edge with two triangles -> the rhombus's corners in turn: obtuse, acute, obtuse, acute"""

    def canonical(self, text: str) -> str | None:
        """The name of the vertex, edge or triangle meant by `text`, in any order and case; None where there is none."""
        if text in self.places or text in self.edge_ends or text in self.triangle_corners:
            return text
        found = [_VERTEX.fullmatch(part.strip()) for part in text.split("-")]
        if not all(found) or not 1 <= len(found) <= 3:
            return None
        corners = sorted((match[1].upper(), int(match[2])) for match in found if match)
        name = "-".join(f"{letter}{number}" for letter, number in corners)
        known = (self.places, self.edge_ends, self.triangle_corners)[len(corners) - 1]
        return name if name in known else None

    def corners(self, name: str) -> tuple[str, ...]:
        """The vertices of a vertex, edge or triangle; none for any other name."""
        if name in self.places:
            return (name,)
        return self.edge_ends[name] if name in self.edge_ends else self.triangle_corners.get(name, ())

    def centre(self, name: str) -> Point:
        """The mean of a vertex's, edge's or triangle's corners, in millimetres."""
        points = [self.places[corner] for corner in name.split("-")]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def name_of(corners: Iterable[tuple[int, int]]) -> str:
    """The name of the vertex, edge or triangle with these axial coordinates (zero based)."""
    return "-".join(f"{chr(65 + q)}{r + 1}" for q, r in sorted(corners))


@lru_cache(maxsize=16)
def triangular_lattice(
    columns: int, rows: int, smallest_sum: int, largest_sum: int, side: float, centre: Point, without: frozenset[str]
) -> TriangularLattice:
    """All vertices with 0 <= q < columns, 0 <= r < rows and smallest_sum <= q+r <= largest_sum around `centre` (mm).

    `without` names triangles that are no part of the grid.
    """
    vertices = [(q, r) for q in range(columns) for r in range(rows) if smallest_sum <= q + r <= largest_sum]
    triangles = _triangles(vertices, without)
    edge_ends = _edge_ends(vertices)
    triangle_edges = {name: (f"{a}-{b}", f"{a}-{c}", f"{b}-{c}") for name, (a, b, c) in triangles.items()}
    edge_triangles: dict[str, list[str]] = {edge: [] for edge in edge_ends}
    for name, edges in triangle_edges.items():
        for edge in edges:
            edge_triangles[edge].append(name)
    vertex_triangles, vertex_edges, neighbours = {}, {}, {}
    inside = set(vertices)
    for q, r in vertices:
        here = name_of([(q, r)])
        ring = [(q + dq, r + dr) for dq, dr in _AROUND]
        pairs = zip(ring, ring[1:] + ring[:1], strict=True)
        vertex_triangles[here] = tuple(
            name for first, second in pairs if (name := name_of(((q, r), first, second))) in triangles
        )
        near = [corner for corner in ring if corner in inside]
        neighbours[here] = tuple(name_of([corner]) for corner in near)
        vertex_edges[here] = tuple(name_of(((q, r), corner)) for corner in near)
    rhombus_corners = {
        edge: _rhombus(edge_ends[edge], [triangles[name] for name in beside])
        for edge, beside in edge_triangles.items()
        if len(beside) == 2
    }
    rhombus_sides = {
        edge: (_edge(first, left), _edge(left, second), _edge(second, right), _edge(right, first))
        for edge, (first, left, second, right) in rhombus_corners.items()
    }
    middle_q, middle_r = (columns - 1) / 2, (rows - 1) / 2
    places = {
        name_of([(q, r)]): (
            centre[0] + side * ((q - middle_q) + (r - middle_r) / 2),
            centre[1] + side * math.sqrt(3) / 2 * (r - middle_r),
        )
        for q, r in vertices
    }
    proxy = MappingProxyType
    return TriangularLattice(
        side, proxy(places), proxy(edge_ends), proxy(triangles),
        proxy({edge: tuple(beside) for edge, beside in edge_triangles.items()}),
        proxy(triangle_edges), proxy(vertex_triangles), proxy(vertex_edges), proxy(neighbours),
        proxy(rhombus_sides), proxy(rhombus_corners),
    )  # fmt: skip


def _triangles(vertices: Sequence[tuple[int, int]], without: frozenset[str]) -> dict[str, tuple[str, str, str]]:
    """Triangle -> its corners."""
    inside = set(vertices)
    triangles: dict[str, tuple[str, str, str]] = {}
    for q, r in vertices:
        for corners in (((q, r), (q + 1, r - 1), (q + 1, r)), ((q, r), (q, r + 1), (q + 1, r))):
            name = name_of(corners)
            if inside.issuperset(corners) and name not in without:
                first, second, third = name.split("-")
                triangles[name] = (first, second, third)
    return triangles


def _edge_ends(vertices: Sequence[tuple[int, int]]) -> dict[str, tuple[str, str]]:
    """Edge -> its ends."""
    inside = set(vertices)
    ends: dict[str, tuple[str, str]] = {}
    for q, r in vertices:
        for other in ((q + 1, r), (q, r + 1), (q + 1, r - 1)):
            if other in inside:
                name = name_of(((q, r), other))
                first, second = name.split("-")
                ends[name] = (first, second)
    return ends


def _rhombus(diagonal: tuple[str, str], beside: Iterable[tuple[str, str, str]]) -> tuple[str, str, str, str]:
    """The corners, in order, of the rhombus that two triangles with a common edge (its short diagonal) form."""
    first, second = diagonal
    left, right = (next(iter({*corners} - {first, second})) for corners in beside)
    return first, left, second, right


def _edge(first: str, second: str) -> str:
    low, high = sorted((first, second), key=lambda name: (name[0], int(name[1:])))
    return f"{low}-{high}"
