"""The score sheet: what counts during the game, and the final scoring in rulebook order."""

from __future__ import annotations

from collections.abc import Iterator

from companion.frozen import FrozenDict
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import BUILDINGS, FOUNTAIN, State, started
from companion.scoring import ScoreLine

POINTS = {"temple": 2, "baths": 3, "theatre": 5, "arena": 8}
ACROSS, NOBODY = "fountain_adjacent_across_tile", "empty_majority"
AQUEDUCT_POINTS, FOUNTAIN_POINTS, MOST_COINS_POINTS, MOST_IMPERIUM_POINTS, TIED_IMPERIUM_POINTS = 2, 1, 2, 5, 2


def buildings_by_seat(state: State) -> dict[int, list[str]]:
    """Seat -> the vertices of its civic buildings, in the order of the board."""
    owned: dict[int, list[str]] = {seat: [] for seat in state.table.seats}
    sites = state.sites
    for vertex in filter(sites.__contains__, state.board.around):
        if seat := sites[vertex].seat:
            owned[seat].append(vertex)
    return owned


@RULES.score("COM-SCORE-1")
def score_buildings(state: State) -> Iterator[ScoreLine]:
    for seat, vertices in buildings_by_seat(state).items():
        for kind in BUILDINGS:
            own = tuple(vertex for vertex in vertices if state.sites[vertex].kind == kind)
            if own:
                points = POINTS[kind] * len(own)
                yield ScoreLine("COM-SCORE-1", seat, points, own, FrozenDict(kind=kind, count=len(own)))


@RULES.score("COM-SCORE-2")
def score_bridges(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        holding = state.holding(seat)
        if holding.bridges:
            told = " + ".join(map(str, holding.values)) or "not told yet"
            facts = FrozenDict[str, str | int](count=holding.bridges, values=told)
            yield ScoreLine("COM-SCORE-2", seat, sum(holding.values), (), facts)


@RULES.score("COM-SCORE-3")
def score_aqueducts(state: State) -> Iterator[ScoreLine]:
    owned = buildings_by_seat(state)
    for colour in started(state):
        watered = state.lines[colour]
        for seat, vertices in owned.items():
            own = tuple(vertex for vertex in vertices if vertex in watered)
            if own:
                facts = FrozenDict[str, str | int](colour=colour, count=len(own))
                yield ScoreLine("COM-SCORE-3", seat, AQUEDUCT_POINTS * len(own), own, facts)


@RULES.score("COM-SCORE-4")
def score_fountains(state: State) -> Iterator[ScoreLine]:
    across_counts = state.ruling(ACROSS) == "yes"
    for seat, vertices in buildings_by_seat(state).items():
        near = [(vertex, fountain, across) for vertex in vertices for fountain, across in fountains_near(state, vertex)]
        pairs = [(vertex, fountain) for vertex, fountain, across in near if across_counts or not across]
        if pairs:
            sites = tuple(dict.fromkeys(site for pair in pairs for site in pair))
            ruling = ACROSS if any(across for _, _, across in near) else ""
            points = FOUNTAIN_POINTS * len(pairs)
            yield ScoreLine("COM-SCORE-4", seat, points, sites, FrozenDict(count=len(pairs)), ruling)


def fountains_near(state: State, vertex: str) -> Iterator[tuple[str, bool]]:
    """The fountains next to a building's vertex, and whether the short diagonal of a ward lies between the two."""
    for edge, near, _ in state.board.steps[vertex]:
        site = state.sites.get(near)
        if site and site.kind == FOUNTAIN:
            yield near, edge in state.wards


@RULES.score("COM-SCORE-5")
def score_coins(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        coins = state.holding(seat).coins
        if coins:
            yield ScoreLine("COM-SCORE-5", seat, coins, (), FrozenDict(count=coins))


@RULES.score("COM-SCORE-6")
def score_most_coins(state: State) -> Iterator[ScoreLine]:
    coins = [holding.coins for holding in state.holdings]
    if max(coins) or state.ruling(NOBODY) == "shared":
        ruling = "" if max(coins) else NOBODY
        for seat in state.table.seats:
            if coins[seat - 1] == max(coins):
                yield ScoreLine("COM-SCORE-6", seat, MOST_COINS_POINTS, (), FrozenDict(count=max(coins)), ruling)


@RULES.score("COM-SCORE-7")
def score_imperium(state: State) -> Iterator[ScoreLine]:
    for kind in BUILDINGS:
        counts = [holding.imperium[kind] for holding in state.holdings]
        most = max(counts)
        if not most and state.ruling(NOBODY) == "none":
            continue
        leaders = [seat for seat in state.table.seats if counts[seat - 1] == most]
        points = MOST_IMPERIUM_POINTS if len(leaders) == 1 else TIED_IMPERIUM_POINTS
        for seat in leaders:
            facts = FrozenDict[str, str | int](kind=kind, count=most, tied=len(leaders))
            yield ScoreLine("COM-SCORE-7", seat, points, (), facts, "" if most else NOBODY)


@RULES.tie_break("COM-SCORE-8", "civic buildings")
def most_buildings(state: State) -> tuple[int, ...]:
    owned = buildings_by_seat(state)
    return tuple(len(owned[seat]) for seat in state.table.seats)


@RULES.tie_break("COM-SCORE-9", "Imperium tiles")
def most_imperium(state: State) -> tuple[int, ...]:
    return tuple(sum(holding.imperium.values()) for holding in state.holdings)
