"""What the camera sees of a table compared with what its record says. No Kivy."""

from __future__ import annotations

from typing import Any

from companion.board.layout import EMPTY
from companion.session.entries import Entry
from companion.session.intents import Source
from companion.session.observation import CameraStatus, Observation, unread_spots
from companion.session.session import Session
from companion.session.tracker import ProposalState, Tracker
from companion.session.tracking import Candidate, only_takes_off, seen_labels
from ui.services.text import _

_MOST_EARLIER = 5
"""positions that the table may be seen to go back to"""


class CameraFollower:
    """The latest reading and what it means; `latest` are the spots on which was laid last.

    `is_in_use` says that a camera watches: it has read the board, and is at most blinded for a moment. `is_held` says
    that the table paused it, until the table lets it go on.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self.tracker = Tracker(session.game)
        self.observation: Observation | None = None
        self.latest: frozenset[str] = frozenset()
        self.is_in_use = False
        self.is_held = False
        self._state = session.state
        self._took_off = False
        self._unread: frozenset[str] = frozenset()
        self.photograph: Observation | None = None
        """a single picture that is looked at in place of a camera's"""
        self._before_photograph = False, False
        """whether a camera was in use, and held"""

    @property
    def proposal(self) -> ProposalState:
        """What the camera sees now."""
        return self.tracker.proposal

    @property
    def proposed(self) -> Any:
        """A value that equals that of a later moment if the same is proposed then; None where nothing is proposed."""
        candidate = self.proposal.candidate
        if candidate is not None:
            return self._session.state_id, candidate.actions
        return (self._session.state_id, "taken back") if self.proposal.takes_back else None

    def takes_off_again(self, candidate: Candidate) -> bool:
        """Whether pieces were taken off the board more than once by now, and nothing was laid.

        That is how a table begins to be cleared, so the players are asked before it is recorded.
        """
        is_again = self._took_off or len(candidate.actions) > 1
        return is_again and only_takes_off(self._session.game, self._session.state, candidate.state)

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

        After the end of the game nothing that is taken off the board is reported.
        """
        self.is_in_use = True
        if self.is_held:
            return False
        is_first, self.observation = self.observation is None, observation
        status = self._session.record_status
        if self._session.is_over:
            self.tracker.record_changed(frozenset())
            return is_first
        before = self.proposal, self.tracker.owed
        proposal = self.tracker.observe(self._session.state, observation, self.history, status.left)
        return is_first or (proposal, self.tracker.owed) != before

    def look_at(self, photograph: Observation) -> bool:
        """Look at a single photograph, and at no camera, until `look_away`; whether anything is seen otherwise."""
        if self.photograph is None:
            self._before_photograph = self.is_in_use, self.is_held
            self.is_held = False
            self.tracker = Tracker(self._session.game)  # by now the table shows all that is recorded
        self.photograph = photograph
        return self.observe(photograph)

    @property
    def has_answered_photograph(self) -> bool:
        """Whether nothing that a single picture showed is open any more."""
        proposal = self.proposal
        return proposal.explanation is None or proposal.is_rejected or self._session.is_over

    def look_away(self) -> None:
        """Look at the photograph no more; a camera goes on as it was."""
        before = self._before_photograph
        self.end()
        self.is_in_use, self.is_held = before

    def lose(self, reason: str) -> bool:
        """The camera gives no pictures any more: nobody waits for it. Whether that is news."""
        if self.photograph is not None:
            self._before_photograph = False, self._before_photograph[1]
            return False
        self.is_in_use = False
        return self._pause(reason)

    def blind(self, reason: str) -> bool:
        """The board cannot be read in the pictures for the moment; whether that is news."""
        return self.photograph is None and self._pause(reason)

    def hold(self, reason: str) -> None:
        """The table wants the camera to pause until it is let go on."""
        self._pause(reason)
        self.is_held = True

    def go_on(self) -> None:
        """The table lets the camera go on."""
        self.is_held = False
        self.tracker.resume()

    def hold_or_go_on(self) -> str:
        """The table pauses the camera, or lets it go on; gives what to say of it, "" for nothing."""
        if self.is_held:
            self.go_on()
            return _("The camera watches again.")
        self.hold(_("paused by the table"))
        return ""

    def _pause(self, reason: str) -> bool:
        if self.is_held:
            return False
        self.observation = None
        is_news = self.proposal.reason != reason or self.proposal.status is not CameraStatus.PAUSED
        if is_news:
            self.tracker.pause(reason)
        return is_news

    def end(self) -> None:
        """There is no camera any more."""
        self.observation, self.is_in_use, self.is_held, self.photograph = None, False, False, None
        self.tracker = Tracker(self._session.game)

    def follow_record(self, entry: Entry) -> None:
        """The record has changed by an entry: what of that the table does not show yet is owed."""
        game, state, observation = self._session.game, self._session.state, self.observation
        before, self._state = self._state, state
        self._took_off = entry.source == Source.CAMERA and only_takes_off(game, before, state)
        if observation is not None and observation.quiet:
            self._unread = unread_spots(self._session.table.board, observation)
        look, looked = game.appearance(state), game.appearance(before)
        if look != looked:  # what was laid stays marked until something else happens on the board
            self.latest = frozenset(spot for spot, _label in look.items() - looked.items())
        touched = {spot for spot, _label in look.items() ^ looked.items()} | self.tracker.owed
        seen = seen_labels(observation) if observation is not None else {}
        self.tracker.record_changed(frozenset(spot for spot in touched if seen.get(spot) != look.get(spot, EMPTY)))

    def newly_unread(self) -> frozenset[str]:
        """The spots that the camera could read before the latest entry or the latest question, and cannot now.

        A spot that flickers cannot be read.
        """
        board = self._session.table.board
        unread = unread_spots(board, self.observation) if self.observation is not None else frozenset[str]()
        unread |= self.proposal.doubtful
        new, self._unread = unread - self._unread, unread
        return new
