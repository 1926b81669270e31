"""What can be known of closed hands: which cards exist, how many a hand holds, what lies elsewhere."""

from __future__ import annotations

from functools import lru_cache

from companion.frozen import FrozenDict
from companion.games.capitol.actions import Draw, Play, Reveal
from companion.games.capitol.cards import DECK_OF, FAMILY_OF, FITTING, NAMES_OF, Cards, may_hold, must_hold
from companion.games.capitol.rulebook import RULES
from companion.games.capitol.state import State
from companion.legality import Group, Violation

check = RULES.check
_UNSEEN = Violation("CAP-CARD-4", certain=False)


@check("CAP-CARD-1", Group.PLACE, Play, Reveal, Draw)
def card_is_in_the_box(state: State, card: str) -> Violation | None:
    return None if card in FAMILY_OF else Violation("CAP-CARD-1", facts=FrozenDict(card=card))


@check("CAP-CARD-2", Group.SUPPLY, Play, Reveal)
def hand_holds_the_deck(state: State, card: str) -> Violation | None:
    deck = DECK_OF.get(card, card)
    return None if deck in decks_in(state.own.hand) else Violation("CAP-CARD-2", facts=FrozenDict(deck=deck))


@check("CAP-CARD-3", Group.SUPPLY, Play, Reveal)
def card_is_not_elsewhere(state: State, card: str) -> Violation | None:
    hand = state.own.hand
    if card in hand or DECK_OF.get(card) not in decks_in(hand) or may_hold(hand, card, state.unknown):
        return None
    return Violation("CAP-CARD-3", facts=FrozenDict(card=card))


@check("CAP-CARD-4", Group.RULE, Play, Reveal)
def card_was_seen_in_the_hand(state: State, card: str) -> Violation | None:
    hand = state.own.hand
    if card in hand or card not in FAMILY_OF or must_hold(hand, card, state.unknown):
        return None
    return _UNSEEN


@check("CAP-DRAW-2", Group.SUPPLY, Draw)
def stack_holds_a_card(state: State, card: str) -> Violation | None:
    deck = DECK_OF.get(card)
    return Violation("CAP-DRAW-2", facts=FrozenDict(deck=deck)) if deck and not state.decks[deck].pile else None


@check("CAP-DRAW-3", Group.SUPPLY, Draw)
def card_is_the_top_one(state: State, card: str) -> Violation | None:
    top = top_for(state, card)
    return None if not top or top in FITTING[card] else Violation("CAP-DRAW-3", facts=FrozenDict(card=card, top=top))


@check("CAP-CARD-3", Group.SUPPLY, Draw)
def card_can_be_the_top_one(state: State, card: str) -> Violation | None:
    top = top_for(state, card)
    if top not in FITTING.get(card, ()) or may_hold((top,), card, state.unknown):
        return None
    return Violation("CAP-CARD-3", facts=FrozenDict(card=card))


def top_for(state: State, card: str) -> str:
    """The top card of the stack that a card belongs to, by its name; "" where there is none."""
    pile = state.decks[DECK_OF[card]].pile if card in DECK_OF else ()
    return pile[0] if pile else ""


def names_on_top(state: State, deck: str) -> tuple[str, ...]:
    """The names by which the top card of a stack can be told."""
    pile = state.decks[deck].pile
    return _FITTING_IN_ORDER[pile[0]] if pile else ()


_FITTING_IN_ORDER = {
    top: tuple(name for name in NAMES_OF[deck] if name in FITTING[top]) for top, deck in DECK_OF.items()
}


@lru_cache(maxsize=1 << 14)
def decks_in(cards: Cards) -> frozenset[str]:
    """The decks that these cards are of."""
    return frozenset(DECK_OF[card] for card in cards)


def names_for(cards: Cards) -> tuple[str, ...]:
    """The names that a card out of these can be told by, as far as its deck says."""
    return _names(decks_in(cards))


@lru_cache
def _names(decks: frozenset[str]) -> tuple[str, ...]:
    return tuple(name for deck, names in NAMES_OF.items() if deck in decks for name in names)
