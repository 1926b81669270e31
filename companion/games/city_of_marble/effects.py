"""What follows from an action, rule by rule: bridges, aqueduct starts, completions, coins, the end of a turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from companion.events import Event
from companion.games.city_of_marble import events as e
from companion.games.city_of_marble.aqueducts import next_edges
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.rules import revealing_seat
from companion.games.city_of_marble.state import (
    ACTIONS_PER_TURN,
    BUILDING_OF,
    BUILDINGS,
    BUILDINGS_PER_KIND,
    COINS,
    CUBES,
    FOUNTAIN,
    FOUNTAINS,
    HILL,
    IMPERIUM_PER_KIND,
    MATCHING,
    State,
    started,
)  # fmt: skip


@RULES.effect("COM-BRIDGE-1", e.WardLaid)
def take_bridges(state: State, event: e.WardLaid) -> Iterator[Event]:
    for triangle in state.board.triangles[event.ward]:
        if triangle in state.board.bridges:
            yield e.BridgeTaken(event.seat, state.board.bridges[triangle])


@RULES.effect("COM-AQ-1", e.WardLaid)
def start_aqueducts(state: State, event: e.WardLaid) -> Iterator[Event]:
    for colour, source in state.board.sources.items():
        touched = source in state.board.corners[event.ward] and colour not in state.lines
        if touched and next_edges(state, colour):
            yield e.AqueductStarted(colour, event.ward)


@RULES.effect("COM-SITE-1", e.WardLaid)
def close_sites(state: State, event: e.WardLaid) -> Iterator[Event]:
    sites = state.sites
    for vertex in state.board.corners[event.ward]:
        if vertex not in sites and is_closed(state, vertex):
            yield e.SiteClosed(vertex)


def is_closed(state: State, vertex: str) -> bool:
    """Whether all six triangles around a vertex are covered, as the ruling on hills counts them."""
    around = state.board.around.get(vertex, ())
    covered = state.covered
    for triangle in around:
        if triangle not in covered:
            return False
    if state.ruling("hill_corner") == "blocks":
        return bool(around) and all(covered[triangle] != HILL for triangle in around)
    return bool(around)


def wards_of(state: State, vertex: str) -> tuple[str, ...]:
    """The wards that meet at a vertex, in turn around it."""
    covered = state.covered
    around = [covered.get(triangle, HILL) for triangle in state.board.around[vertex]]
    return tuple(dict.fromkeys([ward for ward in around if ward != HILL]))


def buildings_of(state: State, vertex: str) -> int:
    """The buildings in a closed site's hexagon: one a ward, and one a hill where the ruling gives it one."""
    hills = [state.covered.get(triangle) for triangle in state.board.around[vertex]].count(HILL)
    return len(wards_of(state, vertex)) + (hills if state.ruling("hill_corner") == "fills_with_building" else 0)


def influence(state: State, vertex: str, kind: str) -> dict[int, int]:
    """Magistrates on wards of the matching colour at a site, by seat, for seats that have any."""
    counts: dict[int, int] = {}
    for name in wards_of(state, vertex):
        ward = state.wards[name]
        if ward.magistrate and ward.colour == MATCHING[kind]:
            counts[ward.magistrate] = counts.get(ward.magistrate, 0) + 1
    return counts


def builder_of(state: State, vertex: str, kind: str) -> int:
    """The seat with strictly the most influence; 0 for a tie or nobody."""
    counts = influence(state, vertex, kind)
    most = [seat for seat, count in counts.items() if count == max(counts.values())]
    return most[0] if len(most) == 1 else 0


@RULES.effect("COM-SITE-3", e.SiteCompleted)
def build(state: State, event: e.SiteCompleted) -> Iterator[Event]:
    seat = builder_of(state, event.vertex, event.kind)
    strict = state.ruling("supply") == "strict"
    built = list(state.sites.values())
    if seat and not (
        strict
        and (
            sum(site.kind == event.kind for site in built) >= BUILDINGS_PER_KIND
            or sum(site.seat == seat for site in built) >= CUBES
        )
    ):
        yield e.BuildingBuilt(event.vertex, event.kind, seat)


@RULES.effect("COM-SITE-4", e.SiteCompleted)
def place_fountain(state: State, event: e.SiteCompleted) -> Iterator[Event]:
    if not builder_of(state, event.vertex, event.kind):
        placed = sum(site.kind == FOUNTAIN for site in state.sites.values())
        if state.ruling("supply") != "strict" or placed < FOUNTAINS:
            yield e.FountainPlaced(event.vertex)


@RULES.effect("COM-SITE-5", e.BuildingBuilt)
def open_imperium(state: State, event: e.BuildingBuilt) -> Iterator[Event]:
    yield from _senders(state, event.vertex, event.kind)


