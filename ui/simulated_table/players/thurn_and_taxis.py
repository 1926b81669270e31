"""Simulated players of Thurn and Taxis: each knows its own hand and plans the longest route it can play from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from companion.engine import apply_unchecked, legal_actions, scores
from companion.games.thurn_and_taxis.actions import (
    DECK,
    LEFT,
    RIGHT,
    Administrator,
    Close,
    Decline,
    Discard,
    Drop,
    House,
    Move,
    Play,
    Return,
    Show,
    Take,
    Tell,
)  # fmt: skip
from companion.games.thurn_and_taxis.geometry import CARRIAGES
from companion.games.thurn_and_taxis.state import (
    CARTWRIGHT_HELP,
    CLOSE,
    EACH,
    HAND_LIMIT,
    HOUSE,
    LAST,
    LAST_CARRIAGE,
    MOVE,
    PLAY,
    RANK_VALUE,
    RANKS,
    SHORTEST_ROUTE,
    TAKE,
    UNSEEN,
    Cards,
    State,
    has_house,
    next_carriage,
    step_of,
)
from companion.registry import load_game
from ui.simulated_table.players import Mistake

GAME = load_game("thurn_and_taxis")
TEMPER = 0.25
"""points by which two choices may differ and still both be likely"""
NEW_CITY_WORTH, DECK_WORTH, DROP_COST, CARRIAGE_WORTH, GOING_ON_WORTH = 0.15, 0.4, 0.8, 2.5, 1.4
"""an unbuilt city, an unseen card, each card of a dropped route, the next carriage, each card a route can still get"""


@dataclass(frozen=True, slots=True)
class Players:
    """`hidden` are, by seat, the cards of the hand that only its holder has seen, `deck` those face down, top first.

    `clergy` are, by seat, the ranks of the audience tiles on the carriages, in their order.
    """

    hidden: tuple[Cards, ...]
    deck: Cards
    clergy: tuple[tuple[str, ...], ...]

    @classmethod
    def seated(cls, state: State, random: Random) -> Self:
        """Players at this table, the cards and tiles nobody has seen being dealt at random."""
        cards = [card for card, left in state.left.items() for _ in range(left)]
        random.shuffle(cards)
        hidden = []
        for holding in state.holdings:
            count = holding.hand.count(UNSEEN)
            hidden.append(tuple(cards[:count]))
            del cards[:count]
        return cls(tuple(hidden), tuple(cards), tuple(_clergy(state, seat, random) for seat in state.table.seats))

    def choose(self, state: State, random: Random) -> Any:
        """Take what makes the longest route, play it, close it for the next carriage."""
        seat, step = state.actor, step_of(state)
        if step == "show":
            return Show(self.deck[0])
        if step == "tell" and state.audience is not None:
            return Tell(self.clergy[seat - 1][CARRIAGES.index(state.audience.telling)])
        hand = (*(card for card in state.own.hand if card != UNSEEN), *self.hidden[seat - 1])
        actions = [
            action
            for action in legal_actions(GAME, state)
            if not isinstance(action, Play | Discard) or action.card in hand
        ]
        weigh = Weighing(state, seat, hand, self.clergy[seat - 1]).points
        return max(actions, key=lambda action: weigh(action) + random.gauss(0.0, TEMPER))

    def after(self, before: State, action: Any, state: State) -> Self:
        """The same, with the cards that went from hand to hand; when the stack has run out it is shuffled anew."""
        hidden, deck, seat = list(self.hidden), self.deck, before.actor
        if isinstance(action, Play | Discard) and action.card not in before.own.hand:
            place = hidden[seat - 1].index(action.card)
            hidden[seat - 1] = hidden[seat - 1][:place] + hidden[seat - 1][place + 1 :]
        if isinstance(action, Show):
            deck = deck[1:]
        elif action == Take(DECK):
            deck = deck or _shuffled(state, hidden)
            hidden[seat - 1] = (*hidden[seat - 1], deck[0])
            deck = deck[1:]
        if len(deck) != state.deck:
            deck = _shuffled(state, hidden)
        return replace(self, hidden=tuple(hidden), deck=deck)

    def mistakes(self, state: State) -> Iterator[Mistake]:
        """A card that does not fit, a second official, a route too short, a house elsewhere, another's carriage."""
        step, own, colour = step_of(state), state.own, state.table.colour(state.actor)
        hand = (*self.hidden[state.actor - 1], *(card for card in own.hand if card != UNSEEN))
        if step == TAKE:
            yield Mistake(Administrator())
            missing = sorted(set(state.board.cities) - set(state.display))
            yield from (Mistake(Take(card)) for card in missing[:1])
        elif step in (PLAY, CLOSE):
            yield from (Mistake(Play(card, RIGHT)) for card in hand if own.route)
            yield Mistake(Close(EACH))
        elif step == HOUSE:
            outside = [city for city in state.board.cities if city not in own.route]
            yield from (Mistake(House(city), {f"house {colour}/{city}": colour}) for city in outside[:1])
        elif step == MOVE and state.closing is not None and state.audience is not None:
            for card in state.closing.unused:
                for carriage, place in state.audience.carriages.items():
                    yield from (Mistake(Move(card, carriage, city)) for city in state.rome.exits[place][:1])


