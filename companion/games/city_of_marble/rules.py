"""Which actions are allowed, in rulebook order. Laying pieces is in aqueducts.py, sentences are in rulebook.toml."""

from __future__ import annotations

from collections import Counter

from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.city_of_marble.actions import (
    KINDS,
    Collect,
    Complete,
    Draw,
    EndTurn,
    Keep,
    LastRound,
    Lay,
    Pass,
    PlayWard,
    Recall,
    Reveal,
    Send,
    Spend,
)  # fmt: skip
from companion.games.city_of_marble.aqueducts import next_edges
from companion.games.city_of_marble.bridges import told_values
from companion.games.city_of_marble.geometry import COLOURS, SPACES
from companion.games.city_of_marble.rulebook import RULES
from companion.games.city_of_marble.state import HILL, UNTOLD, WARDS_IN_BOX, State, colours_unseen, started, step_of
from companion.legality import Group, Violation

check = RULES.check

DRAWN_WARDS = 2
_POSSIBLE, _MANDATORY = Violation("COM-TURN-4"), Violation("COM-IMP-5")

NORMAL = (Draw, PlayWard, Lay, Recall, Pass)
TURN = (*NORMAL, Spend, Collect, EndTurn, LastRound)
FOLLOW_UPS: dict[str, tuple[type, ...]] = {
    "lay": (Lay,),
    "start": (Lay,),
    "site": (Complete,),
    "effect": (Lay, Complete),
    "send": (Send, Keep),
}
KINDS_IN: dict[str, tuple[type, ...]] = {
    "act": (Draw, PlayWard, Lay, Recall, Spend, Pass),
    "end": (Spend, Collect, EndTurn, LastRound),
    "untold": (PlayWard, Lay, Recall, Spend, Collect, EndTurn, LastRound),
    **FOLLOW_UPS,
    "reveal": (Reveal,),
    "over": (),
}
"""step -> the action kinds that can be legal in it"""


RULES.forbidden_in_steps("COM-END-3", ("over",), *KINDS)
RULES.forbidden_in_steps("COM-REVEAL-1", ("reveal",), *(kind for kind in KINDS if kind is not Reveal))
RULES.forbidden_in_steps("COM-REVEAL-2", KINDS_IN.keys() - {"reveal", "over"}, Reveal)


def something_is_unfinished(state: State) -> Violation:
    step, facts = step_of(state), dict[str, Fact]()
    sites: tuple[str, ...] = state.closing
    if state.sending is not None:
        sites = (state.sending.vertex, *state.closing)
        facts = {"seat": state.sending.seats[0], "site": state.sending.vertex, "space": state.sending.space}
    elif state.laying is not None:
        facts = {"colour": state.laying.colour or "any", "left": state.laying.left}
    else:
        facts = {"colours": tuple(start.colour for start in state.starting), "sites": state.closing}
    return Violation("COM-TURN-2", sites, FrozenDict({"step": step} | facts), wording=step)


for _kind in (*TURN, Complete, Send, Keep):
    _others = [step for step, kinds in FOLLOW_UPS.items() if _kind not in kinds]
    RULES.forbidden_in_steps("COM-TURN-2", _others, _kind, violation=something_is_unfinished)


RULES.forbidden_in_steps("COM-TURN-1", ("end",), *NORMAL)


def actions_are_left(state: State) -> Violation:
    only_pass = "" if normal_action_is_possible(state) else "only_pass"
    return Violation("COM-TURN-3", facts=FrozenDict(left=state.actions), wording=only_pass)


RULES.forbidden_in_steps("COM-TURN-3", ("act",), EndTurn, violation=actions_are_left)


RULES.forbidden_in_steps("COM-TURN-8", ("untold",), Draw, Pass)
RULES.forbidden_in_steps("COM-END-6", ("act",), LastRound)


@check("COM-END-6", Group.TIME, LastRound)
def last_round_is_told(state: State) -> Violation | None:
    if step_of(state) in ("untold", "end") and not state.stacks_untold:
        return Violation("COM-END-6")
    return Violation("COM-END-6", wording="begun") if state.final is not None else None


@check("COM-END-6", Group.SUPPLY, LastRound, in_time=True)
def three_stacks_can_be_empty(state: State) -> Violation | None:
    drawn = DRAWN_WARDS * state.actions if state.is_untold else 0
    left = sum(state.stacks.values()) - drawn
    laid = [ward.colour for ward in state.wards.values()]
    most = max(box - laid.count(colour) for colour, box in WARDS_IN_BOX.items())
    return Violation("COM-END-6", facts=FrozenDict(left=left, most=most), wording="early") if left > most else None


@check("COM-TURN-4", Group.RULE, Pass)
def nothing_is_possible(state: State) -> Violation | None:
    return _POSSIBLE if normal_action_is_possible(state) else None


