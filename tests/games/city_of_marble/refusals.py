"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.tables import before_the_mover

HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "COM-TURN-3": lambda state, now, facts: facts["left"] == now["actions"],
    "COM-IMP-4": lambda state, now, facts: facts["left"] == now["actions"],
    "COM-DRAW-1": lambda state, now, facts: facts["left"] == now["stacks"][facts["colour"]],
    "COM-DRAW-2": lambda state, now, facts: facts["left"] == sum(now["stacks"].values()),
    "COM-WARD-4": lambda state, now, facts: facts["domus"] == before_the_mover(now)["domus"][facts["colour"]],
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""
