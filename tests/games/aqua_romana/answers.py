"""What people answer about a position where no picture shows it, when a game is joined or its last board scored."""

from collections.abc import Iterator
from typing import Any

IMPOSSIBLE = (("held.1", "add joker"),) * 2
"""answers and touches of them that together no position allows when the game is joined at its set-up"""


def begins_turn(state: Any) -> bool:
    """Whether the game can be joined here, at the beginning of a turn."""
    return state.step in ("setup", "place", "build")


def joining(state: Any) -> Iterator[tuple[str, str]]:
    """Each question of joining with its answer."""
    yield "to_move", state.table.colour(state.active)
    yield "idle", str(state.idle)
    for seat in state.table.seats:
        yield f"held.{seat}", ", ".join(state.held[seat - 1])


def last_board(state: Any) -> Iterator[tuple[str, str]]:
    """Each question about the last board with its answer."""
    yield "to_move", state.table.colour(state.active)
