"""Results: ranks of points, the points of a table for ranks, and what a finished game of a table says."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from companion.event.entries import BY_TABLE, ResultKnown
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain

WON = 12
"""table points of a winner: whole numbers for 2, 3 and 4 players also where ranks are shared"""
AVERAGE = WON // 2
"""what a table gives on average, and a bye"""


def ranks_of(points: Sequence[int]) -> tuple[int, ...]:
    """Ranks by points alone, shared where these are equal."""
    return tuple(1 + sum(other > mine for other in points) for mine in points)


def ranks_in_line(result: ResultKnown) -> str:
    """The ranks of a result in the order of seats; "" where they are those of the points alone."""
    return "" if result.ranks == ranks_of(result.points) else " : ".join(map(str, result.ranks))


def ranked_against_points(points: Sequence[int], ranks: Sequence[int]) -> tuple[int, int] | None:
    """Two players, by their places in the line, of whom the first has fewer points and no worse rank; None for none."""
    seats = range(min(len(points), len(ranks)))
    pairs = ((one, other) for one in seats for other in seats if points[one] < points[other])
    return next((pair for pair in pairs if ranks[pair[0]] <= ranks[pair[1]]), None)


def table_points(ranks: Sequence[int]) -> tuple[int, ...]:
    """12 for the first and 0 for the last, evenly between them; who shares ranks shares their table points."""
    others = len(ranks) - 1
    return tuple(
        WON * (2 * sum(other > rank for other in ranks) + ranks.count(rank) - 1) // (2 * others) for rank in ranks
    )


@dataclass(frozen=True, slots=True)
class PlayedSeat:
    """A seat of a finished game; `name` is "" where it is not told, `rank` 0 for who left."""

    seat: int
    name: str
    points: int
    rank: int


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A game that has come to its end; `is_final` where that was by its rules. `record` is the id of its record,
    `began` when a hub first heard of it, in UTC ("" where that is not known).
    """

    record: str
    game: str
    is_final: bool
    seats: tuple[PlayedSeat, ...]
    began: str = ""


def names_played_under(
    played: Collection[str], names: Sequence[str], earlier: Sequence[Collection[str]] = ()
) -> list[str] | None:
    """Under which of these plain names each of the players played; None where they are not the ones who did."""
    called = ((name, *(earlier[at] if earlier else ())) for at, name in enumerate(names))
    found = [next((plain(name) for name in each if plain(name) in played), "") for each in called]
    return found if set(found) == set(played) and len(found) == len(set(found)) else None


def result_of_game(
    finished: FinishedGame,
    game: str,
    names: Sequence[str],
    round_number: int,
    table: int,
    earlier: Sequence[Collection[str]] = (),
) -> ResultKnown | Sentence:
    """The result that a table's finished game gives for the players seated there, or why it gives none.

    Players are found by their names, or by those that they had when the game may have begun (`earlier`, of each); by
    their seats where the game is published without names.
    """
    seats = sorted(finished.seats, key=lambda each: each.seat)
    if finished.game != game:
        return sentence("another game was played")
    if not finished.is_final:
        return sentence("the game was not played to its end")
    if len(seats) != len(names):
        return sentence("{played} played, and {seated} are seated there", played=len(seats), seated=len(names))
    known = {plain(each.name): each for each in seats}
    wanted = names_played_under(known, names, earlier)
    if wanted is not None:
        seats = [known[name] for name in wanted]
    elif any(each.name for each in seats):
        return sentence("other players are named in the game than are seated there")
    behind = len(seats) + 1
    ranks = ranks_of([-(each.rank or behind) for each in seats])
    return ResultKnown(round_number, table, tuple(each.points for each in seats), ranks, BY_TABLE, finished.record)
