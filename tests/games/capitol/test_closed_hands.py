"""Games with real cards that are told as much of as the table likes: the engine is never wrong about what it says."""

from random import Random

import pytest

from companion.engine import apply, judge, legal_actions
from companion.games.capitol import actions as a
from companion.games.capitol.cards import COPIES, DEALT, DECK_OF, DECKS, FAMILY_OF
from companion.games.capitol.events import AuctionWon
from companion.games.capitol.game import GAME
from companion.games.capitol.state import State, step_of
from companion.legality import Status
from companion.position import parse_position
from tests.conformance import starting_state
from tests.games.capitol.test_cards import fits, means


class Reality:
    """The cards as they really lie, and a table that tells a card by its number more or less often."""

    def __init__(self, state: State, random: Random) -> None:
        self.state, self.random = state, random
        self.candour = random.choice([0.0, 0.5, 1.0])
        self.unsure = 0
        self.piles = {}
        for deck in DECKS:
            cards = [card for card, copies in COPIES.items() for _ in range(copies) if DECK_OF[card] == deck]
            random.shuffle(cards)
            self.piles[deck] = cards
        self.discards: dict[str, list[str]] = {deck: [] for deck in DECKS}
        self.hands = {
            seat: [self.piles[deck].pop(0) for deck, count in DEALT.items() for _ in range(count)]
            for seat in state.table.seats
        }
        self.bids: dict[int, list[str]] = {seat: [] for seat in state.table.seats}

    def told(self, card: str) -> str:
        return card if self.random.random() < self.candour else FAMILY_OF[card]

    def do(self, action: object) -> None:
        """Record an action that really happened."""
        decision = GAME.decide(self.state)
        assert decision is not None
        verdict = judge(GAME, self.state, action, decision.actors[0])
        assert verdict.status is not Status.ILLEGAL, (action, verdict)
        self.unsure += verdict.status is Status.NOT_CHECKABLE
        step = apply(GAME, self.state, action, decision.actors[0])
        for event in step.events:
            if isinstance(event, AuctionWon):
                self.settle_bids(event.seat)
        for deck in DECKS:
            if not self.piles[deck]:
                self.piles[deck], self.discards[deck] = self.discards[deck], []
        self.state = step.state
        self.check()

    def settle_bids(self, winner: int) -> None:
        """The winner discards, all others take their cards back."""
        paid = self.bids[winner]
        for card in paid if self.state.ruling("bid_discards") == "as_revealed" else reversed(paid):
            self.discards[DECK_OF[card]].append(card)
        for seat, bid in self.bids.items():
            self.hands[seat] += bid if seat != winner else []
        self.bids = {seat: [] for seat in self.bids}

    def check(self) -> None:
        """Every name the engine has for a card is true."""
        state = self.state
        for seat, hand in self.hands.items():
            for deck in DECKS:
                names = tuple(name for name in state.holding(seat).hand if DECK_OF[name] == deck)
                assert fits_quickly(names, [card for card in hand if DECK_OF[card] == deck])
        for deck in DECKS:
            for names, cards in (
                (state.decks[deck].pile, self.piles[deck]),
                (state.decks[deck].discard, self.discards[deck]),
            ):
                assert len(names) == len(cards)
                assert all(map(means, names, cards))

    def play(self) -> None:
        """One real action of whoever is to move."""
        state, random = self.state, self.random
        seat, step = state.active, step_of(state)
        if step == "open":
            if self.hands[seat] and random.random() < 0.6:
                card = random.choice(self.hands[seat])
                self.hands[seat].remove(card)
                self.bids[seat].append(card)
                self.do(a.Reveal(card))
            else:
                self.do(a.TurnSenator())
            return
        if step == "draw":
            deck = random.choice([deck for deck in DECKS if self.piles[deck]])
            card = self.piles[deck].pop(0)
            self.hands[seat].append(card)
            self.do(a.Draw(random.choice([deck, self.told(card)])))
            return
        action = random.choice(legal_actions(GAME, state))
        if step == "play" and not isinstance(action, a.Pass):
            held = [card for card in self.hands[seat] if FAMILY_OF[card] == action.card]
            if not held:
                return
            card = random.choice(held)
            self.hands[seat].remove(card)
            self.discards[DECK_OF[card]].append(card)
            action = GAME.parse_action(" ".join([self.told(card), *action.text.split()[1:]]), state)
        self.do(action)


def fits_quickly(names: tuple[str, ...], cards: list[str]) -> bool:
    """Whether cards can bear these names; those told by number or family are taken first."""
    cards = list(cards)
    for name in sorted(names, key=lambda name: ("-" not in name, name == DECK_OF[name])):
        found = next((card for card in cards if means(name, card)), None)
        if found is None:
            return False
        cards.remove(found)
    return not cards


@pytest.mark.parametrize("seed", range(12))
def test_a_real_game_is_never_called_illegal_and_all_names_are_true(seed: int) -> None:
    random = Random(seed)
    reality = Reality(starting_state("capitol", 2 + seed % 3, random), random)
    for _ in range(2000):
        if GAME.decide(reality.state) is None:
            break
        reality.play()
    assert GAME.decide(reality.state) is None
    assert reality.unsure


def test_quick_fitting_is_fitting() -> None:
    random = Random(1)
    box = [card for card in COPIES if DECK_OF[card] == "permit"]
    for _ in range(200):
        cards, named = random.sample(box, 4), random.sample(box, 4)
        names = tuple(random.choice([card, FAMILY_OF[card], "permit"]) for card in random.choice([cards, named]))
        assert fits_quickly(names, cards) == fits(names, cards)


@pytest.mark.parametrize(("action", "copies"), [("black nothing", 8), ("white-4 nothing", 1)])
def test_a_card_that_cannot_be_in_the_hand_is_told_with_all_its_copies(action: str, copies: int) -> None:
    state = parse_position('game = "capitol"\nplayer.1.hand = ["white-3"]', "here").state
    (violation,) = judge(GAME, state, GAME.parse_action(action, state)).violations
    assert (violation.rule, violation.facts["copies"]) == ("CAP-CARD-2", copies)
