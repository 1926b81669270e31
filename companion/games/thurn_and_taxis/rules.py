"""What the rules forbid: the checks of the base game, in rulebook order."""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from operator import attrgetter

from companion.facts import Fact
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.actions import (
    ANY,
    DECK,
    KINDS,
    LEFT,
    NEW,
    Administrator,
    Close,
    Decline,
    Discard,
    Drop,
    EndTurn,
    House,
    Move,
    Pass,
    Play,
    Return,
    Show,
    Take,
    Tell,
)  # fmt: skip
from companion.games.thurn_and_taxis.owed import OWED
from companion.games.thurn_and_taxis.rulebook import RULES
from companion.games.thurn_and_taxis.state import (
    BEGIN,
    CLOSE,
    COPIES,
    CUT,
    EACH,
    END,
    HOUSE,
    LAST,
    MOVE,
    OFFICIALS,
    OVER,
    PLAY,
    SHORTEST_ROUTE,
    TAKE,
    UNSEEN,
    UNTOLD,
    UNTOLD_OFFICES,
    State,
    cards_to_show,
    has_house,
    seen_cards,
    step_of,
)  # fmt: skip
from companion.legality import Group, Violation

KINDS_IN: dict[str, tuple[type, ...]] = {
    "show": (Show,),
    TAKE: (Administrator, Take),
    PLAY: (Take, Play, Drop),
    UNTOLD: (Play, Drop, Pass),
    UNTOLD_OFFICES: (Administrator, Take, Play, Drop),
    BEGIN: (Play,),
    CLOSE: (Play, Close, EndTurn),
    HOUSE: (House,),
    MOVE: (Move, Decline),
    CUT: (Discard,),
    END: (EndTurn,),
    "tell": (Tell,),
    "return": (Return, Decline),
    "reward_card": (Take, Decline),
    "reward_house": (House, Decline),
    LAST: (),
    OVER: (),
}
"""step -> the action kinds that can be legal in it"""
RULE_OF_KIND: dict[type, str] = {
    Show: "TT-SHOW-1", Administrator: "TT-ADMINISTRATOR-1", Take: "TT-TAKE-1", Play: "TT-PLAY-1", Drop: "TT-DROP-1",
    Close: "TT-CLOSE-1", House: "TT-HOUSE-1", Move: "ARR-MOVE-1", Tell: "ARR-ARRIVE-1", Return: "ARR-RETURN-1",
    Decline: "ARR-RETURN-2", Discard: "TT-HAND-1", Pass: "TT-PLAY-1", EndTurn: "TT-TURN-2",
}  # fmt: skip
"""action kind -> the rule that keeps it out of the steps of others"""
check = RULES.check
_NOT_SEEN = Violation("TT-HAND-3", certain=False)
_CARD_TAKEN, _NO_ROUTE = Violation("TT-ADMINISTRATOR-2"), Violation("TT-DROP-2")
_SECOND = {name: Violation("TT-OFFICIAL-1", facts=FrozenDict(official=name)) for name in OFFICIALS}
_TOO_SHORT = {
    length: Violation("TT-CLOSE-2", facts=FrozenDict(length=length), wording="" if length else "none")
    for length in range(SHORTEST_ROUTE)
}


def display_is_filled(state: State) -> Violation:
    """The display lacks cards that are turned over before anything else: how many, a display left out does not say."""
    wording = "untold" if UNSEEN in state.display else ""
    return Violation("TT-SHOW-2", facts=FrozenDict(left=cards_to_show(state)), wording=wording)


def show_has_no_time(state: State) -> Violation:
    """A card is turned over while the display lacks one, which a position that leaves it out does not say."""
    if UNSEEN in state.display and not state.is_untold:
        return Violation("TT-SHOW-1", certain=False, wording="untold")
    return Violation("TT-SHOW-1")


def nothing_can_be_declined(state: State) -> Violation:
    """What else could be declined, as the ruling on carriages has it."""
    moves = state.audience is not None and state.ruling("carriage_moves") == "optional"
    with_moves, without = ("only_moves", "absent") if state.offices is None else ("moves", "")
    wording = with_moves if moves else without
    return Violation("ARR-RETURN-2", wording=wording, ruling="carriage_moves" if moves else "")


