"""The position of a City of Marble game, all of it in one immutable value."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from itertools import pairwise

from companion.detail import EVERYTHING, ON_THE_TABLE, DetailedState
from companion.frozen import FrozenDict, changed, frozen
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS, Geometry, geometry
from companion.table import Table

HILL = "hill"
FOUNTAIN = "fountain"
BUILDINGS = ("temple", "baths", "theatre", "arena")
MATCHING = {"temple": "green", "baths": "blue", "theatre": "yellow", "arena": "red"}
"""building -> ward colour that gives influence (rulebook, site completion step 2)"""
BUILDING_OF = {3: "temple", 4: "baths", 5: "theatre", 6: "arena"}
"""buildings in the hexagon -> what is built (rulebook, site completion step 1)"""
WARDS_IN_BOX = FrozenDict({"red": 12, "yellow": 14, "green": 16, "blue": 18})
MAGISTRATES, CUBES, PIECES_PER_AQUEDUCT, COINS, IMPERIUM_PER_KIND, BUILDINGS_PER_KIND, FOUNTAINS = (
    3,
    16,
    13,
    16,
    12,
    12,
    10,
)
START_PIECES, EXPANSION_PIECES, ACTIONS_PER_TURN = 3, 2, 2
NO_COLOURS = FrozenDict(dict.fromkeys(COLOURS, 0))
UNTOLD = "untold"
"""how wards are counted whose colour is not told: in the stacks, in an atrium and in a domus"""
NO_IMPERIUM = FrozenDict(dict.fromkeys(BUILDINGS, 0))


@frozen
class Ward:
    """A laid ward: its colour and the seat whose magistrate is on it (0: none)."""

    colour: str
    magistrate: int = 0


@frozen
class Site:
    """A completed site: a building and the seat that owns it, or a fountain (seat 0)."""

    kind: str
    seat: int = 0


@dataclass(frozen=True)
class Laying:
    """Aqueduct pieces to be laid now: of one colour for a start, of any started one ("") for an expansion."""

    colour: str
    left: int
    ward: str = ""
    """the ward that touched the source, for a start"""


@dataclass(frozen=True)
class Sending:
    """After a completion: the seats that may still send one magistrate from the site to a space, in order."""

    vertex: str
    space: str
    seats: tuple[int, ...]


@dataclass(frozen=True)
class Holding:
    """What lies before one player; `values` are the bridge values once they are revealed."""

    atrium: FrozenDict[str, int]
    domus: FrozenDict[str, int]
    magistrates: int
    imperium: FrozenDict[str, int]
    coins: int = 0
    bridges: int = 0
    values: tuple[int, ...] = ()


@dataclass(frozen=True)
class State(DetailedState):
    """A position. `final` counts the last turns still to come, the running one included; None before the last round."""

    table: Table
    active: int
    actions: int
    stacks: FrozenDict[str, int]
    holdings: tuple[Holding, ...]
    wards: FrozenDict[str, Ward]
    covered: FrozenDict[str, str]
    """triangle -> the ward that covers it, or HILL"""
    sites: FrozenDict[str, Site]
    lines: FrozenDict[str, tuple[str, ...]]
    """started aqueduct -> the vertices it runs through, its source first"""
    envoys: FrozenDict[str, tuple[int, ...]]
    """space -> the seats of the magistrates in it, in order of seat"""
    laying: Laying | None = None
    starting: tuple[Laying, ...] = ()
    closing: tuple[str, ...] = ()
    sending: Sending | None = None
    final: int | None = None
    stage: str = "play"
    """play, reveal (bridge values are asked for) or over"""
    watered: frozenset[str] = field(default_factory=frozenset)
    """fountains whose connection has paid its coin"""
    collecting: bool = False
    """whether magistrates are being collected one by one, after which no action follows in the turn"""
    detail: str = EVERYTHING
    """how much of the game is told: at ON_THE_TABLE neither draws nor which wards are held or left in the stacks"""
    told: FrozenDict[int, tuple[int, ...]] = field(default_factory=FrozenDict, compare=False)
    """seat -> the bridge values that it alone knows, ascending; only in the position as that seat sees it"""
    board: Geometry = field(kw_only=True, compare=False, repr=False)
    frontier: tuple[str, ...] = field(kw_only=True, compare=False, repr=False)
    """the wards that could be laid: those on free triangles that touch the city; follows from the rest"""

    def ruling(self, name: str) -> str:
        """The chosen reading of a ruling."""
        return self.table.rulings[name]

    def holding(self, seat: int) -> Holding:
        """What lies before a seat."""
        return self.holdings[seat - 1]

    @property
    def stacks_untold(self) -> bool:
        """Whether wards may lie in the stacks whose colours nobody has told."""
        return UNTOLD in self.stacks

    @property
    def own(self) -> Holding:
        """What lies before the active player."""
        return self.holdings[self.active - 1]


def step_of(state: State) -> str:
    """The step the table is in; "over" at the end."""
    if state.stage != "play":
        return state.stage
    if state.sending is not None:
        return "send"
    if state.laying is not None:
        return "lay"
    if state.starting and state.closing and state.ruling("effect_order") == "player_chooses":
        return "effect"
    if state.starting:
        return "start"
    if state.closing:
        return "site"
    if not state.actions:
        return "end"
    return "untold" if state.is_untold else "act"


def setup_state(table: Table) -> State:
    """The position after setting up: one ward of each colour and three magistrates a player, three hills."""
    players = len(table.players)
    holding = Holding(FrozenDict(dict.fromkeys(COLOURS, 1)), NO_COLOURS, MAGISTRATES, NO_IMPERIUM)
    board = geometry(table.board)
    covered = FrozenDict({board.hills[name]: HILL for name in table.options["hills"]})
    return State(
        table=table,
        active=1,
        actions=ACTIONS_PER_TURN,
        stacks=FrozenDict({colour: count - players for colour, count in WARDS_IN_BOX.items()}),
        holdings=(holding,) * players,
        wards=FrozenDict(),
        covered=covered,
        sites=FrozenDict(),
        lines=FrozenDict(),
        envoys=FrozenDict(),
        board=board,
        frontier=frontier(board, covered, corner_contact=table.rulings["hill_contact"] == "corner"),
    )


def told_less(state: State) -> State:
    """The position of which only what lies on the table is told: of the other wards no more than how many there are."""
    holdings = tuple([changed(each, atrium=_untold(each.atrium), domus=_untold(each.domus)) for each in state.holdings])
    return changed(state, detail=ON_THE_TABLE, stacks=_untold(state.stacks), holdings=holdings)


def _untold(wards: FrozenDict[str, int]) -> FrozenDict[str, int]:
    return NO_COLOURS.put(UNTOLD, sum(wards.values()))


def taken_from(wards: FrozenDict[str, int], colour: str) -> FrozenDict[str, int]:
    """The wards without one of a colour: one that is known of, or else one whose colour is not told."""
    name = UNTOLD if UNTOLD in wards and not wards.get(colour) else colour
    return wards.put(name, wards[name] - 1)


def colours_unseen(state: State) -> list[str]:
    """The colours that a ward can have whose colour is not told."""
    laid = [ward.colour for ward in state.wards.values()]
    known = [[own.atrium[colour] + own.domus[colour] for own in state.holdings] for colour in COLOURS]
    left = zip(COLOURS, known, strict=True)
    return [colour for colour, held in left if laid.count(colour) + sum(held) < WARDS_IN_BOX[colour]]


def frontier(board: Geometry, covered: FrozenDict[str, str], *, corner_contact: bool) -> tuple[str, ...]:
    """The wards on free triangles that touch something covered by a side, or a hill by a corner, in listing order."""
    near = {ward for triangle in covered for ward in board.adjoining[triangle]}
    if corner_contact:
        corners = {
            corner for triangle, what in covered.items() if what == HILL for corner in board.hill_corners[triangle]
        }
        near |= {ward for ward in board.wards if not corners.isdisjoint(board.corners[ward])}
    triangles = board.triangles
    free = [ward for ward in near if triangles[ward][0] not in covered and triangles[ward][1] not in covered]
    return tuple(sorted(free, key=board.order.__getitem__))


def frontier_after(state: State, ward: str, covered: FrozenDict[str, str]) -> tuple[str, ...]:
    """The frontier once `ward` lies on the board and `covered` says so."""
    board, overlapping = state.board, state.board.overlapping[ward]
    kept = [near for near in state.frontier if near not in overlapping]
    for near in board.beyond[ward].difference(kept):
        first, second = board.triangles[near]
        if first not in covered and second not in covered:
            insort(kept, near, key=board.order.__getitem__)
    return tuple(kept)


def ward_sides(state: State, edge: str) -> tuple[str, ...]:
    """The wards that have `edge` as a side, not as their short diagonal."""
    found = []
    for triangle in state.board.beside[edge]:
        ward = state.covered.get(triangle, HILL)
        if ward not in (HILL, edge):
            found.append(ward)
    return tuple(found)


def line_of(state: State, colour: str) -> tuple[str, ...]:
    """The vertices an aqueduct runs through, source first; the source alone before it is started."""
    return state.lines.get(colour) or (state.board.sources[colour],)


def pieces_of(state: State, colour: str) -> tuple[str, ...]:
    """The edges an aqueduct's pieces lie on, from its source."""
    line = line_of(state, colour)
    return tuple(state.board.between[pair] for pair in pairwise(line))


def started(state: State) -> tuple[str, ...]:
    """The started aqueducts in fixed order."""
    lines = state.lines
    return tuple([colour for colour in AQUEDUCTS if colour in lines])
