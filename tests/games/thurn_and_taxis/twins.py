"""A second, slow and obvious reading of the rulebooks: roads, routes, what a closing brings, arrivals, returns, points.

It knows nothing of the engine: the map is typed in from the rules, and a position is its document.
"""

from __future__ import annotations

from functools import cache
from typing import Any

Document = dict[str, Any]

PROVINCES = {
    "Baden": "Mannheim Carlsruhe Freiburg",
    "Wuerttemberg": "Stuttgart Ulm",
    "Hohenzollern": "Sigmaringen",
    "Schweiz": "Basel Zuerich",
    "Tyrol": "Innsbruck",
    "Baiern": "Wuerzburg Nuernberg Regensburg Ingolstadt Augsburg Passau Muenchen Kempten",
    "Boehmen": "Pilsen Budweis",
    "Salzburg": "Linz Salzburg",
    "Polen": "Lodz",
}
ROADS = """
Augsburg: Ingolstadt Innsbruck Kempten Muenchen Ulm
Basel: Freiburg Zuerich
Budweis: Linz Pilsen
Carlsruhe: Freiburg Mannheim Stuttgart
Freiburg: Sigmaringen Zuerich
Ingolstadt: Muenchen Nuernberg Regensburg Stuttgart Ulm
Innsbruck: Kempten Muenchen Salzburg
Kempten: Sigmaringen Ulm Zuerich
Linz: Passau Salzburg
Lodz: Pilsen
Mannheim: Stuttgart Wuerzburg
Muenchen: Passau Regensburg Salzburg
Nuernberg: Pilsen Regensburg Stuttgart Wuerzburg
Passau: Regensburg Salzburg
Pilsen: Regensburg
Sigmaringen: Stuttgart Ulm Zuerich
Stuttgart: Ulm Wuerzburg
"""
STACKS = {
    "5": "21", "6": "321", "7": "4321", "Baden": "321", "Wuerttemberg": "321", "Schweiz": "321", "Baiern": "5432",
    "Boehmen": "432", "outside": "6543",
}  # fmt: skip
TILE_PROVINCES = {
    "Baden": ["Baden"], "Wuerttemberg": ["Wuerttemberg", "Hohenzollern"], "Schweiz": ["Schweiz", "Tyrol"],
    "Baiern": ["Baiern"], "Boehmen": ["Boehmen", "Salzburg"],
}  # fmt: skip
CARRIAGE_POINTS = {0: 0, 3: 2, 4: 3, 5: 5, 6: 7, 7: 10}
CLERGY = {"two": "54321", "three": "54231", "four": "53241"}
"""reading -> the values of cardinal, bishop, priest, deacon and ministrant"""
RANKS = ["cardinal", "bishop", "priest", "deacon", "ministrant"]


@cache
def roads() -> set[frozenset[str]]:
    """All roads as pairs of cities."""
    pairs = (line.split(": ") for line in ROADS.strip().splitlines())
    return {frozenset((city, other)) for city, others in pairs for other in others.split()}


def province(city: str) -> str:
    """The province of a city."""
    return next(name for name, cities in PROVINCES.items() if city in cities.split())


def player(position: Document, seat: int) -> Document:
    """What lies before a seat."""
    own: Document = position["player"][str(seat)]
    return own


def own_houses(position: Document, seat: int) -> set[str]:
    """The cities with a house of a seat."""
    return {city for city, seats in position["houses"].items() if seat in seats}


def cards_out(position: Document, city: str) -> int:
    """The cards of a city that lie open or are known in a hand."""
    piles = [position["display"], position["discards"]]
    piles += [pile for own in position["player"].values() for pile in (own["hand"], own["route"])]
    return sum(pile.count(city) for pile in piles)


def plays(position: Document) -> set[tuple[str, str]]:
    """The cards that the active player may add, and where, as far as the table can know."""
    own = player(position, position["to_move"])
    cities = [city for cities in PROVINCES.values() for city in cities.split()]
    held = [city for city in cities if city in own["hand"] or ("?" in own["hand"] and cards_out(position, city) < 3)]
    route, found = own["route"], set()
    for city in held:
        if not route:
            found.add((city, "new"))
        elif city not in route:
            ends = {"left": route[0], "right": route[-1]}
            found |= {(city, end) for end, last in ends.items() if {city, last} in roads()}
    return found


