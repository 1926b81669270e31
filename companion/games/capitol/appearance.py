"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.capitol import actions as a
from companion.games.capitol.state import FOUNTAIN, State, building_name, step_of

PIECE_OF_SHAPE = {"round": "dome", "triangular": "gable"}


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definition names them."""
    looks = {}
    for square, building in state.city.buildings.items():
        looks[f"floor {square}"] = str(building.height)
        looks[f"{PIECE_OF_SHAPE[building.shape]} {square}"] = state.table.colour(building.seat)
    for square in state.city.fountains:
        looks[f"fountain {square}"] = FOUNTAIN
    for square, kind in state.city.monuments.items():
        looks[f"monument {square}"] = kind
    return looks


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """The actions that could explain spots whose label changed ("" for empty): a superset, likeliest first.

    Cards are not on the board: a new building shows the colour of the permit, not its number.
    """
    step = step_of(state)
    for square in dict.fromkeys(spot.partition(" ")[2] for spot, label in spots.items() if label):
        if step == "tile" and any(spots.get(f"{piece} {square}") for piece in ("fountain", "monument")):
            yield a.PutTile(square)
        elif step == "play" and square not in state.city.buildings:
            yield from _seen_building(state, spots, square)


def _seen_building(state: State, spots: Mapping[str, str], square: str) -> Iterator[Any]:
    roofs = {spots.get(f"{piece} {square}", ""): shape for shape, piece in PIECE_OF_SHAPE.items()}
    owners = {state.table.seat_of(colour) for colour in roofs if colour}
    if owners and state.active not in owners:
        yield a.Pass()
        return
    colour = state.board.colour[state.board.area_of[square]]
    height, shape = spots.get(f"floor {square}", ""), roofs.get(state.table.colour(state.active), "")
    if height and shape:
        yield a.PlayPermit(colour, building_name(int(height), shape), square)
    for building in dict.fromkeys(state.own.completed):
        if height in ("", building.partition("-")[0]) or shape in ("", building.partition("-")[2]):
            yield a.PlayPermit(colour, building, square)
