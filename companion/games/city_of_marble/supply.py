"""What runs out: warnings that the box holds no more of something, and what the ruling on supplies makes of it."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event, SupplyRanOut
from companion.games.city_of_marble import events as e
from companion.games.city_of_marble.effects import builder_of, coins_left, fountains_reached
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import (
    BUILDINGS_PER_KIND,
    COINS,
    CUBES,
    FOUNTAIN,
    FOUNTAINS,
    IMPERIUM_PER_KIND,
    State,
)

SUBSTITUTE, NOTHING = "substitute", "nothing"
effect = RULES.effect


@effect("COM-SUPPLY-1", e.BuildingBuilt)
def building_or_cube_is_substituted(state: State, event: e.BuildingBuilt) -> Iterator[Event]:
    if standing(state, event.kind) > BUILDINGS_PER_KIND:
        yield SupplyRanOut(event.seat, f"{event.kind} building", SUBSTITUTE)
    if sum(site.seat == event.seat for site in state.sites.values()) > CUBES:
        yield SupplyRanOut(event.seat, "cube", SUBSTITUTE)


@effect("COM-SUPPLY-1", e.FountainPlaced)
def fountain_is_substituted(state: State, event: e.FountainPlaced) -> Iterator[Event]:
    if standing(state, FOUNTAIN) > FOUNTAINS:
        yield SupplyRanOut(state.active, FOUNTAIN, SUBSTITUTE)


@effect("COM-SUPPLY-1", e.SiteCompleted)
def nothing_is_placed(state: State, event: e.SiteCompleted) -> Iterator[Event]:
    if event.vertex in state.sites:
        return
    seat = builder_of(state, event.vertex, event.kind)
    if not seat:
        yield SupplyRanOut(state.active, FOUNTAIN, NOTHING)
    elif standing(state, event.kind) >= BUILDINGS_PER_KIND:
        yield SupplyRanOut(seat, f"{event.kind} building", NOTHING)
    else:
        yield SupplyRanOut(seat, "cube", NOTHING)


@effect("COM-SUPPLY-1", e.MagistrateReturned)
def reward_runs_out(state: State, event: e.MagistrateReturned) -> Iterator[Event]:
    coin = event.space == "treasury"
    out = sum(holding.coins if coin else holding.imperium[event.space] for holding in state.holdings)
    if not event.paid or out > (COINS if coin else IMPERIUM_PER_KIND):
        piece = "coin" if coin else f"{event.space} Imperium"
        yield SupplyRanOut(event.seat, piece, SUBSTITUTE if event.paid else NOTHING)


@effect("COM-SUPPLY-1", e.CoinTaken)
def coin_is_substituted(state: State, event: e.CoinTaken) -> Iterator[Event]:
    if sum(holding.coins for holding in state.holdings) > COINS:
        yield SupplyRanOut(event.seat, "coin", SUBSTITUTE)


@effect("COM-SUPPLY-1", e.PieceLaid)
def no_coin_is_left(state: State, event: e.PieceLaid) -> Iterator[Event]:
    if coins_left(state):
        return
    for vertex in fountains_reached(state, event.colour):
        if vertex not in state.watered:
            yield SupplyRanOut(event.seat, "coin", NOTHING)


def standing(state: State, kind: str) -> int:
    """How many buildings of a kind, or fountains, are on the board."""
    return sum(site.kind == kind for site in state.sites.values())
