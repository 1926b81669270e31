"""What the cells named in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.capturing_game.game import State


def colour_at(now: Mapping[str, Any], cell: str) -> str | None:
    """The colour of the piece on a cell."""
    found: str | None = now["pieces"].get(f"piece {cell}")
    return found


HOLDS: dict[str, Callable[[State, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "HAS-OWN": lambda state, now, facts: (
        facts["seat"] == now["to_move"] and colour_at(now, facts["cell"]) != state.table.colour(facts["seat"])
    ),
    "HAS-FREE": lambda state, now, facts: colour_at(now, facts["cell"]) is not None,
    "HAS-LEAP": lambda state, now, facts: colour_at(now, facts["cell"]) is not None,
    "HAS-LINE": lambda state, now, facts: all(
        one != other for one, other in zip(facts["start"], facts["cell"], strict=True)
    ),
}
