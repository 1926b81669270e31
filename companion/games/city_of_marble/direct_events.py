"""The facts that each action states by itself; what follows from them is in effects.py."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.events import Event
from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble import effects
from companion.games.city_of_marble import events as e
from companion.games.city_of_marble.rules import DRAWN_WARDS, revealing_seat
from companion.games.city_of_marble.state import EXPANSION_PIECES, UNTOLD, State


def direct_events(state: State, action: Any) -> tuple[Event, ...]:
    """The facts a legal action states by itself."""
    return _DIRECT_EVENTS[type(action)](state, action)


def _laid(state: State, action: a.Lay) -> tuple[Event, ...]:
    laid = e.PieceLaid(state.active, action.colour, action.edge)
    begins = state.laying is None and not state.starting
    return (e.ExpansionBegun(state.active, EXPANSION_PIECES), laid) if begins else (laid,)


def _sent(state: State, action: a.Send) -> tuple[Event, ...]:
    assert state.sending is not None
    return (e.MagistrateSent(state.sending.seats[0], action.ward, state.sending.space),)


def _kept(state: State, action: a.Keep) -> tuple[Event, ...]:
    assert state.sending is not None
    return (e.MagistrateKept(state.sending.seats[0]),)


def _untold_draws(state: State) -> tuple[Event, ...]:
    """What the actions were of which nothing was told: draws, while the stacks hold wards."""
    if not state.is_untold:
        return ()
    found: list[Event] = []
    left = sum(state.stacks.values())
    for _action in range(state.actions):
        drawn = min(DRAWN_WARDS, left)
        left -= drawn
        found.append(e.WardsDrawn(state.active, (UNTOLD,) * drawn) if drawn else e.ActionPassed(state.active))
    return tuple(found)


def _spent(state: State, action: a.Spend) -> tuple[Event, ...]:
    before = _untold_draws(state) if state.ruling("imperium_when") == "after_both" else ()
    return *before, e.ImperiumSpent(state.active, action.imperium)


def _ended(state: State, action: a.EndTurn) -> tuple[Event, ...]:
    return *_untold_draws(state), e.TurnEnded(state.active, state.final is not None)


def _ended_into_the_last_round(state: State, action: a.LastRound) -> tuple[Event, ...]:
    turns = len(state.table.players) + 1
    return *_untold_draws(state), e.FinalRoundBegun(turns), e.TurnEnded(state.active, False)


_DIRECT_EVENTS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    a.Draw: lambda state, action: (e.WardsDrawn(state.active, action.colours),),
    a.PlayWard: lambda state, action: (e.WardLaid(state.active, action.ward, action.colour, action.magistrate),),
    a.Lay: _laid,
    a.Recall: lambda state, action: (e.MagistrateRecalled(state.active, action.place),),
    a.Spend: _spent,
    a.Complete: lambda state, action: (effects.completed(state, action.vertex),),
    a.Send: _sent,
    a.Keep: _kept,
    a.Collect: lambda state, action: (*_untold_draws(state), effects.returned(state, state.active, action.space)),
    a.Pass: lambda state, action: (e.ActionPassed(state.active),),
    a.EndTurn: _ended,
    a.LastRound: _ended_into_the_last_round,
    a.Reveal: lambda state, action: (e.BridgesRevealed(revealing_seat(state), action.values),),
}
