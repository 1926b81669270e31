"""What the rules need to know of the post roads and of the roads to Rome, worked out once a board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.errors import InvalidDocument
from companion.wording.spelling import spellings

PROVINCES = (
    "Baden", "Wuerttemberg", "Hohenzollern", "Schweiz", "Tyrol", "Baiern", "Boehmen", "Salzburg", "Polen",
)  # fmt: skip
CARRIAGES = ("Baden", "Wuerttemberg", "Schweiz", "Baiern", "Boehmen")
"""the carriages to Rome, named by the first of their provinces; Polen has none"""
CARRIAGE_OF = {
    "Baden": "Baden", "Wuerttemberg": "Wuerttemberg", "Hohenzollern": "Wuerttemberg", "Schweiz": "Schweiz",
    "Tyrol": "Schweiz", "Baiern": "Baiern", "Boehmen": "Boehmen", "Salzburg": "Boehmen",
}  # fmt: skip
"""province -> its carriage, and the province or pair whose bonus tiles it shares"""
OUTSIDE = "Baiern"
"""the province that the bonus tile for eight provinces leaves out"""
STARTS = dict(zip(CARRIAGES, ("Loerrach", "Tuttlingen", "St. Gallen", "Freising", "Hallstatt"), strict=True))
STARTS_FOR_TWO = dict(zip(CARRIAGES, ("Mailand", "Como", "Como", "Trient", "Udine"), strict=True))
OTHER_STARTS_FOR_TWO = STARTS_FOR_TWO | {"Baden": "Como", "Schweiz": "Mailand"}
ROME = "Rom"
MAP = "rome"
"""the name of the further sheet with the roads to Rome"""
CITY, ROAD = "city", "road"


@dataclass(frozen=True)
class Geometry:
    """Cities are named without the group's prefix."""

    cities: tuple[str, ...]
    province_of: Mapping[str, str]
    cities_of: Mapping[str, tuple[str, ...]]
    """province -> its cities"""
    group_cities: Mapping[str, tuple[str, ...]]
    """carriage name -> all cities of the province or pair"""
    roads: Mapping[str, frozenset[str]]
    """city -> the cities one road away"""
    names: Mapping[str, str]
    """plain spelling -> city"""


@dataclass(frozen=True)
class RomeMap:
    """The roads to Rome: `exits` leads from each city to the next ones, all farther south."""

    cities: tuple[str, ...]
    exits: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    """plain spelling -> city"""


@once_a_board
def geometry(board: Board) -> Geometry:
    """The geometry of a board, checked.

    Raises InvalidDocument where Thurn and Taxis cannot be played on it.
    """
    cities = _cities(board)
    province_of: dict[str, str] = {}
    for province in PROVINCES:
        if not board.features.get(province):
            raise InvalidDocument(board.id, f"feature.{province}", "is missing; the province needs at least one city")
        for name, site in board.features[province].items():
            city = site.partition("/")[2]
            if city not in cities:
                raise InvalidDocument(board.id, f"feature.{province}.{name}", f"{site} is no city")
            if city in province_of:
                reason = f"{city} lies in {province_of[city]} already"
                raise InvalidDocument(board.id, f"feature.{province}.{name}", reason)
            province_of[city] = province
    roads: dict[str, set[str]] = {city: set() for city in cities}
    for first, second in _roads(board, cities):
        roads[first].add(second)
        roads[second].add(first)
    for city in cities:
        if city not in province_of:
            raise InvalidDocument(board.id, "group.city", f"{city} lies in no province")
        if not roads[city]:
            raise InvalidDocument(board.id, "link.road", f"no road leads to {city}")
    if "house" not in board.pieces:
        raise InvalidDocument(board.id, "piece.house", "is missing; Thurn and Taxis needs it")
    cities_of = {p: tuple(city for city in cities if province_of[city] == p) for p in PROVINCES}
    return Geometry(
        cities=cities,
        province_of=province_of,
        cities_of=cities_of,
        group_cities={
            carriage: tuple(city for city in cities if CARRIAGE_OF.get(province_of[city]) == carriage)
            for carriage in CARRIAGES
        },
        roads={city: frozenset(near) for city, near in roads.items()},
        names=spellings(cities),
    )


def roads_to_rome(board: Board) -> RomeMap | None:
    """The checked roads to Rome of a board's edition; None for an edition without that map.

    Raises InvalidDocument.
    """
    return rome_map(board.beside[MAP]) if MAP in board.beside else None


@once_a_board
def rome_map(board: Board) -> RomeMap:
    """The roads to Rome of a map, checked.

    Raises InvalidDocument for a road that does not lead south, a city that cannot reach Rome, or a missing start.
    """
    cities = _cities(board)
    for city in (ROME, *STARTS.values(), *STARTS_FOR_TWO.values()):
        if city not in cities:
            raise InvalidDocument(board.id, "group.city", f"lacks {city}, where carriages start or arrive")
    for name in ("carriage", "audience"):
        if name not in board.pieces:
            raise InvalidDocument(board.id, f"piece.{name}", "is missing; the way to Rome needs it")
    places = board.groups[CITY].places
    exits: dict[str, tuple[str, ...]] = dict.fromkeys(cities, ())
    for start, end in _roads(board, cities):
        if places[end][1] <= places[start][1]:
            raise InvalidDocument(board.id, "link.road", f"the road from {start} to {end} does not lead south")
        exits[start] += (end,)
    reaching = {ROME}
    for city in sorted(cities, key=lambda name: -places[name][1]):
        if not reaching.isdisjoint(exits[city]):
            reaching.add(city)
        elif city != ROME:
            raise InvalidDocument(board.id, "link.road", f"no road leads from {city} to Rome")
    return RomeMap(cities, exits, spellings(cities))


def _cities(board: Board) -> tuple[str, ...]:
    if CITY not in board.groups:
        raise InvalidDocument(board.id, "group.city", "is missing; it places the cities")
    return tuple(board.groups[CITY].places)


def _roads(board: Board, cities: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    pairs = []
    for first, second in board.links.get(ROAD, ()):
        ends = first.partition("/")[2], second.partition("/")[2]
        for end, site in zip(ends, (first, second), strict=True):
            if not site.startswith(f"{CITY}/") or end not in cities:
                raise InvalidDocument(board.id, "link.road", f"{site} is no city")
        pairs.append(ends)
    return tuple(pairs)