def drop_has_no_time(state: State) -> Violation | None:
    """A route is dropped between taking a card and playing one; that it has been dropped another rule says."""
    if step_of(state) == BEGIN:
        return None
    return Violation("TT-DROP-1", wording="early" if step_of(state) == TAKE else "")


def play_has_no_time(state: State) -> Violation:
    """After closing not even the Postal carrier plays a card."""
    return Violation("TT-PLAY-1", wording="late" if step_of(state) in (HOUSE, MOVE, CUT, END) else "")


def turn_does_not_end(state: State) -> Violation:
    """What is still to be done before the turn ends, where a card must be taken or played."""
    step = step_of(state)
    if step == TAKE:
        return Violation("TT-TURN-2", facts=FrozenDict(left=state.owed), wording="take")
    return Violation("TT-TURN-2", wording="play" if step in (PLAY, UNTOLD, UNTOLD_OFFICES, BEGIN) else "")


def _worded_without(module: Callable[[State], object], rule: str, wording: str) -> Callable[[State], Violation]:
    """The violation of a rule, in this wording at tables that do not play the module."""
    played, absent = Violation(rule), Violation(rule, wording=wording)
    return lambda state: absent if module(state) is None else played


_audience, _offices = attrgetter("audience"), attrgetter("offices")
UNTIMELY: dict[type, Callable[[State], Violation | None]] = {
    Decline: nothing_can_be_declined,
    Drop: drop_has_no_time,
    Play: play_has_no_time,
    Show: show_has_no_time,
    EndTurn: turn_does_not_end,
    House: _worded_without(_offices, "TT-HOUSE-1", "closing"),
    Move: _worded_without(_audience, "ARR-MOVE-1", "absent"),
    Tell: _worded_without(_audience, "ARR-ARRIVE-1", "absent"),
    Return: _worded_without(_offices, "ARR-RETURN-1", "absent"),
}
"""action kind -> what is said more closely where it has no time"""


def unless_cards_are_shown_first(owed: Callable[[State], Violation | None]) -> Callable[[State], Violation | None]:
    """What is owed, which waits while the display is filled: whether it is, a display that is left out does not say."""

    def owed_now(state: State) -> Violation | None:
        return None if UNSEEN in state.display and not state.is_untold else owed(state)

    return owed_now


RULES.forbidden_in_steps("TT-END-1", (OVER,), *KINDS)
RULES.forbidden_in_steps(
    "TT-SHOW-2", ("show",), *(kind for kind in KINDS if kind is not Show), violation=display_is_filled
)
for _rule, _step, _doing, _owed in OWED:
    _others = tuple(kind for kind in KINDS if kind not in (*_doing, Show))
    RULES.forbidden_in_steps(_rule, (_step,), *_others, violation=_owed)
    RULES.forbidden_in_steps(_rule, (_step,), Show, violation=unless_cards_are_shown_first(_owed))
for _kind, _rule in RULE_OF_KIND.items():
    _without = {step for step, kinds in KINDS_IN.items() if _kind not in kinds}
    RULES.forbidden_in_steps(_rule, _without - {"show", OVER}, _kind, violation=UNTIMELY.get(_kind))


def cards_left(state: State) -> list[str]:
    """The cards that lie in the deck or unseen in a hand; where nobody has counted, maybe among the discards."""
    if state.is_uncounted:
        lying = seen_cards(state.display, (), state.holdings)
        return [city for city in state.left if lying[city] < COPIES]
    return list(compress(state.left, state.left.values()))


@check("TT-SHOW-3", Group.SUPPLY, Show, among=cards_left)
def deck_can_hold_the_card(state: State, card: str) -> Violation:
    return Violation("TT-SHOW-3", facts=FrozenDict(card=card))


