"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.capitol import actions as a
from companion.games.capitol.cards import FAMILY_OF
from companion.games.capitol.state import FOUNTAIN, State, building_name, parts_of, step_of

PIECE_OF_SHAPE = {"round": "dome", "triangular": "gable"}
SHAPE_OF_PIECE = {piece: shape for shape, piece in PIECE_OF_SHAPE.items()}


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definition names them."""
    looks = {}
    for square, building in state.buildings.items():
        looks[f"floor {square}"] = str(building.height)
        looks[f"{PIECE_OF_SHAPE[building.shape]} {square}"] = state.table.colour(building.seat)
    for square in state.fountains:
        looks[f"fountain {square}"] = FOUNTAIN
    for square, kind in state.monuments.items():
        looks[f"monument {square}"] = kind
    return looks


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """Actions suggested by spots that now show another label than before ("" for empty): a superset, likeliest first.

    Cards are not seen on the board: a building that appears tells the colour of the permit, not its number.
    """
    step = step_of(state)
    squares = dict.fromkeys(site for spot, label in spots.items() for site in (spot.partition(" ")[2],) if label)
    for square in squares:
        tile = spots.get(f"fountain {square}") or spots.get(f"monument {square}")
        if tile and step == "tile":
            yield a.PutTile(square)
        elif not tile and square in state.board.area_of and square not in state.buildings:
            yield from _seen_building(state, spots, square, step)


def _seen_building(state: State, spots: Mapping[str, str], square: str, step: str) -> Iterator[Any]:
    colour = state.board.colour[state.board.area_of[square]]
    roofs = {spots.get(f"{piece} {square}"): shape for shape, piece in PIECE_OF_SHAPE.items()}
    own = state.table.colour(state.active)
    if step == "permit" and FAMILY_OF[state.card] == colour:
        for building in _likely_first(state, spots.get(f"floor {square}"), roofs.get(own)):
            yield a.Place(building, square)
    elif step == "play":
        if own in roofs or not any(roofs):
            yield a.Play(colour)
        elif any(roof in roofs for roof in map(state.table.colour, state.table.seats)):
            yield a.Pass()


def _likely_first(state: State, height: str | None, shape: str | None) -> list[str]:
    """The active player's completed buildings, those like what is seen first."""
    own = list(dict.fromkeys(state.own.completed))
    if height and shape:
        seen = building_name(int(height), shape)
        return [seen, *(building for building in own if building != seen)]
    return sorted(own, key=lambda name: (str(parts_of(name)[0]) != height, parts_of(name)[1] != shape))
