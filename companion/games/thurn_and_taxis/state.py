"""The position of a Thurn and Taxis game, its modules included, all of it in one immutable value.

A card is written by its city, or `?` where nobody has seen which it is: in a hand, or in a display left untold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from companion.detail import EVERYTHING, DetailedState
from companion.frozen import FrozenDict
from companion.games.thurn_and_taxis.geometry import (
    CARRIAGES,
    OTHER_STARTS_FOR_TWO,
    ROME,
    STARTS,
    STARTS_FOR_TWO,
    Geometry,
    RomeMap,
    geometry,
    roads_to_rome,
)
from companion.table import Table

UNSEEN = "?"
COPIES, DISPLAY, HOUSES, HAND_LIMIT, SHORTEST_ROUTE, CARTWRIGHT_HELP = 3, 6, 20, 3, 3, 2
CARRIAGE_POINTS = FrozenDict({0: 0, 3: 2, 4: 3, 5: 5, 6: 7, 7: 10})
LAST_CARRIAGE, END_TILE_POINTS = 7, 1
LENGTHS = ("5", "6", "7")
OUTSIDE_TILES = "outside"
TILE_VALUES = FrozenDict(
    {
        "5": (2, 1), "6": (3, 2, 1), "7": (4, 3, 2, 1), "Baden": (3, 2, 1), "Wuerttemberg": (3, 2, 1),
        "Schweiz": (3, 2, 1), "Baiern": (5, 4, 3, 2), "Boehmen": (4, 3, 2), OUTSIDE_TILES: (6, 5, 4, 3),
    }
)  # fmt: skip
"""stack of bonus tiles -> their values, top first"""
POSTMASTER, CARRIER, ADMINISTRATOR, CARTWRIGHT = OFFICIALS = ("postmaster", "carrier", "administrator", "cartwright")
OFFICE_TILES = FrozenDict({2: (4, 4, 3, 2), 3: (6, 6, 5, 3), 4: (8, 8, 6, 4)})
"""players -> office tiles of each official"""
RANKS = ("cardinal", "bishop", "priest", "deacon", "ministrant")
RANK_VALUE = FrozenDict(dict(zip(RANKS, (5, 4, 3, 2, 1), strict=True)))
RANK_VALUES = FrozenDict(
    {"two": RANK_VALUE, "three": FrozenDict(RANK_VALUE | {"priest": 2, "deacon": 3}),
     "four": FrozenDict(RANK_VALUE | {"bishop": 3, "priest": 2, "deacon": 4})}
)  # fmt: skip
"""reading of the ruling on the fifth rank, the deacon's value -> the values of all"""
CHIPS = 12
NO_OFFICES = FrozenDict(dict.fromkeys(OFFICIALS, 0))
NOBODY_TOLD: FrozenDict[str, tuple[str, ...]] = FrozenDict()
NOBODY_ARRIVED: FrozenDict[str, tuple[int, ...]] = FrozenDict(dict.fromkeys(RANKS, ()))
MODULES = ("none", "audience", "offices", "both")
WITH_AUDIENCE = ("audience", "both")
EACH = "each"
"""the option of one house in each province; the other options are named by their province"""
TAKE, PLAY, BEGIN, CLOSE, HOUSE, MOVE, CUT, END, LAST, OVER = STAGES = (
    "take", "play", "begin", "close", "house", "move", "cut", "end", "last", "over",
)  # fmt: skip
UNTOLD, UNTOLD_OFFICES = "untold", "untold_offices"
"""the steps in which a card is played where cards are taken untold; with Offices of Honor some officials are told"""
CARD, GRANT = "card", "house"
"""what returned office tiles earn: one of these is owed at a time"""

Cards = tuple[str, ...]


@dataclass(frozen=True)
class Holding:
    """What lies before one player. `tiles` are written `5 2`: stack and value; `hand` is in order of name."""

    hand: Cards = ()
    route: Cards = ()
    houses: int = HOUSES
    carriage: int = 0
    tiles: tuple[str, ...] = ()
    offices: FrozenDict[str, int] = NO_OFFICES
    chips: int = 0


@dataclass(frozen=True)
class Closing:
    """A route being closed: `waiting` are provinces still to get houses, `housed` the cities that got one now.

    `unused` are the cards that must still move a carriage to Rome.
    """

    option: str
    cartwright: bool
    waiting: tuple[str, ...]
    housed: tuple[str, ...] = ()
    unused: Cards = ()


@dataclass(frozen=True)
class Audience:
    """The Audience: `told` has the rank of each seat's tile by carriage, `rome` the seats with a tile by rank."""

    carriages: FrozenDict[str, str]
    told: FrozenDict[str, tuple[str, ...]] = NOBODY_TOLD
    rome: FrozenDict[str, tuple[int, ...]] = NOBODY_ARRIVED
    telling: str = ""
    """the carriage whose tiles are being turned over"""


@dataclass(frozen=True)
class Offices:
    """The stock of office tiles, the seats that still return some, and what the first of them has earned."""

    stock: FrozenDict[str, int]
    returning: tuple[int, ...] = ()
    owed: str = ""


