"""The facts that each action states by itself; what follows from them is in effects.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.events import Event
from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana import effects
from companion.games.aqua_romana import events as e
from companion.games.aqua_romana.state import State


def direct_events(state: State, action: Any) -> tuple[Event, ...]:
    """The facts a legal action states by itself."""
    return (_DIRECT_EVENT[type(action)](state, action),)


_DIRECT_EVENT: dict[type, Callable[[State, Any], Event]] = {
    a.Place: lambda state, action: e.BuilderPlaced(state.active, action.builder, action.space),
    a.Build: lambda state, action: e.TileLaid(state.active, action.tile, action.space),
    a.Move: lambda state, action: effects.moved(state, state.active, action.space),
    a.Fountain: lambda state, action: e.FountainTileLaid(state.active, f"{action.cell} {action.drawing}"),
    a.Close: lambda state, action: effects.closed_by_choice(state, action.end),
    a.EndTurn: lambda state, action: e.TurnEnded(state.active),
    a.Take: lambda state, action: e.BuilderTaken(state.claims[0], action.builder),
}
