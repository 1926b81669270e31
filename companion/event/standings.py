"""The order of the players: table points, then game points, then opponents' table points (docs/organisers.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from companion.event.event import ClubEvent
from companion.event.results import AVERAGE, table_points
from companion.wording.spelling import by_letters

SHARE = 100
"""game points at a table on average"""


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place; `game_points` are per cent of the average at their tables, `total` the points as they were."""

    player: int
    name: str
    rank: int
    table_points: int
    game_points: Fraction
    opponents_points: Fraction
    total: int
    games: int
    wins: int
    byes: int
    by_round: tuple[int | None, ...]
    """table points of each round; None where the player was not there or the result is not known"""
    has_left: bool = False

    @property
    def key(self) -> tuple[int, Fraction, Fraction]:
        """What decides, in this order; who has the same shares a rank."""
        return self.table_points, self.game_points, self.opponents_points


@dataclass(slots=True)
class _Count:
    table_points: int = 0
    shares: list[Fraction] = field(default_factory=list)
    total: int = 0
    wins: int = 0
    byes: int = 0
    opponents: list[int] = field(default_factory=list)
    by_round: list[int | None] = field(default_factory=list)


def standings(event: ClubEvent, rounds: int | None = None) -> tuple[Standing, ...]:
    """The standings after so many rounds, or after all that were drawn, best first; equal ones by name."""
    counts = {number: _Count() for number in event.players}
    for drawn in event.rounds[:rounds]:
        for count in counts.values():
            count.by_round.append(None)
        for player in drawn.byes:
            counts[player].byes += 1
            _give(counts[player], AVERAGE)
        for number, table in enumerate(drawn.tables, 1):
            result = event.results.get((drawn.round, number))
            if result is None:
                continue
            shares = _shares(result.points)
            for at, (player, won) in enumerate(zip(table, table_points(result.ranks), strict=True)):
                count = counts[player]
                _give(count, won)
                count.shares.append(shares[at])
                count.total += result.points[at]
                count.wins += result.ranks[at] == 1
                count.opponents += [other for other in table if other != player]
    return _ranked(event, counts)


def _give(count: _Count, points: int) -> None:
    count.table_points += points
    count.by_round[-1] = points


def _shares(points: Sequence[int]) -> list[Fraction]:
    """Points as per cent of the table's average; alike for all where that is not above zero."""
    total = sum(points)
    if total <= 0:
        return [Fraction(SHARE)] * len(points)
    return [Fraction(SHARE * len(points) * each, total) for each in points]


def _ranked(event: ClubEvent, counts: dict[int, _Count]) -> tuple[Standing, ...]:
    rows = []
    for number, count in counts.items():
        player, played = event.players[number], len(count.shares)
        opponents = [counts[other].table_points for other in count.opponents]
        rows.append(
            Standing(
                number, player.name, 0, count.table_points,
                sum(count.shares, Fraction()) / max(1, played),
                Fraction(sum(opponents), max(1, len(opponents))),
                count.total, played, count.wins, count.byes, tuple(count.by_round), player.has_left,
            )
        )  # fmt: skip
    rows.sort(key=lambda row: by_letters(row.name))
    rows.sort(key=lambda row: row.key, reverse=True)
    return _with_ranks(rows)


def _with_ranks(rows: Sequence[Standing]) -> tuple[Standing, ...]:
    ranked = list[Standing]()
    for place, row in enumerate(rows, 1):
        shares = ranked and ranked[-1].key == row.key
        ranked.append(replace(row, rank=ranked[-1].rank if shares else place))
    return tuple(ranked)
