"""What people answer about a position where no picture shows it, when a game is joined or its last board scored."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.capitol.state import ROUNDS

IMPOSSIBLE = (("hand.1 roof", "+1"),) * 20
"""answers and touches of them that together no position allows when the game is joined at its set-up"""


def begins_turn(state: Any) -> bool:
    """Whether the game can be joined here, at the beginning of a turn."""
    return state.phase == "construction"


def joining(state: Any) -> Iterator[tuple[str, str]]:
    """Each question of joining with its answer."""
    colour = state.table.colour
    yield "to_move", colour(state.active)
    yield "round", str(state.round)
    yield "phase", state.phase
    yield "first", colour(state.first)
    yield "passed", ", ".join(map(colour, state.passed))
    for seat in state.table.seats:
        held = state.holding(seat)
        families = [card.partition("-")[0] for card in held.hand]
        backs = Counter(family if family in ("roof", "floor") else "permit" for family in families)
        yield f"hand.{seat}", ", ".join(f"{back} {count}" for back, count in backs.items())
        yield f"unroofed.{seat}", " ".join(map(str, held.unroofed))
        for shape in ("round", "triangular"):
            completed = [name.partition("-")[0] for name in held.completed if name.endswith(shape)]
            yield f"completed_{shape}.{seat}", " ".join(completed)
        points = held.points + sum(award.points for award in state.awards if award.seat == seat)
        yield f"points.{seat}", str(points)


def last_board(state: Any) -> Iterator[tuple[str, str]]:
    """Each question about the last board with its answer."""
    for seat in state.table.seats:
        earlier = [award.points for award in state.awards if award.seat == seat and award.round < ROUNDS]
        yield f"points.{seat}", str(state.holding(seat).points + sum(earlier))
