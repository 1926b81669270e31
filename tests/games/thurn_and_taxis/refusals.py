"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from companion.games.thurn_and_taxis.state import UNSEEN
from tests.tables import before_the_mover


def every_card(now: Mapping[str, Any]) -> list[str]:
    """The cards of a position that lie open, were discarded or are known to be in a hand."""
    own = [card for player in now["player"].values() for card in (*player["hand"], *player["route"])]
    return [*now["display"], *now["discards"], *own]


HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "TT-TURN-2": lambda state, now, facts: "left" not in facts or facts["left"] == now["owed"] > 0,
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
    "TT-ROUTE-1": lambda state, now, facts: isinstance(facts["card"], str),
    "TT-ROUTE-3": lambda state, now, facts: (
        facts["last"] in before_the_mover(now)["route"] and facts["last"] not in state.board.roads[facts["card"]]
    ),
    "TT-SHOW-3": lambda state, now, facts: (
        bool(state.hands_untold) or UNSEEN in (*now["display"], *now["discards"])
        if facts["wording"] == "untold"
        else every_card(now).count(facts["card"]) == 3
    ),
    "TT-SHOW-5": lambda state, now, facts: facts["card"] not in now["display"],
    "TT-HAND-2": lambda state, now, facts: facts["card"] not in before_the_mover(now)["hand"],
    "TT-HAND-3": lambda state, now, facts: facts.get("card") not in before_the_mover(now)["hand"],
    "TT-OFFICIAL-1": lambda state, now, facts: facts["official"] == now["official"],
    "TT-DROP-3": lambda state, now, facts: facts["seat"] == now["to_move"] and not before_the_mover(now)["route"],
    "TT-CLOSE-3": lambda state, now, facts: all(
        state.board.province_of[city] != facts["option"] for city in before_the_mover(now)["route"]
    ),
    "TT-CLOSE-5": lambda state, now, facts: facts["option"] != "each",
    "TT-CARTWRIGHT-2": lambda state, now, facts: facts["length"] == len(before_the_mover(now)["route"]),
    "TT-CARTWRIGHT-3": lambda state, now, facts: (
        facts["carriage"] <= facts["length"] == len(before_the_mover(now)["route"])
    ),
    "TT-HOUSE-2": lambda state, now, facts: facts["province"] == state.board.province_of[facts["city"]],
    "TT-HOUSE-3": lambda state, now, facts: state.actor in now["houses"].get(facts["city"], []),
    "ARR-MOVE-2": lambda state, now, facts: facts["card"] not in now.get("closing", {}).get("unused", []),
    "ARR-MOVE-3": lambda state, now, facts: now["audience"]["carriages"][facts["carriage"]] == "Rom",
    "ARR-MOVE-4": lambda state, now, facts: now["audience"]["carriages"][facts["own"]] != "Rom",
    "ARR-MOVE-5": lambda state, now, facts: (
        facts["place"] in now["audience"]["carriages"].values()
        and facts["city"] not in state.rome.exits[facts["place"]]
    ),
    "ARR-ARRIVE-2": lambda state, now, facts: bool(now["audience"]["telling"]),
    "ARR-OFFICE-2": lambda state, now, facts: (
        facts["seat"] == now["offices"]["returning"][0]
        and (facts["wording"] != "named" or state.offices.stock[facts["official"]] == 0)
    ),
    "ARR-REWARD-2": lambda state, now, facts: facts["seat"] == state.actor,
    "ARR-REWARD-4": lambda state, now, facts: facts["seat"] == state.actor,
    "ARR-MOVE-6": lambda state, now, facts: list(facts["cards"]) == now["closing"]["unused"],
    "ARR-ARRIVE-3": lambda state, now, facts: facts["carriage"] == now["audience"]["telling"],
    "ARR-RETURN-4": lambda state, now, facts: state.own.offices[facts["kind"]] == 0,
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""


def sites(state: Any) -> Iterable[str]:
    """What a refusal marks that holds no piece and is in no group: the cities as such."""
    return tuple(state.board.roads)
