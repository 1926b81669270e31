"""Hasami Shogi on five by five squares: pieces move like rooks, and take what stands in a line between two of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
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

SIZE = 5
CELLS = tuple(f"{column}{row}" for row in "12345" for column in "ABCDE")
CORNERS = {"A1": ("B1", "A2"), "E1": ("D1", "E2"), "A5": ("A4", "B5"), "E5": ("D5", "E4")}
"""corner -> the two cells beside it"""
MOST_QUIET = 30
"""so many moves in a row that take nothing end the game"""
DIRECTIONS = ((0, -1), (1, 0), (0, 1), (-1, 0))


@dataclass(frozen=True, slots=True)
class Move(Notated):
    """Move a piece along its row or column: `move A5 A2`."""

    form = "move {start} {cell}"
    site_forms = ("{start}", "{cell}")

    start: str
    cell: str


@dataclass(frozen=True, slots=True)
class PieceMoved(Event):
    """A piece of the seat stands on another cell, and it is the other player's turn."""

    seat: int
    start: str
    cell: str


@dataclass(frozen=True, slots=True)
class PieceTaken(Event):
    """The seat takes the other player's piece off a cell."""

    seat: int
    cell: str


@dataclass(frozen=True)
class State:
    """The pieces as spot -> colour, the seat whose turn it is, and how many moves have taken nothing since."""

    table: Table
    to_move: int = 1
    pieces: FrozenDict[str, str] = field(default_factory=FrozenDict)
    quiet: int = 0

    def at(self, cell: str) -> int | None:
        """The seat whose piece stands on a cell; None for a free one."""
        colour = self.pieces.get(f"piece {cell}")
        return None if colour is None else self.table.seat_of(colour)

    def cells(self, seat: int) -> tuple[str, ...]:
        """The cells with pieces of a seat, in board order."""
        colour = self.table.colour(seat)
        return tuple(cell for cell in CELLS if self.pieces.get(f"piece {cell}") == colour)


def ray(cell: str, direction: tuple[int, int]) -> Iterator[str]:
    """The cells from one on in a direction, without itself, to the edge."""
    column, row = "ABCDE".index(cell[0]), int(cell[1]) - 1
    while True:
        column, row = column + direction[0], row + direction[1]
        if not (0 <= column < SIZE and 0 <= row < SIZE):
            return
        yield CELLS[row * SIZE + column]


def between(start: str, cell: str) -> tuple[str, ...]:
    """The cells strictly between two of one row or column."""
    for direction in DIRECTIONS:
        way = tuple(ray(start, direction))
        if cell in way:
            return way[: way.index(cell)]
    return ()


def is_over(state: State) -> bool:
    """Whether a player has one piece left, or cannot move, or nothing was taken for too long."""
    if state.quiet >= MOST_QUIET or any(len(state.cells(seat)) < 2 for seat in (1, 2)):
        return True
    return not any(
        state.at(beside) is None
        for cell in state.cells(state.to_move)
        for way in DIRECTIONS
        for beside in islice(ray(cell, way), 1)
    )


def step_of(state: State) -> str:
    """The step the table is in, by its name in the rulebook and in texts.toml."""
    return "over" if is_over(state) else "move"


RULES = RuleCollector((Move,), step_of)
RULES.domain(Move, start=lambda state: CELLS, cell=lambda state: CELLS)
RULES.forbidden_in_steps("HAS-END", ["over"], Move)


@RULES.check("HAS-OWN", Group.PLACE, Move)
def piece_is_own(state: State, start: str) -> Violation | None:
    own = state.at(start) == state.to_move
    return None if own else Violation("HAS-OWN", (start,), FrozenDict(cell=start, seat=state.to_move))


@RULES.check("HAS-FREE", Group.PLACE, Move)
def cell_is_free(state: State, cell: str) -> Violation | None:
    return None if state.at(cell) is None else Violation("HAS-FREE", (cell,), FrozenDict(cell=cell))


@RULES.check("HAS-LINE", Group.RULE, Move)
def moves_straight(state: State, start: str, cell: str) -> Violation | None:
    straight = start[0] == cell[0] or start[1] == cell[1]
    return None if straight else Violation("HAS-LINE", (start, cell), FrozenDict(start=start, cell=cell))


@RULES.check("HAS-LEAP", Group.RULE, Move)
def leaps_nothing(state: State, start: str, cell: str) -> Violation | None:
    for passed in between(start, cell):
        if state.at(passed) is not None:
            return Violation("HAS-LEAP", (passed,), FrozenDict(cell=passed))
    return None


