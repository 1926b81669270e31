"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.thurn_and_taxis import actions as a
from companion.games.thurn_and_taxis.geometry import MAP
from companion.games.thurn_and_taxis.state import CLOSE, EACH, MOVE, State, step_of


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definitions name them.

    Houses and audience tiles are on the corner of their colour, carriages on their own spot at a city on the way to
    Rome.
    """
    looks = {
        f"house {state.table.colour(seat)}/{city}": state.table.colour(seat)
        for city, seats in state.houses.items()
        for seat in seats
    }
    if state.audience is not None:
        spots = state.table.board.beside[MAP].spots
        carriages = {f"carriage {name}/{city}": name for name, city in state.audience.carriages.items()}
        looks |= {spot: name for spot, name in carriages.items() if spot in spots}
        for rank, seats in state.audience.rome.items():
            for colour in map(state.table.colour, seats):
                looks[f"audience {colour}/{rank}"] = colour
    return looks


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """The actions that could explain spots whose label changed ("" for empty): a superset, likeliest first.

    Cards are not on the board. Houses show that a route was closed, not whether the Cartwright helped.
    """
    step, colour = step_of(state), state.table.colour(state.actor)
    cities = [spot.partition("/")[2] for spot, label in spots.items() if label == colour]
    cities = [city for city in cities if city in state.board.roads]
    if step == MOVE and state.closing is not None:
        for spot, name in spots.items():
            if name and spot.startswith("carriage "):
                city = spot.partition("/")[2]
                yield from (a.Move(card, name, city) for card in dict.fromkeys(state.closing.unused))
    elif step == "tell":
        own = f"audience {colour}/"
        yield from (a.Tell(spot.removeprefix(own)) for spot, name in spots.items() if name and spot.startswith(own))
    elif step in ("house", "reward_house"):
        yield from map(a.House, cities)
    elif step == CLOSE and cities:
        provinces = list(dict.fromkeys(state.board.province_of[city] for city in cities))
        options = [EACH, *provinces] if len(provinces) > 1 or len(cities) == 1 else [*provinces, EACH]
        for option in options:
            yield a.Close(option)
            yield a.Close(option, True)
