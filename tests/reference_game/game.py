"""Three in a row: two players put discs on nine cells until all are full; every row of three counts a point.

The twist: the first disc may not lie in the middle.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from companion.base_game import BaseGame, seen_whole
from companion.engine import Decision, GameInfo
from companion.errors import InvalidNotation
from companion.events import Event
from companion.frozen import FrozenDict
from companion.legality import Group, Violation
from companion.notation import Notated, read_action
from companion.rule_set import RuleCollector
from companion.scoring import ScoreLine
from companion.table import Table

CELLS = tuple(f"{column}{row}" for row in "123" for column in "ABC")
ROWS = (*(CELLS[n : n + 3] for n in (0, 3, 6)), *(CELLS[n::3] for n in range(3)), CELLS[::4], CELLS[2:7:2])


@dataclass(frozen=True, slots=True)
class Put(Notated):
    """Put a disc on a free cell: `put B2`."""

    form = "put {cell}"
    site_forms = ("{cell}",)

    cell: str


@dataclass(frozen=True, slots=True)
class DiscPut(Event):
    """A disc of the seat's colour lies on a cell, and it is the other player's turn."""

    seat: int
    cell: str


@dataclass(frozen=True)
class State:
    """The discs as spot -> colour, and the seat whose turn it is."""

    table: Table
    to_move: int = 1
    pieces: FrozenDict[str, str] = field(default_factory=FrozenDict)

    def discs(self, seat: int) -> frozenset[str]:
        """The cells with discs of a seat."""
        colour = self.table.colour(seat)
        return frozenset(spot.removeprefix("disc ") for spot, label in self.pieces.items() if label == colour)


def step_of(state: State) -> str:
    """The step the table is in, by its name in the rulebook and in texts.toml."""
    return "over" if len(state.pieces) == len(CELLS) else "put"


RULES = RuleCollector((Put,), step_of)
RULES.domain(Put, cell=lambda state: CELLS)
RULES.forbidden_in_steps("ROW-END", ["over"], Put)


@RULES.check("ROW-FREE", Group.PLACE, Put)
def cell_is_free(state: State, cell: str) -> Violation | None:
    taken = f"disc {cell}" in state.pieces
    return Violation("ROW-FREE", (cell,), FrozenDict(cell=cell)) if taken else None


@RULES.check("ROW-MIDDLE", Group.RULE, Put)
def first_disc_is_not_in_the_middle(state: State, cell: str) -> Violation | None:
    return Violation("ROW-MIDDLE", (cell,)) if cell == "B2" and not state.pieces else None


@RULES.score("ROW-SCORE")
def rows(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        for row in ROWS:
            if state.discs(seat).issuperset(row):
                yield ScoreLine("ROW-SCORE", seat, 1, row)


@dataclass(frozen=True)
class ThreeInARow(BaseGame[State]):
    """The rules of the game as one value."""

    info = GameInfo("three_in_a_row", "Three in a Row", version=1, seats=(2, 2), kinds=(Put,), board="layout.toml")
    turn_rule = "ROW-TURN"
    event_classes = FrozenDict({"DiscPut": DiscPut})
    photograph_scoring = seen_whole("disc")
    setup = staticmethod(State)

    def decide(self, state: State) -> Decision | None:
        """The players take turns until the board is full."""
        return Decision((state.to_move,), "put") if step_of(state) == "put" else None

    def direct_events(self, state: State, action: Put) -> tuple[Event, ...]:
        """The disc lies on its cell."""
        return (DiscPut(state.to_move, action.cell),)

    def evolve(self, state: State, event: Event) -> State:
        """The state with the disc on its cell."""
        assert isinstance(event, DiscPut)
        disc = state.pieces.put(f"disc {event.cell}", state.table.colour(event.seat))
        return State(state.table, 3 - event.seat, disc)

    def parse_action(self, text: str, state: State) -> object:
        """Raises InvalidNotation."""
        return read_action(text, "'put B2'", {"put": "'put B2'"}, _read)

    def last_round_begun(self, state: State) -> bool:
        """Whether at most two cells are free."""
        return len(state.pieces) >= len(CELLS) - 2

    def contradiction(self, state: State) -> tuple[str, str] | None:
        """Refuse what is no disc of a player, or the wrong player's turn."""
        for spot, label in state.pieces.items():
            if spot.removeprefix("disc ") not in CELLS or not state.table.seat_of(label):
                return f"pieces.{spot}", "must be a disc on a cell, of a player's colour"
        if state.to_move not in state.table.seats:
            return "to_move", f"is {state.to_move}; it must be 1 or 2"
        lead = state.to_move - 1 if step_of(state) == "put" else 1
        if len(state.discs(1)) - len(state.discs(2)) != lead:
            return "to_move", "does not go with the discs; seat 1 begins, and the players take turns"
        return None


def _read(word: str, rest: list[str]) -> object | None:
    if len(rest) != 1:
        return None
    if rest[0].upper() not in CELLS:
        raise InvalidNotation(f"{rest[0]!r} is no cell; they are {', '.join(CELLS)}")
    return Put(rest[0].upper())


GAME = ThreeInARow.load(Path(__file__).parent, RULES)
