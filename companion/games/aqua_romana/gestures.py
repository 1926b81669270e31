"""The actions that a touch of a board site may mean, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana.drawings import JOINS
from companion.games.aqua_romana.sight import spaces_in_sight
from companion.games.aqua_romana.state import BUILDERS, OPEN, State


def gestures_at(state: State, site: str) -> Iterator[Any]:
    """The actions on a cell, a gate, a space of the path, a podium or a builder of the reserve; likeliest first."""
    board, (group, _, name) = state.board, site.partition("/")
    if site in board.gates:
        yield from _tiles(state, site)
    elif site in board.cell_of:
        yield a.Close(site)
        ahead = board.cell_of[board.beyond[site]] if site in board.beyond else ""
        for cell in dict.fromkeys(filter(None, (ahead, board.cell_of[site]))):
            yield from _tiles(state, cell)
    elif group == "path":
        space = int(name)
        yield from (a.Place(builder, space) for builder in _in_hand(state))
        yield a.Move(space)
        yield from (a.Build(tile, space) for tile in _continuing(state))
    elif group == "podium":
        yield from (a.Close(aqueduct.end) for aqueduct in state.own() if aqueduct.status == OPEN)
    elif group == "reserve":
        yield a.Take(name)


def _tiles(state: State, cell: str) -> Iterator[Any]:
    """Every tile on a cell, by the builders that are seen first."""
    spaces = dict.fromkeys((*spaces_in_sight(state), *sorted(state.builders))) or state.board.spaces[:1]
    builds = [a.Build(f"{cell} {drawing}", space) for space in spaces for drawing in JOINS]
    fountains = [a.Fountain(cell, drawing) for drawing in JOINS]
    yield from (*fountains, *builds) if state.step == "fountain" else (*builds, *fountains)


def _in_hand(state: State) -> tuple[str, ...]:
    """The builders that may be placed now, or any where none is to be placed."""
    left = [builder for builder, count in state.unplaced.items() if count]
    return tuple(left if state.step == "setup" else state.held[state.active - 1]) or BUILDERS


def _continuing(state: State) -> Iterator[str]:
    """The tiles that would continue the active player's aqueducts."""
    for aqueduct in state.own():
        front = state.board.beyond.get(aqueduct.end, "")
        if front in state.fronts:
            for kind in state.stock:
                yield from state.board.entered[front, kind]
