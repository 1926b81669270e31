"""What a player who touches a square of the board may mean, whether or not it is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.games.capitol import actions as a
from companion.games.capitol.state import SHAPES, State, building_name


def gestures_at(state: State, site: str) -> Iterator[Any]:
    """Putting a building or the tile just won on a square; with no building completed, the smallest ones."""
    area = state.board.area_of.get(site)
    if area is None:
        return
    smallest = (building_name(1, shape) for shape in SHAPES)
    for building in dict.fromkeys(state.own.completed) or smallest:
        yield a.PlayPermit(state.board.colour[area], building, site)
    yield a.PutTile(site)
