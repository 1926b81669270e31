"""The most likely buildings in areas that were not seen completely, and what somebody must be asked about.

The rules determine much of what a picture leaves open: the heights of an area's buildings begin at one floor and skip
none, and all have one shape of roof. The possible contents of each area are compared as wholes; a difference in floors,
owners or tiles matters only if it changes ranks or points.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import factorial
from typing import NamedTuple

from companion.board.layout import EMPTY
from companion.games.capitol.appearance import PIECE_OF_SHAPE
from companion.games.capitol.geometry import geometry
from companion.games.capitol.scoring import placing
from companion.games.capitol.state import FOUNTAIN, SHAPES, TEMPLE
from companion.photographs.questions import Chances, Judgement, Look
from companion.table import Table

_RARE = 0.01
"""What is so much less probable than the likeliest of its square is not thought of."""
_MOST = 4000
"""Cities of an area that are compared; where there are more nothing is judged."""
_FAR = 1e-4
"""Cities so much less likely than the likeliest are left out."""
_BROKEN = 0.02
"""How likely an area was built against the rules, before it is seen."""
_BELIEVED = 0.9
"""From this probability on the rules are taken to have been kept in an area."""
RISK = 0.045
"""How likely players of an area may be placed otherwise than is taken without asking."""


class _AgainstTheRules(Exception):
    """The seen part can hardly have been built by the rules, so that they say nothing about the rest."""


class _Standing(NamedTuple):
    """The contents of a square: a building's floors and its owner's colour, or a tile, or nothing."""

    height: int = 0
    owner: str = ""
    tile: str = ""


_City = tuple[_Standing, ...]
"""the contents of the squares of an area, the large one last"""


@dataclass(frozen=True, slots=True)
class _Area:
    """The possible contents of an area, their probabilities, and the ranks of the players by each."""

    squares: Sequence[str]
    shape: str
    cities: Mapping[_City, float]
    placed: Mapping[_City, object]

    def left(self, asked: Iterable[tuple[int, int]]) -> tuple[float, float]:
        """The probabilities that the likeliest ranking is wrong and that two draws differ, once these are known."""
        told = tuple(asked)
        groups: dict[object, dict[object, float]] = defaultdict(lambda: defaultdict(float))
        for city, share in self.cities.items():
            groups[tuple([city[k][at] for k, at in told])][self.placed[city]] += share
        right = sum(max(shares.values()) for shares in groups.values())
        alike = sum(sum(s * s for s in shares.values()) / sum(shares.values()) for shares in groups.values())
        return 1.0 - right, 1.0 - alike

    def likeliest(self) -> _City:
        """The likeliest city that places the players most likely."""
        shares: dict[object, float] = defaultdict(float)
        for city, share in self.cities.items():
            shares[self.placed[city]] += share
        best = max(shares, key=shares.__getitem__)
        return max((city for city in self.cities if self.placed[city] == best), key=self.cities.__getitem__)

    def look(self) -> Iterator[tuple[str, str]]:
        """Each spot of the area with what most likely lies there."""
        for square, (height, owner, tile) in zip(self.squares, self.likeliest(), strict=True):
            yield f"floor {square}", str(height or EMPTY)
            for shape, piece in PIECE_OF_SHAPE.items():
                yield f"{piece} {square}", owner if shape == self.shape else EMPTY
            for piece in (FOUNTAIN, "monument"):
                yield f"{piece} {square}", tile

    def spot(self, k: int, at: int) -> str:
        """The spot that shows a field of a square."""
        tile = FOUNTAIN if k < len(self.squares) - 1 else "monument"
        return f"{('floor', PIECE_OF_SHAPE[self.shape], tile)[at]} {self.squares[k]}"


def judged_city(table: Table, look: Look, chances: Chances, covered: Collection[str]) -> Judgement:
    """The most likely city by the look (spot -> label), the probabilities of labels, and the rules.

    `covered` spots may show any label. If one area seems to break the rules, nothing is judged at all.
    """
    board = geometry(table.board)
    areas = []
    for name in board.areas:
        squares = (*board.buildable[name], board.large[name])
        spots = [spot for square in squares for spot in _spots(square)]
        if any(spot in chances or spot in covered for spot in spots):
            printed = len(board.small[name]) - len(board.buildable[name])
            try:
                area = _area(squares, look, chances, covered, table, printed)
            except _AgainstTheRules:
                return Judgement()
            if area is not None:
                areas.append(area)
    known = table.board.spots
    likely = {
        spot: EMPTY if spot in covered else label for area in areas for spot, label in area.look() if spot in known
    }
    asked = frozenset(spot for area in areas for spot in (*_asked(area), *_unseen(area, covered)))
    return Judgement(likely, _first(asked, covered))


def _asked(area: _Area) -> Iterator[str]:
    """The spots of an area to ask about, the most informative first, until little is left open."""
    told: list[tuple[int, int]] = []
    risk, _ = area.left(told)
    while risk > RISK:
        fields = [
            (k, at) for k in range(len(area.squares)) for at in range(len(_Standing._fields))
            if (k, at) not in told and len({city[k][at] for city in area.cities}) > 1
        ]  # fmt: skip
        after = {field: area.left((*told, field)) for field in fields}
        best = min(fields, key=lambda field: after[field][1])
        told.append(best)
        risk, _ = after[best]
        yield area.spot(*best)


def _unseen(area: _Area, covered: Collection[str]) -> Iterator[str]:
    """The covered spots of an area in which it matters what lies there, however unlikely that is."""
    if len(set(area.placed.values())) > 1:
        for k in range(len(area.squares)):
            for at in range(len(_Standing._fields)):
                if area.spot(k, at) in covered and len({city[k][at] for city in area.cities}) > 1:
                    yield area.spot(k, at)


def _first(asked: frozenset[str], covered: Collection[str]) -> frozenset[str]:
    """The field of a square to ask about first: the roof only after a building that was not seen is confirmed."""
    unseen = {spot.partition(" ")[2] for spot in asked if spot in covered and spot.startswith("floor ")}
    roofs = {f"{piece} {square}" for piece in PIECE_OF_SHAPE.values() for square in unseen}
    return asked - roofs


def _spots(square: str) -> tuple[str, ...]:
    return tuple(f"{piece} {square}" for piece in ("floor", *PIECE_OF_SHAPE.values(), FOUNTAIN, "monument"))


def _area(
    squares: Sequence[str], look: Look, chances: Chances, covered: Collection[str], table: Table, printed: int
) -> _Area | None:
    """An area's cities; None where there are too many.

    Raises _AgainstTheRules where they seem to have been broken.
    """
    weights: dict[str, dict[_City, float]] = {}
    lawful = 0.0
    for shape in SHAPES:
        standing = [_standing(square, look, chances, covered, shape, table) for square in squares]
        cities = _cities(standing)
        if cities is None:
            return None
        weights[shape] = {city: share * _built(city) / len(SHAPES) for city, share in cities.items()}
        lawful += sum(cities.values())
    totals = {shape: sum(found.values()) for shape, found in weights.items()}
    evidence = sum(totals.values())
    if evidence <= 0.0:
        raise _AgainstTheRules
    merged: dict[_City, float] = defaultdict(float)
    for found in weights.values():
        for city, share in found.items():
            merged[city] += share
    least = _FAR * max(merged.values())
    cities = {city: share for city, share in merged.items() if share > least}
    built = max(sum(1 for standing in city if standing.height) for city in cities)
    broken = _BROKEN * max(0.0, 1.0 - lawful) / (len(SHAPES) * (built + 1)) ** built
    if broken > (1.0 - _BELIEVED) * (broken + evidence):
        raise _AgainstTheRules
    kept = sum(cities.values())
    shape = max(SHAPES, key=totals.__getitem__)
    return _Area(
        squares, shape, {city: share / kept for city, share in cities.items()},
        {city: _placed(city, table, printed) for city in cities},
    )  # fmt: skip


def _standing(
    square: str, look: Look, chances: Chances, covered: Collection[str], shape: str, table: Table
) -> dict[_Standing, float]:
    """The possible contents of a square under roofs of one shape, with their likelihoods by what was seen of it."""
    pieces = {spot.partition(" ")[0]: spot for spot in _spots(square) if spot in table.board.spots}

    def seen(piece: str) -> Mapping[str, float]:
        spot = pieces.get(piece)
        if spot is None:
            return {EMPTY: 1.0}
        if spot in covered:
            return dict.fromkeys((*table.board.spots[spot].labels, EMPTY), 1.0)
        return chances.get(spot) or {look.get(spot, EMPTY): 1.0}

    roofs = {each: seen(piece) for each, piece in PIECE_OF_SHAPE.items()}
    bare = {each: chance.get(EMPTY, 0.0) for each, chance in roofs.items()}
    floors, tiles = seen("floor"), seen(FOUNTAIN if FOUNTAIN in pieces else "monument")
    bare_share = floors.get(EMPTY, 0.0) * bare[SHAPES[0]] * bare[SHAPES[1]]
    found = {_Standing(tile=tile): share * bare_share for tile, share in tiles.items()}
    every, best = sum(found.values()), max(found.values())
    for each, other in (SHAPES, SHAPES[::-1]):
        for player in table.players:
            roof = roofs[each].get(player.colour, 0.0) * bare[other] * tiles.get(EMPTY, 0.0)
            for height, share in floors.items() if roof > 0.0 else ():
                if height:
                    every += share * roof
                    best = max(best, share * roof)
                    if each == shape:
                        found[_Standing(int(height), player.colour)] = share * roof
    return {standing: share / every for standing, share in found.items() if share > _RARE * best}


def _cities(squares: Sequence[Mapping[_Standing, float]]) -> dict[_City, float] | None:
    """The cities of buildings that leave out no height, and how likely each was seen; None where there are too many."""
    cities: dict[_City, float] = {(): 1.0}
    left = sum(any(here.height for here in standing) for standing in squares)
    for standing in squares:
        left -= any(here.height for here in standing)
        grown = {
            (*city, here): share * chance for city, share in cities.items() for here, chance in standing.items()
            if _missing((*city, here)) <= left
        }  # fmt: skip
        least = _FAR * max(grown.values(), default=0.0)
        cities = {city: share for city, share in grown.items() if share > least}
        if len(cities) > _MOST:
            return None
    return cities


def _missing(city: _City) -> int:
    """How many heights are left out below the tallest building."""
    heights = {standing.height for standing in city}
    return max(heights) - len(heights - {0})


def _built(city: _City) -> float:
    """How likely an area is built so, where each building is as likely as tall as the tallest as it is one taller."""
    heights = Counter(standing.height for standing in city if standing.height)
    count = heights.total()
    ways = 1
    for alike in heights.values():
        ways *= factorial(alike)
    return ways / factorial(count) * 0.5 ** max(0, count - 1)


def _placed(city: _City, table: Table, printed: int) -> object:
    """How the players are placed in an area and what that counts; None where nobody is there."""
    heights: dict[int, list[int]] = {}
    for standing in city:
        if standing.height:
            heights.setdefault(table.seat_of(standing.owner) or 0, []).append(standing.height)
    if not heights:
        return None
    seats = tuple(sorted(heights))
    floors, tallest = (tuple(quantity(heights[seat]) for seat in seats) for quantity in (sum, max))
    places = placing(seats, floors, tallest, second_by_height=table.rulings["second_place_height"] == "yes")
    tiles = Counter(standing.tile for standing in city)
    fountains = printed + tiles[FOUNTAIN]
    return places.first, places.second if fountains else (), fountains, tiles[TEMPLE] > 0
