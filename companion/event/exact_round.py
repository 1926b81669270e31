"""The best groups of a round among all there are, for few players: each set of players is settled once."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations

from companion.event.history import TableGroup

MOST_PLAYERS = 16
"""65,536 sets of players: some tenths of a second"""


class BestRound:
    """All divisions of players into tables of these sizes (of two kinds at most) that have the least total cost.

    The first player who has no table yet gets one with every choice of others; what is left is settled in the same way,
    each set of players once. Sets of players are bits of a number.
    """

    def __init__(self, players: Sequence[int], sizes: Sequence[int], cost: Callable[[TableGroup], int]) -> None:
        self._players, self._cost = tuple(players), cost
        self._small, self._large = min(sizes), max(sizes)
        self._everybody = (1 << len(players)) - 1
        self._larger = list(sizes).count(self._large) if self._large != self._small else 0
        self._costs = dict[int, int]()
        self._settled = {(0, 0): (0, 1)}
        self.cost, self.count = self._settle(self._everybody, self._larger)

    def draw(self, chance: random.Random) -> tuple[TableGroup, ...]:
        """One of them, each with the same chance."""
        groups = list[TableGroup]()
        mask, larger, number = self._everybody, self._larger, chance.randrange(self.count)
        while mask:
            least, _ = self._settled[mask, larger]
            for group, left in self._choices(mask, larger):
                rest, ways = self._settled[mask ^ group, left]
                if self._costs[group] + rest != least:
                    continue
                if number < ways:
                    groups.append(self._members(group))
                    mask, larger = mask ^ group, left
                    break
                number -= ways
        return tuple(groups)

    def _settle(self, mask: int, larger: int) -> tuple[int, int]:
        """The least cost of these players at tables, `larger` of them of the larger size, and in how many ways."""
        known = self._settled.get((mask, larger))
        if known:
            return known
        least, ways = -1, 0
        for group, left in self._choices(mask, larger):
            rest, count = self._settle(mask ^ group, left)
            total = self._group_cost(group) + rest
            if ways == 0 or total < least:
                least, ways = total, count
            elif total == least:
                ways += count
        self._settled[mask, larger] = least, ways
        return least, ways

    def _choices(self, mask: int, larger: int) -> Iterator[tuple[int, int]]:
        """The groups with the first of these players, each with how many larger tables are then left."""
        first, *others = (1 << at for at in range(len(self._players)) if mask >> at & 1)
        if mask.bit_count() > larger * self._large:
            for chosen in combinations(others, self._small - 1):
                yield first + sum(chosen), larger
        if larger:
            for chosen in combinations(others, self._large - 1):
                yield first + sum(chosen), larger - 1

    def _group_cost(self, group: int) -> int:
        if group not in self._costs:
            self._costs[group] = self._cost(self._members(group))
        return self._costs[group]

    def _members(self, mask: int) -> TableGroup:
        return tuple(player for at, player in enumerate(self._players) if mask >> at & 1)
