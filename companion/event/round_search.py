"""Good groups of a round for many players: cut from their order by points, then improved by swaps; seeded."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from companion.event.history import TableGroup
from companion.event.round_cost import REPEAT

_NEAR = (2, 8, 40, 10_000)
"""how many tables up and down the order a swap may reach; further only where nothing nearer takes a repeat away"""
_ROUNDS = 30
"""how often all tables with repeats are gone through, with swaps by lot in between"""
_POLISHED = 2
"""how often all neighbouring tables are compared at last"""


def searched_groups(
    players: Sequence[int],
    sizes: Sequence[int],
    cost: Callable[[TableGroup], int],
    points: Mapping[int, int],
    chance: random.Random,
) -> tuple[TableGroup, ...]:
    """Groups of these sizes of low total cost, those with more points first; smaller tables come last."""
    order = chance.sample(list(players), len(players))
    order.sort(key=lambda player: -points.get(player, 0))
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    search = _Search([tuple(order[end - size : end]) for end, size in zip(ends, sizes, strict=True)], cost)
    best, fewest = list(search.tables), search.repeats
    for _ in range(_ROUNDS):
        if fewest == 0:
            break
        for table in range(len(sizes)):
            search.part_those_who_met(table)
        if search.repeats < fewest:
            best, fewest = list(search.tables), search.repeats
        else:
            search.disturb(chance)
    search = _Search(best, cost)
    for _ in range(_POLISHED):
        for table in range(len(sizes)):
            search.improve(table)
    return tuple(search.tables)


class _Search:
    """Tables that are being changed, with their costs."""

    def __init__(self, tables: list[TableGroup], cost: Callable[[TableGroup], int]) -> None:
        self.tables, self._cost = list(tables), cost
        self._costs = [cost(table) for table in tables]

    @property
    def repeats(self) -> int:
        """The repeats of all tables."""
        return sum(cost // REPEAT for cost in self._costs)

    def part_those_who_met(self, table: int) -> None:
        """Swap players of a table with repeats with those of the nearest tables where that makes the most better."""
        for near in _NEAR:
            while self._costs[table] >= REPEAT and self._best_swap(table, near, REPEAT // 2):
                pass

    def improve(self, table: int) -> None:
        """Swap players of a table with those of the tables next to it as long as that makes anything better."""
        for _ in range(4):
            if not self._best_swap(table, 2, 1):
                return

    def disturb(self, chance: random.Random) -> None:
        """Swap by lot a player of each table that still has repeats."""
        for table, cost in enumerate(self._costs):
            if cost >= REPEAT and len(self.tables) > 1:
                other = (table + chance.choice((-1, 1)) * chance.randint(1, 5)) % len(self.tables)
                if other != table:
                    here = chance.randrange(len(self.tables[table]))
                    self._make(table, here, other, chance.randrange(len(self.tables[other])))

    def _best_swap(self, table: int, near: int, least_gain: int) -> bool:
        """Make the swap with the tables this near that gains most, if it gains at least so much."""
        chosen, most = None, least_gain - 1
        for other in self._near(table, near):
            together = self._costs[table] + self._costs[other]
            for here in range(len(self.tables[table])):
                for there in range(len(self.tables[other])):
                    mine, theirs = self._swapped(table, here, other, there)
                    gain = together - self._cost(mine) - self._cost(theirs)
                    if gain > most:
                        chosen, most = (here, other, there), gain
        if chosen:
            self._make(table, *chosen)
        return chosen is not None

    def _near(self, table: int, near: int) -> Iterator[int]:
        first, last = max(0, table - near), min(len(self.tables), table + near + 1)
        return (other for other in range(first, last) if other != table)

    def _swapped(self, table: int, here: int, other: int, there: int) -> tuple[TableGroup, TableGroup]:
        mine, theirs = self.tables[table], self.tables[other]
        return (
            (*mine[:here], theirs[there], *mine[here + 1 :]),
            (*theirs[:there], mine[here], *theirs[there + 1 :]),
        )

    def _make(self, table: int, here: int, other: int, there: int) -> None:
        self.tables[table], self.tables[other] = self._swapped(table, here, other, there)
        self._costs[table], self._costs[other] = self._cost(self.tables[table]), self._cost(self.tables[other])
