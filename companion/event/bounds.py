"""Repeats that no draw can avoid: what a search is held against. Each bound is a counting argument."""

from __future__ import annotations

import heapq
from collections.abc import Sequence

from companion.event.history import PairingHistory, pairs

MOST_PAIRED = 60
"""players up to which all their pairs are counted"""


def repeats_at_least(history: PairingHistory, players: Sequence[int], sizes: Sequence[int], rounds: int = 1) -> int:
    """A lower bound of the repeats in this many rounds at tables of these sizes."""
    if not sizes:
        return 0
    bounds = [_by_neighbours(history, players, sizes, rounds), _by_tables(sizes, rounds)]
    if len(players) <= MOST_PAIRED:
        bounds.append(_by_pairs(history, players, sizes, rounds))
    return max(bounds)


def _by_neighbours(history: PairingHistory, players: Sequence[int], sizes: Sequence[int], rounds: int) -> int:
    """Each player meets at least as many a round as the smallest table has seats beside theirs, new ones or not."""
    here = set(players)
    needed = rounds * (min(sizes) - 1)
    short = 0
    for player in players:
        known = sum(1 for other in history.met.get(player, ()) if other in here)
        short += max(0, needed - (len(here) - 1 - known))
    return (short + 1) // 2


def _by_tables(sizes: Sequence[int], rounds: int) -> int:
    """A table of more players than the round before had tables seats some two who sat together then."""
    forced = 0
    for size in sizes:
        each, more = divmod(size, len(sizes))
        forced += more * (each + 1) * each // 2 + (len(sizes) - more) * each * (each - 1) // 2
    return forced * (rounds - 1)


def _by_pairs(history: PairingHistory, players: Sequence[int], sizes: Sequence[int], rounds: int) -> int:
    """All meetings, spread over the pairs that met least: each counts as often as its pair met before."""
    counts = [history.times_met(*pair) for pair in pairs(players)]
    heapq.heapify(counts)
    repeats = 0
    for _ in range(rounds * sum(size * (size - 1) // 2 for size in sizes)):
        fewest = heapq.heappushpop(counts, counts[0] + 1)
        repeats += fewest
    return repeats
