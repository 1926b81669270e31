"""The actions that a touch of a site of the maps may mean, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis.geometry import CARRIAGES
from companion.games.thurn_and_taxis.state import EACH, RANKS, State


def gestures_at(state: State, site: str) -> Iterator[Any]:
    """The actions with a city's card or a house there, a carriage's way or an audience tile; likeliest first."""
    group, _, name = site.partition("/")
    if name in state.board.roads:
        yield from _with_city(state, name)
    elif state.audience is None:
        return
    elif group in CARRIAGES:
        cards = state.closing.unused if state.closing is not None else ()
        yield from (a.Move(card, group, name) for card in dict.fromkeys(cards or state.board.cities))
    elif name in RANKS:
        yield a.Tell(name)


def _with_city(state: State, city: str) -> Iterator[Any]:
    route = state.turn_holding.route
    yield a.House(city)
    if city in route:
        province = state.board.province_of[city]
        yield from (a.Close(option, helped) for option in (EACH, province) for helped in (False, True))
    yield from (a.Play(city, end) for end in ((a.LEFT, a.RIGHT) if route else (a.NEW,)))
    if state.is_untold:
        return
    yield a.Take(city)
    yield a.Show(city)
    yield a.Discard(city)
