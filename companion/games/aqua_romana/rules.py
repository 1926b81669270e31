"""Which actions are allowed, in rulebook order. Laying tiles is in laying.py, sentences are in rulebook.toml."""

from __future__ import annotations

from functools import cache, partial

from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.aqua_romana.actions import (
    KINDS_OF_ACTION,
    Build,
    Close,
    EndTurn,
    Fountain,
    Move,
    Place,
    Take,
)
from companion.games.aqua_romana.fountains import kinds_demanded
from companion.games.aqua_romana.laying import can_build
from companion.games.aqua_romana.rulebook import RULES
from companion.games.aqua_romana.state import BLOCKED, OPEN, State
from companion.legality import Group, Violation

check = RULES.check

KINDS_IN: dict[str, tuple[type, ...]] = {
    "setup": (Place,),
    "place": (Place,),
    "build": (Build, Move),
    "fountain": (Fountain,),
    "close": (Close, EndTurn),
    "claim": (Take,),
    "over": (),
}
"""step -> the kinds of action that belong to it"""
_RULE_OF_STEP = {
    "setup": "AR-SETUP-1",
    "place": "AR-RESERVE-4",
    "build": "AR-TURN-2",
    "fountain": "AR-FOUNTAIN-2",
    "close": "AR-TURN-3",
    "claim": "AR-RESERVE-2",
    "over": "AR-END-4",
}


_OWN_TIME = {Take: "take", Place: "place", Fountain: "fountain"}
"""kind of action -> how the wordings end that say when it is done instead of before building"""


def something_else_is_due(rule: str, kind: type, state: State) -> Violation:
    """What the table waits for in a step before an action of this kind, by the rule of that step."""
    seat, facts, wording = state.active, dict[str, Fact](), ""
    match state.step:
        case "setup":
            facts = {"left": sum(state.unplaced.values())}
        case "place":
            facts = {"held": state.held[seat - 1]}
        case "build":
            wording = "_".join(filter(None, ("" if can_build(state) else "move", _OWN_TIME.get(kind))))
        case "fountain":
            facts = {"kind": kinds_demanded(state)}
        case "close":
            ends = tuple(own_open_ends(state)) if may_close(state) else ()
            facts, wording = {"ends": ends}, "may_close" if ends else ""
        case "claim":
            seat, facts = next(iter(state.claims), seat), {"reserve": state.reserve}
    return Violation(rule, facts=FrozenDict({"seat": seat} | facts), wording=wording)


for _step, _rule in _RULE_OF_STEP.items():
    for _kind in KINDS_OF_ACTION:
        if _kind not in KINDS_IN[_step]:
            RULES.forbidden_in_steps(_rule, (_step,), _kind, violation=partial(something_else_is_due, _rule, _kind))


@check("AR-SETUP-2", Group.SUPPLY, Place)
def builder_is_to_be_placed(state: State, builder: str) -> Violation | None:
    if state.step != "setup" or state.unplaced.get(builder):
        return None
    return Violation("AR-SETUP-2", facts=FrozenDict(builder=builder))


@check("AR-RESERVE-5", Group.SUPPLY, Place)
def builder_was_taken(state: State, builder: str) -> Violation | None:
    held = state.held[state.active - 1]
    if state.step != "place" or builder in held:
        return None
    return Violation("AR-RESERVE-5", facts=FrozenDict(builder=builder, held=held))


def free_spaces(state: State) -> list[int]:
    """The spaces of the path without a builder."""
    builders = state.builders
    return [space for space in state.board.spaces if space not in builders]


@check("AR-SETUP-3", Group.PLACE, Place, among=free_spaces)
def space_is_free(state: State, space: int) -> Violation:
    facts = FrozenDict(space=space, last=max(state.board.spaces))
    if space not in state.builders:
        return Violation("AR-SETUP-3", facts=facts, wording="none")
    return Violation("AR-SETUP-3", sites=(f"path/{space}",), facts=facts)


@check("AR-SIGHT-1", Group.PLACE, Build, Move, among=lambda state: state.builders)
def builder_stands_there(state: State, space: int) -> Violation:
    if space not in state.board.spaces:
        return Violation("AR-SIGHT-1", facts=FrozenDict(space=space, last=max(state.board.spaces)), wording="none")
    return Violation("AR-SIGHT-1", sites=(f"path/{space}",), facts=FrozenDict(space=space))


@check("AR-FORCE-1", Group.RULE, Move, in_time=True)
def nothing_can_be_built(state: State) -> Violation | None:
    tile = can_build(state)
    return _forced(state.board.tiles[tile].cell, tile) if tile else None


@cache
def _forced(cell: str, tile: str) -> Violation:
    return Violation("AR-FORCE-1", sites=(cell,), facts=FrozenDict(tile=tile))


def own_open_ends(state: State) -> list[str]:
    """The ends of the active player's open aqueducts."""
    return [aqueduct.end for aqueduct in state.own() if aqueduct.status == OPEN]


def own_ends(state: State) -> list[str]:
    """The ends of the active player's aqueducts whose workers are on the field, also of those ended in this turn."""
    return [aqueduct.end for aqueduct in state.own()]


@check("AR-CLOSE-2", Group.ACTOR, Close, among=own_ends)
def aqueduct_is_ones_own(state: State, end: str) -> Violation:
    return Violation("AR-CLOSE-2", (end,), FrozenDict[str, Fact](end=end, own=tuple(own_open_ends(state))))


@check("AR-CLOSE-3", Group.RULE, Close)
def none_was_ended_by_the_tile(state: State) -> Violation | None:
    ended = tuple([aqueduct.end for aqueduct in state.own() if aqueduct.status == BLOCKED])
    return Violation("AR-CLOSE-3", sites=ended, facts=FrozenDict[str, Fact](ends=ended)) if ended else None


@check("AR-CLOSE-5", Group.RULE, Close)
def a_tile_was_laid(state: State) -> Violation | None:
    return Violation("AR-CLOSE-5") if state.ruling("close_without_tile") == "forbidden" and not state.laid else None


def reserve(state: State) -> tuple[str, ...]:
    """The builders in the reserve."""
    return state.reserve


@check("AR-RESERVE-3", Group.SUPPLY, Take, among=reserve, in_time=True)
def reserve_holds_it(state: State, builder: str) -> Violation:
    return Violation("AR-RESERVE-3", facts=FrozenDict(builder=builder, reserve=state.reserve))


def may_close(state: State) -> bool:
    """Whether the active player may close an aqueduct, by the same checks that judge it."""
    forbidden = none_was_ended_by_the_tile(state) or a_tile_was_laid(state)
    return not forbidden and any(aqueduct.status == OPEN for aqueduct in state.own())
