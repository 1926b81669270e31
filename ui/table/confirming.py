"""Decides, from the camera's readings and the presses of *done*, what is recorded and what is asked about. No Kivy.

A reading that only one legal action explains is recorded once it was seen twice, or once somebody presses *done*. What
could be several actions, and whatever would change the record, is recorded only by a touch, or by a press of somebody
who saw it proposed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.session.intents import IntentResult, Source
from companion.session.observation import CameraStatus, Observation
from companion.session.session import Session
from companion.session.tracker import ProposalState
from companion.session.tracking import Candidate, Finding
from ui.services.text import _
from ui.table.camera_follower import CameraFollower
from ui.table.legal_choices import LegalChoices
from ui.table.offering import Offer, OfferKind, takes_offer
from ui.table.pressing import AnsweredPress, PendingPress
from ui.table.recording import Recorder, result_of
from ui.table.verdict_panel import VerdictPanel
from ui.view_models.play_view import VerdictView


class Confirmation:
    """Decides what becomes of the camera's proposals and of presses. `clock` gives monotonic seconds."""

    def __init__(
        self,
        session: Session,
        camera: CameraFollower,
        panel: VerdictPanel,
        choices: LegalChoices,
        recorder: Recorder,
        clock: Callable[[], float],
    ) -> None:
        self._session, self._camera, self._panel = session, camera, panel
        self._choices, self._recorder, self._clock = choices, recorder, clock
        self.press = PendingPress()
        self.offer: Offer | None = None
        """what the screen's primary button would do now"""
        self._camera_note: VerdictView | None = None
        """the note that the camera shows nothing, which is withdrawn once it shows something"""

    @property
    def _proposal(self) -> ProposalState:
        return self._camera.proposal

    def observe(self, observation: Observation) -> None:
        """Act on a reading that the follower has taken in."""
        if self._session.is_over or self._camera.is_held:
            self.press.drop()
            return
        if observation.quiet:
            self._panel.unsay(self._camera_note)
            self.press.seen_again()
        proposal = self._proposal
        found, candidate = proposal.explanation, proposal.candidate
        if proposal.is_clearing and self._panel.is_by_sight:
            self._panel.withdraw()
        pressed = self.press.is_answered_by(observation)
        confirmed = pressed and self.press.confirms(self._camera.proposed)
        if found is not None and found.finding is Finding.UNEXPLAINED and proposal.settled:
            self._panel.refuse_sight(found)
        elif found is not None and candidate is not None and (confirmed or self._is_due(candidate, pressed=pressed)):
            self._recorder.record(candidate, found, by_person=confirmed)
            if found.finding is Finding.CORRECTION:
                self.press.drop()
            elif pressed:
                self.finish_press(recorded=True)
            else:
                self.press.recorded_unasked(self._clock())
            return
        elif found is None and self._panel.is_by_sight and observation.quiet:
            self._panel.close_refusal()
            self._recorder.say(_("The table is in step again."))
        if pressed:
            self._answer_press()

    def _is_due(self, candidate: Candidate, *, pressed: bool) -> bool:
        """Whether what is proposed may be recorded though nobody saw it proposed."""
        found = self._proposal.explanation
        is_clear = found is not None and found.is_clear
        return is_clear and (self._proposal.settled or pressed) and not self._camera.takes_off_again(candidate)

    def _answer_press(self) -> None:
        """Do what a press means once the camera has read the table after it, where that recorded nothing."""
        proposal, proposed = self._proposal, self._camera.proposed
        if proposal.is_clearing:
            self.press.drop()
        elif proposed is not None and not self.press.confirms(proposed):
            self.press.drop()
            self._recorder.say(_("Choose what was done, or press again to record what is proposed."))
        elif proposed is not None or proposal.settled or proposal.is_rejected or not self._is_puzzled:
            self.finish_press()

    @property
    def _is_puzzled(self) -> bool:
        """Whether what the camera sees is unexplained or uncertain, so that it has to look a second time."""
        return self._proposal.status is CameraStatus.OUT_OF_STEP or self._proposal.is_faint

    def done(self, seats: tuple[int, ...], offer: Offer | None, source: Source = Source.TOUCH) -> IntentResult:
        """These seats have pressed *done* with `source`, seeing `offer`: it waits for the camera, if one is in use."""
        if self._proposal.is_clearing:
            return IntentResult.REFUSED
        meant = {seat: self._closing(seat) for seat in seats}
        if self.press.is_warned(seats):
            return self._finish(AnsweredPress(meant, confirms=False, offer=offer, sources=dict.fromkeys(seats, source)))
        if not self._camera.is_in_use or self._camera.is_held:
            self.press.drop()
            self.press.by(meant, offer, source)
            return self.finish_press()
        self.press.by(meant, offer, source)
        self.press.wait(self._clock(), seen=self._camera.proposed)
        observation = self._camera.observation
        if observation is None:
            self._recorder.say(_("The camera cannot see the board: waiting for it."))
            self._camera_note = self._panel.view
        elif not observation.quiet:
            self._recorder.say(_("A hand is over the board: waiting for it."))
        return IntentResult.WAITING

    def on_camera_lost(self) -> None:
        """The camera gives no pictures any more: a press that waits is answered only if it is back in a moment."""
        self.press.lost(self._clock())
        if self.press.is_waiting:
            self._recorder.say(_("The camera is lost. Press again to go on without it."))
            self._camera_note = self._panel.view

    def on_tick(self) -> None:
        """Time passes: a press waits no longer for a camera that says nothing, and does nothing unseen either."""
        if self.press.is_stale(self._clock()) and not self._camera.is_in_use:
            self.press.drop()
        elif self.press.is_stale(self._clock()):
            self.press.warn()
            self._camera.blind(_("does not answer"))
            self._recorder.say(_("The camera does not answer. Press again to go on without it."))
            self._camera_note = self._panel.view

    def finish_press(self, *, recorded: bool = False) -> IntentResult:
        """Do what *done* means now; `recorded` as in `PendingPress.take`."""
        return self._finish(self.press.take(self._clock(), recorded=recorded))

    def _finish(self, press: AnsweredPress) -> IntentResult:
        with self._recorder.wished_by(press.source):
            return self._answered(press)

    def _answered(self, press: AnsweredPress) -> IntentResult:
        suggested, proposal = self._choices.suggested, self._proposal
        offer = press.offer if press.offer == self.offer and not press.confirms else None
        if self._panel.refused is not None:
            is_answer = offer is not None and offer.kind is OfferKind.TAKES and not self._panel.is_by_sight
            return self._take(offer) if offer is not None and is_answer else IntentResult.REFUSED
        if proposal.takes_back and press.confirms:
            return self._recorder.take_back(proposal.explanation.back if proposal.explanation is not None else 0)
        if suggested is not None:
            self._choices.stop_suggesting()
            return result_of(self._recorder.act(suggested))
        if not press.confirms and self._asks_for_unread():
            return IntentResult.REFUSED
        if offer is not None and takes_offer(offer, tuple(self._closing(seat) for seat in press.meant)):
            return self._take(offer)
        results = [self._close(seat, press) for seat in press.meant]
        return IntentResult.REFUSED if IntentResult.REFUSED in results else IntentResult.ACCEPTED

    def _take(self, offer: Offer) -> IntentResult:
        """Do what the screen's primary button does."""
        if offer.kind is OfferKind.NOTHING:
            self._recorder.say(_("Still to be chosen: {what}.").format(what=offer.text))
            return IntentResult.REFUSED
        before = self._session.state_id
        offer.do()
        is_refused = self._panel.refused is not None and self._session.state_id == before
        return IntentResult.REFUSED if is_refused else IntentResult.ACCEPTED

    def _asks_for_unread(self) -> bool:
        """Whether the table is asked, once, for spots that the camera could read before the latest entry."""
        new = self._camera.newly_unread()
        if new:
            spots = self._session.table.board.all_spots
            sites = ", ".join(list(dict.fromkeys(spots[spot].site for spot in sorted(new) if spot in spots))[:3])
            text = _("I cannot read {sites}. Touch what was done there, or press again.").format(sites=sites)
            self._recorder.say(text)
        return bool(new)

    def _closing(self, seat: int) -> Any:
        """The action by which *done* would close the step of a seat; None for none."""
        session = self._session
        return session.game.closing_action(session.state, seat) if seat in session.actors else None

    def _close(self, seat: int, press: AnsweredPress) -> IntentResult:
        """End the step of a seat that pressed, if it still has to; several may have pressed while the camera looked.

        A press ends no other step than the one that the seat was in when it pressed.
        """
        if self._proposal.status is CameraStatus.OUT_OF_STEP:
            return IntentResult.REFUSED
        closing, turn_end = self._closing(seat), self._session.game.info.turn_end or ()
        may_close = isinstance(closing, turn_end) if press.confirms else closing == press.meant[seat]
        if closing is not None and may_close:
            with self._recorder.wished_by(press.sources.get(seat, press.source)):
                return self._recorder.close(closing, seat)
        if closing is None and seat in self._session.actors and not press.confirms:
            self._panel.unfinished()
            return IntentResult.REFUSED
        return IntentResult.ACCEPTED
