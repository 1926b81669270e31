"""Score sheets: lines with the pieces they come from, totals, ranks and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from companion.facts import Fact
from companion.frozen import FrozenDict


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points of one seat by one rule; `sites` are the pieces behind them, `facts` what was counted.

    `ruling` is the one without which the points would be others, if there is one.
    """

    rule: str
    seat: int
    points: int
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=FrozenDict)
    ruling: str = ""


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A quantity that decides between seats with equal totals, larger first; `values` in seat order."""

    rule: str
    name: str
    values: tuple[int, ...]
    is_order: bool = False
    """whether the values are only an order of the seats, not a count of anything"""


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The scores of all seats; `final` if the game is over by its rules.

    Seats that `left` keep their points and rank behind all others. `deducting_at_end` are, while the game runs, the
    rules that only take points off at its end.
    """

    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]
    tie_breaks: tuple[TieBreak, ...]
    final: bool
    left: frozenset[int] = frozenset()
    deducting_at_end: frozenset[str] = frozenset()

    @property
    def ranks(self) -> tuple[int, ...]:
        """The ranks in seat order, shared where everything ties."""
        keys = [
            (False,) if seat in self.left else (True, total, *(tie.values[seat - 1] for tie in self.tie_breaks))
            for seat, total in enumerate(self.totals, 1)
        ]
        return tuple(1 + sum(other > key for other in keys) for key in keys)

    @property
    def won(self) -> ScoreSheet:
        """The points already won: all of them at the end, before it without what would only be taken off there."""
        if not self.deducting_at_end:
            return self
        lines = tuple(line for line in self.lines if line.rule not in self.deducting_at_end)
        totals = tuple(
            sum(line.points for line in lines if line.seat == seat) for seat in range(1, len(self.totals) + 1)
        )
        return replace(self, lines=lines, totals=totals, deducting_at_end=frozenset())

    def of(self, seat: int) -> tuple[ScoreLine, ...]:
        """The lines of one seat."""
        return tuple(line for line in self.lines if line.seat == seat)

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1 at the end of the game; before it nobody has won."""
        return self.leaders if self.final else ()


def score_sheet(seats: int, lines: Iterable[ScoreLine], tie_breaks: tuple[TieBreak, ...], *, final: bool) -> ScoreSheet:
    """Totals from lines; ranks go by larger totals, then by each tie-break in turn."""
    kept = tuple(line for line in lines if line.points or line.facts or line.sites)
    totals = [0] * seats
    for line in kept:
        totals[line.seat - 1] += line.points
    return ScoreSheet(kept, tuple(totals), tie_breaks, final)