@check("TT-SHOW-3", Group.RULE, Show, certain=False)
def card_lies_nowhere_untold(state: State, card: str) -> Violation | None:
    untold = state.hands_untold or UNSEEN in state.display or (UNSEEN in state.discards and not state.is_uncounted)
    if state.is_untold or not untold:
        return None
    return Violation("TT-SHOW-3", facts=FrozenDict(card=card), certain=False, wording="untold")


@check("TT-ADMINISTRATOR-2", Group.TIME, Administrator)
def no_card_was_taken(state: State) -> Violation | None:
    return _CARD_TAKEN if state.taken and not state.is_untold else None


@check("TT-POSTMASTER-2", Group.TIME, Administrator)
def hand_is_not_empty(state: State) -> Violation | None:
    if state.taken or (state.own.hand and not state.hand_untold):
        return None
    if state.hand_untold:
        return Violation("TT-POSTMASTER-2", certain=False, wording="untold")
    return Violation("TT-POSTMASTER-2")


@check("TT-OFFICIAL-1", Group.RULE, Administrator)
def administrator_is_the_first_official(state: State) -> Violation | None:
    return _second_official(state)


@check("TT-OFFICIAL-1", Group.RULE, Take)
def postmaster_is_the_first_official(state: State) -> Violation | None:
    return _second_official(state) if state.official and step_of(state) in (PLAY, UNTOLD_OFFICES) else None


@check("TT-OFFICIAL-1", Group.RULE, Play)
def carrier_is_the_first_official(state: State) -> Violation | None:
    return _second_official(state) if state.official and step_of(state) == CLOSE else None


@check("TT-OFFICIAL-1", Group.RULE, Close)
def cartwright_is_the_first_official(state: State, cartwright: bool) -> Violation | None:
    return _second_official(state) if cartwright else None


def _second_official(state: State) -> Violation | None:
    return _SECOND.get(state.official)


def open_cards(state: State) -> dict[str, None]:
    """The cards that lie open, then those that can be where the position leaves them out."""
    cards = dict.fromkeys(state.display)
    if UNSEEN in cards:
        del cards[UNSEEN]
        cards |= dict.fromkeys(cards_left(state))
    return cards


def cards_to_take(state: State) -> tuple[str, ...]:
    """The open cards and the deck; where they are not told any card."""
    if state.is_untold:
        return (ANY,)
    return (*open_cards(state), DECK)


@check("TT-TAKE-2", Group.PLACE, Take, among=cards_to_take)
def card_lies_there(state: State, card: str) -> Violation:
    if state.is_untold or card == ANY:
        return Violation("TT-TAKE-2", facts=FrozenDict(card=card), wording="untold" if state.is_untold else "told")
    if UNSEEN in state.display:
        return Violation("TT-TAKE-2", facts=FrozenDict(card=card), wording="elsewhere")
    return Violation("TT-TAKE-2", facts=FrozenDict[str, Fact](card=card, display=state.display))


@check("TT-SHOW-5", Group.RULE, Take, certain=False)
def open_card_was_told(state: State, card: str) -> Violation | None:
    if card in (ANY, DECK) or card in state.display:
        return None
    return Violation("TT-SHOW-5", facts=FrozenDict(card=card), certain=False)


def open_cards_once_the_deck_is_empty(state: State) -> dict[str, None] | None:
    """The open cards where neither deck nor discards hold one more; else any."""
    return None if state.deck or state.discards or state.is_untold else open_cards(state)


@check("TT-TAKE-3", Group.SUPPLY, Take, among=open_cards_once_the_deck_is_empty)
def deck_is_not_empty(state: State, card: str) -> Violation | None:
    return Violation("TT-TAKE-3") if card == DECK else None


def cards_in_hand(state: State) -> dict[str, None]:
    """The cards that the active player's hand holds, then those that can be its unseen ones."""
    hand = state.turn_holding.hand
    cards = dict.fromkeys(hand)
    if UNSEEN in cards or state.are_officials_untold:
        cards.pop(UNSEEN, None)
        cards |= dict.fromkeys(cards_left(state))
    return cards