@RULES.effect("COM-TREASURY-1", e.FountainPlaced)
def open_treasury(state: State, event: e.FountainPlaced) -> Iterator[Event]:
    yield from _senders(state, event.vertex, "treasury")


def _senders(state: State, vertex: str, space: str) -> Iterator[Event]:
    present = {state.wards[ward].magistrate for ward in wards_of(state, vertex)}
    seats = tuple(seat for seat in state.table.clockwise(state.active) if seat in present)
    if seats:
        yield e.SendingBegun(vertex, space, seats)


@RULES.effect("COM-COIN-1", e.PieceLaid)
def connect_fountain(state: State, event: e.PieceLaid) -> Iterator[Event]:
    for vertex in fountains_reached(state, event.colour):
        if vertex not in state.watered and coins_left(state):
            yield e.CoinTaken(event.seat, vertex)


def fountains_reached(state: State, colour: str) -> list[str]:
    """The fountains that the piece laid last on a line connects to, as the ruling on its ends has it."""
    near, far = state.lines[colour][-2:]
    ends = (far,) if state.ruling("coin_from_fountain") == "far_end" else (near, far)
    return [vertex for vertex in ends if (site := state.sites.get(vertex)) and site.kind == FOUNTAIN]


def coins_left(state: State) -> bool:
    """Whether a coin can be taken: always, unless the ruling on supplies counts them."""
    return state.ruling("supply") != "strict" or sum(holding.coins for holding in state.holdings) < COINS


@RULES.effect("COM-TURN-6", e.TurnEnded)
def empty_domus(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if any(state.holding(event.seat).domus.values()):
        yield e.DomusEmptied(event.seat)


@RULES.effect("COM-IMP-1", e.TurnEnded)
def collect_imperium(state: State, event: e.TurnEnded) -> Iterable[Event]:
    return _collect(state, event, BUILDINGS)


@RULES.effect("COM-TREASURY-2", e.TurnEnded)
def collect_coins(state: State, event: e.TurnEnded) -> Iterable[Event]:
    return _collect(state, event, ("treasury",))


def _collect(state: State, event: e.TurnEnded, spaces: tuple[str, ...]) -> Iterable[Event]:
    if not state.envoys or state.ruling("collecting") == "optional":
        return ()
    if event.final and state.ruling("collect_after_final") == "no":
        return ()
    return [
        returned(state, event.seat, space, taken)
        for space in spaces
        for taken in range(state.envoys.get(space, ()).count(event.seat))
    ]


def returned(state: State, seat: int, space: str, taken: int = 0) -> Event:
    """A magistrate's return from a space, with its reward unless that has run out; `taken` went to others just now."""
    if state.ruling("supply") != "strict":
        return e.MagistrateReturned(seat, space, True)
    if space == "treasury":
        left = COINS - sum(holding.coins for holding in state.holdings)
    else:
        left = IMPERIUM_PER_KIND - sum(holding.imperium[space] for holding in state.holdings)
    return e.MagistrateReturned(seat, space, left > taken)


@RULES.effect("COM-END-1", e.TurnEnded)
def begin_final_round(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if state.final is not None:
        return
    counts = list(state.stacks.values())
    if sum(counts) <= 1 if state.stacks_untold else counts.count(0) >= 3:
        yield e.FinalRoundBegun(len(state.table.players))


@RULES.effect("COM-END-4", e.TurnEnded)
def finish_turns(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if state.final == 0:
        yield e.RevealBegun()


@RULES.effect("COM-TURN-7", e.TurnEnded)
def begin_next_turn(state: State, event: e.TurnEnded) -> Iterator[Event]:
    if state.stage == "play":
        following = state.table.clockwise(event.seat)[1]
        yield e.TurnBegan(following, ACTIONS_PER_TURN if state.final is None else 1)


@RULES.automatic("COM-AQ-12", "lay", "start", "effect")
def end_short_laying(state: State) -> Event | None:
    if state.laying is not None:
        colours = (state.laying.colour,) if state.laying.colour else started(state)
        if not any(next_edges(state, colour) for colour in colours):
            return e.LayingEnded(state.laying.colour, state.laying.left)
        return None
    for start in state.starting:
        if not next_edges(state, start.colour):
            return e.LayingEnded(start.colour, start.left)
    return None


@RULES.automatic("COM-SITE-2", "site")
def complete_the_only_site(state: State) -> Event | None:
    return completed(state, state.closing[0]) if len(state.closing) == 1 else None


def completed(state: State, vertex: str) -> Event:
    """The completion of a closed site: what its number of buildings makes of it."""
    buildings = buildings_of(state, vertex)
    return e.SiteCompleted(vertex, buildings, BUILDING_OF[buildings])


@RULES.automatic("COM-REVEAL-5", "reveal")
def end_the_game(state: State) -> Event | None:
    return None if revealing_seat(state) else e.GameEnded()