@dataclass(frozen=True)
class State(DetailedState):
    """A position. `owed` counts the cards that must still be taken; `official` is the one used in this turn."""

    table: Table
    active: int
    stage: str
    owed: int
    official: str
    display: Cards
    deck: int
    discards: Cards
    holdings: tuple[Holding, ...]
    houses: FrozenDict[str, tuple[int, ...]]
    """city -> the seats with a house in it"""
    taken: bool = False
    """whether a card was taken in this turn"""
    closing: Closing | None = None
    ending: int = 0
    """the seat with the game-end tile"""
    audience: Audience | None = None
    offices: Offices | None = None
    detail: str = EVERYTHING
    """how much of the game is told: at ON_THE_TABLE neither which cards lie open nor which are taken or held"""
    hands_untold: frozenset[int] = field(default=frozenset(), compare=False)
    """the seats whose hands a position omits; unseen cards take their place until the end of their next turn"""
    board: Geometry = field(kw_only=True, compare=False, repr=False)
    rome: RomeMap = field(kw_only=True, compare=False, repr=False)
    left: FrozenDict[str, int] = field(kw_only=True, compare=False, repr=False)
    """city -> its cards that lie in the deck or unseen in a hand; follows from the rest, unless something was untold"""
    is_uncounted: bool = field(default=False, kw_only=True, compare=False, repr=False)
    """whether a table that tells all had told less, so that discards may have gone back into the deck unnoticed"""

    def ruling(self, name: str) -> str:
        """The chosen reading of a ruling."""
        return self.table.rulings[name]

    def holding(self, seat: int) -> Holding:
        """What lies before a seat."""
        return self.holdings[seat - 1]

    @property
    def actor(self) -> int:
        """The seat whose choice is waited for: the active one, but for tiles in Rome and returned office tiles."""
        if self.audience is not None and self.audience.telling:
            return len(self.audience.told.get(self.audience.telling, ())) + 1
        if self.offices is not None and self.offices.returning:
            return self.offices.returning[0]
        return self.active

    @property
    def own(self) -> Holding:
        """What lies before the seat that acts."""
        return self.holdings[self.actor - 1]

    @property
    def hand_untold(self) -> bool:
        """Whether the position leaves out the active player's hand."""
        return self.active in self.hands_untold or self.is_untold

    @property
    def are_officials_untold(self) -> bool:
        """Whether nobody knows what the Postmaster and the Administrator did, nor thus how many cards hands hold.

        With Offices of Honor a tile that lies on the table shows it.
        """
        return self.is_untold and self.offices is None

    @property
    def turn_holding(self) -> Holding:
        """What lies before the active player."""
        return self.holdings[self.active - 1]


def step_of(state: State) -> str:
    """The step the table is in; "over" at the end."""
    if state.stage == OVER:
        return OVER
    if len(state.display) < DISPLAY and state.deck:
        return "show"
    if state.audience is not None and state.audience.telling:
        return "tell"
    if state.offices is not None and state.offices.returning:
        return {CARD: "reward_card", GRANT: "reward_house"}.get(state.offices.owed, "return")
    if state.stage == PLAY and state.is_untold:
        return UNTOLD if state.are_officials_untold else UNTOLD_OFFICES
    return state.stage


def cards_to_show(state: State) -> int:
    """How many cards the display lacks that deck and discards still have."""
    return min(DISPLAY - len(state.display), state.deck + len(state.discards))


def setup_state(table: Table) -> State:
    """The position after setting up: all cards are in the deck; the open ones are reported card by card."""
    players = len(table.players)
    board = geometry(table.board)
    modules = table.options["modules"][0]
    for_two = STARTS_FOR_TWO if table.rulings["starts_for_two"] == "west_to_east" else OTHER_STARTS_FOR_TWO
    starts = for_two if players == 2 else STARTS
    return State(
        table=table,
        active=1,
        stage=TAKE,
        owed=2,
        official="",
        display=(),
        deck=COPIES * len(board.cities),
        discards=(),
        holdings=(Holding(),) * players,
        houses=FrozenDict(),
        audience=Audience(FrozenDict(starts)) if modules in WITH_AUDIENCE else None,
        offices=Offices(FrozenDict(dict(zip(OFFICIALS, OFFICE_TILES[players], strict=True))))
        if modules in ("offices", "both")
        else None,
        board=board,
        rome=roads_to_rome(table.board) or RomeMap((), {}, {}),
        left=FrozenDict(dict.fromkeys(board.cities, COPIES)),
    )


def seen_cards(display: Cards, discards: Cards, holdings: Iterable[Holding]) -> Counter[str]:
    """How often each city's card lies in the display, a route, the discards or, known, in a hand."""
    seen = Counter(display)
    seen.update(discards)
    for holding in holdings:
        seen.update(holding.route)
        seen.update(holding.hand)
    return seen


def cards_left(cities: tuple[str, ...], seen: Counter[str]) -> FrozenDict[str, int]:
    """The cards that lie in the deck or unseen in a hand; negative where the box has fewer."""
    return FrozenDict({city: COPIES - seen[city] for city in cities})


def stack_left(state: State, stack: str) -> tuple[int, ...]:
    """The values of the bonus tiles left in a stack, top first."""
    taken = sum(tile.partition(" ")[0] == stack for holding in state.holdings for tile in holding.tiles)
    return TILE_VALUES[stack][taken:]


def next_carriage(carriage: int) -> int:
    """The carriage after this one; 0 after the last."""
    return 3 if not carriage else carriage + 1 if carriage < LAST_CARRIAGE else 0


def has_house(state: State, city: str, seat: int) -> bool:
    """Whether a seat has a house in a city."""
    return seat in state.houses.get(city, ())


def open_carriages(audience: Audience) -> tuple[str, ...]:
    """The carriages that have not arrived."""
    return tuple(carriage for carriage in CARRIAGES if audience.carriages[carriage] != ROME)
