"""What the camera sees of a table beside what its record says. No Kivy."""

from __future__ import annotations

from typing import Any

from companion.board.layout import EMPTY
from companion.session.observation import CameraStatus, Observation, unread_spots
from companion.session.session import Session
from companion.session.tracker import ProposalState, Tracker
from companion.session.tracking import seen_labels

_MOST_EARLIER = 5
"""positions that the table may be seen to go back to"""


class CameraFollower:
    """The latest reading and what it means; `latest` are the spots that the latest entry changed."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.tracker = Tracker(session.game)
        self.observation: Observation | None = None
        self.latest: frozenset[str] = frozenset()
        self._state = session.state
        self._unread: frozenset[str] = frozenset()

    @property
    def proposal(self) -> ProposalState:
        """What the camera sees now."""
        return self.tracker.proposal

    @property
    def earlier(self) -> Any | None:
        """The earlier state that the proposal goes back to, if it does."""
        found, history = self.proposal.explanation, self.history
        return history[found.back - 1] if found is not None and 0 < found.back <= len(history) else None

    @property
    def history(self) -> list[Any]:
        """The states before the current one, the latest first."""
        point = self._session.log.point
        states: list[Any] = []
        while point.before is not None and len(states) < _MOST_EARLIER:
            point = point.before
            states.append(point.state)
        return states

    def observe(self, observation: Observation) -> bool:
        """Take in a reading; whether anything is seen otherwise than before.

        After an early end the table is cleared, which nobody takes for playing.
        """
        is_first, self.observation = self.observation is None, observation
        status = self._session.record_status
        if status.ended:
            self.tracker.record_changed(frozenset())
            return is_first
        before = self.proposal, self.tracker.owed
        proposal = self.tracker.observe(self._session.state, observation, self.history, status.left)
        return is_first or (proposal, self.tracker.owed) != before

    def pause(self, reason: str) -> bool:
        """The camera cannot be read; whether that is news."""
        self.observation = None
        is_news = self.proposal.reason != reason or self.proposal.status is not CameraStatus.PAUSED
        if is_news:
            self.tracker.pause(reason)
        return is_news

    def end(self) -> None:
        """There is no camera any more."""
        self.observation = None
        self.tracker = Tracker(self._session.game)

    def follow_record(self) -> None:
        """The record has changed: what of that the table does not show yet is owed."""
        game, state, observation = self._session.game, self._session.state, self.observation
        before, self._state = self._state, state
        if observation is not None and observation.quiet:
            self._unread = unread_spots(self._session.table.board, observation)
        look, looked = game.appearance(state), game.appearance(before)
        self.latest = frozenset(spot for spot, _label in look.items() - looked.items())
        touched = {spot for spot, _label in look.items() ^ looked.items()} | self.tracker.owed
        seen = seen_labels(observation) if observation is not None else {}
        self.tracker.record_changed(frozenset(spot for spot in touched if seen.get(spot) != look.get(spot, EMPTY)))

    def newly_unread(self) -> frozenset[str]:
        """The spots that the camera could read before the latest entry or the latest question, and cannot now."""
        board = self._session.table.board
        unread = unread_spots(board, self.observation) if self.observation is not None else frozenset[str]()
        new, self._unread = unread - self._unread, unread
        return new
