"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "AR-SETUP-1": lambda state, now, facts: facts["left"] == sum(now["unplaced"].values()),
    "AR-KIND-1": lambda state, now, facts: facts["left"] == now["stock"][facts["builder"]] > 0,
    "AR-STOCK-1": lambda state, now, facts: now["stock"][facts["kind"]] == 0,
    "AR-FOUNTAIN-2": lambda state, now, facts: facts["kind"] == now["fountain"],
    "AR-RESERVE-2": lambda state, now, facts: list(facts["reserve"]) == now["reserve"],
    "AR-SIGHT-1": lambda state, now, facts: str(facts["space"]) not in now["builders"],
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""
