"""The facts that each action states by itself; what follows from them is with the rules of each part."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.events import Event
from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis import events as e
from companion.games.thurn_and_taxis.state import (
    ADMINISTRATOR,
    CARRIER,
    CLOSE,
    HOUSE,
    MOVE,
    PLAY,
    POSTMASTER,
    TAKE,
    UNTOLD_OFFICES,
    State,
    step_of,
)  # fmt: skip


def direct_events(state: State, action: Any) -> tuple[Event, ...]:
    """The facts a legal action states by itself."""
    return _DIRECT_EVENTS[type(action)](state, action)


def _show(state: State, action: a.Show) -> tuple[Event, ...]:
    return (e.CardShown(action.card),)


def _administrator(state: State, action: a.Administrator) -> tuple[Event, ...]:
    return e.DisplayDiscarded(state.actor), e.OfficialUsed(state.actor, ADMINISTRATOR)


def _take(state: State, action: a.Take) -> tuple[Event, ...]:
    seat, step = state.actor, step_of(state)
    if action.card == a.ANY:
        return (e.UntoldCardTaken(seat, step == UNTOLD_OFFICES),)
    if action.card != a.DECK:
        taken: tuple[Event, ...] = (e.CardTaken(seat, action.card),)
    elif state.deck:
        taken = (e.DeckCardTaken(seat),)
    else:
        taken = e.DeckShuffled(len(state.discards)), e.DeckCardTaken(seat)
    second = step == PLAY or (step == TAKE and state.taken)
    return (*taken, e.OfficialUsed(seat, POSTMASTER)) if second else taken


def _play(state: State, action: a.Play) -> tuple[Event, ...]:
    played = e.CardPlayed(state.actor, action.card, action.end)
    return (played, e.OfficialUsed(state.actor, CARRIER)) if step_of(state) == CLOSE else (played,)


def _drop(state: State, action: a.Drop) -> tuple[Event, ...]:
    return (e.RouteDropped(state.actor),)


def _close(state: State, action: a.Close) -> tuple[Event, ...]:
    return (e.RouteClosed(state.actor, action.option, action.cartwright),)


def _house(state: State, action: a.House) -> tuple[Event, ...]:
    return ((e.HousePlaced if step_of(state) == HOUSE else e.HouseGranted)(state.actor, action.city),)


def _move(state: State, action: a.Move) -> tuple[Event, ...]:
    return (e.CarriageMoved(state.actor, action.card, action.carriage, action.city),)


def _tell(state: State, action: a.Tell) -> tuple[Event, ...]:
    telling = state.audience.telling if state.audience is not None else ""
    return (e.TileTold(state.actor, telling, action.rank),)


def _return(state: State, action: a.Return) -> tuple[Event, ...]:
    return (e.OfficesReturned(state.actor, action.kinds),)


def _decline(state: State, action: a.Decline) -> tuple[Event, ...]:
    return (e.MovesIgnored(state.actor) if step_of(state) == MOVE else e.RewardDeclined(state.actor),)


def _discard(state: State, action: a.Discard) -> tuple[Event, ...]:
    return (e.HandCut(state.actor, action.card),)


def _pass(state: State, action: a.Pass) -> tuple[Event, ...]:
    return (e.PlayingSkipped(state.actor),)


def _end_turn(state: State, action: a.EndTurn) -> tuple[Event, ...]:
    return (e.TurnEnded(state.actor),)


_DIRECT_EVENTS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    a.Show: _show,
    a.Administrator: _administrator,
    a.Take: _take,
    a.Play: _play,
    a.Drop: _drop,
    a.Close: _close,
    a.House: _house,
    a.Move: _move,
    a.Tell: _tell,
    a.Return: _return,
    a.Decline: _decline,
    a.Discard: _discard,
    a.Pass: _pass,
    a.EndTurn: _end_turn,
}
