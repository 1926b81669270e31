"""The position of a Capitol game, all of it in one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any

from companion.detail import EVERYTHING, DetailedState
from companion.frozen import FrozenDict, changed, frozen
from companion.games.capitol.cards import (
    DEALT,
    DECK_SIZE,
    DECKS,
    FAMILIES,
    Cards,
    Unknowns,
    families_in,
    unknowns,
)  # fmt: skip
from companion.games.capitol.geometry import Geometry, geometry
from companion.table import Table

SHAPES = ("round", "triangular")
ROOFS_PER_SHAPE, FLOORS, FLOORS_PER_CARD = 5, 90, 2
FOUNTAINS, MONUMENTS_PER_KIND = 8, 2
ROUNDS, AUCTIONS_PER_ROUND, CARDS_DRAWN = 4, 3, 6
NEW, FOUNTAIN = "new", "fountain"
AMPHITHEATRE, TEMPLE = MONUMENTS = ("amphitheatre", "temple")
FIRST_BUILDINGS = ("1-round", "1-triangular", "2-round", "2-triangular")
CONSTRUCTION, IMPROVEMENT, DRAWING, OVER = PHASES = ("construction", "improvement", "drawing", "over")


@frozen
class Building:
    """A building on the board."""

    seat: int
    height: int
    shape: str


@frozen
class Deck:
    """A stack, its visible top first, and its discard pile, the card that comes up again first at its front."""

    pile: Cards
    discard: Cards = ()


@dataclass(frozen=True)
class Holding:
    """What lies before one player: `unroofed` are heights, `completed` buildings written `2-round`, in order.

    `points` are those scored before the record began.
    """

    hand: Cards
    roofs: FrozenDict[str, int]
    unroofed: tuple[int, ...] = ()
    completed: tuple[str, ...] = FIRST_BUILDINGS
    points: int = 0


@dataclass(frozen=True)
class Auction:
    """The auction going on, 1 to 3: who is ready, who has turned over the senator, the cards shown, and who won (0)."""

    number: int
    bids: tuple[Cards, ...]
    ready: tuple[int, ...] = ()
    opened: tuple[int, ...] = ()
    winner: int = 0


@frozen
class Award:
    """Points scored in a round by a rule in an area, with the squares they come from.

    `floors` and `tallest` are those of the seat there at that time; 0 where a position does not state them.
    """

    round: int
    rule: str
    area: str
    seat: int
    points: int
    squares: tuple[str, ...]
    floors: int = 0
    tallest: int = 0


@frozen
class District:
    """The roof shape of an area's buildings and the height of the tallest, which bind the next one; none if it is
    empty.
    """

    shape: str
    tallest: int
    free: tuple[str, ...]
    """the small squares without building or fountain"""
    fitting: tuple[str, ...] = ()
    """the buildings that can come next, as they are written; their shapes also follow from the colour's other areas"""


@dataclass(frozen=True)
class City:
    """The pieces on the board."""

    buildings: FrozenDict[str, Building]
    fountains: frozenset[str]
    """the squares with a fountain won at an auction"""
    monuments: FrozenDict[str, str]
    """large square -> amphitheatre or temple"""
    districts: FrozenDict[str, District] = field(compare=False, repr=False)
    """area -> its district; follows from the rest"""


@dataclass(frozen=True)
class State(DetailedState):
    """A position. `active` is whose move it is, in every step but the preparing of bids."""

    table: Table
    round: int
    phase: str
    first: int
    active: int
    passed: tuple[int, ...]
    floors: int
    decks: FrozenDict[str, Deck]
    holdings: tuple[Holding, ...]
    city: City
    auction: Auction | None
    draws: int
    extra: tuple[int, ...]
    """by seat, the cards that amphitheatres add to the draw of this round"""
    awards: tuple[Award, ...]
    board: Geometry = field(compare=False, repr=False)
    unknown: Unknowns = field(compare=False, repr=False)
    detail: str = EVERYTHING
    """how much of the game is told: at ON_THE_TABLE neither bids nor what is drawn and held, so that no card is known
    """
    hands_untold: frozenset[int] = field(default=frozenset(), compare=False)
    """the seats whose hands a position after set-up omits; cards that can be there stand in for them"""
    decks_untold: frozenset[str] = field(default=frozenset(), compare=False)
    """the decks whose stacks a position omits once cards are drawn; cards that can be there stand in for them"""

    def ruling(self, name: str) -> str:
        """The chosen reading of a ruling."""
        return self.table.rulings[name]

    def holding(self, seat: int) -> Holding:
        """What lies before a seat."""
        return self.holdings[seat - 1]

    @property
    def own(self) -> Holding:
        """What lies before the active player."""
        return self.holdings[self.active - 1]

    @property
    def hand_untold(self) -> bool:
        """Whether the position leaves out the active player's hand."""
        return self.active in self.hands_untold or self.is_untold


def step_of(state: State) -> str:
    """The step the table is in; "over" at the end."""
    if state.phase == CONSTRUCTION:
        return "play"
    auction = state.auction
    if auction is None:
        return "draw" if state.phase == DRAWING else "over"
    if auction.winner:
        return "tile"
    if state.is_untold:
        return "award"
    return "bid" if len(auction.ready) < len(state.holdings) else "open"


def prize_of(round_number: int, auction: int) -> str:
    """What an auction of a round is about."""
    if auction < AUCTIONS_PER_ROUND:
        return FOUNTAIN
    return AMPHITHEATRE if round_number <= ROUNDS // 2 else TEMPLE


