"""What the numbers and names in refusals must be, given the position as a document tells it."""

from collections.abc import Callable, Mapping
from typing import Any

from tests.tables import before_the_mover

HOLDS: dict[str, Callable[[Any, Mapping[str, Any], Mapping[str, Any]], bool]] = {
    "COM-WARD-1": lambda state, now, facts: (
        facts["ward"] not in state.board.triangles
        and (facts["ward"] in state.board.beside) == (facts["wording"] != "no_diagonal")
    ),
    "COM-TURN-3": lambda state, now, facts: facts["left"] == now["actions"],
    "COM-IMP-5": lambda state, now, facts: facts["wording"] != "early" or facts["left"] == now["actions"] > 0,
    "COM-IMP-4": lambda state, now, facts: facts["left"] == now["actions"],
    "COM-TURN-2": lambda state, now, facts: all(
        (
            "left" not in facts or facts["left"] == now["laying"]["left"],
            "site" not in facts or facts["site"] == now["sending"]["site"],
            list(facts.get("sites", now.get("closing", []))) == now.get("closing", []),
            set(facts.get("colours", ())) <= {start["colour"] for start in now.get("starting", [])},
        )
    ),
    "COM-DRAW-1": lambda state, now, facts: facts["wanted"] > facts["left"] == now["stacks"][facts["colour"]],
    "COM-DRAW-3": lambda state, now, facts: all(now["stacks"][colour] for colour in facts["others"]),
    "COM-RECALL-1": lambda state, now, facts: (
        not facts["seat"]
        or (
            facts["seat"] != now["to_move"]
            and any(
                ward.startswith(f"{facts['place']} ") and ward.endswith(f" {facts['seat']}") for ward in now["wards"]
            )
        )
    ),
    "COM-IMP-2": lambda state, now, facts: before_the_mover(now)["imperium"][facts["imperium"]] == 0,
    "COM-AQ-1": lambda state, now, facts: (
        facts["colour"] not in now["aqueducts"] and facts["source"] == state.board.sources[facts["colour"]]
    ),
    "COM-AQ-2": lambda state, now, facts: facts["colour"] not in now["aqueducts"],
    "COM-AQ-3": lambda state, now, facts: facts["colour"] not in facts["due"],
    "COM-AQ-4": lambda state, now, facts: facts["end"] == state.lines[facts["colour"]][-1],
    "COM-AQ-7": lambda state, now, facts: (
        facts["other"] in now["aqueducts"] and facts["place"] in state.lines[facts["other"]]
    ),
    "COM-IMP-6": lambda state, now, facts: state.active not in state.envoys.get(facts["space"], ()),
    "COM-AQ-8": lambda state, now, facts: len(state.lines[facts["colour"]]) == 14,
    "COM-AQ-11": lambda state, now, facts: 0 < facts["here"] < facts["best"],
    "COM-SITE-7": lambda state, now, facts: (
        list(facts["closed"]) == now.get("closing", []) and facts["vertex"] not in facts["closed"]
    ),
    "COM-REVEAL-3": lambda state, now, facts: facts["held"] != facts["told"],
    "COM-REVEAL-4": lambda state, now, facts: facts["value"] not in range(1, 5),
    "COM-DRAW-2": lambda state, now, facts: facts["left"] == sum(now["stacks"].values()),
    "COM-WARD-4": lambda state, now, facts: (
        facts["wording"] == "untold" or facts["domus"] == before_the_mover(now)["domus"][facts["colour"]]
    ),
    "COM-END-6": lambda state, now, facts: (
        facts["wording"] != "early" or 18 >= facts["most"] < facts["left"] <= sum(now["stacks"].values())
    ),
}
"""check -> whether the facts of its refusal hold, of the state, the position and these facts"""

SAID_ELSEWHERE = {("COM-REVEAL-3", "other_values"): "tests/games/city_of_marble/test_noted_values.py"}
"""what no position in a file leads to, with the test in which it is said"""
