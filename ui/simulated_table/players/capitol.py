"""Simulated players of Capitol: each knows the cards in its own hand and builds, bids and draws by them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Self

from companion.engine import apply_unchecked, legal_actions
from companion.frozen import FrozenDict, changed
from companion.games.capitol import improvement
from companion.games.capitol.actions import (
    Commit,
    Draw,
    Pass,
    PlayFloor,
    PlayPermit,
    PlayRoof,
    PutTile,
    Reveal,
    TurnSenator,
)  # fmt: skip
from companion.games.capitol.cards import COPIES, DECK_OF, FAMILY_OF, FLOOR, NUMBER_OF, PERMIT, ROOF, Cards, unknowns
from companion.games.capitol.evolve import built
from companion.games.capitol.scoring import FIRST_PLACE_POINTS, fountains_in, placing
from companion.games.capitol.state import (
    AMPHITHEATRE,
    FOUNTAIN,
    ROUNDS,
    SHAPES,
    TEMPLE,
    Building,
    State,
    card_names,
    parts_of,
    prize,
    step_of,
)  # fmt: skip
from companion.registry import load_game
from ui.simulated_table.players import Mistake

GAME = load_game("capitol")

TEMPER = 0.3
"""points by which two choices may differ and still both be likely"""
PASS_WORTH, LAST_PASS_WORTH, NUMBER_WORTH, SCARCE_WORTH, FLOOR_WORTH = 0.7, 0.05, 0.06, 0.7, 0.2
"""points that keeping cards is worth, in the last round, for each point one bids, when few are left; and of a floor"""
KEPT = 3
"""cards that a player is loath to spend before the last round"""
BID_A_POINT = 2.5
"""the sum of cards that a player bids for each point a tile may bring until the end"""
WANTED = FrozenDict({ROOF: 2, FLOOR: 2, PERMIT: 4})
"""deck -> the cards of it that a player likes to hold"""


@dataclass(frozen=True, slots=True)
class Players:
    """`table` is the position as it really is: every card is known in it."""

    table: State

    @classmethod
    def seated(cls, state: State, random: Random) -> Self:
        """Players at this table, the cards nobody has seen being dealt at random."""
        return cls(_dealt(state, random))

    def choose(self, state: State, random: Random) -> Any:
        """Build what brings points, bid what is not needed, draw what is lacking."""
        table, step = self.table, step_of(state)
        seat = table.active
        if step == "play":
            return _best(random, _plays(table, seat))
        if step == "bid":
            decision = GAME.decide(state)
            return Commit(random.choice(decision.actors if decision else (seat,)))
        if step == "open":
            shown = table.auction.bids[seat - 1] if table.auction else ()
            hidden = [card for card in (Counter(_bid(table, seat)) - Counter(shown)) if card in table.own.hand]
            return Reveal(hidden[0]) if hidden else TurnSenator()
        if step == "tile":
            squares = improvement.squares_for_tile(table)
            return _best(random, ((PutTile(square), _tile_gain(table, seat, square)) for square in squares))
        tops = [deck.pile[0] for deck in table.decks.values() if deck.pile]
        return _best(random, ((Draw(DECK_OF[card]), _lack(table, seat, card)) for card in tops))

    def after(self, before: State, action: Any, state: State) -> Self:
        """The same, with the card that was really played: of its kind the lowest."""
        card = getattr(action, "card", "")
        if card and not isinstance(action, Draw):
            action = replace(action, card=_lowest(self.table.own.hand, card))
        elif card:
            action = Draw(self.table.decks[DECK_OF[card]].pile[0])
        return type(self)(apply_unchecked(GAME, self.table, action).state)

    def mistakes(self, state: State) -> Iterator[Mistake]:
        """A building too tall for an empty area, one in an area of another colour, a tile where there is no room."""
        board, step = state.board, step_of(state)
        if step == "play":
            colour = next((FAMILY_OF[card] for card in self.table.own.hand if DECK_OF[card] == PERMIT), "")
            for building in reversed(state.own.completed) if colour else ():
                height, shape = parts_of(building)
                for area in sorted(board.areas, key=lambda area: board.colour[area] != colour):
                    piece = "dome" if shape == SHAPES[0] else "gable"
                    for square in state.city.districts[area].free[:1]:
                        look = {f"floor {square}": str(height), f"{piece} {square}": state.table.colour(state.active)}
                        # Which permit was played is not seen: with another one the building might be right.
                        is_seen = board.colour[area] == colour
                        yield Mistake(PlayPermit(colour, building, square), look if is_seen else {})
        if step == "tile":
            taken = (*board.fountains, *board.large_squares)
            yield from (Mistake(PutTile(square)) for square in taken[:1])


def _best(random: Random, choices: Iterable[tuple[Any, float]]) -> Any:
    """The choice that brings most points, chance included."""
    return max(choices, key=lambda choice: choice[1] + random.gauss(0.0, TEMPER))[0]


def _dealt(state: State, random: Random) -> State:
    """The state with a card for every name that leaves open which it is."""
    names = card_names(state.decks, state.holdings, state.auction)
    rest = list((Counter(COPIES) - Counter(names)).elements())
    random.shuffle(rest)
    dealt: dict[str, list[str]] = {}
    # Those known least come last: a card known only as a permit may be any of those left.
    for name in sorted((name for name in names if name not in COPIES), key=lambda name: name == PERMIT):
        card = next(card for card in rest if name in (FAMILY_OF[card], DECK_OF[card]))
        rest.remove(card)
        dealt.setdefault(name, []).append(card)

    def told(cards: Cards) -> Cards:
        return tuple(card if card in COPIES else dealt[card].pop() for card in cards)

    decks = {
        name: changed(deck, pile=told(deck.pile), discard=told(deck.discard)) for name, deck in state.decks.items()
    }
    holdings = tuple(changed(holding, hand=tuple(sorted(told(holding.hand)))) for holding in state.holdings)
    unknown = unknowns(card_names(decks, holdings, state.auction))
    return changed(state, decks=FrozenDict(decks), holdings=holdings, unknown=unknown)


def _lowest(hand: Cards, name: str) -> str:
    """The lowest card of a hand that a name may mean."""
    return min((card for card in hand if name in (card, FAMILY_OF[card], DECK_OF[card])), key=NUMBER_OF.__getitem__)


def _plays(table: State, seat: int) -> Iterator[tuple[Any, float]]:
    """The cards to play and what each brings; to pass brings what a card is worth in the auctions to come."""
    last = table.round == ROUNDS
    yield Pass(), LAST_PASS_WORTH if last else PASS_WORTH
    own = table.own
    before = _promise(table, seat, own.unroofed)
    for action in legal_actions(GAME, table):
        match action:
            case PlayPermit(card, building, square):
                height, shape = parts_of(building)
                placed = Building(seat, height, shape)
                points = _gain(table, seat, table.board.area_of[square], placed) + FLOOR_WORTH * height
            case PlayRoof(card, shape, height):
                points = FLOOR_WORTH + _demand(table, seat, height, shape)
            case PlayFloor(card, onto):
                points = FLOOR_WORTH + _promise(table, seat, built(own.unroofed, onto)) - before
            case _:
                continue
        loath = SCARCE_WORTH if len(own.hand) <= KEPT and not last else 0.0
        yield action, points - NUMBER_WORTH * NUMBER_OF[_lowest(own.hand, card)] - loath


def _promise(table: State, seat: int, unroofed: tuple[int, ...]) -> float:
    """What buildings without a roof may bring once they have one."""
    holding = table.holding(seat)
    chance = 0.4 if table.round < ROUNDS else 0.0
    if any(FAMILY_OF[card] == ROOF for card in holding.hand):
        chance = 0.8
    shapes = [shape for shape in SHAPES if holding.roofs[shape]]
    demands = sorted(max((_demand(table, seat, height, shape) for shape in shapes), default=0.0) for height in unroofed)
    return chance * sum(demands[-sum(holding.roofs.values()) :]) if shapes else 0.0


def _demand(table: State, seat: int, height: int, shape: str) -> float:
    """What a completed building may bring, likelier in an area for which the player holds a permit."""
    best = 0.0
    permits = {FAMILY_OF[card] for card in table.holding(seat).hand}
    for area, district in table.city.districts.items():
        fits = height - district.tallest in (0, 1) if district.tallest else height == 1
        if fits and district.free and district.shape in ("", shape):
            gain = _gain(table, seat, area, Building(seat, height, shape)) + FLOOR_WORTH * height
            best = max(best, gain * (0.9 if table.board.colour[area] in permits else 0.3))
    return best


def _gain(
    table: State, seat: int, area: str, building: Building | None = None, *, fountains: int = 0, temple: bool = False
) -> float:
    """Points by which a seat gains on the best of the others in an area with something more in it."""
    before, after = _points(table, area), _points(table, area, building, fountains=fountains, temple=temple)

    def lead(points: Mapping[int, int]) -> float:
        return points.get(seat, 0) - 0.5 * max((points[other] for other in points if other != seat), default=0)

    return lead(after) - lead(before)


def _points(
    table: State, area: str, building: Building | None = None, *, fountains: int = 0, temple: bool = False
) -> dict[int, int]:
    """Seat -> points that an area would bring if it were scored with something more in it."""
    standing = [found for square in table.board.small[area] if (found := table.city.buildings.get(square)) is not None]
    heights: dict[int, list[int]] = {}
    for each in (*standing, building) if building is not None else standing:
        heights.setdefault(each.seat, []).append(each.height)
    if not heights:
        return {}
    seats = tuple(sorted(heights))
    floors, tallest = (tuple(quantity(heights[seat]) for seat in seats) for quantity in (sum, max))
    places = placing(seats, floors, tallest, second_by_height=table.ruling("second_place_height") == "yes")
    springs = len(fountains_in(table, area)) + fountains
    double = 2 if temple or table.city.monuments.get(table.board.large[area]) == TEMPLE else 1
    first = dict.fromkeys(places.first, (FIRST_PLACE_POINTS + springs) * double)
    return first | dict.fromkeys(places.second, springs * double)


def _tile_gain(table: State, seat: int, square: str) -> float:
    """What the tile just won brings on a square."""
    area, won = table.board.area_of[square], prize(table)
    if won == AMPHITHEATRE:
        return 0.75 * _points(table, area).get(seat, 0)
    return _gain(table, seat, area, fountains=won == FOUNTAIN, temple=won == TEMPLE)


def _bid(table: State, seat: int) -> Cards:
    """The cards a seat lays over its senator, by its own hand and the board alone; the same until the bid is open."""
    shown = table.auction.bids[seat - 1] if table.auction else ()
    cards = sorted((*shown, *table.holding(seat).hand), key=lambda card: (NUMBER_OF[card], card))
    temper = Random(f"{table.round} {table.auction and table.auction.number} {seat} {cards}")
    squares = improvement.squares_for_tile(table)
    points = max((_tile_gain(table, seat, square) for square in squares), default=0.0) * (ROUNDS + 1 - table.round)
    limit = BID_A_POINT * points + temper.uniform(0.0, 7.0)
    kept = Counter[str]() if table.round == ROUNDS else Counter({deck: count // 2 for deck, count in WANTED.items()})
    bid: list[str] = []
    for card in cards:
        if kept[DECK_OF[card]] > 0:
            kept[DECK_OF[card]] -= 1
        elif sum(map(NUMBER_OF.__getitem__, bid)) + NUMBER_OF[card] <= limit:
            bid.append(card)
    return tuple(reversed(bid))


def _lack(table: State, seat: int, card: str) -> float:
    """How much a player likes to draw a card: by what is lacking in the hand, and by its number."""
    held = sum(DECK_OF[other] == DECK_OF[card] for other in table.holding(seat).hand)
    return 1.2 * (1.0 - held / WANTED[DECK_OF[card]]) + NUMBER_WORTH * NUMBER_OF[card]
