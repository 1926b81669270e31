"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis.state import CLOSE, EACH, State, step_of


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definition names them: the houses, each on its colour's corner."""
    return {
        f"house {state.table.colour(seat)}/{city}": state.table.colour(seat)
        for city, seats in state.houses.items()
        for seat in seats
    }


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """Actions suggested by spots that now show another label than before ("" for empty): a superset, likeliest first.

    Cards are not seen on the board. Houses tell that a route was closed, not whether the Cartwright helped.
    """
    step, colour = step_of(state), state.table.colour(state.actor)
    cities = [spot.partition("/")[2] for spot, label in spots.items() if label == colour]
    cities = [city for city in cities if city in state.board.roads]
    if step in ("house", "reward_house"):
        yield from map(a.House, cities)
    elif step == CLOSE and cities:
        provinces = list(dict.fromkeys(state.board.province_of[city] for city in cities))
        options = [EACH, *provinces] if len(provinces) > 1 or len(cities) == 1 else [*provinces, EACH]
        for option in options:
            yield a.Close(option)
            yield a.Close(option, True)
