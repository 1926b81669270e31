"""What a position looks like on the board, and which actions would make it look as a camera sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble.state import FOUNTAIN, HILL, State, pieces_of, step_of


def appearance(state: State) -> dict[str, str]:
    """Occupied spot -> label, as the board definition names them."""
    table, looks = state.table, {}
    for triangle, what in state.covered.items():
        if what == HILL:
            looks[f"hill {triangle}"] = "hill"
    for triangle in state.board.bridges:
        if triangle not in state.covered:
            looks[f"bridge {triangle}"] = "bridge"
    for name, ward in state.wards.items():
        looks[f"ward {name}"] = ward.colour
        if ward.magistrate:
            looks[f"magistrate {name}"] = table.colour(ward.magistrate)
    for vertex, site in state.sites.items():
        looks[f"building {vertex}"] = site.kind
        if site.kind != FOUNTAIN:
            looks[f"cube {vertex}"] = table.colour(site.seat)
    for colour in state.lines:
        for edge in pieces_of(state, colour):
            looks[f"aqueduct {edge}"] = colour
    for space, seats in state.envoys.items():
        for seat in dict.fromkeys(seats):
            looks[f"envoy {space} {table.colour(seat)}"] = str(seats.count(seat))
    return looks


def seen_actions(state: State, spots: Mapping[str, str]) -> Iterator[Any]:
    """Actions suggested by spots that now show another label than before ("" for empty): a superset, simplest first."""
    for spot, label in spots.items():
        piece, _, site = spot.partition(" ")
        if piece == "ward" and label and site not in state.wards:
            with_magistrate = bool(spots.get(f"magistrate {site}"))
            yield a.PlayWard(site, label, with_magistrate)
            yield a.PlayWard(site, label, not with_magistrate)
        elif piece == "magistrate" and label and site not in state.wards:
            for colour in ("red", "yellow", "green", "blue"):
                yield a.PlayWard(site, colour, True)
        elif piece == "aqueduct" and label:
            yield a.Lay(label, site)
        elif piece == "magistrate" and not label and site in state.wards:
            yield a.Send(site)
            yield a.Recall(site)
        elif piece == "building" and label and site in state.closing:
            yield a.Complete(site)
        elif piece == "envoy" and not label:
            yield a.EndTurn()
    if state.sending is not None:
        yield a.Keep()
    if step_of(state) in ("end", "untold"):
        yield a.EndTurn()
