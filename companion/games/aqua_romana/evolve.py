"""How each fact changes the position. Nothing else makes a new state."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.events import Event, SupplyRanOut
from companion.frozen import FrozenDict, changed
from companion.games.aqua_romana import events as e
from companion.games.aqua_romana.state import BLOCKED, CHOSEN, CLOSED, Aqueduct, State, front_of


def evolve(state: State, event: Event) -> State:
    """The position after a fact."""
    return _EVOLVE[type(event)](state, event)


def _with(state: State, outlet: str, **changes: Any) -> FrozenDict[str, Aqueduct]:
    return state.aqueducts.put(outlet, changed(state.aqueducts[outlet], **changes))


def _builder_placed(state: State, event: e.BuilderPlaced) -> State:
    builders = state.builders.put(event.space, event.builder)
    if state.step == "setup":
        left = state.unplaced.put(event.builder, state.unplaced[event.builder] - 1)
        return changed(state, builders=builders, unplaced=left)
    held = list(state.held)
    own = list(held[event.seat - 1])
    own.remove(event.builder)
    held[event.seat - 1] = tuple(own)
    return changed(state, builders=builders, held=tuple(held), step="place" if own else "build")


def _with_tile(state: State, text: str, **changes: Any) -> State:
    tile, board = state.board.tiles[text], state.board
    fronts = state.fronts.without(board.gates[tile.cell])
    tiles, stock = state.tiles.put(tile.cell, tile.drawing), state.stock.put(tile.kind, state.stock[tile.kind] - 1)
    return changed(state, tiles=tiles, stock=stock, fronts=fronts, step="close", laid=True, **changes)


def _tile_laid(state: State, event: e.TileLaid) -> State:
    return _with_tile(state, event.tile)


def _aqueduct_grown(state: State, event: e.AqueductGrown) -> State:
    aqueducts = _with(state, event.outlet, end=event.end, length=event.length)
    front = front_of(state.board, state.tiles, event.end)
    fronts = state.fronts if front is None else state.fronts.put(front, event.outlet)
    return changed(state, aqueducts=aqueducts, fronts=fronts)


def _builder_moved(state: State, event: e.BuilderMoved) -> State:
    builders = dict(state.builders)
    del builders[event.start]
    builders[event.space] = event.builder
    return changed(state, builders=FrozenDict(builders), step="close")


def _fountain_passed(state: State, event: e.FountainPassed) -> State:
    return changed(state, step="fountain", fountain=event.kind)


def _fountain_tile_laid(state: State, event: e.FountainTileLaid) -> State:
    return _with_tile(state, event.tile, fountain="")


def _fountain_missed(state: State, event: e.FountainMissed) -> State:
    return changed(state, step="close", fountain="")


def _building_missed(state: State, event: e.BuildingMissed) -> State:
    return changed(state, step="close")


def _aqueduct_closed(state: State, event: e.AqueductClosed) -> State:
    return changed(state, aqueducts=_with(state, event.outlet, status=CHOSEN if event.chosen else BLOCKED))


def _turn_ended(state: State, event: e.TurnEnded) -> State:
    return changed(state, step="claim", idle=0 if state.laid else state.idle + 1)


def _aqueduct_scored(state: State, event: e.AqueductScored) -> State:
    return changed(state, aqueducts=_with(state, event.outlet, status=CLOSED))


def _podium_taken(state: State, event: e.PodiumTaken) -> State:
    return _on_podium(state, event.podium, event.colour)


def _podium_missed(state: State, event: e.PodiumMissed) -> State:
    return _on_podium(state, 0, event.colour)


def _on_podium(state: State, podium: int, colour: str) -> State:
    there = state.podiums.get(podium, ())
    return changed(state, podiums=state.podiums.put(podium, (*there, colour)))


def _builder_due(state: State, event: e.BuilderDue) -> State:
    return changed(state, claims=(*state.claims, event.seat))


def _builder_taken(state: State, event: e.BuilderTaken) -> State:
    held = list(state.held)
    held[event.seat - 1] = (*held[event.seat - 1], event.builder)
    claims = list(state.claims)
    claims.remove(event.seat)
    if state.ruling("reserve_order") == "one_each":
        claims.sort(key=lambda seat: seat == event.seat)
    reserve = tuple(builder for builder in state.reserve if builder != event.builder)
    return changed(state, held=tuple(held), claims=tuple(claims), reserve=reserve)


def _turn_began(state: State, event: e.TurnBegan) -> State:
    step = "build"
    if any(state.unplaced.values()):
        step = "setup"
    elif state.held[event.seat - 1]:
        step = "place"
    return changed(state, active=event.seat, step=step, laid=False, claims=())


def _game_ended(state: State, event: e.GameEnded) -> State:
    return changed(state, step="over", claims=())


def _unchanged(state: State, event: Event) -> State:
    return state


_EVOLVE: dict[type, Callable[[State, Any], State]] = {
    e.BuilderPlaced: _builder_placed,
    e.TileLaid: _tile_laid,
    e.AqueductGrown: _aqueduct_grown,
    e.BuilderMoved: _builder_moved,
    e.FountainPassed: _fountain_passed,
    e.FountainTileLaid: _fountain_tile_laid,
    e.FountainMissed: _fountain_missed,
    e.BuildingMissed: _building_missed,
    e.AqueductClosed: _aqueduct_closed,
    e.TurnEnded: _turn_ended,
    e.AqueductScored: _aqueduct_scored,
    e.PodiumTaken: _podium_taken,
    e.PodiumMissed: _podium_missed,
    e.BuilderDue: _builder_due,
    e.BuilderTaken: _builder_taken,
    e.TurnBegan: _turn_began,
    e.GameEnded: _game_ended,
    SupplyRanOut: _unchanged,
}
