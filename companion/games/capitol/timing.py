"""When each kind of action has its time: the steps of a round in order, and what belongs to another one."""

from __future__ import annotations

from companion.frozen import FrozenDict
from companion.games.capitol.actions import (
    KINDS,
    Build,
    Commit,
    Cover,
    Draw,
    Forgo,
    Pass,
    Place,
    Play,
    PutTile,
    Reveal,
    TurnSenator,
)  # fmt: skip
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import CONSTRUCTION, OVER, State, step_of
from companion.legality import Group, Violation

KINDS_IN: dict[str, tuple[type, ...]] = {
    "play": (Play, Pass),
    "floors": (Build, Forgo),
    "roof": (Cover, Forgo),
    "permit": (Place, Forgo),
    "bid": (Commit,),
    "open": (Reveal, TurnSenator),
    "tile": (PutTile,),
    "draw": (Draw,),
    "over": (),
}
"""step -> the action kinds that can be legal in it"""
check = RULES.check


@check("CAP-END-1", Group.TIME, *KINDS)
def game_goes_on(state: State) -> Violation | None:
    return Violation("CAP-END-1") if state.phase == OVER else None


@check("CAP-PLAY-1", Group.TIME, Play, Pass)
def plays_in_the_construction_phase(state: State) -> Violation | None:
    return None if state.phase in (CONSTRUCTION, OVER) else Violation("CAP-PLAY-1")


@check("CAP-PLAY-2", Group.TIME, Play, Pass)
def uses_the_last_card_first(state: State) -> Violation | None:
    return Violation("CAP-PLAY-2", facts=FrozenDict(card=state.card)) if state.card else None


@check("CAP-PLAY-3", Group.TIME, Forgo)
def has_a_card_to_forgo(state: State) -> Violation | None:
    return None if state.card or state.phase == OVER else Violation("CAP-PLAY-3")


def _belongs_to(step: str, rule: str, *kinds: type) -> None:
    @check(rule, Group.TIME, *kinds)
    def is_the_step(state: State) -> Violation | None:
        return None if step_of(state) in (step, "over") else Violation(rule)


_belongs_to("floors", "CAP-FLOOR-1", Build)
_belongs_to("roof", "CAP-ROOF-1", Cover)
_belongs_to("permit", "CAP-PERMIT-1", Place)
_belongs_to("bid", "CAP-BID-1", Commit)
_belongs_to("open", "CAP-BID-3", Reveal, TurnSenator)
_belongs_to("tile", "CAP-TILE-1", PutTile)
_belongs_to("draw", "CAP-DRAW-1", Draw)