@RULES.effect("HAS-CAPTURE", PieceMoved)
def enclosed_in_a_line(state: State, event: PieceMoved) -> Iterator[Event]:
    for direction in DIRECTIONS:
        taken: list[str] = []
        for cell in ray(event.cell, direction):
            if state.at(cell) != 3 - event.seat:
                if state.at(cell) == event.seat:
                    yield from (PieceTaken(event.seat, each) for each in taken)
                break
            taken.append(cell)


@RULES.effect("HAS-CORNER", PieceMoved)
def enclosed_in_a_corner(state: State, event: PieceMoved) -> Iterator[Event]:
    if state.table.rulings["corner"] == "taken":
        for corner, beside in CORNERS.items():
            closed = event.cell in beside and all(state.at(cell) == event.seat for cell in beside)
            if closed and state.at(corner) == 3 - event.seat:
                yield PieceTaken(event.seat, corner)


@RULES.score("HAS-SCORE")
def pieces_taken(state: State) -> Iterator[ScoreLine]:
    for seat in state.table.seats:
        taken = SIZE - len(state.cells(3 - seat))
        if taken:
            yield ScoreLine("HAS-SCORE", seat, taken, facts=FrozenDict(number=taken))


@dataclass(frozen=True)
class HasamiShogi(BaseGame[State]):
    """The rules of the game as one value."""

    info = GameInfo("hasami_shogi", "Hasami Shogi", version=1, seats=(2, 2), kinds=(Move,), board="layout.toml")
    turn_rule = "HAS-TURN"
    event_classes = FrozenDict({"PieceMoved": PieceMoved, "PieceTaken": PieceTaken})
    position_keys = ("to_move", "pieces", "quiet")
    photograph_scoring = seen_whole("piece", also={"quiet": MOST_QUIET})

    def setup(self, table: Table) -> State:
        """The first player's pieces on the row below, the second's on the one above."""
        rows = {"5": table.colour(1), "1": table.colour(2)}
        return State(table, pieces=FrozenDict({f"piece {cell}": rows[cell[1]] for cell in CELLS if cell[1] in rows}))

    def decide(self, state: State) -> Decision | None:
        """The players take turns until the game is over."""
        return Decision((state.to_move,), "move") if step_of(state) == "move" else None

    def direct_events(self, state: State, action: Move) -> tuple[Event, ...]:
        """The piece stands where it was moved to."""
        return (PieceMoved(state.to_move, action.start, action.cell),)

    def evolve(self, state: State, event: Event) -> State:
        """The state with the piece moved, or off the board."""
        if isinstance(event, PieceMoved):
            pieces = {spot: colour for spot, colour in state.pieces.items() if spot != f"piece {event.start}"}
            pieces[f"piece {event.cell}"] = state.table.colour(event.seat)
            return State(state.table, 3 - event.seat, FrozenDict(pieces), state.quiet + 1)
        assert isinstance(event, PieceTaken)
        left = {spot: colour for spot, colour in state.pieces.items() if spot != f"piece {event.cell}"}
        return replace(state, pieces=FrozenDict(left), quiet=0)

    def parse_action(self, text: str, state: State) -> object:
        """Raises InvalidNotation."""
        return read_action(text, "'move A5 A2'", {"move": "'move A5 A2'"}, _read)

    def contradiction(self, state: State) -> tuple[str, str] | None:
        """Refuse what is no piece of a player, too many of them, or a turn of nobody."""
        for spot, label in state.pieces.items():
            if spot.removeprefix("piece ") not in CELLS or not state.table.seat_of(label):
                return f"pieces.{spot}", "must be a piece on a cell, of a player's colour"
        for seat in state.table.seats:
            if len(state.cells(seat)) > SIZE:
                return "pieces", f"has more than {SIZE} pieces of {state.table.colour(seat)}"
        if state.to_move not in state.table.seats:
            return "to_move", f"is {state.to_move}; it must be 1 or 2"
        if state.quiet > MOST_QUIET:
            return "quiet", f"is {state.quiet}; it must be a number from 0 to {MOST_QUIET}"
        return None


def _read(word: str, rest: list[str]) -> object | None:
    if len(rest) != 2:
        return None
    for cell in rest:
        if cell.upper() not in CELLS:
            raise InvalidNotation(f"{cell!r} is no cell; they are A1 to E5")
    return Move(rest[0].upper(), rest[1].upper())


GAME = HasamiShogi.load(Path(__file__).parent, RULES)
