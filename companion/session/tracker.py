"""Follows one table through a camera's observations: proposes, waits for a second look, never commits by itself.

A proposal is *settled* when the same spots were seen in two separate quiet moments, or when somebody presses *done*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from companion.absence import NOBODY
from companion.engine import GameRules
from companion.session.observation import Observation
from companion.session.tracking import Candidate, Explanation, Finding, explain

MOMENT = 0.4
"""seconds of quiet after which another quiet sight counts as a separate moment"""
UNFINISHED = 8.0
"""seconds that a table may rest in the middle of a move before it is told that record and board differ"""
HISTORY = 3


class Eyes(StrEnum):
    """What the camera is doing, always shown by name."""

    WATCHING = "watching"
    HAND = "hand"
    SETTLING = "settling"
    PROPOSED = "proposed"
    OUT_OF_STEP = "out of step"
    PAUSED = "paused"


@dataclass(frozen=True, slots=True)
class Sight:
    """What the tracker makes of the latest observations.

    `settled` says that the first candidate may be committed without asking.
    """

    eyes: Eyes = Eyes.WATCHING
    explanation: Explanation | None = None
    choice: int = 0
    settled: bool = False
    reason: str = ""

    @property
    def candidate(self) -> Candidate | None:
        """The proposed candidate, the one *next* has come to; None once it was rejected."""
        if self.eyes is Eyes.OUT_OF_STEP or not self.candidates:
            return None
        return self.candidates[self.choice % len(self.candidates)]

    @property
    def takes_back(self) -> bool:
        """Whether the table seems to have taken back what was recorded last."""
        found = self.explanation
        return self.eyes is Eyes.PROPOSED and found is not None and found.finding is Finding.TAKE_BACK

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All readings of what is seen, likeliest first, rejected or not."""
        return self.explanation.candidates if self.explanation is not None else ()


class Tracker:
    """The camera's memory between observations: pieces owed, the proposal, and when it was seen."""

    def __init__(self, game: GameRules[Any]) -> None:
        self._game = game
        self._owed: frozenset[str] = frozenset()
        self._rejected: frozenset[tuple[str, str]] = frozenset()
        self._seen_at: tuple[float, ...] = ()
        self._proposed: tuple[Any, ...] = ()
        self._reached: frozenset[str] = frozenset()
        self._told: dict[str, str] = {}
        self.sight = Sight()

    @property
    def owed(self) -> frozenset[str]:
        """Spots where the table lags behind the record."""
        return self._owed

    def observe(
        self, state: Any, observation: Observation, history: Sequence[Any] = (), left: frozenset[int] = NOBODY
    ) -> Sight:
        """Take in an observation made at `state`; `history` holds earlier states, the latest first.

        `left` are the seats that left the table.
        """
        if not observation.quiet:
            self._reached |= observation.covered
            kept = self.sight if self.sight.eyes is Eyes.PROPOSED else Sight()
            self.sight = replace(kept, eyes=Eyes.HAND if observation.covered else Eyes.SETTLING, settled=False)
            return self.sight
        found = explain(
            self._game, state, observation, owed=self._owed, history=history[:HISTORY], left=left,
            strange=self._strange(observation),
        )  # fmt: skip
        self._owed = frozenset(found.owed) if found.finding is Finding.NO_CHANGE else self._owed
        labels = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
        if found.finding is Finding.NO_CHANGE:
            self._forget()
            self._reached, self._told = frozenset(), {}
            self.sight = Sight()
        elif labels and labels == self._rejected:
            self.sight = Sight(Eyes.OUT_OF_STEP, found, reason="rejected")
        else:
            self._note(found, observation.time)
            eyes = Eyes.OUT_OF_STEP if found.finding is Finding.UNEXPLAINED else Eyes.PROPOSED
            choice = self.sight.choice if found.candidates else 0
            if found.unfinished:
                settled = self._seen_at[-1] - self._seen_at[0] >= UNFINISHED
            else:
                settled = len(self._seen_at) > 1 and (found.finding is Finding.UNEXPLAINED or found.is_clear)
            self.sight = Sight(eyes, found, choice, settled)
            if settled and found.finding is Finding.UNEXPLAINED:
                self._told = {spot: observation.likeliest(spot)[0] for spot in found.spots}
        return self.sight

    def _strange(self, observation: Observation) -> frozenset[str]:
        """Spots whose difference is told already, and those that no hand was over since the table was last in step."""
        told = {spot for spot, label in self._told.items() if observation.likeliest(spot)[0] == label}
        untouched = observation.posteriors.keys() - self._reached if self._reached else frozenset()
        return frozenset(told | untouched)

    def _note(self, found: Explanation, time: float) -> None:
        actions = found.candidates[0].actions if found.candidates else (found.finding, *sorted(found.spots))
        if actions != self._proposed:
            self._proposed, self._seen_at = actions, (time,)
            self.sight = replace(self.sight, choice=0)
        elif time - self._seen_at[-1] >= MOMENT:
            self._seen_at = (*self._seen_at, time)

    def _forget(self) -> None:
        self._proposed, self._seen_at, self._rejected = (), (), frozenset()

    def next(self) -> Sight:
        """Turn to the next candidate."""
        self.sight = replace(self.sight, choice=self.sight.choice + 1)
        return self.sight

    def reject(self, observation: Observation | None) -> Sight:
        """Do not propose this again while the same spots show the same labels."""
        found = self.sight.explanation
        if found is not None and observation is not None:
            self._rejected = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
        self.sight = Sight(Eyes.OUT_OF_STEP, found, reason="rejected")
        return self.sight

    def committed(self, owed: frozenset[str]) -> None:
        """The record has taken the proposal, or changed otherwise; `owed` are the pieces now to be placed or moved.

        What was told to differ is owed from now on where the game has gone on without it. A paused eye stays paused:
        only a picture ends that.
        """
        found = self.sight.explanation
        self._owed = owed | (found.aside & self._told.keys()) if found is not None else owed
        self._forget()
        self._reached, self._told = frozenset(), {}
        if self.sight.eyes is not Eyes.PAUSED:
            self.sight = Sight()

    def pause(self, reason: str) -> Sight:
        """The camera cannot be read; say why."""
        self.sight = Sight(Eyes.PAUSED, reason=reason)
        return self.sight
