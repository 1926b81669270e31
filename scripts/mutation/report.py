"""What a run found: counts of an area, its rate with an interval, the mutants that survived as small diffs."""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.mutation.mutants import Mutant

_NORMAL_95 = 1.959964

Key = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Summary:
    """The counts of one area; `rate` and its interval are of the mutants that are not equivalent."""

    area: str
    seed: int
    goal: float
    mutants: int
    killed: int
    timed_out: int
    equivalent: int
    survived: int

    @property
    def rate(self) -> float:
        """Those noticed, by a failing test or because they took too long, of those that are not equivalent."""
        return (self.killed + self.timed_out) / max(1, self.mutants - self.equivalent)

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's interval of the rate at 95 %."""
        return wilson(self.killed + self.timed_out, self.mutants - self.equivalent)

    def document(self) -> dict[str, Any]:
        """The summary for a JSON file."""
        low, high = self.interval
        counts = {name: getattr(self, name) for name in self.__slots__}
        return {**counts, "rate": round(self.rate, 4), "interval": [round(low, 4), round(high, 4)]}


def wilson(successes: int, trials: int) -> tuple[float, float]:
    """Wilson's interval of a rate at 95 %; nothing tried can be any rate."""
    if trials == 0:
        return 0.0, 1.0
    z = _NORMAL_95
    rate = successes / trials
    middle = rate + z * z / (2 * trials)
    half = z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    whole = 1 + z * z / trials
    return max(0.0, (middle - half) / whole), min(1.0, (middle + half) / whole)


def summarize(area: str, seed: int, goal: float, states: Iterable[str]) -> Summary:
    """Count the states of an area's mutants."""
    counts = Counter(states)
    by_state = (counts[state] for state in ("killed", "timed out", "equivalent", "survived"))
    return Summary(area, seed, goal, counts.total(), *by_state)


def table(summaries: Sequence[Summary]) -> str:
    """The summaries as a table in Markdown."""
    lines = [
        "| area | mutants | killed | timed out | equivalent | survived | rate | 95 % interval | goal | seed |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for each in summaries:
        low, high = each.interval
        lines.append(
            f"| {each.area} | {each.mutants} | {each.killed} | {each.timed_out} | {each.equivalent} | {each.survived} "
            f"| {each.rate:.1%} | {low:.1%} to {high:.1%} | {each.goal:.0%} | {each.seed} |"
        )
    return "\n".join(lines)


def difference(mutant: Mutant, note: str = "") -> str:
    """A mutant as a small diff."""
    head = f"{mutant.path}:{mutant.lines[0]} {mutant.function} [{mutant.operator}] {note}".rstrip()
    before = "\n".join(f"- {line}" for line in mutant.before.splitlines())
    after = "\n".join(f"+ {line}" for line in (mutant.after or "(removed)").splitlines())
    return f"{head}\n{before}\n{after}"


def read_equivalents(path: Path) -> dict[Key, str]:
    """The mutants that change nothing anyone could notice, each with the reason: a `[[mutant]]` table each."""
    found: dict[Key, str] = {}
    for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("mutant", []):
        if not entry["reason"]:
            raise SystemExit(f"mutation: {path.name}: {entry['file']}, {entry['function']}: no reason is given")
        found[entry["file"], entry["function"], entry["before"], entry["after"]] = entry["reason"]
    return found


def key_of(mutant: Mutant) -> Key:
    """What the list of equivalent mutants knows a mutant by."""
    return mutant.path, mutant.function, mutant.before, mutant.after