def prize(state: State) -> str:
    """What the auction going on is about; "" outside auctions."""
    return prize_of(state.round, state.auction.number) if state.auction else ""


def building_name(height: int, shape: str) -> str:
    """A building as it is written."""
    return f"{height}-{shape}"


def height_of(onto: str) -> int:
    """The height of what a floor is put on; 0 for a new building."""
    return 0 if onto == NEW else int(onto)


@cache
def parts_of(building: str) -> tuple[int, str]:
    """The height and the shape of a building as it is written."""
    height, _, shape = building.partition("-")
    return int(height), shape


def in_order(buildings: Iterable[str]) -> tuple[str, ...]:
    """Buildings by height, round before triangular."""
    return tuple(sorted(buildings, key=parts_of))


def city(
    board: Geometry, buildings: Mapping[str, Building], fountains: Iterable[str], monuments: Mapping[str, str]
) -> City:
    """The city of these buildings, in the order in which they were built, and tiles."""
    won = frozenset(fountains)
    districts = {area: District("", 0, tuple(s for s in board.buildable[area] if s not in won)) for area in board.areas}
    for square, building in buildings.items():
        area = board.area_of[square]
        districts[area] = taken(districts[area], square, building)
    for areas in board.of_colour.values():
        districts |= {area: fitted(districts, areas, area) for area in areas}
    return City(FrozenDict(buildings), won, FrozenDict(monuments), FrozenDict(districts))


def taken(district: District, square: str, building: Building | None = None) -> District:
    """The district once a building, or a fountain, is on one of its squares."""
    shape, tallest = district.shape, district.tallest
    if building is not None:
        shape, tallest = shape or building.shape, max(tallest, building.height)
    free = tuple([other for other in district.free if other != square])
    return District(shape, tallest, free, district.fitting)


def fitted(districts: Mapping[str, District], areas: tuple[str, ...], area: str) -> District:
    """The district of one of a colour's areas, with the buildings that can come next found anew.

    They are as tall as the tallest of their area or one taller and have its shape. The first of an area has one floor,
    and the first of a colour's last empty area has the shape that the two others lack.
    """
    here = districts[area]
    if here.shape:
        fitting = tuple([building_name(height, here.shape) for height in (here.tallest, here.tallest + 1)])
    else:
        others = {districts[other].shape for other in areas if other != area}
        fitting = tuple([building_name(1, shape) for shape in SHAPES if others != {shape}])
    return District(here.shape, here.tallest, here.free, fitting)


def families_held(state: State) -> tuple[str, ...]:
    """The kinds of card that the active player's hand can hold."""
    return FAMILIES if state.is_untold else families_in(state.own.hand, state.unknown)


def untold_cards(state: State) -> dict[str, Any]:
    """What a position says of the cards where none is told: they lie in their stacks, and no hand is known."""
    decks = FrozenDict({name: Deck((name,) * DECK_SIZE[name]) for name in DECKS})
    holdings = tuple([changed(holding, hand=()) for holding in state.holdings])
    return {"decks": decks, "holdings": holdings, "unknown": unknowns(card_names(decks, holdings, None))}


def stand_ins(state: State) -> dict[str, Any]:
    """What a position says of the cards where hands are left out: as many as are dealt stand in for them."""
    hand = tuple(sorted(chain.from_iterable((name,) * count for name, count in DEALT.items())))
    dealt = len(state.holdings)
    decks = FrozenDict({name: Deck((name,) * (DECK_SIZE[name] - dealt * DEALT[name])) for name in DECKS})
    holdings = tuple([changed(holding, hand=hand) for holding in state.holdings])
    return {
        "decks": decks, "holdings": holdings, "unknown": unknowns(card_names(decks, holdings, None)),
        "hands_untold": frozenset(state.table.seats), "decks_untold": frozenset(DECKS),
    }  # fmt: skip


def card_names(decks: Mapping[str, Deck], holdings: tuple[Holding, ...], auction: Auction | None) -> list[str]:
    """The names of all cards, wherever they are."""
    places = [place for deck in decks.values() for place in (deck.pile, deck.discard)]
    places += [holding.hand for holding in holdings]
    return list(chain(*places, *(auction.bids if auction else ())))


def setup_state(table: Table) -> State:
    """The position after setting up: eight cards and four buildings a player, three roofs of each shape left."""
    players = len(table.players)
    hand = tuple(sorted(name for name, count in DEALT.items() for _ in range(count)))
    left = ROOFS_PER_SHAPE - len(FIRST_BUILDINGS) // len(SHAPES)
    holdings = (Holding(hand, FrozenDict(dict.fromkeys(SHAPES, left))),) * players
    board = geometry(table.board)
    decks = FrozenDict({deck: Deck((deck,) * (DECK_SIZE[deck] - players * DEALT[deck])) for deck in DECKS})
    return State(
        table=table,
        round=1,
        phase=CONSTRUCTION,
        first=1,
        active=1,
        passed=(),
        floors=FLOORS - players * sum(parts_of(building)[0] for building in FIRST_BUILDINGS),
        decks=decks,
        holdings=holdings,
        city=city(board, {}, (), {}),
        auction=None,
        draws=0,
        extra=(0,) * players,
        awards=(),
        board=board,
        unknown=unknowns(card_names(decks, holdings, None)),
    )
