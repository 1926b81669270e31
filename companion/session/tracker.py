"""Follows one table through a camera's observations: proposes, waits for a second look, never commits by itself.

A proposal is *settled* when the same spots were seen in two separate quiet moments, or when somebody presses *done*.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.absence import NOBODY
from companion.engine import GameRules
from companion.session.observation import CameraStatus, Observation
from companion.session.tracking import Candidate, Explanation, Finding, explain

MOMENT = 0.4
"""seconds of quiet after which another quiet observation counts as a separate moment"""
UNFINISHED = 8.0
"""seconds that a table may rest in the middle of a move before it is told that record and board differ"""
HISTORY = 3


@dataclass(frozen=True, slots=True)
class ProposalState:
    """What the tracker makes of the latest observations.

    `settled` says that the first candidate may be recorded without asking.
    """

    status: CameraStatus = CameraStatus.WATCHING
    explanation: Explanation | None = None
    choice: int = 0
    settled: bool = False
    reason: str = ""

    @property
    def candidate(self) -> Candidate | None:
        """The proposed candidate, the one *next* has come to; None once it was rejected."""
        if self.status is CameraStatus.OUT_OF_STEP or not self.candidates:
            return None
        return self.candidates[self.choice % len(self.candidates)]

    @property
    def takes_back(self) -> bool:
        """Whether the table seems to have taken back what was recorded last."""
        found = self.explanation
        return self.status is CameraStatus.PROPOSED and found is not None and found.finding is Finding.TAKE_BACK

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
        self._touched: frozenset[str] = frozenset()
        self._reported: dict[str, str] = {}
        self.proposal = ProposalState()

    @property
    def owed(self) -> frozenset[str]:
        """Spots where the table lags behind the record."""
        return self._owed

    def observe(
        self, state: Any, observation: Observation, history: Sequence[Any] = (), left: frozenset[int] = NOBODY
    ) -> ProposalState:
        """Take in an observation made at `state`; `history` holds earlier states, the latest first.

        `left` are the seats that left the table.
        """
        if not observation.quiet:
            self._touched |= observation.covered
            kept = self.proposal if self.proposal.status is CameraStatus.PROPOSED else ProposalState()
            status = CameraStatus.HAND if observation.covered else CameraStatus.SETTLING
            self.proposal = replace(kept, status=status, settled=False)
            return self.proposal
        found = explain(
            self._game, state, observation, owed=self._owed, history=history[:HISTORY], left=left,
            unexplainable=self._unexplainable(observation),
        )  # fmt: skip
        self._owed = frozenset(found.owed) if found.finding is Finding.NO_CHANGE else self._owed
        labels = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
        if found.finding is Finding.NO_CHANGE:
            self._forget()
            self._touched, self._reported = frozenset(), {}
            self.proposal = ProposalState()
        elif labels and labels == self._rejected:
            self.proposal = ProposalState(CameraStatus.OUT_OF_STEP, found, reason="rejected")
        else:
            self._note(found, observation.time)
            status = CameraStatus.OUT_OF_STEP if found.finding is Finding.UNEXPLAINED else CameraStatus.PROPOSED
            choice = self.proposal.choice if found.candidates else 0
            if found.unfinished:
                settled = self._seen_at[-1] - self._seen_at[0] >= UNFINISHED
            else:
                settled = len(self._seen_at) > 1 and (found.finding is Finding.UNEXPLAINED or found.is_clear)
            self.proposal = ProposalState(status, found, choice, settled)
            if settled and found.finding is Finding.UNEXPLAINED:
                self._reported = {spot: observation.likeliest(spot)[0] for spot in found.spots}
        return self.proposal

    def _unexplainable(self, observation: Observation) -> frozenset[str]:
        """Spots whose difference is told already, and those that no hand was over since the table was last in step."""
        told = {spot for spot, label in self._reported.items() if observation.likeliest(spot)[0] == label}
        untouched = observation.posteriors.keys() - self._touched if self._touched else frozenset()
        return frozenset(told | untouched)

    def _note(self, found: Explanation, time: float) -> None:
        actions = found.candidates[0].actions if found.candidates else (found.finding, *sorted(found.spots))
        if actions != self._proposed:
            self._proposed, self._seen_at = actions, (time,)
            self.proposal = replace(self.proposal, choice=0)
        elif time - self._seen_at[-1] >= MOMENT:
            self._seen_at = (*self._seen_at, time)

    def _forget(self) -> None:
        self._proposed, self._seen_at, self._rejected = (), (), frozenset()

    def next(self) -> ProposalState:
        """Turn to the next candidate."""
        self.proposal = replace(self.proposal, choice=self.proposal.choice + 1)
        return self.proposal

    def reject(self, observation: Observation | None) -> ProposalState:
        """Do not propose this again while the same spots show the same labels."""
        found = self.proposal.explanation
        if found is not None and observation is not None:
            self._rejected = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
        self.proposal = ProposalState(CameraStatus.OUT_OF_STEP, found, reason="rejected")
        return self.proposal

    def record_changed(self, owed: frozenset[str]) -> None:
        """The record has taken the proposal, or changed otherwise; `owed` are the pieces now to be placed or moved.

        What was told to differ is owed from now on where the game has gone on without it. A paused eye stays paused:
        only a picture ends that.
        """
        found = self.proposal.explanation
        self._owed = owed | (found.unrelated & self._reported.keys()) if found is not None else owed
        self._forget()
        self._touched, self._reported = frozenset(), {}
        if self.proposal.status is not CameraStatus.PAUSED:
            self.proposal = ProposalState()

    def pause(self, reason: str) -> ProposalState:
        """The camera cannot be read; say why."""
        self.proposal = ProposalState(CameraStatus.PAUSED, reason=reason)
        return self.proposal
