"""The actions that a touch of a board site may mean, legal or not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.city_of_marble import actions as a
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS, SPACES
from companion.games.city_of_marble.state import State


def gestures_at(state: State, site: str) -> Iterator[Any]:
    """The actions that name a ward, edge, vertex or Imperium space, or cover a triangle; likeliest first."""
    board = state.board
    if site in SPACES:
        yield a.Collect(site)
        yield a.Recall(site)
    elif site in board.edges:
        is_chosen = bool(state.closing)
        if is_chosen and site in board.around:
            yield a.Complete(site)
        for ward in board.edges[site]:
            if ward in board.triangles:
                yield from _wards(ward)
        for edge in board.edges[site]:
            yield from (a.Lay(colour, edge) for colour in AQUEDUCTS)
        if not is_chosen and site in board.around:
            yield a.Complete(site)
    elif site in board.ends:
        if site in state.wards:
            yield a.Send(site)
            yield a.Recall(site)
        if site in board.triangles:
            yield from _wards(site)
        yield from (a.Lay(colour, site) for colour in AQUEDUCTS)
    else:
        for ward, triangles in board.triangles.items():
            if site in triangles:
                yield from _wards(ward)


def _wards(ward: str) -> Iterator[a.PlayWard]:
    for magistrate in (False, True):
        yield from (a.PlayWard(ward, colour, magistrate) for colour in COLOURS)
