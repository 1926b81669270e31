"""What a table tells that tells only what lies on it, of each action of simulated players, who know everything."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from companion.events import Event
from companion.games.capitol import actions as capitol
from companion.games.capitol.cards import ANY, FAMILY_OF
from companion.games.capitol.events import AuctionUnclaimed, AuctionWon, PlayerPassed
from companion.games.city_of_marble import actions as city_of_marble
from companion.games.city_of_marble.events import FinalRoundBegun
from companion.games.thurn_and_taxis import actions as thurn_and_taxis
from companion.games.thurn_and_taxis.events import PlayingSkipped
from companion.games.thurn_and_taxis.state import END, PLAY, step_of


def told_less(game_id: str, state: Any, action: Any, events: Iterable[Event]) -> tuple[Any, ...]:
    """What tells only what lies on the table of an action in a position told in full, and of what followed from it."""
    return tuple(_TOLD[game_id](state, action, tuple(events)))


def _thurn_and_taxis(state: Any, action: Any, events: tuple[Event, ...]) -> Iterator[Any]:
    match action:
        case thurn_and_taxis.Show() | thurn_and_taxis.Discard():
            return
        case thurn_and_taxis.EndTurn() if step_of(state) == END:
            return
        case thurn_and_taxis.Administrator() if state.offices is None:
            return
        case thurn_and_taxis.Take():
            if state.offices is not None and step_of(state) in (PLAY, "reward_card"):
                yield thurn_and_taxis.Take(thurn_and_taxis.ANY)
        case _:
            yield action
    if state.offices is None and any(isinstance(event, PlayingSkipped) for event in events):
        yield thurn_and_taxis.Pass()


def _city_of_marble(state: Any, action: Any, events: tuple[Event, ...]) -> Iterator[Any]:
    match action:
        case city_of_marble.Draw() | city_of_marble.Pass():
            return
        case city_of_marble.EndTurn() if any(isinstance(event, FinalRoundBegun) for event in events):
            yield city_of_marble.LastRound()
        case _:
            yield action


def _capitol(state: Any, action: Any, events: tuple[Event, ...]) -> Iterator[Any]:
    match action:
        case capitol.Draw() | capitol.Commit() | capitol.Reveal() | capitol.TurnSenator():
            pass
        case capitol.PlayFloor() | capitol.PlayRoof() | capitol.PlayPermit():
            yield replace(action, card=FAMILY_OF[action.card])
        case capitol.PlayForNothing():
            yield capitol.PlayForNothing(ANY)
        case _:
            yield action
    for event in events:
        match event:
            case PlayerPassed(empty=True):
                yield capitol.Pass()
            case AuctionWon(seat=seat):
                yield capitol.Award(seat)
            case AuctionUnclaimed():
                yield capitol.PutAside()


_TOLD: dict[str, Callable[[Any, Any, tuple[Event, ...]], Iterator[Any]]] = {
    "city_of_marble": _city_of_marble,
    "capitol": _capitol,
    "thurn_and_taxis": _thurn_and_taxis,
}
