"""What must be finished before anything else: named ahead of the rule that keeps an action's time."""

from __future__ import annotations

from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.actions import (
    Administrator,
    Decline,
    Discard,
    House,
    Move,
    Play,
    Return,
    Take,
    Tell,
)
from companion.games.thurn_and_taxis.closing import placeable
from companion.games.thurn_and_taxis.state import BEGIN, CUT, EACH, HAND_LIMIT, HOUSE, LAST, MOVE, TAKE, State
from companion.legality import Violation


def second_card_is_owed(state: State) -> Violation | None:
    if not state.taken:
        return None
    # What is held now is the card just taken, unless a position says otherwise.
    began_empty = state.active in state.hands_untold or len(state.turn_holding.hand) == 1
    wording = "owed" if began_empty else "another"
    return Violation("TT-POSTMASTER-1", facts=FrozenDict(seat=state.active), wording=wording)


def new_route_is_owed(state: State) -> Violation:
    return Violation("TT-DROP-3", facts=FrozenDict(seat=state.active))


def houses_are_owed(state: State) -> Violation | None:
    closing, waiting, houses = state.closing, placeable(state), state.turn_holding.houses
    if closing is None:
        return None
    cities = tuple(city for found in waiting.values() for city in found)
    each = closing.option == EACH
    facts = FrozenDict[str, Fact](
        due=min(len(waiting if each else cities), houses), provinces=tuple(waiting), cities=cities
    )
    return Violation("TT-HOUSE-6", cities, facts, wording="each" if each else "")


def moves_are_owed(state: State) -> Violation | None:
    if state.closing is None:
        return None
    facts = FrozenDict[str, Fact](cards=state.closing.unused)
    if state.ruling("carriage_moves") == "optional":
        return Violation("ARR-MOVE-6", facts=facts, wording="may_be_left", ruling="carriage_moves")
    return Violation("ARR-MOVE-6", facts=facts, wording="owed")


def tiles_are_unread(state: State) -> Violation | None:
    if state.audience is None:
        return None
    facts = FrozenDict[str, Fact](carriage=state.audience.telling, seat=state.actor)
    return Violation("ARR-ARRIVE-3", facts=facts, wording="owed")


def returns_are_owed(state: State) -> Violation:
    if state.stage == LAST or state.offices is None:
        return Violation("ARR-OFFICE-2", facts=FrozenDict(seat=state.actor), wording="last")
    official = next((name for name, left in state.offices.stock.items() if not left), None)
    if official is None:
        return Violation("ARR-OFFICE-2", facts=FrozenDict(seat=state.actor), wording="owed")
    return Violation("ARR-OFFICE-2", facts=FrozenDict(seat=state.actor, official=official), wording="named")


def earned_card_waits(state: State) -> Violation:
    return Violation("ARR-REWARD-2", facts=FrozenDict(seat=state.actor), wording="owed")


def earned_house_waits(state: State) -> Violation:
    return Violation("ARR-REWARD-4", facts=FrozenDict(seat=state.actor), wording="owed")


def discards_are_owed(state: State) -> Violation:
    held = len(state.turn_holding.hand)
    wording = "untold" if state.hand_untold else ""
    return Violation("TT-HAND-4", facts=FrozenDict(held=held, left=held - HAND_LIMIT), wording=wording)


OWED = (
    ("TT-POSTMASTER-1", TAKE, (Take, Administrator), second_card_is_owed),
    ("TT-DROP-3", BEGIN, (Play,), new_route_is_owed),
    ("TT-HOUSE-6", HOUSE, (House,), houses_are_owed),
    ("ARR-MOVE-6", MOVE, (Move, Decline), moves_are_owed),
    ("ARR-ARRIVE-3", "tell", (Tell,), tiles_are_unread),
    ("ARR-OFFICE-2", "return", (Return, Decline), returns_are_owed),
    ("ARR-REWARD-2", "reward_card", (Take, Decline), earned_card_waits),
    ("ARR-REWARD-4", "reward_house", (House, Decline), earned_house_waits),
    ("TT-HAND-4", CUT, (Discard,), discards_are_owed),
)
"""the rule that something is owed by, the step in which it is, the kinds that do it, and what is owed"""
