"""One measured figure and its goal."""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value. `goal` is an upper limit unless `at_least`; `peer` is another program's value in that run."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    at_least: bool = False
    peer: str = ""
    count: int = 1
    note: str = ""

    @property
    def met(self) -> bool | None:
        """Whether the goal is reached; None where there is none."""
        if self.goal is None:
            return None
        return self.value >= self.goal if self.at_least else self.value <= self.goal


def milliseconds(call: Callable[[], object], repeat: int = 1) -> float:
    """The shortest duration of `repeat` calls, each timed alone."""
    durations = []
    for _ in range(repeat):
        begin = time.perf_counter()
        call()
        durations.append((time.perf_counter() - begin) * 1e3)
    return min(durations)


def percentile(values: Iterable[float], share: float) -> float:
    """The quantile of the values at `share` (0 to 1)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def median(values: Iterable[float]) -> float:
    """The middle value."""
    return statistics.median(values)


def interval(hits: int, count: int, deviations: float = 1.96) -> tuple[float, float]:
    """Wilson's interval (0 to 1) of a share; 1.96 standard deviations give 95 %."""
    if not count:
        return 0.0, 1.0
    square = deviations**2
    middle = (hits + square / 2) / (count + square)
    reach = deviations / (count + square) * math.sqrt(hits * (count - hits) / count + square / 4)
    return max(0.0, middle - reach), min(1.0, middle + reach)
