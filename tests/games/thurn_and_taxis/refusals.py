"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from tests.tables import before_the_mover

HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "TT-SHOW-2": lambda state, now, facts: facts["left"] == min(6 - len(now["display"]), now["deck"]),
    "TT-TAKE-2": lambda state, now, facts: facts["card"] not in now["display"],
    "TT-CLOSE-2": lambda state, now, facts: facts["length"] == len(before_the_mover(now)["route"]) < 3,
    "TT-HAND-4": lambda state, now, facts: facts["held"] == len(before_the_mover(now)["hand"]) == facts["left"] + 3,
    "TT-POSTMASTER-1": lambda state, now, facts: now["owed"] == 1 and now["taken"],
    "TT-HOUSE-6": lambda state, now, facts: (
        0 < facts["due"] <= before_the_mover(now)["houses"]
        and set(facts["cities"]) <= set(before_the_mover(now)["route"])
    ),
    "TT-ROUTE-2": lambda state, now, facts: facts["card"] in before_the_mover(now)["route"],
    "ARR-MOVE-6": lambda state, now, facts: list(facts["cards"]) == now["closing"]["unused"],
    "ARR-ARRIVE-3": lambda state, now, facts: facts["carriage"] == now["audience"]["telling"],
    "ARR-RETURN-4": lambda state, now, facts: state.own.offices[facts["kind"]] == 0,
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""


def sites(state: Any) -> Iterable[str]:
    """What a refusal marks that holds no piece and is in no group: the cities as such."""
    return tuple(state.board.roads)
