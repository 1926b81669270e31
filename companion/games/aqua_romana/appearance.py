"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.aqua_romana import actions as a
from companion.games.aqua_romana.field import podium_places
from companion.games.aqua_romana.sight import spaces_in_sight
from companion.games.aqua_romana.state import CLOSED, OPEN, State


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definition names them."""
    looks = {f"tile {cell}": drawing for cell, drawing in state.tiles.items() if cell in state.board.free}
    for colour, site in state.board.reservoirs.items():
        looks[f"reservoir {site}"] = colour
    for aqueduct in state.aqueducts.values():
        if aqueduct.status != CLOSED:
            looks[f"worker {aqueduct.end}"] = aqueduct.colour
    for podium, colours in state.podiums.items():
        if podium:
            for place, colour in zip(podium_places(podium), colours, strict=False):
                looks[f"finisher podium/{place}"] = colour
    for space, builder in state.builders.items():
        looks[f"builder path/{space}"] = builder
    for builder in state.reserve:
        looks[f"reserve reserve/{builder}"] = builder
    return looks


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """Actions suggested by spots that now show another label ("" for empty): a superset, likeliest first."""
    step = state.step
    for spot, label in spots.items():
        piece, _, site = spot.partition(" ")
        if piece == "tile" and label and step == "build":
            yield from _builds(state, f"{site} {label}", spots)
        elif piece == "tile" and label and step == "fountain":
            yield a.Fountain(site, label)
        elif piece == "builder" and label and step in ("setup", "place"):
            yield a.Place(label, int(site.rpartition("/")[2]))
        elif piece == "builder" and not label and step == "build":
            yield a.Move(int(site.rpartition("/")[2]))
        elif piece == "reserve" and not label and step == "claim":
            yield a.Take(site.rpartition("/")[2])
        elif piece == "worker" and not label and step == "close":
            yield a.Close(site)
        elif piece == "finisher" and label and step == "close":
            yield from (a.Close(own.end) for own in state.own() if own.status == OPEN and own.colour == label)
    if step == "close":
        yield a.EndTurn()


def _builds(state: State, tile: str, spots: Mapping[str, str]) -> Iterator[a.Build]:
    """The builders that may have given a tile, those first that have left their spaces."""
    spaces = sorted(spaces_in_sight(state), key=lambda space: spots.get(f"builder path/{space}") != "")
    yield from (a.Build(tile, space) for space in spaces)