@check("COM-DRAW-1", Group.SUPPLY, Draw)
def stacks_hold_them(state: State, colours: tuple[str, ...]) -> Violation | None:
    stacks = state.stacks
    if state.stacks_untold:
        stacks = FrozenDict({colour: count + stacks[UNTOLD] for colour, count in stacks.items()})
    for colour in colours:
        wanted = colours.count(colour)
        if stacks[colour] < DRAWN_WARDS and wanted > stacks[colour]:
            facts = FrozenDict[str, str | int](colour=colour, left=stacks[colour], wanted=wanted)
            return Violation("COM-DRAW-1", facts=facts)
    return None


@check("COM-DRAW-2", Group.RULE, Draw)
def draws_two(state: State, colours: tuple[str, ...]) -> Violation | None:
    if len(colours) == DRAWN_WARDS:
        return None
    left = sum(state.stacks.values())
    return None if left == 1 == len(colours) else Violation("COM-DRAW-2", facts=FrozenDict(left=left))


@check("COM-DRAW-3", Group.RULE, Draw)
def draws_different_colours(state: State, colours: tuple[str, ...]) -> Violation | None:
    if len(colours) == 2 and colours[0] == colours[1]:
        others = tuple(colour for colour in COLOURS if state.stacks[colour] and colour != colours[0])
        if others:
            return Violation("COM-DRAW-3", facts=FrozenDict(others=others))
    return None


@check("COM-RECALL-2", Group.PLACE, Recall)
def recalls_from_a_ward(state: State, place: str) -> Violation | None:
    return Violation("COM-RECALL-2", sites=(place,)) if place in SPACES else None


def wards_with_own_magistrates(state: State) -> list[str]:
    """The wards with a magistrate of the active player."""
    active = state.active
    own = [name for name, ward in state.wards.items() if ward.magistrate == active]
    return sorted(own, key=state.board.order.__getitem__) if len(own) > 1 else own


@check("COM-RECALL-1", Group.SUPPLY, Recall, among=wards_with_own_magistrates)
def recalls_an_own_magistrate(state: State, place: str) -> Violation | None:
    if place in SPACES:
        return None
    other = state.wards[place].magistrate if place in state.wards else 0
    return Violation("COM-RECALL-1", (place,), FrozenDict(seat=other, place=place), wording="others" if other else "")


@check("COM-WARD-1", Group.PLACE, PlayWard, among=lambda state: state.board.triangles)
def lies_in_the_grid(state: State, ward: str) -> Violation:
    wording = "" if ward in state.board.beside else "no_diagonal"
    return Violation("COM-WARD-1", sites=(ward,), facts=FrozenDict(ward=ward), wording=wording)


@check("COM-WARD-2", Group.PLACE, PlayWard)
def covers_free_triangles(state: State, ward: str) -> Violation | None:
    first, second = state.board.triangles.get(ward, ("", ""))
    covered = state.covered
    if first not in covered and second not in covered:
        return None
    return Violation("COM-WARD-2", sites=tuple(triangle for triangle in (first, second) if triangle in covered))


@check("COM-WARD-3", Group.RULE, PlayWard)
def touches_the_city(state: State, ward: str) -> Violation | None:
    covered = state.covered
    if ward not in state.board.triangles:
        return None
    for triangle in state.board.across.get(ward, ()):
        if triangle in covered:
            return None
    if state.ruling("hill_contact") == "corner":
        corners = set(state.board.corners.get(ward, ()))
        for triangle, what in covered.items():
            if what == HILL and not corners.isdisjoint(state.board.hill_corners[triangle]):
                return None
    wording = "corner" if state.ruling("hill_contact") == "corner" else ""
    return Violation("COM-WARD-3", sites=(ward,), wording=wording)


def colours_in_atrium(state: State) -> list[str]:
    """The colours of the wards in the active player's atrium, and those that others there can have."""
    atrium = state.own.atrium
    if atrium.get(UNTOLD):
        unseen = colours_unseen(state)
        return [colour for colour in COLOURS if atrium[colour] or colour in unseen]
    return [colour for colour in COLOURS if atrium[colour]]


@check("COM-WARD-4", Group.SUPPLY, PlayWard, among=colours_in_atrium)
def atrium_holds_the_ward(state: State, colour: str) -> Violation:
    return Violation("COM-WARD-4", facts=FrozenDict(colour=colour, domus=state.own.domus[colour]))


@check("COM-WARD-4", Group.SUPPLY, PlayWard, certain=False)
def ward_was_told(state: State, colour: str) -> Violation | None:
    atrium = state.own.atrium
    if UNTOLD not in atrium or atrium[colour] or not atrium[UNTOLD]:
        return None
    return Violation("COM-WARD-4", facts=FrozenDict(colour=colour), certain=False, wording="untold")


def with_or_without_magistrate(state: State) -> tuple[bool, ...]:
    """Whether a ward may be laid with a magistrate: with one only while the atrium holds any."""
    return (False, True) if state.own.magistrates else (False,)


@check("COM-WARD-5", Group.SUPPLY, PlayWard, among=with_or_without_magistrate)
def atrium_holds_the_magistrate(state: State, magistrate: bool) -> Violation:
    return Violation("COM-WARD-5")


RULES.forbidden_in_steps("COM-SITE-6", ("act", "untold", "end"), Complete)


