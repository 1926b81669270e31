"""What people answer about a position where no picture shows it, when a game is joined or its last board scored."""

from collections.abc import Iterator
from typing import Any

IMPOSSIBLE = (("route.1", "add Basel"), ("route.1", "add Innsbruck"))
"""answers and touches of them that together no position allows when the game is joined at its set-up"""


def begins_turn(state: Any) -> bool:
    """Whether the game can be joined here, at the beginning of a turn."""
    return state.stage == "take" and not state.taken and not state.official


def joining(state: Any) -> Iterator[tuple[str, str]]:
    """Each question of joining with its answer."""
    yield "to_move", state.table.colour(state.active)
    yield "ending", state.table.colour(state.ending) if state.ending else ""
    yield "display", ", ".join(state.display)
    for seat in state.table.seats:
        held = state.holding(seat)
        yield f"hand.{seat}", str(len(held.hand))
        yield f"route.{seat}", ", ".join(held.route)
        yield f"carriage.{seat}", str(held.carriage)
        yield f"tiles.{seat}", ", ".join(held.tiles)


def last_board(state: Any) -> Iterator[tuple[str, str]]:
    """Each question about the last board with its answer."""
    for seat in state.table.seats:
        held = state.holding(seat)
        yield f"carriage.{seat}", str(held.carriage)
        yield f"tiles.{seat}", ", ".join(held.tiles)
        if state.offices is not None:
            yield f"chips.{seat}", str(held.chips)
            yield f"offices.{seat}", ", ".join(f"{kind} {count}" for kind, count in held.offices.items() if count)
    if state.ending:
        yield "ending", state.table.colour(state.ending)
