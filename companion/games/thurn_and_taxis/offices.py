"""Offices of Honor: tiles for the use of officials, and what returning them earns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from companion.events import Event, SupplyRanOut
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.actions import Decline, Return
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import (
    CHIPS,
    CUT,
    HOUSE,
    LAST,
    MOVE,
    OFFICIALS,
    OVER,
    State,
    has_house,
    step_of,
)  # fmt: skip
from companion.legality import Group, Violation

check, effect = RULES.check, RULES.effect


@check("ARR-RETURN-3", Group.RULE, Return)
def officials_are_different(state: State, kinds: tuple[str, ...]) -> Violation | None:
    return None if kinds and len(set(kinds)) == len(kinds) else Violation("ARR-RETURN-3")


@check("ARR-RETURN-4", Group.SUPPLY, Return)
def tiles_are_held(state: State, kinds: tuple[str, ...]) -> Violation | None:
    for kind in kinds:
        if not state.own.offices[kind]:
            return Violation("ARR-RETURN-4", facts=FrozenDict(kind=kind))
    return None


@check("ARR-RETURN-5", Group.RULE, Decline)
def at_least_one_is_returned(state: State) -> Violation | None:
    return Violation("ARR-RETURN-5") if step_of(state) == "return" and state.stage != LAST else None


def returns(state: State) -> list[tuple[str, ...]]:
    """The sets of different office tiles that the acting seat can return."""
    held = [kind for kind in OFFICIALS if state.own.offices[kind]]
    return [kinds for count in range(1, len(held) + 1) for kinds in combinations(held, count)]


def holders(state: State, first: int) -> tuple[int, ...]:
    """The seats with office tiles, clockwise from `first`."""
    return tuple(seat for seat in state.table.clockwise(first) if any(state.holding(seat).offices.values()))


@effect("ARR-SUPPLY-1", e.OfficialUsed)
def no_office_tile_is_left(state: State, event: e.OfficialUsed) -> Iterator[Event]:
    if state.offices is not None and not state.offices.stock[event.official]:
        yield SupplyRanOut(event.seat, f"tile {event.official}", "nothing")


@effect("ARR-SUPPLY-2", e.OfficesReturned)
def no_chip_is_left(state: State, event: e.OfficesReturned) -> Iterator[Event]:
    if len(event.kinds) == 3 and sum(holding.chips for holding in state.holdings) >= CHIPS:
        yield SupplyRanOut(event.seat, "chip", "noted" if state.ruling("chips") == "any_number" else "nothing")


@effect("ARR-OFFICE-1", e.OfficialUsed)
def gain_the_office_tile(state: State, event: e.OfficialUsed) -> Iterator[Event]:
    if state.offices is not None and state.offices.stock[event.official]:
        yield e.OfficeGained(event.seat, event.official)


@effect("ARR-REWARD-2", e.OfficesReturned)
def two_tiles_earn_a_card(state: State, event: e.OfficesReturned) -> Iterator[Event]:
    if len(event.kinds) == 2 and (state.display or state.deck or state.discards):
        yield e.CardEarned(event.seat)


@effect("ARR-REWARD-3", e.OfficesReturned)
def three_tiles_earn_a_chip(state: State, event: e.OfficesReturned) -> Iterator[Event]:
    out = sum(holding.chips for holding in state.holdings)
    if len(event.kinds) == 3 and (out < CHIPS or state.ruling("chips") == "any_number"):
        yield e.ChipGained(event.seat)


@effect("ARR-REWARD-4", e.OfficesReturned)
def four_tiles_earn_a_house(state: State, event: e.OfficesReturned) -> Iterator[Event]:
    if len(event.kinds) != 4 or not state.holding(event.seat).houses:
        return
    if not all(has_house(state, city, event.seat) for city in state.board.cities):
        yield e.HouseEarned(event.seat)


@effect("ARR-RETURN-6", e.RoundFinished)
def last_return(state: State, event: e.RoundFinished) -> Iterator[Event]:
    first = state.ending if state.ruling("last_return_first") == "end_tile" else 1
    if state.offices is not None and (seats := holders(state, first or 1)):
        yield e.ReturnBegan(seats)


@RULES.automatic("ARR-OFFICE-2")
def everybody_returns(state: State) -> Event | None:
    offices = state.offices
    if offices is None or offices.returning or state.stage in (LAST, OVER) or all(offices.stock.values()):
        return None
    if state.stage in (HOUSE, MOVE, CUT) and state.ruling("return_in_closing") == "after_hand_cut":
        return None
    seats = holders(state, state.active)
    return e.ReturnBegan(seats) if seats else None
