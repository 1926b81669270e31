"""Who sits at the table and which game, edition and rulings they chose: all that is fixed before the first action."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

from companion.board.layout import Board
from companion.frozen import FrozenDict


@dataclass(frozen=True, slots=True)
class Player:
    """A person and the colour of the pieces before them."""

    name: str
    colour: str


@dataclass(frozen=True, slots=True)
class Table:
    """The fixed facts of one game; seats are numbered 1, 2, ... in turn order.

    `options` maps each set-up option to the names chosen or drawn for it, such as hills -> A, B, C.
    """

    game: str
    players: tuple[Player, ...]
    rulings: FrozenDict[str, str]
    options: FrozenDict[str, tuple[str, ...]]
    board: Board = field(compare=False, repr=False)

    @property
    def seats(self) -> range:
        """The seat numbers in turn order."""
        return range(1, len(self.players) + 1)

    def clockwise(self, first: int) -> tuple[int, ...]:
        """All seats in turn order, beginning with `first`."""
        return _clockwise(len(self.players), first)

    def colour(self, seat: int) -> str:
        """The colour of a seat's pieces."""
        return self.players[seat - 1].colour

    def seat_of(self, colour: str) -> int | None:
        """The seat that plays `colour`; None where nobody does."""
        return next((seat for seat in self.seats if self.colour(seat) == colour), None)


@cache
def _clockwise(count: int, first: int) -> tuple[int, ...]:
    return tuple((first - 1 + step) % count + 1 for step in range(count))
