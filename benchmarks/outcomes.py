"""How episodes of the benchmark of trust went, and a file that keeps it from one run to the next."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import asdict, dataclass, field
from functools import partial
from itertools import count
from pathlib import Path


@dataclass(slots=True)
class Outcome:
    """How the episodes of one kind went."""

    episodes: int = 0
    wrong: int = 0
    """recorded otherwise than done"""
    right: int = 0
    """recorded as done, unasked"""
    alarms: int = 0
    """asked, refused or out of step"""
    failures: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        """Count the episodes of another game as well."""
        self.episodes += other.episodes
        self.wrong += other.wrong
        self.right += other.right
        self.alarms += other.alarms
        self.failures += other.failures


Outcomes = Mapping[str, Outcome]
"""kind of episode -> how those of it went"""


@dataclass(frozen=True)
class PlayedGames:
    """The outcomes of games by level, game and seed; `path`, where there is one, has a line for each of them."""

    path: Path | None
    known: dict[tuple[str, str, int], Outcomes] = field(default_factory=dict)

    @classmethod
    def of(cls, path: str) -> PlayedGames:
        """Those of a file, which may still be missing; none without a path."""
        played = cls(Path(path) if path else None)
        if played.path is not None and played.path.exists():
            for line in played.path.read_text(encoding="utf-8").splitlines():
                level, game_id, seed, outcomes = json.loads(line)
                played.known[level, game_id, seed] = {kind: Outcome(**each) for kind, each in outcomes.items()}
        return played

    def outcomes(
        self,
        level: str,
        game_id: str,
        play: Callable[[str, int], Outcomes],
        first_seed: int,
        pool: Executor,
        at_once: int,
    ) -> Iterator[Outcomes]:
        """The outcomes of one game after another, without end, by seed: those known, else played `at_once`."""
        for first in count(first_seed, at_once):
            seeds = range(first, first + at_once)
            missing = [seed for seed in seeds if (level, game_id, seed) not in self.known]
            for seed, outcomes in zip(missing, pool.map(partial(play, game_id), missing), strict=True):
                self._keep(level, game_id, seed, outcomes)
            for seed in seeds:
                yield self.known[level, game_id, seed]

    def _keep(self, level: str, game_id: str, seed: int, outcomes: Outcomes) -> None:
        self.known[level, game_id, seed] = outcomes
        if self.path is not None:
            line = json.dumps([level, game_id, seed, {kind: asdict(each) for kind, each in outcomes.items()}])
            with self.path.open("a", encoding="utf-8") as lines:
                lines.write(line + "\n")
