"""What runs out: warnings that a kind of tile or the reserve of builders is used up."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event, SupplyRanOut
from companion.games.aqua_romana import events as e
from companion.games.aqua_romana.drawings import KIND_OF
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import State

effect = RULES.effect


@effect("AR-SUPPLY-1", e.TileLaid, e.FountainTileLaid)
def last_tile_of_a_kind(state: State, event: e.TileLaid | e.FountainTileLaid) -> Iterator[Event]:
    kind = KIND_OF[event.tile.partition(" ")[2]]
    if not state.stock[kind]:
        yield SupplyRanOut(event.seat, f"{kind} tile", "other_kind" if any(state.stock.values()) else "no_tile")


@effect("AR-SUPPLY-1", e.AqueductScored)
def reserve_is_empty(state: State, event: e.AqueductScored) -> Iterator[Event]:
    if state.step == "claim" and not state.reserve and state.has_open_aqueduct():
        yield SupplyRanOut(event.seat, "reserve builder", "nobody")