def stack(position: Document, name: str) -> str:
    """The values left in a stack of bonus tiles, top first."""
    return STACKS[name][sum(tile.split()[0] == name for own in position["player"].values() for tile in own["tiles"]) :]


def province_tiles(position: Document, seat: int) -> list[str]:
    """The tiles for provinces that a seat gets for the houses it has by now."""
    houses = own_houses(position, seat)
    full = [
        name
        for name, parts in TILE_PROVINCES.items()
        if all(city in houses for part in parts for city in PROVINCES[part].split())
    ]
    needed = set(PROVINCES)
    if position["rulings"]["outside_tile"] == "without_baiern":
        needed.remove("Baiern")
    if needed <= {province(city) for city in houses}:
        full.append("outside")
    has = [tile.split()[0] for tile in player(position, seat)["tiles"]]
    return [f"{name} {stack(position, name)[0]}" for name in full if name not in has and stack(position, name)]


def closing(position: Document) -> dict[str, Any]:
    """What a closed route brings once its houses stand: tiles, a carriage, cards for Rome."""
    seat = position["to_move"]
    own, route = player(position, seat), player(position, seat)["route"]
    tiles = []
    for length in (7, 6, 5):
        if len(route) >= length and stack(position, str(length)):
            tiles = [f"{length} {stack(position, str(length))[0]}"]
            break
    following = {0: 3, 3: 4, 4: 5, 5: 6, 6: 7, 7: 99}[own["carriage"]]
    helped = position["closing"]["cartwright"]
    without = [city for city in route if city not in position["closing"]["housed"]]
    gets = len(route) + 2 * helped >= following
    return {
        "tiles": tiles + province_tiles(position, seat),
        "carriage": following if gets else None,
        "cartwright": gets and helped,
        "ends": gets and following == 7 and not position["ending"],
        "unused": without if "audience" in position else [],
    }


def housing_is_done(position: Document) -> bool:
    """Whether as many houses stand as the chosen option asks for, one a province or all in one."""
    seat = position["to_move"]
    own, closed = player(position, seat), position["closing"]
    before = own_houses(position, seat) - set(closed["housed"])
    free = [city for city in own["route"] if city not in before]
    if closed["option"] == "each":
        wanted = [[city for city in free if province(city) == name] for name in PROVINCES]
        wanted = [cities for cities in wanted if cities]
    else:
        wanted = [[city] for city in free if province(city) == closed["option"]]
    placed = [sum(city in closed["housed"] for city in cities) for cities in wanted]
    return sum(placed) == len(closed["housed"]) and max(placed, default=0) <= 1 and (all(placed) or not own["houses"])


def audience(rome: dict[str, list[int]], brought: list[str]) -> dict[str, list[int]]:
    """Who is at the audience once a carriage has arrived with these ranks, one of each seat."""
    arrived = {rank: [seat for seat, each in enumerate(brought, 1) if each == rank] for rank in RANKS}
    return {rank: arrived[rank] or rome[rank] for rank in RANKS}


def points(position: Document) -> list[int]:
    """The score of each seat."""
    totals = []
    for text, own in position["player"].items():
        seat = int(text)
        total = CARRIAGE_POINTS[own["carriage"]] + sum(int(tile.split()[1]) for tile in own["tiles"])
        total += (position["ending"] == seat) - own["houses"] + own.get("chips", 0)
        for rank, value in zip(RANKS, CLERGY[position["rulings"]["fifth_rank"]], strict=True):
            total += int(value) * (seat in position.get("audience", {}).get("rome", {}).get(rank, []))
        totals.append(total)
    return totals


def ranks(position: Document) -> list[int]:
    """The place of each seat: by points, then clockwise from the game-end tile."""
    totals, ending = points(position), position["ending"]
    seats = range(1, len(totals) + 1)
    order = [*range(ending, len(totals) + 1), *range(1, ending)] if ending else []
    keys = [(-totals[seat - 1], order.index(seat) if order else 0) for seat in seats]
    return [1 + sum(other < key for other in keys) for key in keys]
