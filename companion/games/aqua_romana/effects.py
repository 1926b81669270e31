"""What follows from an action, rule by rule: growth, the builder's way, closings, podiums, reserve builders, turns."""

from __future__ import annotations

from collections.abc import Iterator

from companion.events import Event
from companion.games.aqua_romana import events as e
from companion.games.aqua_romana.drawings import JOKER
from companion.games.aqua_romana.fountains import can_lay_fountain_tile
from companion.games.aqua_romana.laying import can_build
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.sight import sees_a_builder
from companion.games.aqua_romana.state import (
    BLOCKED,
    CHOSEN,
    CLOSED,
    OPEN,
    Aqueduct,
    State,
    podium_for,
    traced,
)  # fmt: skip


@RULES.effect("AR-SETUP-4", e.BuilderPlaced)
def pass_the_placing_on(state: State, event: e.BuilderPlaced) -> Iterator[Event]:
    if state.step == "setup":
        yield e.TurnBegan(next_seat(state) if any(state.unplaced.values()) else 1)


def next_seat(state: State) -> int:
    """The seat clockwise of the active one."""
    return state.active % len(state.table.players) + 1


@RULES.effect("AR-GROW-1", e.TileLaid, e.FountainTileLaid)
def lengthen_aqueducts(state: State, event: e.TileLaid | e.FountainTileLaid) -> Iterator[Event]:
    board = state.board
    ends = {board.beyond.get(gate) for gate in board.tiles[event.tile].channels}
    for aqueduct in state.aqueducts.values():
        if aqueduct.end in ends:
            end, length = traced(board, state.tiles, aqueduct.end, aqueduct.length)
            yield e.AqueductGrown(aqueduct.outlet, end, length)


@RULES.effect("AR-BUILDER-1", e.TileLaid)
def move_the_builder(state: State, event: e.TileLaid) -> Iterator[Event]:
    yield moved(state, event.seat, event.space, state.board.tiles[event.tile].kind)


def moved(state: State, seat: int, start: int, laid: str = "") -> e.BuilderMoved:
    """A builder's move clockwise to the next free space, after it gave a tile of the kind `laid`."""
    space = following(state, start)
    while space in state.builders:
        space = following(state, space)
    return e.BuilderMoved(seat, state.builders[start], start, space, laid)


def following(state: State, space: int) -> int:
    """The next space of the path, clockwise."""
    return space % len(state.board.spaces) + 1


def passes_a_fountain(state: State, start: int, space: int) -> bool:
    """Whether a builder's way between two spaces turns a corner of the path."""
    while start != space:
        if start in state.board.corners:
            return True
        start = following(state, start)
    return False


@RULES.effect("AR-FOUNTAIN-1", e.BuilderMoved)
def pass_a_fountain(state: State, event: e.BuilderMoved) -> Iterator[Event]:
    if event.laid and passes_a_fountain(state, event.start, event.space):
        yield e.FountainPassed(event.seat, event.laid if event.builder == JOKER else event.builder)


@RULES.automatic("AR-FOUNTAIN-5", "fountain")
def miss_the_fountain(state: State) -> Event | None:
    return None if can_lay_fountain_tile(state) else e.FountainMissed(state.active)


@RULES.automatic("AR-FORCE-2", "build")
def miss_building(state: State) -> Event | None:
    if state.ruling("no_placement") == "move_builder":
        return None
    return None if can_build(state) or not sees_a_builder(state) else e.BuildingMissed(state.active)


@RULES.automatic("AR-CLOSE-1", "close")
def close_what_is_at_its_end(state: State) -> Event | None:
    if len(state.fronts) == len(state.aqueducts):
        return None
    beyond, fronts = state.board.beyond, state.fronts
    for aqueduct in clockwise(state, OPEN):
        if beyond.get(aqueduct.end) not in fronts:
            return e.AqueductClosed(aqueduct.seat, aqueduct.outlet, aqueduct.length, chosen=False)
    return None


@RULES.effect("AR-CLOSE-4", e.AqueductClosed)
def end_the_turn_with_the_choice(state: State, event: e.AqueductClosed) -> Iterator[Event]:
    if event.chosen:
        yield e.TurnEnded(state.active)


def closed_by_choice(state: State, end: str) -> e.AqueductClosed:
    """The closing of the open aqueduct that ends at a side of a cell.

    Raises ValueError where there is none.
    """
    for aqueduct in state.aqueducts.values():
        if aqueduct.end == end and aqueduct.status == OPEN:
            return e.AqueductClosed(aqueduct.seat, aqueduct.outlet, aqueduct.length, chosen=True)
    raise ValueError(f"no open aqueduct ends at {end}")


def clockwise(state: State, *statuses: str) -> list[Aqueduct]:
    """The aqueducts of these statuses, the active player's first, then those of the others clockwise."""
    found = [aqueduct for aqueduct in state.aqueducts.values() if aqueduct.status in statuses]
    if not found:
        return found
    earlier = [aqueduct for aqueduct in found if aqueduct.seat < state.active]
    return found[len(earlier) :] + earlier


@RULES.effect("AR-PODIUM-1", e.TurnEnded)
def score_what_was_closed(state: State, event: e.TurnEnded) -> Iterator[Event]:
    for aqueduct in clockwise(state, BLOCKED, CHOSEN):
        yield e.AqueductScored(aqueduct.seat, aqueduct.outlet, aqueduct.length)


@RULES.effect("AR-PODIUM-3", e.AqueductScored)
def miss_the_podiums(state: State, event: e.AqueductScored) -> Iterator[Event]:
    if not podium_for(state.podiums, event.length):
        yield e.PodiumMissed(event.seat, state.aqueducts[event.outlet].colour)


@RULES.effect("AR-PODIUM-2", e.AqueductScored)
def take_a_podium(state: State, event: e.AqueductScored) -> Iterator[Event]:
    podium = podium_for(state.podiums, event.length)
    if podium:
        yield e.PodiumTaken(event.seat, state.aqueducts[event.outlet].colour, podium)


@RULES.effect("AR-RESERVE-1", e.AqueductScored)
def owe_a_builder(state: State, event: e.AqueductScored) -> Iterator[Event]:
    if state.step == "claim" and state.reserve and state.has_open_aqueduct():
        yield e.BuilderDue(event.seat)


@RULES.automatic("AR-END-1", "claim")
def end_after_a_round_without_a_tile(state: State) -> Event | None:
    return e.GameEnded() if state.idle >= len(state.table.players) else None


@RULES.automatic("AR-END-2", "claim")
def end_without_workers(state: State) -> Event | None:
    return None if state.has_open_aqueduct() else e.GameEnded()


@RULES.effect("AR-END-3", e.GameEnded)
def score_open_aqueducts(state: State, event: e.GameEnded) -> Iterator[Event]:
    for aqueduct in clockwise(state, OPEN):
        yield e.AqueductScored(aqueduct.seat, aqueduct.outlet, aqueduct.length)


@RULES.automatic("AR-TURN-4", "claim")
def begin_the_next_turn(state: State) -> Event | None:
    return None if state.claims and state.reserve else e.TurnBegan(next_seat(state))


@RULES.automatic("AR-TURN-5", "build")
def skip_a_player_without_workers(state: State) -> Event | None:
    aqueducts = state.aqueducts
    for outlet in state.board.outlets[state.active]:
        if aqueducts[outlet.gate].status != CLOSED:
            return None
    return e.TurnEnded(state.active)
