"""All rounds to come drawn together, so that an early one leaves the later ones people who have not met.

A tabu search over swaps of two players in one round, after Dotú and Van Hentenryck, "Scheduling social golfers locally"
(CPAIOR 2005): of the swaps that part two who meet too often the best is made, and not undone for a few moves.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from companion.event.bounds import repeats_at_least
from companion.event.history import PairingHistory, TableGroup

EVALUATIONS = 300_000
"""swaps tried before the best that was found is taken: a second or so"""
_CONFIRMED = 8
"""fresh starts that come to the best plan once more, after which it is believed"""
_PATIENCE, _PATIENCE_A_PLAYER = 400, 25
"""moves without a better plan, after which the search starts afresh; fewer where there are few players"""


@dataclass(frozen=True, slots=True)
class Plan:
    """The groups of each round to come, and how many repeats they have in all."""

    rounds: tuple[tuple[TableGroup, ...], ...]
    repeats: int


def planned_rounds(
    history: PairingHistory,
    players: Sequence[int],
    sizes: Sequence[int],
    rounds: int,
    chance: random.Random,
    evaluations: int = EVALUATIONS,
) -> Plan:
    """A plan with as few repeats as a search of bounded length finds; it ends early where fewer are impossible."""
    bound = repeats_at_least(history, players, sizes, rounds)
    search = _Search(history, players, sizes, rounds, chance)
    best = search.plan()
    if len(sizes) == 1:  # everybody sits with everybody
        return best
    patience, again = min(_PATIENCE, _PATIENCE_A_PLAYER * len(players)), 0
    while best.repeats > bound and search.evaluated < evaluations and again < _CONFIRMED:
        search.restart()
        found, still = search.plan(), 0
        while found.repeats > bound and still < patience and search.evaluated < evaluations:
            search.move(found.repeats)
            still += 1
            if search.repeats < found.repeats:
                found, still = search.plan(), 0
        again = again + (found.repeats == best.repeats) if found.repeats >= best.repeats else 0
        best = min(best, found, key=lambda plan: plan.repeats)
    return best


class _Search:
    """A plan that is being changed; players are known by their place in the list."""

    def __init__(
        self, history: PairingHistory, players: Sequence[int], sizes: Sequence[int], rounds: int, chance: random.Random
    ) -> None:
        self._players, self._sizes, self._rounds, self._chance = tuple(players), tuple(sizes), rounds, chance
        self._before = [[history.times_met(one, other) for other in players] for one in players]
        self.evaluated = self._moves = 0
        self.restart()

    def restart(self) -> None:
        """Begin with rounds drawn by lot."""
        self._met = [list(row) for row in self._before]
        self._tables, self.repeats = [], 0
        self._tabu: dict[tuple[int, int, int], int] = {}
        for _ in range(self._rounds):
            drawn = self._chance.sample(range(len(self._players)), len(self._players))
            ends = [sum(self._sizes[: at + 1]) for at in range(len(self._sizes))]
            tables = [drawn[end - size : end] for end, size in zip(ends, self._sizes, strict=True)]
            for table in tables:
                for at, one in enumerate(table):
                    for other in table[at + 1 :]:
                        self._meet(one, other)
            self._tables.append(tables)

    def plan(self) -> Plan:
        """The plan as it stands."""
        rounds = tuple(tuple(tuple(self._players[at] for at in table) for table in tables) for tables in self._tables)
        return Plan(rounds, self.repeats)

    def move(self, best: int) -> None:
        """Make the best swap that is not tabu, or that gives fewer repeats than `best`."""
        self._moves += 1
        chosen, least, alike = None, 0, 0
        for number, tables in enumerate(self._tables):
            for here, table in enumerate(tables):
                for place, one in enumerate(table):
                    if all(self._met[one][other] < 2 for other in table if other != one):
                        continue
                    for there, at, other in self._others(tables, here):
                        change = self._change(table, one, tables[there], other)
                        is_tabu = self._tabu.get((number, min(one, other), max(one, other)), 0) >= self._moves
                        if is_tabu and self.repeats + change >= best:
                            continue
                        alike = alike + 1 if chosen and change == least else 1
                        if chosen is None or change < least or (change == least and self._chance.random() * alike < 1):
                            chosen, least = (number, here, place, there, at), change
        if chosen:
            self._swap(*chosen)

    def _others(self, tables: list[list[int]], here: int) -> list[tuple[int, int, int]]:
        return [
            (there, at, other) for there, table in enumerate(tables) if there != here for at, other in enumerate(table)
        ]

    def _change(self, table: list[int], one: int, elsewhere: list[int], other: int) -> int:
        """How many more repeats there are when `one` of a table and `other` from elsewhere change places."""
        self.evaluated += 1
        mine, theirs = self._met[one], self._met[other]
        change = 0
        for neighbour in table:
            if neighbour != one:
                change += theirs[neighbour] - mine[neighbour] + 1
        for neighbour in elsewhere:
            if neighbour != other:
                change += mine[neighbour] - theirs[neighbour] + 1
        return change

    def _swap(self, number: int, here: int, place: int, there: int, at: int) -> None:
        tables = self._tables[number]
        one, other = tables[here][place], tables[there][at]
        for neighbour in tables[here]:
            if neighbour != one:
                self._part(one, neighbour)
                self._meet(other, neighbour)
        for neighbour in tables[there]:
            if neighbour != other:
                self._part(other, neighbour)
                self._meet(one, neighbour)
        tables[here][place], tables[there][at] = other, one
        self._tabu[number, min(one, other), max(one, other)] = self._moves + self._chance.randint(4, 20)

    def _meet(self, one: int, other: int) -> None:
        self.repeats += self._met[one][other]
        self._met[one][other] += 1
        self._met[other][one] += 1

    def _part(self, one: int, other: int) -> None:
        self._met[one][other] -= 1
        self._met[other][one] -= 1
        self.repeats -= self._met[one][other]
