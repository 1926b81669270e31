"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any


def lies_on(now: Mapping[str, Any], cell: str) -> bool:
    """Whether a tile lies on a square."""
    return any(tile.split()[0] == cell for tile in now["tiles"])


def ends(state: Any) -> set[str]:
    """The ends of all aqueducts."""
    return {aqueduct.end for aqueduct in state.aqueducts.values()}


HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "AR-SETUP-1": lambda state, now, facts: facts["left"] == sum(now["unplaced"].values()),
    "AR-KIND-1": lambda state, now, facts: facts["left"] == now["stock"][facts["builder"]] > 0,
    "AR-STOCK-1": lambda state, now, facts: now["stock"][facts["kind"]] == 0,
    "AR-FOUNTAIN-2": lambda state, now, facts: all(now["stock"][kind] for kind in facts["kind"]),
    "AR-RESERVE-2": lambda state, now, facts: list(facts["reserve"]) == now["reserve"],
    "AR-SETUP-2": lambda state, now, facts: now["unplaced"].get(facts["builder"], 0) == 0,
    "AR-SETUP-3": lambda state, now, facts: (
        str(facts["space"]) in now["builders"] or not 1 <= facts["space"] <= facts["last"]
    ),
    "AR-RESERVE-3": lambda state, now, facts: facts["builder"] not in facts["reserve"] == tuple(now["reserve"]),
    "AR-RESERVE-4": lambda state, now, facts: (
        facts["seat"] == now["to_move"] and list(facts["held"]) == now["held"][str(now["to_move"])]
    ),
    "AR-RESERVE-5": lambda state, now, facts: (
        facts["builder"] not in facts["held"] == tuple(now["held"][str(now["to_move"])])
    ),
    "AR-SIGHT-2": lambda state, now, facts: str(facts["space"]) in now["builders"],
    "AR-TILE-1": lambda state, now, facts: (facts["what"] == "holds a tile") == lies_on(now, facts["cell"]),
    "AR-TILE-2": lambda state, now, facts: not lies_on(now, facts["cell"]),
    "AR-TILE-3": lambda state, now, facts: not lies_on(now, facts["tile"].split()[0]),
    "AR-FORCE-1": lambda state, now, facts: not lies_on(now, facts["tile"].split()[0]),
    "AR-JOIN-1": lambda state, now, facts: (
        facts["first"] != facts["second"] and not lies_on(now, facts["tile"].split()[0])
    ),
    "AR-FOUNTAIN-3": lambda state, now, facts: facts["end"] in ends(state),
    "AR-FOUNTAIN-4": lambda state, now, facts: facts["kind"] == now["fountain"] and now["stock"][facts["kind"]] > 0,
    "AR-CLOSE-2": lambda state, now, facts: facts["end"] not in facts["own"] and set(facts["own"]) <= ends(state),
    "AR-CLOSE-3": lambda state, now, facts: facts["ends"] and set(facts["ends"]) <= ends(state),
    "AR-TURN-3": lambda state, now, facts: set(facts["ends"]) <= ends(state),
    "AR-SIGHT-1": lambda state, now, facts: (
        str(facts["space"]) not in now["builders"]
        and (facts["wording"] != "none" or not 1 <= facts["space"] <= facts["last"])
    ),
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""
