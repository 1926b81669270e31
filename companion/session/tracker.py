"""Follows one table through a camera's observations: proposes, waits for a second look, never records by itself.

A proposal is *settled* when the same spots were seen in two separate quiet moments. What would change something that
is recorded already never settles: people answer that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from companion.absence import NOBODY
from companion.board.layout import EMPTY
from companion.engine import GameRules
from companion.session.flicker import FlickerMemory
from companion.session.half_seen import HalfSeenMemory
from companion.session.observation import MOMENT, CameraStatus, Observation
from companion.session.tracking import (
    Candidate,
    Explanation,
    Finding,
    differences,
    explain,
    only_takes_off,
    seen_labels,
)

UNFINISHED = 8.0
"""seconds that a table may rest in the middle of a move before the difference is reported"""
TAKEN_OFF_LOOKS = 3
"""separate quiet moments, with no hand between them, for which pieces that were taken off must be gone, where nothing
was laid: a table that is being cleared looks the same at first, until the next piece is gone
"""
LOOKS = 2
"""separate quiet moments in which anything else must be seen"""
HISTORY = 3
CLEARED = 3
"""pieces taken off at once, and by no legal action, from which on the table is taken to be cleared"""


@dataclass(frozen=True, slots=True)
class ProposalState:
    """What the tracker makes of the latest observations.

    `settled` says that the first candidate may be recorded without asking, or that a difference may be reported.
    `choice` is the candidate that *next* has come to. `doubtful` are the spots that flicker while nothing moves, which
    are left out of the explanation, `half_seen` those seen otherwise than recorded in several looks, though too little
    to believe it: nothing is made of them. `is_faint` says that the camera is sure of no part of the explanation and
    has seen it only once: it looks again before anybody is asked.
    """

    status: CameraStatus = CameraStatus.WATCHING
    explanation: Explanation | None = None
    choice: int = 0
    settled: bool = False
    reason: str = ""
    is_rejected: bool = False
    is_clearing: bool = False
    """whether pieces are taken off as when people stop playing: that is asked"""
    doubtful: frozenset[str] = frozenset()
    half_seen: frozenset[str] = frozenset()
    is_faint: bool = False

    @property
    def candidate(self) -> Candidate | None:
        """The candidate that is proposed; None where there is none, or it was rejected."""
        if self.is_rejected or self.is_clearing or not self.candidates:
            return None
        return self.candidates[self.choice % len(self.candidates)]

    @property
    def takes_back(self) -> bool:
        """Whether the table seems to have taken back what was recorded last."""
        return self._is_open and self._finding is Finding.TAKE_BACK

    @property
    def corrects(self) -> bool:
        """Whether the table shows another action than the latest one."""
        return self._is_open and self._finding is Finding.CORRECTION

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """All readings of what is seen, likeliest first, rejected or not."""
        return self.explanation.candidates if self.explanation is not None and not self.is_faint else ()

    @property
    def _is_open(self) -> bool:
        return self.status is CameraStatus.OUT_OF_STEP and not self.is_rejected

    @property
    def _finding(self) -> Finding | None:
        return self.explanation.finding if self.explanation is not None else None


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
        self._flicker = FlickerMemory()
        self._half_seen = HalfSeenMemory()
        self._was_in_step = False
        self._plays_on = False
        """whether the players said that they do not clear the table"""
        self._takes_off = False
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
            if observation.covered and self._takes_off:
                self._seen_at = ()
            self._flicker.forget(observation.covered)
            self._half_seen.forget(observation.covered)
            status = CameraStatus.HAND if observation.covered else CameraStatus.SETTLING
            kept = self.proposal if self.proposal.status is CameraStatus.PROPOSED else ProposalState()
            if self.proposal.is_clearing:
                kept = replace(self.proposal, status=CameraStatus.PAUSED)
                status = CameraStatus.PAUSED
            self.proposal = replace(kept, status=status, settled=False)
            return self.proposal
        labels = observation.labels
        expected = self._game.appearance(state)
        flickering = self._flicker.observe(labels, expected, observation.time)
        observation = _without(observation, flickering)
        differing = differences(expected, seen_labels(observation))
        found = explain(
            self._game, state, observation, owed=self._owed, history=history[:HISTORY], left=left,
            unexplainable=self._unexplainable(observation),
        )  # fmt: skip
        self._owed = frozenset(found.owed) if found.finding is Finding.NO_CHANGE else self._owed
        shown = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
        if found.finding is Finding.NO_CHANGE:
            self._forget()
            self._touched, self._reported = frozenset(), {}
            self._was_in_step, self._plays_on = True, False
            self.proposal = ProposalState(doubtful=flickering)
        elif self._was_in_step and not self._plays_on and self._is_cleared(differing, found):
            self.proposal = ProposalState(CameraStatus.PAUSED, found, is_clearing=True, doubtful=flickering)
        elif shown and shown == self._rejected:
            self.proposal = ProposalState(CameraStatus.OUT_OF_STEP, found, is_rejected=True, doubtful=flickering)
        else:
            self._propose(state, found, observation, flickering)
        untold = differing.keys() - found.spots
        half_seen = self._half_seen.observe(untold - found.unrelated - found.owed - self._owed, observation.time)
        self.proposal = replace(self.proposal, half_seen=half_seen)
        return self.proposal

    def _propose(self, state: Any, found: Explanation, observation: Observation, flickering: frozenset[str]) -> None:
        is_action = found.finding is Finding.ACTION
        self._takes_off = is_action and only_takes_off(self._game, state, found.candidates[0].state)
        self._note(found, observation.time)
        if found.is_faint and len(self._seen_at) < LOOKS:
            self.proposal = ProposalState(explanation=found, is_faint=True, doubtful=flickering)
            return
        status = CameraStatus.PROPOSED if is_action else CameraStatus.OUT_OF_STEP
        choice = self.proposal.choice if found.candidates else 0
        if found.unfinished:
            settled = self._seen_at[-1] - self._seen_at[0] >= UNFINISHED
        else:
            looks = TAKEN_OFF_LOOKS if self._takes_off else LOOKS
            settled = len(self._seen_at) >= looks and (found.finding is Finding.UNEXPLAINED or found.is_clear)
        self.proposal = ProposalState(status, found, choice, settled, doubtful=flickering)
        if settled and found.finding is Finding.UNEXPLAINED:
            self._reported = {spot: observation.likeliest(spot)[0] for spot in found.spots}

    def _is_cleared(self, differing: Mapping[str, str], found: Explanation) -> bool:
        """Whether several pieces are gone from a table that was in step, and neither one action nor a take-back did it.

        Pieces that came, at most one for each two that are gone, do not count against it.
        """
        if found.unfinished or found.finding in (Finding.TAKE_BACK, Finding.CORRECTION):
            return False
        if found.candidates and len(found.candidates[0].actions) == 1:
            return False
        gone = sum(label == EMPTY for spot, label in differing.items() if spot not in self._owed)
        return gone >= CLEARED and gone >= 2 * (len(differing.keys() - self._owed) - gone)

    def _unexplainable(self, observation: Observation) -> frozenset[str]:
        """Spots whose difference was reported before, and those that no hand was near since the table was in step."""
        reported = {spot for spot, label in self._reported.items() if observation.likeliest(spot)[0] == label}
        untouched = observation.posteriors.keys() - self._touched if self._touched else frozenset()
        return frozenset(reported | untouched)

    def _note(self, found: Explanation, time: float) -> None:
        actions = found.candidates[0].actions if found.candidates else (found.finding, *sorted(found.spots))
        if actions != self._proposed:
            self._proposed, self._seen_at = actions, (time,)
            self.proposal = replace(self.proposal, choice=0)
        elif not self._seen_at or time - self._seen_at[-1] >= MOMENT:
            self._seen_at = (*self._seen_at, time)

    def _forget(self) -> None:
        self._proposed, self._seen_at, self._rejected = (), (), frozenset()
        self._takes_off = False

    def next(self) -> ProposalState:
        """Turn to the next candidate."""
        self.proposal = replace(self.proposal, choice=self.proposal.choice + 1)
        return self.proposal

    def reject(self, observation: Observation | None) -> ProposalState:
        """Do not propose this again while the same spots show the same labels."""
        found = self.proposal.explanation
        if found is not None and observation is not None:
            self._rejected = frozenset((spot, observation.likeliest(spot)[0]) for spot in found.spots)
            self._flicker.forget(found.spots)
        self.proposal = ProposalState(CameraStatus.OUT_OF_STEP, found, is_rejected=True)
        return self.proposal

    def keep_playing(self) -> ProposalState:
        """The table is not being cleared: what is gone is reported like any other difference, until it is in step."""
        self._plays_on = True
        self.proposal = ProposalState(CameraStatus.OUT_OF_STEP, self.proposal.explanation)
        return self.proposal

    def record_changed(self, owed: frozenset[str]) -> None:
        """The record has taken the proposal, or changed otherwise; `owed` are the spots now to be brought in line.

        Differences that were reported and left lying are owed from now on. A paused camera stays paused until its
        next observation.
        """
        found = self.proposal.explanation
        self._owed = owed | (found.unrelated & self._reported.keys()) if found is not None else owed
        self._forget()
        self._touched, self._reported = frozenset(), {}
        if self.proposal.status is not CameraStatus.PAUSED or self.proposal.is_clearing:
            self.proposal = ProposalState()

    def resume(self) -> ProposalState:
        """The camera is read again."""
        self.proposal = ProposalState()
        return self.proposal

    def pause(self, reason: str) -> ProposalState:
        """The camera cannot be read; say why."""
        self.proposal = ProposalState(CameraStatus.PAUSED, reason=reason)
        return self.proposal


def _without(observation: Observation, spots: frozenset[str]) -> Observation:
    """An observation that says nothing about some spots."""
    if not spots:
        return observation
    kept: Mapping[str, Mapping[str, float]] = {
        spot: posterior for spot, posterior in observation.posteriors.items() if spot not in spots
    }
    return replace(observation, posteriors=kept)
