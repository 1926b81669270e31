"""What may stand in the log of an event: every change of it, in frozen values, only ever added."""

from __future__ import annotations

from dataclasses import dataclass

from companion.errors import CompanionError
from companion.event.history import Groups, TableGroup

BY_HAND, BY_TABLE = "hand", "table"
"""where a result comes from: an organiser, or a finished game that a table published"""


class EventRefused(CompanionError):
    """A change that does not fit the event; nothing was changed."""


@dataclass(frozen=True, slots=True)
class EventSettings:
    """What an event is: its name, the game, how many at a table, how many rounds, how many of these by lot.

    `tables` are how many tables there are, `seed` makes the draws reproducible, `seats` are the fewest and the most
    that can play the game.
    """

    name: str
    game: str
    preferred: int
    rounds: int
    by_lot: int
    tables: int
    seed: str
    seats: tuple[int, int] = (2, 4)


@dataclass(frozen=True, slots=True)
class Replanned:
    """From the next round on there are as many at a table, rounds, rounds by lot and tables as this says."""

    preferred: int
    rounds: int
    by_lot: int
    tables: int


@dataclass(frozen=True, slots=True)
class Joined:
    """A player is in the event; numbers are given in the order of joining, from 1."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Renamed:
    """A player is called otherwise."""

    player: int
    name: str


@dataclass(frozen=True, slots=True)
class Left:
    """A player plays no further rounds; what they have won stays."""

    player: int


@dataclass(frozen=True, slots=True)
class Returned:
    """A player who had left plays again."""

    player: int


@dataclass(frozen=True, slots=True)
class TableNamed:
    """The table of this number, from 1, is the published table `identity`; "" where it is none."""

    table: int
    identity: str


@dataclass(frozen=True, slots=True)
class RoundDrawn:
    """A round: who sits where at each table, in turn order, who has a bye, and the fewest repeats possible."""

    round: int
    tables: Groups
    byes: TableGroup
    repeats: int
    at_least: int
    plan: tuple[Groups, ...] = ()
    """rounds after it that were drawn with it, so that few need to meet again; later draws may differ"""


@dataclass(frozen=True, slots=True)
class Swapped:
    """Two players change places in the latest round, by hand; one of them may have had a bye or no place in it.

    `repeats` are those of the round after it.
    """

    round: int
    one: int
    other: int
    repeats: int


@dataclass(frozen=True, slots=True)
class Moved:
    """A player sits last at another table of the latest round, by hand, with `repeats` after it; table 0 is a bye."""

    round: int
    player: int
    table: int
    repeats: int


@dataclass(frozen=True, slots=True)
class RoundTakenBack:
    """The latest round, of which no result is known, is drawn anew."""

    round: int
    reason: str


@dataclass(frozen=True, slots=True)
class ResultKnown:
    """The points and ranks of a table in its turn order; a later one of the same table replaces it.

    `record` is the finished game it was taken from. `reason` says why an earlier result was not right.
    """

    round: int
    table: int
    points: tuple[int, ...]
    ranks: tuple[int, ...]
    source: str = BY_HAND
    record: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class ResultTakenBack:
    """A table has no result after all."""

    round: int
    table: int
    reason: str


@dataclass(frozen=True, slots=True)
class EndTakenBack:
    """A table has taken back the end of the game `record`: its result counts no more, until that game ends again."""

    round: int
    table: int
    record: str


@dataclass(frozen=True, slots=True)
class Archived:
    """The event is put away: its tables are free, and nothing is changed until it is taken out again."""


@dataclass(frozen=True, slots=True)
class TakenOut:
    """An event that was put away goes on."""


Change = (
    Replanned
    | Joined
    | Renamed
    | Left
    | Returned
    | TableNamed
    | RoundDrawn
    | Swapped
    | Moved
    | RoundTakenBack
    | ResultKnown
    | ResultTakenBack
    | EndTakenBack
    | Archived
    | TakenOut
)


@dataclass(frozen=True, slots=True)
class EventEntry:
    """A line of the log: its number from 1, when (UTC), who wrote it, and what has changed."""

    number: int
    time: str
    by: str
    change: Change