@check("TT-HAND-2", Group.SUPPLY, Play, Discard, among=cards_in_hand, in_time=True)
def hand_can_hold_the_card(state: State, card: str) -> Violation:
    elsewhere = "elsewhere" if UNSEEN in state.turn_holding.hand or state.are_officials_untold else ""
    return Violation("TT-HAND-2", facts=FrozenDict(card=card), wording=elsewhere)


@check("TT-HAND-3", Group.RULE, Play, Discard, certain=False)
def card_was_seen_in_the_hand(state: State, card: str) -> Violation | None:
    if card in state.turn_holding.hand:
        return None
    if state.hand_untold:
        wording = "not_told" if state.is_untold else "untold"
        return Violation("TT-HAND-3", facts=FrozenDict(card=card), certain=False, wording=wording)
    return _NOT_SEEN


@check("TT-HAND-3", Group.RULE, Pass, certain=False)
def hand_was_seen_to_be_empty(state: State) -> Violation | None:
    if step_of(state) != UNTOLD:
        return None
    return Violation("TT-HAND-3", certain=False, wording="empty")


@check("TT-ROUTE-1", Group.PLACE, Play, in_time=True)
def card_goes_to_an_end(state: State, card: str, end: str) -> Violation | None:
    route, facts = state.turn_holding.route, FrozenDict(card=card)
    if (end == NEW) == (not route):
        return None
    if not route:
        return Violation("TT-ROUTE-1", facts=facts)
    return Violation("TT-ROUTE-1", route, facts, wording="carrier" if step_of(state) == CLOSE else "drop_first")


@check("TT-ROUTE-2", Group.PLACE, Play)
def city_is_new_to_the_route(state: State, card: str, end: str) -> Violation | None:
    if end == NEW or card not in state.turn_holding.route:
        return None
    return Violation("TT-ROUTE-2", sites=(card,), facts=FrozenDict(card=card))


@check("TT-ROUTE-3", Group.PLACE, Play)
def road_joins_the_end(state: State, card: str, end: str) -> Violation | None:
    route = state.turn_holding.route
    if end == NEW or not route:
        return None
    last = route[0] if end == LEFT else route[-1]
    roads = state.board.roads[card]
    if last in roads or last == card:
        return None
    other = route[-1] if end == LEFT else route[0]
    fits_there = "other_end" if other in roads and card not in route else ""
    return Violation("TT-ROUTE-3", (card, last), FrozenDict(card=card, last=last, other=other), wording=fits_there)


@check("TT-DROP-2", Group.SUPPLY, Drop)
def there_is_a_route(state: State) -> Violation | None:
    return None if state.turn_holding.route else _NO_ROUTE


@check("TT-CLOSE-2", Group.RULE, Close)
def route_is_long_enough(state: State) -> Violation | None:
    return _TOO_SHORT.get(len(state.turn_holding.route))


def options_to_close(state: State) -> tuple[str, ...]:
    """One house in each province, or all in one that the route touches."""
    province_of = state.board.province_of
    return (EACH, *dict.fromkeys(province_of[city] for city in state.turn_holding.route))


@check("TT-CLOSE-3", Group.PLACE, Close, among=options_to_close, in_time=True)
def route_touches_the_province(state: State, option: str) -> Violation:
    return Violation("TT-CLOSE-3", facts=FrozenDict(option=option))


@check("TT-HOUSE-2", Group.PLACE, House)
def house_is_in_the_route(state: State, city: str) -> Violation | None:
    closing = state.closing
    if closing is None or step_of(state) != HOUSE:
        return None
    province = state.board.province_of[city]
    on_route = city in state.turn_holding.route
    if on_route and province in closing.waiting:
        return None
    why = ("province_done" if closing.option == EACH else "not_chosen") if on_route else ""
    facts = FrozenDict(city=city, province=province, option=closing.option)
    return Violation("TT-HOUSE-2", (city,), facts, wording=why)


@check("TT-HOUSE-3", Group.PLACE, House)
def no_own_house_stands_there(state: State, city: str) -> Violation | None:
    if not has_house(state, city, state.actor):
        return None
    return Violation("TT-HOUSE-3", sites=(city,), facts=FrozenDict(city=city))
