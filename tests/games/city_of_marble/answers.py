"""What people answer about a position where no picture shows it, when a game is joined or its last board scored."""

from collections.abc import Iterator
from typing import Any

IMPOSSIBLE = (("atrium.1 red", "+1"),) * 13
"""answers and touches of them that together no position allows when the game is joined at its set-up"""


def begins_turn(state: Any) -> bool:
    """Whether the game can be joined here, at the beginning of a turn."""
    return state.stage == "play" and state.actions == (1 if state.final is not None else 2)


def joining(state: Any) -> Iterator[tuple[str, str]]:
    """Each question of joining with its answer."""
    yield "to_move", state.table.colour(state.active)
    yield "final_turns", str(state.final or 0)
    for seat in state.table.seats:
        held = state.holding(seat)
        yield f"atrium.{seat}", counted(held.atrium)
        yield f"imperium.{seat}", counted(held.imperium)
        yield f"coins.{seat}", str(held.coins)
        yield f"bridges.{seat}", str(held.bridges)


def last_board(state: Any) -> Iterator[tuple[str, str]]:
    """Each question about the last board with its answer."""
    for seat in state.table.seats:
        held = state.holding(seat)
        yield f"coins.{seat}", str(held.coins)
        yield f"imperium.{seat}", counted(held.imperium)
        yield f"bridges.{seat}", " ".join(map(str, held.values))


def counted(counts: Any) -> str:
    return ", ".join(f"{kind} {count}" for kind, count in counts.items() if count)
