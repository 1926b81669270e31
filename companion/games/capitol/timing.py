"""When each kind of action has its time: the steps of a round in order."""

from __future__ import annotations

from companion.frozen import FrozenDict
from companion.games.capitol.actions import (
    KINDS,
    Award,
    Commit,
    Draw,
    Pass,
    PlayFloor,
    PlayForNothing,
    PlayPermit,
    PlayRoof,
    PutAside,
    PutTile,
    Reveal,
    TurnSenator,
)  # fmt: skip
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State, step_of
from companion.legality import Violation

KINDS_IN: dict[str, tuple[type, ...]] = {
    "play": (PlayFloor, PlayRoof, PlayPermit, PlayForNothing, Pass),
    "bid": (Commit,),
    "open": (Reveal, TurnSenator),
    "award": (Award, PutAside),
    "tile": (PutTile,),
    "draw": (Draw,),
    "over": (),
}
"""step -> the action kinds that can be legal in it"""
RULE_OF_STEP = {
    "play": "CAP-PLAY-1",
    "bid": "CAP-BID-1",
    "open": "CAP-BID-3",
    "award": "CAP-BID-13",
    "tile": "CAP-TILE-1",
    "draw": "CAP-DRAW-1",
}
"""step -> the rule that keeps its actions out of the other steps"""


def bids_have_no_time(state: State) -> Violation:
    """Bids are turned over when all are ready, and only once."""
    if step_of(state) != "tile":
        return Violation("CAP-BID-3")
    return Violation("CAP-BID-3", facts=FrozenDict(seat=state.active), wording="decided")


RULES.forbidden_in_steps("CAP-END-1", ("over",), *KINDS)
for _step, _rule in RULE_OF_STEP.items():
    _untimely = bids_have_no_time if _step == "open" else None
    RULES.forbidden_in_steps(_rule, KINDS_IN.keys() - {_step, "over"}, *KINDS_IN[_step], violation=_untimely)
