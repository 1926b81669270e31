"""The facts that each action states by itself; what follows from them is with the rules of each phase."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.events import Event
from companion.games.capitol import actions as a
from companion.games.capitol import events as e
from companion.games.capitol import hands
from companion.games.capitol.cards import known_as, told
from companion.games.capitol.state import State, prize


def direct_events(state: State, action: Any) -> tuple[Event, ...]:
    """The facts a legal action states by itself."""
    return _DIRECT_EVENTS[type(action)](state, action)


def _played(state: State, card: str) -> e.CardPlayed:
    if state.is_untold:
        return e.CardPlayed(state.active, card)
    return e.CardPlayed(state.active, known_as(state.own.hand, card, state.unknown))


_DIRECT_EVENTS: dict[type, Callable[[State, Any], tuple[Event, ...]]] = {
    a.PlayFloor: lambda state, action: (_played(state, action.card), e.FloorsBuilt(state.active, action.onto)),
    a.PlayRoof: lambda state, action: (
        _played(state, action.card),
        e.BuildingCovered(state.active, action.height, action.shape),
    ),
    a.PlayPermit: lambda state, action: (
        _played(state, action.card),
        e.BuildingPlaced(state.active, action.building, action.square),
    ),
    a.PlayForNothing: lambda state, action: (_played(state, action.card), e.CardForgone(state.active)),
    a.Pass: lambda state, action: (e.PlayerPassed(state.active, False),),
    a.Commit: lambda state, action: (e.BidPrepared(action.seat),),
    a.Reveal: lambda state, action: (e.CardRevealed(state.active, action.card),),
    a.TurnSenator: lambda state, action: (e.SenatorTurned(state.active),),
    a.Award: lambda state, action: (e.AuctionAwarded(action.seat, prize(state)),),
    a.PutAside: lambda state, action: (e.AuctionUnclaimed(prize(state)),),
    a.PutTile: lambda state, action: (e.TilePlaced(state.active, prize(state), action.square),),
    a.Draw: lambda state, action: (e.CardDrawn(state.active, told(hands.top_for(state, action.card), action.card)),),
}
