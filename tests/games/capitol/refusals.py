"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.tables import before_the_mover

HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "CAP-FLOOR-1": lambda state, now, facts: facts["due"] <= min(2, now["floors"]),
    "CAP-FLOOR-2": lambda state, now, facts: list(facts["heights"]) == before_the_mover(now)["unroofed"],
    "CAP-ROOF-1": lambda state, now, facts: before_the_mover(now)["roofs"][facts["shape"]] == 0,
    "CAP-ROOF-2": lambda state, now, facts: facts["height"] not in before_the_mover(now)["unroofed"],
    "CAP-PERMIT-5": lambda state, now, facts: list(facts["completed"]) == before_the_mover(now)["completed"],
    "CAP-PERMIT-9": lambda state, now, facts: facts["taller"] == facts["tallest"] + 1,
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""
