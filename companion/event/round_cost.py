"""What makes one division of the players into tables better than another, as one number that adds up over tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.event.history import PairingHistory, TableGroup, pairs

SPREAD = 10**7
"""one point squared outweighs all claims to begin: 1,000 tables, less than 2,000 each"""
REPEAT = 10**17
"""one repeat outweighs all differences in points: 1,000 tables, less than 6 x 600 x 600 each"""
_LEAST_CLAIM = -1000
"""no player is owed more; it keeps costs above zero"""


def round_cost(history: PairingHistory, points: Mapping[int, int]) -> Callable[[TableGroup], int]:
    """The cost of a table: repeats first, then differences in points, squared, then claims to begin that go unheard.

    Points are those of a Swiss round; without any, every division that repeats as little is alike.
    """
    met, debts = history.met, history.start_debt

    def cost(group: TableGroup) -> int:
        repeats = spread = 0
        for one, other in pairs(group):
            repeats += met.get(one, {}).get(other, 0)
            spread += (points.get(one, 0) - points.get(other, 0)) ** 2
        least = min(debts.get(player, 0) for player in group)
        return repeats * REPEAT + spread * SPREAD + least - _LEAST_CLAIM

    return cost
