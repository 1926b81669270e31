"""The position of an Aqua Romana game, all of it in one immutable value."""

from __future__ import annotations

from dataclasses import dataclass, field

from companion.frozen import FrozenDict
from companion.games.aqua_romana.drawings import JOKER, KINDS
from companion.games.aqua_romana.field import HIGHEST_PODIUM, SHARED_PODIUMS
from companion.games.aqua_romana.geometry import Geometry, geometry
from companion.table import Table

BUILDERS = (*KINDS, JOKER)
"""what a builder's sign shows"""
PLACED_AT_START = 3
"""builders of each kind that the players put on the path; one more of each and the joker wait in the reserve"""
OPEN, BLOCKED, CHOSEN, CLOSED = "open", "blocked", "chosen", "closed"
"""The status of an aqueduct: open, closed in this turn by a tile or by its player's choice, or scored."""


@dataclass(frozen=True)
class Aqueduct:
    """The aqueduct of one outlet: its last gate, where its worker is until it is scored, and its length so far."""

    outlet: str
    colour: str
    seat: int
    end: str
    length: int = 0
    status: str = OPEN


@dataclass(frozen=True)
class State:
    """A position."""

    table: Table
    active: int
    step: str
    """setup, place, build, fountain, close, claim or over"""
    builders: FrozenDict[int, str]
    """space of the path -> the kind of the builder on it"""
    unplaced: FrozenDict[str, int]
    """builders of the set-up that are still to be put on the path, by kind"""
    reserve: tuple[str, ...]
    held: tuple[tuple[str, ...], ...]
    """reserve builders before each player, to be placed before that player's next turn"""
    tiles: FrozenDict[str, str]
    """cell -> drawing, the printed curves included"""
    stock: FrozenDict[str, int]
    aqueducts: FrozenDict[str, Aqueduct]
    """outlet -> what began there, in the order of seats"""
    podiums: FrozenDict[int, tuple[str, ...]]
    """podium -> the colours of the workers on it as they came; 0 are those for whom none was free"""
    claims: tuple[int, ...] = ()
    """seats to which a builder of the reserve is due, in order"""
    fountain: str = ""
    """the kind of the tile that a builder's way over a fountain demands"""
    laid: bool = False
    """whether a tile was laid this turn"""
    idle: int = 0
    """turns without a tile since the last one with one"""
    board: Geometry = field(kw_only=True, compare=False, repr=False)
    fronts: FrozenDict[str, str] = field(kw_only=True, compare=False, repr=False)
    """gate of a free square into which an aqueduct would flow next -> its outlet; follows from the rest"""

    def ruling(self, name: str) -> str:
        """The chosen reading of a ruling."""
        return self.table.rulings[name]

    def own(self) -> list[Aqueduct]:
        """The aqueducts of the active player whose workers are still on the field."""
        aqueducts, outlets = self.aqueducts, self.board.outlets[self.active]
        return [aqueduct for outlet in outlets if (aqueduct := aqueducts[outlet.gate]).status != CLOSED]

    def has_open_aqueduct(self) -> bool:
        """Whether anybody can still build."""
        return any(aqueduct.status == OPEN for aqueduct in self.aqueducts.values())


def step_of(state: State) -> str:
    """The step the table is in; "over" at the end."""
    return state.step


def setup_state(table: Table) -> State:
    """The position before the first builder is placed: reservoirs with their workers, nothing on path and squares."""
    board = geometry(table)
    aqueducts = FrozenDict(
        {
            outlet.gate: Aqueduct(outlet.gate, outlet.colour, seat, *traced(board, board.printed, outlet.gate))
            for seat in table.seats
            for outlet in board.outlets[seat]
        }
    )
    return State(
        table=table,
        active=1,
        step="setup",
        builders=FrozenDict(),
        unplaced=FrozenDict(dict.fromkeys(KINDS, PLACED_AT_START)),
        reserve=BUILDERS,
        held=((),) * len(table.players),
        tiles=board.printed,
        stock=FrozenDict({kind: tiles_in_box(table, kind) for kind in KINDS}),
        aqueducts=aqueducts,
        podiums=FrozenDict(),
        board=board,
        fronts=fronts(board, board.printed, aqueducts),
    )


def tiles_in_box(table: Table, kind: str) -> int:
    """How many tiles of a kind the table has."""
    return int(table.options[option_of(kind)][0])


def option_of(kind: str) -> str:
    """The name of the set-up option that says how many tiles of a kind there are."""
    return f"{kind.replace(' ', '_')}_tiles"


def traced(board: Geometry, tiles: FrozenDict[str, str], end: str, length: int = 0) -> tuple[str, int]:
    """Where water ends that leaves a cell by the gate `end`, and `length` plus the channels it runs through on the way.

    Every channel is a square passed once.
    """
    beyond, cell_of, through = board.beyond, board.cell_of, board.through
    while (entry := beyond.get(end)) is not None:
        drawing = tiles.get(cell_of[entry])
        if drawing is None or entry not in through[drawing]:
            break
        end, length = through[drawing][entry], length + 1
    return end, length


def fronts(board: Geometry, tiles: FrozenDict[str, str], aqueducts: FrozenDict[str, Aqueduct]) -> FrozenDict[str, str]:
    """The gates of free squares into which aqueducts would flow next, with their outlets."""
    found = {}
    for outlet, aqueduct in aqueducts.items():
        front = front_of(board, tiles, aqueduct.end)
        if front is not None:
            found[front] = outlet
    return FrozenDict(found)


def front_of(board: Geometry, tiles: FrozenDict[str, str], end: str) -> str | None:
    """The gate of a free square straight ahead of an aqueduct's end; None where it can go no further."""
    front = board.beyond.get(end)
    if front is None:
        return None
    cell = board.cell_of[front]
    return front if cell in board.free and cell not in tiles else None


def podium_for(podiums: FrozenDict[int, tuple[str, ...]], length: int) -> int:
    """The podium for an aqueduct of this length: its own, or the next lower one with room; 0 where there is none."""
    for podium in range(min(length, HIGHEST_PODIUM), 0, -1):
        if len(podiums.get(podium, ())) < (2 if podium in SHARED_PODIUMS else 1):
            return podium
    return 0
