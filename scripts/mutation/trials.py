"""One mutant against the tests that can see it, in stages; each stage runs in a process of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scripts.mutation.mutants import Mutant
from scripts.mutation.processes import Limits, Running
from scripts.mutation.selection import CoverageMap

_START = 8.0
_PAUSE = 0.02

Select = Callable[[Mutant], tuple[list[str], list[str]]]
Launch = Callable[[Mutant, Sequence[str], Limits], Running]


@dataclass(frozen=True, slots=True)
class Effort:
    """How many mutants run at a time, and how many seconds of tests follow the first ones for each that survives."""

    jobs: int = 1
    rest: float = 15.0


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a mutant: `killed`, `timed out` or `survived`, by which test, after how many of how many."""

    mutant: Mutant
    state: str
    test: str = ""
    ran: int = 0
    seeing: int = 0
    seconds: float = 0.0


def run_trials(
    mutants: Iterator[Mutant], found: CoverageMap, select: Select, launch: Launch, effort: Effort
) -> Iterator[Result]:
    """The result of each mutant, in the order in which they are known.

    `select` tells which tests run first for a mutant and which others follow; `launch` starts a process that runs the
    given tests on the mutant and returns `{"failed": TEST, "ran": COUNT}`.
    """
    trials: list[_Trial] = []
    while True:
        while len(trials) < effort.jobs and (mutant := next(mutants, None)) is not None:
            trials.append(_Trial(mutant, found, select, launch, effort.rest))
        if not trials:
            return
        results = [(trial, trial.step()) for trial in trials]
        for trial, result in results:
            if result is not None:
                trials.remove(trial)
                yield result
        if not any(result for _, result in results):
            time.sleep(_PAUSE)


class _Trial:
    """A mutant on its way through its tests: first those most likely to fail, then the others."""

    def __init__(self, mutant: Mutant, found: CoverageMap, select: Select, launch: Launch, rest: float) -> None:
        self.mutant = mutant
        self._found = found
        self._launch = launch
        first, others = select(mutant)
        self._seeing = len(first) + len(others)
        self._stages = [stage for stage in (first, _within(others, found.seconds, rest)) if stage]
        self._ran = 0
        self._begun = time.monotonic()
        self._running: Running | None = None

    def step(self) -> Result | None:
        """Go on without waiting; the result once it is known."""
        if self._running is None:
            if not self._stages:
                return self._result("survived")
            tests = self._stages.pop(0)
            self._running = self._launch(self.mutant, tests, self._limits(tests))
        end = self._running.poll()
        if end is None:
            return None
        self._running = None
        state, value = end
        if state == "timed out":
            return self._result("timed out")
        if state == "crashed":
            return self._result("killed", "(the process ended)")
        self._ran += value["ran"]
        return self._result("killed", value["failed"]) if value["failed"] else None

    def _limits(self, tests: Sequence[str]) -> Limits:
        processor = sum(self._found.seconds[test] for test in tests)
        clock = sum(self._found.waits[test] for test in tests)
        return Limits(processor_seconds=_START + 4 * processor, wall_seconds=3 * _START + 10 * clock)

    def _result(self, state: str, test: str = "") -> Result:
        taken = round(time.monotonic() - self._begun, 2)
        return Result(self.mutant, state, test, self._ran, self._seeing, taken)


def _within(tests: Sequence[str], seconds: dict[str, float], limit: float) -> list[str]:
    """As many of the tests as take `limit` seconds together."""
    chosen: list[str] = []
    spent = 0.0
    for test in tests:
        spent += seconds[test]
        if spent > limit:
            break
        chosen.append(test)
    return chosen
