"""Lines of sight: which builders a worker sees, and which tiles they give."""

from __future__ import annotations

from companion.games.aqua_romana.drawings import KINDS
from companion.games.aqua_romana.state import State


def seen_from(state: State, end: str) -> list[int]:
    """The spaces of the builders that a worker at this gate sees, straight along its row and column.

    Nothing blocks the view: every worker looks at four spaces.
    """
    builders = state.builders
    return [space for space in state.board.sight[state.board.cell_of[end]] if space in builders]


def sees_a_builder(state: State) -> bool:
    """Whether any worker of the active player sees a builder."""
    return any(seen_from(state, aqueduct.end) for aqueduct in state.own())


def given_kinds(state: State, builder: str) -> tuple[str, ...]:
    """The kinds a builder gives now: its own, or any that is left once that is used up, or for a joker."""
    if state.stock.get(builder):
        return (builder,)
    return tuple(kind for kind in KINDS if state.stock[kind])


def spaces_in_sight(state: State) -> list[int]:
    """The spaces of the builders that the active player's workers see."""
    return sorted({space for aqueduct in state.own() for space in seen_from(state, aqueduct.end)})
