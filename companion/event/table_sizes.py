"""How many sit at each table: sizes that the game allows, as alike as can be, and byes where nothing else fits."""

from __future__ import annotations

from dataclasses import dataclass

FEWEST, MOST = 2, 4
"""players at a table of an event"""


@dataclass(frozen=True, slots=True)
class Seating:
    """The sizes of the tables of a round, larger ones first, and how many players have a bye."""

    sizes: tuple[int, ...]
    byes: int


def table_sizes(players: int, seats: tuple[int, int], preferred: int, tables: int) -> Seating:
    """As few byes as can be, then sizes as near as can be to the preferred one; they differ by one at most.

    `seats` are the fewest and the most that can play the game, `tables` how many tables there are. Of two choices that
    are equally near, the one with fewer, larger tables is taken.
    """
    low, high = seats
    for playing in range(players, low - 1, -1):
        fitting = [
            count for count in range(1, min(tables, playing // low) + 1) if low * count <= playing <= high * count
        ]
        if fitting:
            sizes = min((_alike(playing, count) for count in fitting), key=lambda made: _distance(made, preferred))
            return Seating(sizes, players - playing)
    return Seating((), players)


def _alike(players: int, tables: int) -> tuple[int, ...]:
    each, more = divmod(players, tables)
    return (each + 1,) * more + (each,) * (tables - more)


def _distance(sizes: tuple[int, ...], preferred: int) -> int:
    return sum(abs(size - preferred) for size in sizes)
