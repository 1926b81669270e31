"""What earlier rounds mean for the next one: who has met whom, who began, who sat where, who had a bye."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

TableGroup = tuple[int, ...]
"""the players at one table, by number"""
Groups = tuple[TableGroup, ...]
"""the tables of a round"""

START_SHARE = 12
"""a whole game as first player; it can be shared by 2, 3 or 4 players in whole numbers"""


@dataclass(frozen=True, slots=True)
class RoundSeats:
    """Who sat where in a round: the players of each table in turn order, and who had a bye."""

    tables: tuple[TableGroup, ...]
    byes: TableGroup = ()


@dataclass(frozen=True, slots=True)
class PairingHistory:
    """Counts over earlier rounds, by player.

    `start_debt` is how often a player began more than is due to them, in twelfths: at a table of three, a third is due.
    """

    met: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    seats: Mapping[int, Mapping[int, int]] = field(default_factory=dict)
    start_debt: Mapping[int, int] = field(default_factory=dict)
    byes: Mapping[int, int] = field(default_factory=dict)

    def times_met(self, one: int, other: int) -> int:
        """How often two players sat at one table."""
        return self.met.get(one, {}).get(other, 0)

    def repeats(self, groups: Iterable[TableGroup]) -> int:
        """The meetings among these groups that are not the first: each pair counts as often as it met before."""
        return sum(self.times_met(*pair) for group in groups for pair in pairs(group))


def history_of(rounds: Iterable[RoundSeats]) -> PairingHistory:
    """The history of rounds."""
    met: dict[int, Counter[int]] = {}
    seats: dict[int, Counter[int]] = {}
    debts, byes = Counter[int](), Counter[int]()
    for seated in rounds:
        byes.update(seated.byes)
        for table in seated.tables:
            for seat, player in enumerate(table, 1):
                met.setdefault(player, Counter()).update(other for other in table if other != player)
                seats.setdefault(player, Counter())[seat] += 1
                debts[player] += (START_SHARE if seat == 1 else 0) - START_SHARE // len(table)
    return PairingHistory(met, seats, debts, byes)


def pairs(group: Sequence[int]) -> Iterable[tuple[int, int]]:
    """Every two players of a group."""
    return ((one, other) for at, one in enumerate(group) for other in group[at + 1 :])
