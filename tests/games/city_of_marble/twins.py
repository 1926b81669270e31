"""A second, slow and obvious reading of three things in the rulebook: completed sites, aqueducts, the final scoring.

It works on axial coordinates and sets of its own and asks the real engine for nothing but what lies on the table.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise

from companion.games.city_of_marble.state import State

Vertex = tuple[int, int]
Triangle = frozenset[Vertex]
Edge = frozenset[Vertex]

SOURCES = {"grey": (8, 0), "brown": (12, 4), "white": (8, 10)}
KIND_OF = {3: "temple", 4: "baths", 5: "theatre", 6: "arena"}
COLOUR_OF = {"temple": "green", "baths": "blue", "theatre": "yellow", "arena": "red"}
POINTS_OF = {"temple": 2, "baths": 3, "theatre": 5, "arena": 8}


def vertex(name: str) -> Vertex:
    return ord(name[0]) - ord("A"), int(name[1:]) - 1


def corners(name: str) -> frozenset[Vertex]:
    """The vertices of an edge or a triangle."""
    return frozenset(map(vertex, name.split("-")))


def vertex_name(place: Vertex) -> str:
    return f"{chr(place[0] + ord('A'))}{place[1] + 1}"


def name(edge: Edge) -> str:
    return "-".join(map(vertex_name, sorted(edge)))


def exists(place: Vertex) -> bool:
    q, r = place
    return 0 <= q <= 12 and 0 <= r <= 12 and 6 <= q + r <= 18


def around(place: Vertex) -> list[Vertex]:
    """The neighbours of a vertex in turn, those outside the grid too."""
    q, r = place
    return [(q + 1, r), (q + 1, r - 1), (q, r - 1), (q - 1, r), (q - 1, r + 1), (q, r + 1)]


GRID = [(q, r) for q in range(13) for r in range(13) if exists((q, r))]


@dataclass(frozen=True)
class LaidWard:
    """A ward on the table as the set of its two triangles."""

    triangles: frozenset[Triangle]
    diagonal: Edge
    colour: str = ""
    seat: int = 0

    @cached_property
    def corners(self) -> frozenset[Vertex]:
        return frozenset().union(*self.triangles)

    @cached_property
    def sides(self) -> frozenset[Edge]:
        edges = {frozenset({a, b}) for t in self.triangles for a in t for b in t if a != b}
        return frozenset(edges - {self.diagonal})


@cache
def ward_on(name: str, colour: str = "", seat: int = 0) -> LaidWard:
    """The ward whose short diagonal has this name."""
    first, second = corners(name)
    tips = set(around(first)) & set(around(second))
    return LaidWard(frozenset(frozenset({first, second, tip}) for tip in tips), corners(name), colour, seat)


def wards(state: State) -> list[LaidWard]:
    return [ward_on(name, ward.colour, ward.magistrate) for name, ward in state.wards.items()]


def hills(state: State) -> set[Triangle]:
    return {corners(state.table.board.features["hill"][name]) for name in state.table.options["hills"]}


def complete_vertices(state: State) -> set[Vertex]:
    """The vertices whose six triangles are all covered."""
    covered = {triangle for ward in wards(state) for triangle in ward.triangles}
    if state.table.rulings["hill_corner"] != "blocks":
        covered |= hills(state)
    complete = set()
    for place in GRID:
        ring = around(place)
        if all(frozenset({place, ring[i], ring[(i + 1) % 6]}) in covered for i in range(6)):
            complete.add(place)
    return complete


@dataclass(frozen=True)
class Completion:
    """What a complete site becomes: `builder` 0 for a fountain, `left` whether its tile and cube are there to place."""

    buildings: int
    kind: str
    builder: int
    left: bool
    senders: list[int]


def completion(state: State, place: Vertex) -> Completion:
    """Count the corners that meet at a vertex, the magistrates on the right colour, and who stands there at all."""
    meeting = [ward for ward in wards(state) if place in ward.corners]
    buildings = len(meeting)
    if state.table.rulings["hill_corner"] == "fills_with_building":
        buildings += len([hill for hill in hills(state) if place in hill])
    kind = KIND_OF[buildings]
    votes = Counter(ward.seat for ward in meeting if ward.seat and ward.colour == COLOUR_OF[kind])
    ranking = votes.most_common()
    builder = 0
    if len(ranking) == 1 or (len(ranking) > 1 and ranking[0][1] > ranking[1][1]):
        builder = ranking[0][0]
    placed = list(state.sites.values())
    if builder:
        left = len([site for site in placed if site.kind == kind]) < 12
        left = left and len([site for site in placed if site.seat == builder]) < 16
    else:
        left = len([site for site in placed if site.kind == "fountain"]) < 10
    left = left or state.table.rulings["supply"] == "substitute"
    seats = len(state.table.players)
    order = [(state.active - 1 + step) % seats + 1 for step in range(seats)]
    senders = [seat for seat in order if seat in {ward.seat for ward in meeting}]
    return Completion(buildings, kind, builder, left, senders if left else [])


@dataclass(frozen=True)
class Pipes:
    """The aqueducts on a table as sets of pieces, and where a piece may lie at all."""

    pieces: dict[str, frozenset[Edge]]
    sides: frozenset[Edge]
    avoided: frozenset[Vertex]

    def trace(self, colour: str) -> list[Vertex]:
        """Follow the pieces from the source to the far end."""
        path, rest = [SOURCES[colour]], set(self.pieces[colour])
        while onward := [edge for edge in rest if path[-1] in edge]:
            assert len(onward) == 1, "a branch"
            rest.remove(onward[0])
            path.extend(onward[0] - {path[-1]})
        assert not rest, "a piece apart from the line"
        return path

    @property
    def begun(self) -> list[str]:
        return [colour for colour in SOURCES if self.pieces[colour]]

    @property
    def touched(self) -> frozenset[Vertex]:
        """Every vertex that a piece touches."""
        return frozenset(corner for pieces in self.pieces.values() for edge in pieces for corner in edge)

    def next_pieces(self, colour: str, sides: frozenset[Edge]) -> Iterator[Edge]:
        """Where one more piece of this colour may lie, on one of `sides`."""
        path = self.trace(colour)
        others = Pipes(self.pieces | {colour: frozenset()}, self.sides, self.avoided).touched
        for beyond in filter(exists, around(path[-1])):
            edge = frozenset({path[-1], beyond})
            free = others.isdisjoint(edge) and beyond not in path and beyond not in self.avoided
            if free and edge in sides and len(self.pieces[colour]) < 13:
                yield edge

    def plus(self, colour: str, edge: Edge) -> Pipes:
        return Pipes(self.pieces | {colour: self.pieces[colour] | {edge}}, self.sides, self.avoided)

    def layings(self, colours: list[str], left: int, sides: frozenset[Edge]) -> Iterator[list[tuple[str, Edge]]]:
        """All ways to lay up to `left` pieces one after the other, each as far as it goes."""
        options = [(colour, edge) for colour in colours for edge in self.next_pieces(colour, sides)] if left else []
        if not options:
            yield []
        for colour, edge in options:
            for rest in self.plus(colour, edge).layings(colours, left - 1, sides):
                yield [(colour, edge), *rest]


def pipes(state: State) -> Pipes:
    pieces = {
        colour: frozenset(frozenset(map(vertex, pair)) for pair in pairwise(line))
        for colour, line in state.lines.items()
    }
    pieces = {colour: pieces.get(colour, frozenset()) for colour in SOURCES}
    avoided = frozenset()
    if state.table.rulings["line_onto_source"] == "forbidden":
        avoided = frozenset(SOURCES[colour] for colour in SOURCES if not pieces[colour])
    return Pipes(pieces, frozenset().union(*(ward.sides for ward in wards(state))), avoided)


def lay_actions(state: State) -> set[tuple[str, str]]:
    """Colour and edge of every piece that may be laid now, by going through all layings to their ends."""
    begun = [colour for colour in SOURCES if colour in state.lines]
    if state.laying is not None:
        demands = [(state.laying, [state.laying.colour] if state.laying.colour else begun)]
    elif state.starting:
        demands = [(start, [start.colour]) for start in state.starting]
    else:
        demands = [(None, begun)]
    found = set()
    for demand, colours in demands:
        network = pipes(state)
        sides = network.sides
        if demand and demand.ward and state.table.rulings["start_pieces"] == "own_ward":
            sides = ward_on(demand.ward).sides
        layings = [laying for laying in network.layings(colours, demand.left if demand else 2, sides) if laying]
        if state.table.rulings["short_lay"] == "longest":
            most = max(map(len, layings), default=0)
            layings = [laying for laying in layings if len(laying) == most]
        found |= {(laying[0][0], name(laying[0][1])) for laying in layings}
    return found


def points(state: State) -> list[Counter[str]]:
    """Points of each seat by rule, added up one building, coin and tile at a time."""
    rulings = state.table.rulings
    fountains = {vertex(place) for place, site in state.sites.items() if site.kind == "fountain"}
    watered = {place for colour, line in state.lines.items() for place in map(vertex, line)}
    diagonals = {ward.diagonal for ward in wards(state)}
    found: list[Counter[str]] = [Counter() for _ in state.holdings]
    for place, site in state.sites.items():
        if site.kind == "fountain":
            continue
        mine, here = found[site.seat - 1], vertex(place)
        mine["COM-SCORE-1"] += POINTS_OF[site.kind]
        if here in watered:
            mine["COM-SCORE-3"] += 2
        for near in around(here):
            across = frozenset({here, near}) in diagonals
            if near in fountains and not (across and rulings["fountain_adjacent_across_tile"] == "no"):
                mine["COM-SCORE-4"] += 1
    for mine, holding in zip(found, state.holdings, strict=True):
        mine["COM-SCORE-2"] += sum(holding.values)
        mine["COM-SCORE-5"] += holding.coins
    nothing_counts = rulings["empty_majority"] == "shared"
    purses = [holding.coins for holding in state.holdings]
    for mine, coins in zip(found, purses, strict=True):
        if all(coins >= other for other in purses) and (coins or nothing_counts):
            mine["COM-SCORE-6"] += 2
    for kind in KIND_OF.values():
        tiles = [holding.imperium[kind] for holding in state.holdings]
        for seat, own in enumerate(tiles):
            others = tiles[:seat] + tiles[seat + 1 :]
            if (own or nothing_counts) and all(own > other for other in others):
                found[seat]["COM-SCORE-7"] += 5
            elif (own or nothing_counts) and all(own >= other for other in others):
                found[seat]["COM-SCORE-7"] += 2
    return [Counter({rule: number for rule, number in mine.items() if number}) for mine in found]


def ranks(state: State) -> list[int]:
    """The places of the seats: points, then civic buildings, then Imperium tiles."""
    strengths = []
    for seat, mine in enumerate(points(state), 1):
        buildings = len([site for site in state.sites.values() if site.seat == seat])
        tiles = sum(state.holdings[seat - 1].imperium.values())
        strengths.append((mine.total(), buildings, tiles))
    return [1 + len([other for other in strengths if other > own]) for own in strengths]