def closed_sites(state: State) -> tuple[str, ...]:
    """The sites that wait to be completed."""
    return state.closing


@check("COM-SITE-7", Group.PLACE, Complete, among=closed_sites, in_time=True)
def site_is_closed(state: State, vertex: str) -> Violation:
    return Violation("COM-SITE-7", sites=(vertex,), facts=FrozenDict[str, Fact](vertex=vertex, closed=state.closing))


RULES.forbidden_in_steps("COM-SEND-1", ("act", "untold", "end"), Send, Keep)


@check("COM-SEND-2", Group.PLACE, Send)
def sends_an_own_magistrate_of_the_site(state: State, ward: str) -> Violation | None:
    sending = state.sending
    if sending is None:
        return None
    laid = state.wards.get(ward)
    if laid and laid.magistrate == sending.seats[0] and sending.vertex in state.board.corners[ward]:
        return None
    return Violation("COM-SEND-2", sites=(ward, sending.vertex))


@check("COM-END-2", Group.TIME, Spend)
def last_round_without_imperium(state: State) -> Violation | None:
    return Violation("COM-END-2") if state.final is not None else None


@check("COM-IMP-4", Group.TIME, Spend)
def spends_when_the_ruling_allows(state: State) -> Violation | None:
    if state.actions and not state.is_untold and state.ruling("imperium_when") == "after_both":
        return Violation("COM-IMP-4", facts=FrozenDict(left=state.actions))
    return None


def own_imperium(state: State) -> list[str]:
    """The kinds of Imperium that the active player has."""
    imperium = state.own.imperium
    return [kind for kind, count in imperium.items() if count] if any(imperium.values()) else []


@check("COM-IMP-2", Group.SUPPLY, Spend, among=own_imperium)
def owns_the_imperium(state: State, imperium: str) -> Violation:
    return Violation("COM-IMP-2", facts=FrozenDict(imperium=imperium))


@check("COM-IMP-3", Group.RULE, Spend, in_time=True)
def spends_on_a_possible_action(state: State, imperium: str) -> Violation | None:
    return None if normal_action_is_possible(state) else Violation("COM-IMP-3")


def collecting_waits(state: State) -> Violation:
    """The actions are still to be done; where all come home by themselves that is another matter."""
    if state.ruling("collecting") == "mandatory":
        return _MANDATORY
    return Violation("COM-IMP-5", facts=FrozenDict(left=state.actions), wording="early")


RULES.forbidden_in_steps("COM-IMP-5", ("act",), Collect, violation=collecting_waits)


@check("COM-IMP-5", Group.TIME, Collect)
def collecting_is_a_choice(state: State) -> Violation | None:
    mandatory = state.ruling("collecting") == "mandatory" and step_of(state) != "act"
    return _MANDATORY if mandatory else None


@check("COM-IMP-7", Group.TIME, Spend)
def spends_before_collecting(state: State) -> Violation | None:
    return Violation("COM-IMP-7") if state.collecting else None


@check("COM-IMP-6", Group.SUPPLY, Collect)
def has_a_magistrate_there(state: State, space: str) -> Violation | None:
    if state.active in state.envoys.get(space, ()):
        return None
    return Violation("COM-IMP-6", sites=(space,), facts=FrozenDict(space=space))


@check("COM-END-5", Group.TIME, Collect)
def last_turn_still_collects(state: State) -> Violation | None:
    late = state.final is not None and state.ruling("collect_after_final") == "no"
    return Violation("COM-END-5") if late else None


@check("COM-REVEAL-3", Group.SUPPLY, Reveal, in_time=True)
def tells_every_tile(state: State, values: tuple[int, ...]) -> Violation | None:
    seat = revealing_seat(state)
    held = state.holding(seat).bridges
    if len(values) != held:
        return Violation("COM-REVEAL-3", facts=FrozenDict(held=held, told=len(values)))
    missing = Counter(told_values(state, seat)) - Counter(values) if state.told else ()
    return Violation("COM-REVEAL-3", facts=FrozenDict(held=held), wording="other_values") if missing else None


@check("COM-REVEAL-4", Group.RULE, Reveal)
def values_exist(state: State, values: tuple[int, ...]) -> Violation | None:
    odd = [value for value in values if not 1 <= value <= 4]
    return Violation("COM-REVEAL-4", facts=FrozenDict(value=odd[0])) if odd else None


def revealing_seat(state: State) -> int:
    """The next seat whose bridge values are not known yet; 0 when all are."""
    for seat in state.table.seats:
        holding = state.holding(seat)
        if len(holding.values) != holding.bridges:
            return seat
    return 0


def normal_action_is_possible(state: State) -> bool:
    """Whether any of the four normal actions can be done, by the same checks that judge them."""
    if any(state.stacks.values()) or any(ward.magistrate == state.active for ward in state.wards.values()):
        return True
    if any(next_edges(state, colour) for colour in started(state)):
        return True
    return any(state.own.atrium.values()) and any(
        covers_free_triangles(state, ward) is None and touches_the_city(state, ward) is None for ward in state.frontier
    )
