"""What can be known of closed hands: which cards exist, how many a hand holds, what lies elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from typing import Any

from companion.closed import ClosedPiece, check_told
from companion.frozen import FrozenDict, changed
from companion.games.capitol.actions import Draw, PlayFloor, PlayForNothing, PlayPermit, PlayRoof, Reveal
from companion.games.capitol.cards import (
    ANY,
    COPIES,
    DECK_OF,
    DECKS,
    FAMILY_OF,
    FITTING,
    NUMBER_OF,
    PERMIT,
    kinds_in,
    may_hold,
    must_hold,
    names_for,
    numbers_in,
    unknowns,
    wider_names,
)  # fmt: skip
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State, card_names
from companion.legality import Group, Violation

PLAYS = (PlayFloor, PlayRoof, PlayPermit, PlayForNothing)
check = RULES.check
_MISSING = {deck: Violation("CAP-CARD-1", facts=FrozenDict(deck=deck)) for deck in DECKS}
_UNSEEN = Violation("CAP-CARD-3", certain=False)
_UNTOLD = Violation("CAP-CARD-3", certain=False, wording="untold")
_NOT_TOLD = Violation("CAP-CARD-3", certain=False, wording="not_told")
_WHICH = Violation("CAP-CARD-2", wording="which")
_STACK_UNTOLD = {
    (deck, what): Violation("CAP-DRAW-2", facts=FrozenDict(deck=deck), certain=False, wording=what)
    for deck in DECKS
    for what in ("top_untold", "rest_untold", "hands_untold")
}


@check("CAP-CARD-1", Group.SUPPLY, *PLAYS, Reveal, in_time=True)
def hand_holds_the_deck(state: State, card: str) -> Violation | None:
    if state.is_untold:
        return None
    deck = DECK_OF.get(card)
    return None if deck is None or deck in kinds_in(state.own.hand) else _MISSING[deck]


@check("CAP-CARD-2", Group.SUPPLY, *PLAYS, Reveal, in_time=True)
def card_is_not_elsewhere(state: State, card: str) -> Violation | None:
    if state.is_untold:
        return None if card == ANY or card in FAMILY_OF else _elsewhere(card)
    if card == ANY:
        return _WHICH
    hand = state.own.hand
    if may_hold(hand, card, state.unknown):
        return None
    deck = DECK_OF.get(card)
    if deck is not None and deck not in kinds_in(hand):
        return None
    lies_unseen = any(card in (other, FAMILY_OF[other]) for other, copies in state.unknown.left.items() if copies)
    if lies_unseen and PERMIT not in hand:
        return Violation("CAP-CARD-2", facts=_elsewhere(card).facts, wording="known")
    return _elsewhere(card)


def cards_on_top(state: State) -> list[str]:
    """The names by which the top cards of the stacks can be reported."""
    unknown = state.unknown
    return list(chain.from_iterable([names_for(deck.pile[0], unknown) for deck in state.decks.values() if deck.pile]))


@check("CAP-CARD-2", Group.SUPPLY, Draw, among=cards_on_top, in_time=True)
def card_can_be_on_top(state: State, card: str) -> Violation | None:
    is_forbidden_by_the_top = card in FITTING and card not in names_fitting_tops(state)
    return None if is_forbidden_by_the_top else _elsewhere(card)


@lru_cache
def _elsewhere(card: str) -> Violation:
    copies = sum(COPIES[other] for other in COPIES if card in (other, FAMILY_OF[other]))
    if not copies:
        family = card.partition("-")[0]
        highest = max(NUMBER_OF[other] for other in COPIES if FAMILY_OF[other] == family)
        facts = FrozenDict[str, str | int](card=card, highest=highest)
        return Violation("CAP-CARD-2", facts=facts, wording="not_in_the_box")
    return Violation("CAP-CARD-2", facts=FrozenDict[str, str | int](card=card, copies=copies))


@check("CAP-CARD-3", Group.RULE, *PLAYS, Reveal, certain=False)
def card_was_seen_in_the_hand(state: State, card: str) -> Violation | None:
    if state.is_untold:
        return _NOT_TOLD
    if state.hand_untold and not (card in NUMBER_OF and card in state.own.hand):
        return _UNTOLD
    return None if must_hold(state.own.hand, card, state.unknown) else _UNSEEN


def names_fitting_tops(state: State) -> frozenset[str]:
    """The names that may mean the top card of a stack, as far as the card itself is known."""
    return frozenset().union(*(FITTING[deck.pile[0]] for deck in state.decks.values() if deck.pile))


@check("CAP-DRAW-2", Group.PLACE, Draw, among=names_fitting_tops)
def card_is_the_top_one(state: State, card: str) -> Violation | None:
    if card not in FITTING:
        return None
    top = top_for(state, card)
    return Violation("CAP-DRAW-2", facts=FrozenDict(deck=DECK_OF[card], top=top), wording="" if top else "empty")


@check("CAP-DRAW-2", Group.RULE, Draw, certain=False)
def stack_was_told(state: State, card: str) -> Violation | None:
    """Of a stack that is left out only the deck is known, and even whether it holds a card depends on the hands; so
    does which card its top one can be.
    """
    deck = DECK_OF.get(card)
    if deck is None or (card == deck and not state.hands_untold):
        return None
    if deck in state.decks_untold:
        return _STACK_UNTOLD[deck, "rest_untold" if card == deck else "top_untold"]
    return _STACK_UNTOLD[deck, "hands_untold"] if state.hands_untold and card != top_for(state, card) else None


def top_for(state: State, card: str) -> str:
    """The top card of the stack that a card belongs to, by its name; "" where there is none."""
    pile = state.decks[DECK_OF[card]].pile if card in DECK_OF else ()
    return pile[0] if pile else ""


def cards_to_reveal(state: State) -> list[str]:
    """The cards with their numbers that may be in the active player's hand."""
    return numbers_in(state.own.hand, state.unknown)


