"""The position of a Capitol game, all of it in one immutable value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import chain

from companion.frozen import FrozenDict
from companion.games.capitol.cards import (
    DEALT,
    DECK_SIZE,
    DECKS,
    FAMILY_OF,
    FLOOR,
    ROOF,
    Cards,
    Unknowns,
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
STEP_OF_CARD = FrozenDict({FLOOR: "floors", ROOF: "roof"})
"""deck of the card just played -> the step it leads to; permits lead to "permit"."""


@dataclass(frozen=True, slots=True)
class Building:
    """A building on the board."""

    seat: int
    height: int
    shape: str


@dataclass(frozen=True, slots=True)
class Deck:
    """A stack, its visible top first, and its discard pile, the card that comes up again first at its front."""

    pile: Cards
    discard: Cards = ()


@dataclass(frozen=True, slots=True)
class Holding:
    """What lies before one player: `unroofed` are heights, `completed` buildings written `2-round`, in order.

    `points` are those scored before the record began.
    """

    hand: Cards
    roofs: FrozenDict[str, int]
    unroofed: tuple[int, ...] = ()
    completed: tuple[str, ...] = FIRST_BUILDINGS
    points: int = 0


@dataclass(frozen=True, slots=True)
class Auction:
    """The auction going on, 1 to 3: who is ready, who has turned over the senator, the cards shown, and who won (0)."""

    number: int
    bids: tuple[Cards, ...]
    ready: tuple[int, ...] = ()
    opened: tuple[int, ...] = ()
    winner: int = 0


@dataclass(frozen=True, slots=True)
class Award:
    """Points scored in a round by a rule in an area, with the squares they come from."""

    round: int
    rule: str
    area: str
    seat: int
    points: int
    squares: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Skyline:
    """What the buildings of the areas demand of the next one; follows from the buildings."""

    shapes: FrozenDict[str, str]
    """area -> the shape of its roofs, that of its first building"""
    tallest: FrozenDict[str, int]
    """area -> the height of its tallest building"""


@dataclass(frozen=True, slots=True)
class State:
    """A position. `active` is whose move it is, in every step but the preparing of bids."""

    table: Table
    round: int
    phase: str
    first: int
    active: int
    passed: tuple[int, ...]
    card: str
    """the card just played, until it is used; "" otherwise"""
    floors: int
    decks: FrozenDict[str, Deck]
    holdings: tuple[Holding, ...]
    buildings: FrozenDict[str, Building]
    fountains: frozenset[str]
    """the squares with a fountain won at an auction"""
    monuments: FrozenDict[str, str]
    """large square -> amphitheatre or temple"""
    auction: Auction | None = None
    draws: int = 0
    extra: tuple[int, ...] = ()
    """by seat, the cards that amphitheatres add to the draw of this round"""
    awards: tuple[Award, ...] = ()
    board: Geometry = field(kw_only=True, compare=False, repr=False)
    unknown: Unknowns = field(kw_only=True, compare=False, repr=False)
    skyline: Skyline = field(kw_only=True, compare=False, repr=False)

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


def step_of(state: State) -> str:
    """The step the table is in; "over" at the end."""
    if state.phase == CONSTRUCTION:
        return STEP_OF_CARD.get(FAMILY_OF[state.card], "permit") if state.card else "play"
    auction = state.auction
    if auction is None:
        return "draw" if state.phase == DRAWING else "over"
    if auction.winner:
        return "tile"
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


def skyline(board: Geometry, buildings: Mapping[str, Building]) -> Skyline:
    """The skyline of these buildings."""
    shapes: dict[str, str] = {}
    tallest: dict[str, int] = {}
    for square, building in buildings.items():
        area = board.area_of[square]
        shapes.setdefault(area, building.shape)
        tallest[area] = max(tallest.get(area, 0), building.height)
    return Skyline(FrozenDict(shapes), FrozenDict(tallest))


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
    decks = FrozenDict({deck: Deck((deck,) * (DECK_SIZE[deck] - players * DEALT[deck])) for deck in DECKS})
    board = geometry(table.board)
    return State(
        table=table,
        round=1,
        phase=CONSTRUCTION,
        first=1,
        active=1,
        passed=(),
        card="",
        floors=FLOORS - players * sum(parts_of(building)[0] for building in FIRST_BUILDINGS),
        decks=decks,
        holdings=holdings,
        buildings=FrozenDict(),
        fountains=frozenset(),
        monuments=FrozenDict(),
        extra=(0,) * players,
        board=board,
        unknown=unknowns(card_names(decks, holdings, None)),
        skyline=skyline(board, {}),
    )
