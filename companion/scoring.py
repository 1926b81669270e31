"""Score sheets: lines with the pieces they come from, totals, ranks and tie-breaks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from companion.frozen import FrozenDict
from companion.legality import Fact


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """Points of one seat by one rule; `sites` are the pieces behind them, `facts` what was counted."""

    rule: str
    seat: int
    points: int
    sites: tuple[str, ...] = ()
    facts: Mapping[str, Fact] = field(default_factory=FrozenDict)


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A quantity that decides between seats with equal totals, larger first; `values` in seat order."""

    rule: str
    name: str
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """The scores of all seats; `ranks` in seat order, shared where everything ties."""

    lines: tuple[ScoreLine, ...]
    totals: tuple[int, ...]
    ranks: tuple[int, ...]
    tie_breaks: tuple[TieBreak, ...]
    final: bool

    def of(self, seat: int) -> tuple[ScoreLine, ...]:
        """The lines of one seat."""
        return tuple(line for line in self.lines if line.seat == seat)

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1."""
        return tuple(seat for seat, rank in enumerate(self.ranks, 1) if rank == 1)


def score_sheet(seats: int, lines: Iterable[ScoreLine], tie_breaks: tuple[TieBreak, ...], *, final: bool) -> ScoreSheet:
    """Totals and ranks from lines: larger totals first, then each tie-break in turn, then shared."""
    kept = tuple(line for line in lines if line.points or line.facts or line.sites)
    totals = [0] * seats
    for line in kept:
        totals[line.seat - 1] += line.points
    keys = [(totals[i], *(tie.values[i] for tie in tie_breaks)) for i in range(seats)]
    ranks = tuple(1 + sum(other > key for other in keys) for key in keys)
    return ScoreSheet(kept, tuple(totals), ranks, tie_breaks, final)