def closed_cards(state: State, seat: int) -> tuple[ClosedPiece, ...]:
    """The cards in a hand by what is known of each, with the cards of the box that it can be."""
    left = state.unknown.left
    return tuple(
        ClosedPiece(
            card,
            (card,)
            if card in NUMBER_OF
            else tuple([whole for whole in COPIES if left[whole] and card in wider_names(whole)]),
        )
        for card in state.holding(seat).hand
    )


def with_hand(state: State, seat: int, names: tuple[str, ...]) -> State:
    """The position with these cards, whole or partial names, in the hand of a seat.

    Raises ValueError where they cannot be those that are known to be there, or the box does not have them.
    """
    for name in names:
        if name not in FAMILY_OF:
            raise ValueError(f"{name} is no card")
    check_told(state.holding(seat).hand, names, wider_names)
    holdings = list(state.holdings)
    holdings[seat - 1] = changed(holdings[seat - 1], hand=tuple(sorted(names)))
    known = unknowns(card_names(state.decks, tuple(holdings), state.auction))
    return changed(state, holdings=tuple(holdings), unknown=known, hands_untold=state.hands_untold - {seat})


def named_in_full(state: State, action: Any) -> Iterator[Any]:
    """A play of a card known by its family, once for each card of the hand that it can mean; any other action as it is.

    It stays as it is, too, where the hand holds a card about which no more is known.
    """
    if not isinstance(action, PLAYS) or action.card in NUMBER_OF:
        yield action
        return
    hand = state.own.hand
    is_permit = DECK_OF[action.card] == PERMIT
    meant = [card for card in dict.fromkeys(hand) if FAMILY_OF[card] == action.card or (is_permit and card == PERMIT)]
    for card in meant:
        if card in NUMBER_OF:
            yield replace(action, card=card)
    if any(card not in NUMBER_OF for card in meant):
        yield action
