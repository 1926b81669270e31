"""What runs out: warnings that floors or a player's roofs are used up."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event, SupplyRanOut
from companion.games.capitol import events as e
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import FLOORS_PER_CARD, State

effect = RULES.effect


@effect("CAP-SUPPLY-1", e.FloorsBuilt)
def floors_run_short(state: State, event: e.FloorsBuilt) -> Iterator[Event]:
    if state.floors >= FLOORS_PER_CARD:
        return
    takes_rest = state.floors and state.ruling("floor_shortage") == "take_rest"
    yield SupplyRanOut(event.seat, "second floor" if state.floors else "floor", "rest" if takes_rest else "no_floor")


@effect("CAP-SUPPLY-2", e.BuildingCovered)
def roofs_run_out(state: State, event: e.BuildingCovered) -> Iterator[Event]:
    roofs = state.holding(event.seat).roofs
    if not roofs[event.shape]:
        yield SupplyRanOut(event.seat, f"{event.shape} roof", "other_shape" if any(roofs.values()) else "no_roof")