@dataclass(frozen=True, slots=True)
class Weighing:
    """What one player thinks of the actions of a moment, in points."""

    state: State
    seat: int
    hand: Cards
    clergy: tuple[str, ...]

    def points(self, action: Any) -> float:
        """What an action is worth, compared with the others of its step."""
        state, route = self.state, self.state.own.route
        match action:
            case Take(card) if step_of(state) == PLAY:
                return self._with_postmaster(card)
            case Take(card):
                return self._with_card(card)
            case Administrator():
                return 0.5 + self._with_card("") if not self._longer_by(state.display) else -1.0
            case Play(card, end):
                grown = (card, *route) if end == LEFT else (*route, card)
                if step_of(state) == CLOSE:
                    return (
                        1.5 if len(grown) == self._due() else 0.3 * self._room(grown, _without(self.hand, card)) - 0.2
                    )
                return self._promise(grown, _without(self.hand, card))
            case Drop():
                return self._promise((), self.hand) - DROP_COST * len(route)
            case Close(_, cartwright):
                return self._closing(action, cartwright=cartwright)
            case Discard(card):
                return self._promise((), _without(self.hand, card))
            case House():
                return self._gain(action)
            case Move(_, carriage, _):
                return 0.5 * RANK_VALUE[self.clergy[CARRIAGES.index(carriage)]]
            case Return(kinds):
                return float(len(kinds)) - (2.5 if state.stage == LAST else 0.0)
            case Decline() if step_of(state) != "return":
                return -100.0
        return 0.0

    def _promise(self, route: Cards, hand: Cards) -> float:
        """What a route and a hand may come to: its length, and the cities that would get a first house."""
        cities = [city for city in {*route, *hand} if not has_house(self.state, city, self.seat)]
        return min(_reach(self.state, route, hand), LAST_CARRIAGE) + NEW_CITY_WORTH * len(cities)

    def _with_card(self, card: str) -> float:
        """The promise with one card more; a route that no card of the hand can lengthen is lost."""
        known = card not in ("", DECK)
        hand, route = (*self.hand, card) if known else self.hand, self.state.own.route
        extra = DECK_WORTH if card == DECK else 0.0
        if route and _reach(self.state, route, hand) == len(route):
            return self._promise((), hand) - DROP_COST * len(route) + extra
        return self._promise(route, hand) + extra

    def _with_postmaster(self, card: str) -> float:
        """A second card where the hand has none that fits, or where it makes the route longer."""
        route = self.state.own.route
        stuck = bool(route) and _reach(self.state, route, self.hand) == len(route)
        gain = self._longer_by((card,)) if card != DECK else 0
        if not stuck:
            helped = len(route) + 1 + CARTWRIGHT_HELP >= self._due() > len(route) + 1 >= SHORTEST_ROUTE
            gain -= 2 if helped or len(self.hand) > HAND_LIMIT else 0
            return self._promise(route, self.hand) + 0.6 * gain - 0.3
        return self._promise(route, self.hand) + gain if gain else -1.0

    def _longer_by(self, cards: Cards) -> int:
        """The cards by which one of these cards would lengthen the route that the hand can come to."""
        route = self.state.own.route
        reach = _reach(self.state, route, self.hand)
        return max((_reach(self.state, route, (*self.hand, card)) for card in cards), default=reach) - reach

    def _due(self) -> int:
        """The length that the next carriage asks for."""
        return next_carriage(self.state.own.carriage) or SHORTEST_ROUTE

    def _room(self, route: Cards, hand: Cards) -> int:
        """The cards by which hand and display can lengthen a route."""
        return _reach(self.state, route, (*hand, *self.state.display)) - len(route)

    def _closing(self, action: Close, *, cartwright: bool) -> float:
        """Houses, tiles and carriage of a closing, against what the route may still become."""
        length, due = len(self.state.own.route), self._due()
        if cartwright and not length < due <= length + CARTWRIGHT_HELP:
            return -1.0
        carriage = CARRIAGE_WORTH if length >= due or cartwright else 0.0
        room = self._room(self.state.own.route, self.hand)
        hope = GOING_ON_WORTH * min(room, LAST_CARRIAGE - length) if room else -1.0
        return self._gain(action) + carriage - hope

    def _gain(self, action: Any) -> float:
        """The points that an action brings at once, houses still to be placed included."""
        after = apply_unchecked(GAME, self.state, action).state
        waiting = len(after.closing.waiting) if after.closing is not None else 0
        points = [scores(GAME, state).totals[self.seat - 1] for state in (self.state, after)]
        return points[1] - points[0] + waiting


def _reach(state: State, route: Cards, hand: Iterable[str]) -> int:
    """The length to which these cards, laid at either end, can bring a route."""
    cards = frozenset(hand) - frozenset(route)
    if not route:
        return max((_reach(state, (card,), cards) for card in cards), default=0)
    near = state.board.roads[route[0]] | state.board.roads[route[-1]]
    best = len(route)
    for card in cards & near:
        if card in state.board.roads[route[0]]:
            best = max(best, _reach(state, (card, *route), cards))
        if card in state.board.roads[route[-1]]:
            best = max(best, _reach(state, (*route, card), cards))
        if best > LAST_CARRIAGE:
            break
    return best


def _without(cards: Cards, card: str) -> Cards:
    place = cards.index(card)
    return cards[:place] + cards[place + 1 :]


def _shuffled(state: State, hidden: Iterable[Cards]) -> Cards:
    """The cards that lie in no hand and were shown to nobody, in an order that follows from which they are."""
    unseen = Counter(dict(state.left))
    for cards in hidden:
        unseen.subtract(cards)
    pile = sorted(unseen.elements())
    Random(" ".join(pile)).shuffle(pile)
    return tuple(pile)


def _clergy(state: State, seat: int, random: Random) -> tuple[str, ...]:
    """The ranks on the carriages: those made known, and the others in any order."""
    told = state.audience.told if state.audience is not None else {}
    known = {carriage: ranks[seat - 1] for carriage, ranks in told.items() if len(ranks) >= seat}
    others = [rank for rank in RANKS if rank not in known.values()]
    random.shuffle(others)
    return tuple(known.get(carriage) or others.pop() for carriage in CARRIAGES)
