"""What is known of cards: sums that can be counted on paper, and every possible deal of small unknown rests."""

from collections import Counter
from collections.abc import Iterator
from itertools import chain, permutations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.capitol.cards import (
    COPIES,
    DECK_OF,
    DECK_SIZE,
    FAMILIES,
    FAMILY_OF,
    NUMBER_OF,
    PERMIT,
    Unknowns,
    may_hold,
    must_hold,
    take,
    unknowns,
)

Deal = tuple[tuple[str, ...], tuple[str, ...]]
"""Real cards: those in the hand and those elsewhere, in the order of their names."""


@pytest.mark.parametrize(
    ("family", "cards", "total"),
    [("roof", 14, 56), ("floor", 24, 108), ("white", 8, 36), ("black", 8, 36), ("red", 8, 36)],
)
def test_sums_of_the_numbers(family: str, cards: int, total: int) -> None:
    """Twice 1 to 7, three times 1 to 8, and 1 to 8 of each colour."""
    numbers = Counter({card: copies for card, copies in COPIES.items() if FAMILY_OF[card] == family})
    assert numbers.total() == cards
    assert sum(NUMBER_OF[card] for card in numbers.elements()) == total


def test_sixty_two_cards_in_three_decks() -> None:
    assert DECK_SIZE == {"roof": 14, "floor": 24, "permit": 24}
    assert sum(COPIES.values()) == 62


def means(name: str, card: str) -> bool:
    """Whether a real card can be called so."""
    return name in (card, FAMILY_OF[card], DECK_OF[card])


class Rest:
    """A small part of the box with names for its cards in a hand and elsewhere; the rest of the box lies open."""

    def __init__(self, random: Random) -> None:
        deck = random.choice(["roof", "floor", "permit", "permit"])
        box = [card for card in Counter(COPIES).elements() if DECK_OF[card] == deck]
        dealt = random.sample(box, random.randint(1, 6))
        names = [random.choice([card, FAMILY_OF[card], DECK_OF[card]]) for card in dealt]
        held = random.randint(0, len(dealt))
        self.hand, self.elsewhere = tuple(sorted(names[:held])), tuple(names[held:])
        self.real: Deal = tuple(dealt[:held]), tuple(dealt[held:])
        self.open = list((Counter(COPIES) - Counter(dealt)).elements())
        self.cards = Counter(dealt)

    @property
    def unknown(self) -> Unknowns:
        return unknowns(chain(self.hand, self.elsewhere, self.open))

    def deals(self) -> Iterator[Deal]:
        """Every way in which the cards may lie."""
        names = (*self.hand, *self.elsewhere)
        for order in set(permutations(self.cards.elements())):
            if all(map(means, names, order)):
                yield order[: len(self.hand)], order[len(self.hand) :]

    def names(self) -> list[str]:
        """The names that are worth asking about."""
        return sorted({name for card in self.cards for name in (card, FAMILY_OF[card])})


rests = st.integers(0, 2**32).map(Random).map(Rest)


@given(rests)
def test_a_card_may_be_in_a_hand_if_some_deal_puts_it_there_and_is_if_all_do(rest: Rest) -> None:
    hands = [hand for hand, _ in rest.deals()]
    for name in rest.names():
        there = [any(means(name, card) for card in hand) for hand in hands]
        assert may_hold(rest.hand, name, rest.unknown) == any(there), name
        assert must_hold(rest.hand, name, rest.unknown) == all(there), name


def fits(names: tuple[str, ...], cards: list[str]) -> bool:
    """Whether cards can bear these names."""
    return any(all(map(means, names, order)) for order in set(permutations(cards)))


@given(rests, st.data())
def test_what_is_known_after_a_card_was_taken_is_true_of_every_deal(rest: Rest, data: st.DataObject) -> None:
    deals = [deal for deal in rest.deals() if deal[0]]
    if not deals:
        return
    hand, elsewhere = data.draw(st.sampled_from(deals))
    card = data.draw(st.sampled_from(hand))
    name = data.draw(st.sampled_from([card, FAMILY_OF[card]]))
    left, known, unknown = take(rest.hand, name, rest.unknown)
    stays = list(hand)
    stays.remove(card)
    assert means(known, card)
    assert fits(left, stays)
    assert unknown == unknowns(chain(left, [known], rest.elsewhere, rest.open))
    assert left == tuple(sorted(left))
    assert len(elsewhere) == len(rest.elsewhere)


@given(rests)
def test_a_card_that_cannot_be_there_cannot_be_taken(rest: Rest) -> None:
    for name in rest.names():
        if not may_hold(rest.hand, name, rest.unknown):
            with pytest.raises(ValueError, match="cannot be among"):
                take(rest.hand, name, rest.unknown)


def test_too_many_cards_of_a_name_are_refused() -> None:
    with pytest.raises(ValueError, match="no more than 2 of roof-7"):
        unknowns(["roof-7"] * 3)
    with pytest.raises(ValueError, match="only 8 white permits"):
        unknowns(["white"] * 8 + ["white-1"])


@pytest.mark.parametrize("family", FAMILIES)
def test_a_box_of_which_nothing_is_known(family: str) -> None:
    names = [PERMIT] * 24 + ["roof"] * 14 + ["floor"] * 24
    unknown = unknowns(names)
    assert unknown.left == COPIES
    assert unknown.slack == {"white": 8, "black": 8, "red": 8}
    assert may_hold((DECK_OF[family],), f"{family}-1", unknown)
    assert not must_hold((DECK_OF[family],), f"{family}-1", unknown)
    assert not may_hold((), family, unknown)
    assert not may_hold((DECK_OF[family],), f"{family}-9", unknown)
