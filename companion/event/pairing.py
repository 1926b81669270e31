"""Drawing a round: who has a bye, who sits with whom, who begins.

In this order: as few byes as can be, in turn; as few repeated meetings as can be in this round; as few as can be found
in the rounds planned after it; in Swiss rounds players with like points together; who is due to begin, begins. Up to
`exact_round.MOST_PLAYERS` players the fewest repeats of the round are exact, above that searched, and said beside what
no draw can go below.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from companion.event import exact_round
from companion.event.bounds import repeats_at_least
from companion.event.history import Groups, PairingHistory, RoundSeats, TableGroup, history_of
from companion.event.planning import Plan, planned_rounds
from companion.event.round_cost import round_cost
from companion.event.round_search import searched_groups
from companion.event.seating import seated
from companion.event.table_sizes import table_sizes

MOST_PLANNED = 40
"""with more players there are enough whom one has not met, so that looking ahead is not worth its time"""
_DRAWN_BEFORE_PLANNING = 3
_CHECKING = 30_000
"""swaps tried to see whether a draw leaves the rounds after it enough people who have not met"""


@dataclass(frozen=True, slots=True)
class Task:
    """What a round is drawn from.

    `points` are those of a Swiss round, None in a round by lot; `rounds_after` are the rounds planned after this one,
    `plan` is what the draw before this one planned for them and for this one.
    """

    players: tuple[int, ...]
    earlier: tuple[RoundSeats, ...]
    seats: tuple[int, int]
    preferred: int
    tables: int
    seed: str
    points: Mapping[int, int] | None = None
    rounds_after: int = 0
    plan: tuple[Groups, ...] = ()


@dataclass(frozen=True, slots=True)
class Draw:
    """A round as it was drawn: tables in turn order, byes, repeats and the fewest that any draw could have.

    `is_exact` tells whether `at_least` is the very fewest, or only a bound below which nothing can be.
    """

    tables: Groups
    byes: TableGroup = ()
    repeats: int = 0
    at_least: int = 0
    is_exact: bool = True
    plan: tuple[Groups, ...] = ()
    """rounds that may follow with few repeats, where that was looked into"""

    @property
    def seats(self) -> RoundSeats:
        """Who sits where."""
        return RoundSeats(self.tables, self.byes)


def draw_round(task: Task) -> Draw:
    """A round; the same task is always drawn alike."""
    chance = random.Random(task.seed)
    history = history_of(task.earlier)
    seating = table_sizes(len(task.players), task.seats, task.preferred, task.tables)
    byes = _byes(task, history, seating.byes, chance)
    playing = [player for player in task.players if player not in byes]
    if not seating.sizes:
        return Draw((), byes)
    points = task.points or {}
    drawn = _drawn(playing, seating.sizes, round_cost(history, points), points, chance)
    first = drawn()
    looks_ahead = task.rounds_after and not byes and len(playing) <= MOST_PLANNED
    chosen, plan = _looking_ahead(task, seating.sizes, drawn, chance) if looks_ahead else (first, ())
    is_exact = len(playing) <= exact_round.MOST_PLAYERS
    at_least = history.repeats(first) if is_exact else repeats_at_least(history, playing, seating.sizes)
    tables = [seated(group, history, chance) for group in chosen]
    if task.points is None:
        chance.shuffle(tables)
    else:
        tables.sort(key=lambda table: -sum(points.get(player, 0) for player in table) / len(table))
    found = history.repeats(tables)
    return Draw(tuple(tables), byes, found, at_least, is_exact or found == at_least, plan)


def _byes(task: Task, history: PairingHistory, count: int, chance: random.Random) -> TableGroup:
    """Who has a bye: those who had fewest, of these the ones with fewest points, then by lot."""
    points = task.points or {}
    drawn = chance.sample(task.players, len(task.players))
    return tuple(sorted(drawn, key=lambda player: (history.byes.get(player, 0), points.get(player, 0)))[:count])


def _drawn(
    playing: Sequence[int],
    sizes: Sequence[int],
    cost: Callable[[TableGroup], int],
    points: Mapping[int, int],
    chance: random.Random,
) -> Callable[[], Groups]:
    """A way to draw this round alone, each time by a new lot."""
    if len(playing) > exact_round.MOST_PLAYERS:
        return lambda: searched_groups(playing, sizes, cost, points, chance)
    best = exact_round.BestRound(playing, sizes, cost)
    return lambda: best.draw(chance)


def _looking_ahead(
    task: Task, sizes: Sequence[int], drawn: Callable[[], Groups], chance: random.Random
) -> tuple[Groups, tuple[Groups, ...]]:
    """Of the groups with the fewest repeats now those that leave the fewest to the rounds after; and these rounds.

    A round by lot of a plan that needs no repeats is taken as it was planned: lots were drawn for all of it.
    """
    history, cost = history_of(task.earlier), round_cost(history_of(task.earlier), task.points or {})
    total_at_least = repeats_at_least(history, task.players, sizes, task.rounds_after + 1)
    is_kept = len(task.plan) == task.rounds_after + 1 and _fits(task, sizes)
    kept = Plan(task.plan, _repeats(task.earlier, task.plan)) if is_kept else None
    found = list[tuple[Groups, tuple[Groups, ...], int]]()
    if kept is None or kept.repeats > total_at_least or task.points is not None:
        for _ in range(_DRAWN_BEFORE_PLANNING):
            groups = drawn()
            then = history_of((*task.earlier, RoundSeats(groups)))
            later = planned_rounds(then, task.players, sizes, task.rounds_after, chance, _CHECKING)
            found.append((groups, later.rounds, later.repeats))
            if later.repeats == repeats_at_least(then, task.players, sizes, task.rounds_after):
                return groups, later.rounds
    if kept is None or kept.repeats > total_at_least:
        searched = planned_rounds(history, task.players, sizes, task.rounds_after + 1, chance)
        kept = searched if kept is None or searched.repeats < kept.repeats else kept
    for at, groups in enumerate(kept.rounds):
        others = (*kept.rounds[:at], *kept.rounds[at + 1 :])
        found.append((groups, others, kept.repeats - history.repeats(groups)))
    chosen = min(found, key=lambda each: (history.repeats(each[0]), each[2], sum(map(cost, each[0]))))
    return chosen[0], chosen[1]


def _fits(task: Task, sizes: Sequence[int]) -> bool:
    """Whether the plan is one for just the players who are there, at tables of these sizes."""
    here = sorted(task.players)
    return all(
        sorted(player for group in groups for player in group) == here and sorted(map(len, groups)) == sorted(sizes)
        for groups in task.plan
    )


def _repeats(earlier: tuple[RoundSeats, ...], rounds: tuple[Groups, ...]) -> int:
    """The repeats of rounds that follow on earlier ones."""
    total = 0
    for groups in rounds:
        total += history_of(earlier).repeats(groups)
        earlier = (*earlier, RoundSeats(groups))
    return total
