"""Closed hands: cards from the display are known to all, those from the deck to their holder alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from companion.closed import ClosedPiece, check_told
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.state import UNSEEN, State
from companion.wording.spelling import with_nearest


def _wider(card: str) -> tuple[str, ...]:
    return () if card == UNSEEN else (UNSEEN,)


def closed_cards(state: State, seat: int) -> tuple[ClosedPiece, ...]:
    """The cards of a hand, with the cities that an unseen one can be of."""
    unseen = tuple([city for city, left in state.left.items() if left > 0])
    return tuple(ClosedPiece(card, unseen if card == UNSEEN else (card,)) for card in state.holding(seat).hand)


def with_hand(state: State, seat: int, names: tuple[str, ...]) -> State:
    """The position with these cards, unseen ones among them perhaps, in the hand of a seat.

    Raises ValueError where they cannot be those that are known to be there, or no such card is left.
    """
    for name in names:
        if name != UNSEEN and name not in state.left:
            raise ValueError(with_nearest(f"{name} is no city of the board", name, state.left))
    holding = state.holding(seat)
    check_told(holding.hand, names, _wider)
    learned = Counter(names) - Counter(holding.hand)
    left = FrozenDict({city: count - learned[city] for city, count in state.left.items()})
    for city, count in left.items():
        if count < 0:
            raise ValueError(f"no more cards of {city} can be in a hand")
    holdings = list(state.holdings)
    holdings[seat - 1] = replace(holding, hand=tuple(sorted(names)))
    untold = state.hands_untold - {seat} if UNSEEN not in names else state.hands_untold
    return replace(state, holdings=tuple(holdings), left=left, hands_untold=untold)
