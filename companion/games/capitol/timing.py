"""When each kind of action has its time: the steps of a round in order."""

from __future__ import annotations

from companion.games.capitol.actions import (
    KINDS,
    Commit,
    Draw,
    Pass,
    PlayFloor,
    PlayForNothing,
    PlayPermit,
    PlayRoof,
    PutTile,
    Reveal,
    TurnSenator,
)  # fmt: skip
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import OVER, State, step_of
from companion.legality import Group, Violation

KINDS_IN: dict[str, tuple[type, ...]] = {
    "play": (PlayFloor, PlayRoof, PlayPermit, PlayForNothing, Pass),
    "bid": (Commit,),
    "open": (Reveal, TurnSenator),
    "tile": (PutTile,),
    "draw": (Draw,),
    "over": (),
}
"""step -> the action kinds that can be legal in it"""
RULE_OF_STEP = {
    "play": "CAP-PLAY-1",
    "bid": "CAP-BID-1",
    "open": "CAP-BID-3",
    "tile": "CAP-TILE-1",
    "draw": "CAP-DRAW-1",
}
"""step -> the rule that keeps its actions out of the other steps"""
check = RULES.check


@check("CAP-END-1", Group.TIME, *KINDS)
def game_goes_on(state: State) -> Violation | None:
    return Violation("CAP-END-1") if state.phase == OVER else None


def _only_in(step: str, rule: str) -> None:
    violation = Violation(rule)

    @check(rule, Group.TIME, *KINDS_IN[step])
    def is_the_step(state: State) -> Violation | None:
        return None if step_of(state) in (step, "over") else violation


for _step, _rule in RULE_OF_STEP.items():
    _only_in(_step, _rule)
