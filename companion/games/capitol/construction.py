"""The construction phase: cards are played one by one for floors, roofs and permits, or for nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from companion.events import Event
from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.capitol import events as e
from companion.games.capitol.actions import PlayFloor, PlayRoof
from companion.games.capitol.evolve import built
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import FLOORS_PER_CARD, FOUNTAIN, NEW, SHAPES, State, height_of, step_of
from companion.legality import Group, Violation

check, effect = RULES.check, RULES.effect


@effect("CAP-PLAY-2", e.FloorsBuilt, e.BuildingCovered, e.BuildingPlaced, e.CardForgone, e.PlayerPassed)
def next_player(state: State, event: Event) -> Iterator[Event]:
    table, passed = state.table, state.passed
    for seat in table.clockwise(state.active % len(table.players) + 1):
        if seat not in passed:
            yield e.TurnBegan(seat)
            return


@effect("CAP-PLAY-3", e.TurnBegan, e.RoundBegan)
def pass_without_cards(state: State, event: Event) -> Iterator[Event]:
    if not state.own.hand and not state.is_untold:
        yield e.PlayerPassed(state.active, True)


@effect("CAP-PLAY-4", e.PlayerPassed)
def end_of_construction(state: State, event: e.PlayerPassed) -> Iterator[Event]:
    if len(state.passed) == len(state.holdings):
        yield e.AuctionBegan(1, FOUNTAIN)


@RULES.out_of_turn("CAP-PLAY-5")
def has_passed(state: State, seat: int) -> Violation | None:
    passed = step_of(state) == "play" and seat in state.passed
    return Violation("CAP-PLAY-5", facts=FrozenDict(seat=seat)) if passed else None


@check("CAP-FLOOR-1", Group.SUPPLY, PlayFloor, in_time=True)
def builds_all_its_floors(state: State, onto: tuple[str, ...]) -> Violation | None:
    due = floors_due(state)
    if len(onto) == due or (len(onto) == 1 <= due and state.ruling("one_floor_only") == "yes"):
        return None
    if state.floors < FLOORS_PER_CARD:
        facts = FrozenDict[str, Fact](floors=len(onto), due=due, left=state.floors)
        return Violation("CAP-FLOOR-1", facts=facts, ruling="floor_shortage", wording="short")
    ruling = "one_floor_only" if len(onto) == 1 else ""
    return Violation("CAP-FLOOR-1", facts=FrozenDict(floors=len(onto), due=due), ruling=ruling)


@check("CAP-FLOOR-2", Group.PLACE, PlayFloor, in_time=True)
def builds_on_own_unroofed_buildings(state: State, onto: tuple[str, ...]) -> Violation | None:
    try:
        built(state.own.unroofed, onto)
    except ValueError:
        heights = state.own.unroofed
        twice = next((height_of(each) for each in onto if each != NEW and onto.count(each) > 1), 0)
        if twice in heights:
            facts = FrozenDict[str, Fact](heights=heights, height=twice, taller=twice + 1)
            return Violation("CAP-FLOOR-2", facts=facts, wording="twice")
        return Violation("CAP-FLOOR-2", facts=FrozenDict(heights=heights))
    return None


@check("CAP-FLOOR-3", Group.RULE, PlayFloor)
def builds_old_or_new_as_ruled(state: State, onto: tuple[str, ...]) -> Violation | None:
    mixed = len(onto) > 1 and onto[0] == NEW and height_of(onto[-1]) > 1
    return Violation("CAP-FLOOR-3") if mixed and state.ruling("mixed_floors") == "no" else None


@check("CAP-ROOF-1", Group.SUPPLY, PlayRoof, in_time=True)
def has_such_a_roof(state: State, shape: str) -> Violation | None:
    return None if state.own.roofs[shape] else Violation("CAP-ROOF-1", facts=FrozenDict(shape=shape))


@check("CAP-ROOF-2", Group.PLACE, PlayRoof, in_time=True)
def covers_an_own_unroofed_building(state: State, height: int) -> Violation | None:
    if height in state.own.unroofed:
        return None
    return Violation("CAP-ROOF-2", facts=FrozenDict(height=height, heights=state.own.unroofed))


def floors_due(state: State) -> int:
    """The floors that a floor card puts down now."""
    if state.floors < FLOORS_PER_CARD and state.ruling("floor_shortage") == "none":
        return 0
    return min(FLOORS_PER_CARD, state.floors)


def ways_to_build(state: State) -> tuple[tuple[str, ...], ...]:
    """What floors could be put on, at least all that can be legal."""
    one_only, mixed = state.ruling("one_floor_only") == "yes", state.ruling("mixed_floors") != "no"
    return _ways(state.own.unroofed, floors_due(state), one_only, mixed)


@lru_cache(maxsize=1 << 10)
def _ways(unroofed: tuple[int, ...], due: int, one_only: bool, mixed: bool) -> tuple[tuple[str, ...], ...]:
    names = {height: str(height) if height else NEW for height in sorted({0, *unroofed})}
    ways: list[tuple[str, ...]] = []
    if due == 1 or (due and one_only):
        ways += [(name,) for name in names.values()]
    if due > 1:
        for first, name in names.items():
            ways += [
                (name, names.get(second, str(second)))
                for second in sorted({first, first + 1, *names})
                if second > first or (second == first and unroofed.count(first) != 1)
                if mixed or first or second <= 1
            ]
    return tuple(ways)


def roofs_left(state: State) -> tuple[str, ...]:
    """The shapes of roof that the active player has left."""
    roofs = state.own.roofs
    return tuple([shape for shape in SHAPES if roofs[shape]])
