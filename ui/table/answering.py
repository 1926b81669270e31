"""Carries out what players answer to a proposal, a refusal or a suggestion: a choice, *no* or *next*. No Kivy."""

from __future__ import annotations

from companion.session.intents import IntentResult
from companion.session.tracker import ProposalState, Tracker
from ui.services.text import _
from ui.table.camera_follower import CameraFollower
from ui.table.composing import CANDIDATE, CLEARED_REASON, KEEP_PLAYING, OVERRIDE, PUT_BACK, STOP_PLAYING, TAKE_BACK
from ui.table.confirming import Confirmation
from ui.table.corrections.record_changes import RecordChanges
from ui.table.legal_choices import LegalChoices
from ui.table.recording import Recorder
from ui.table.verdict_panel import VerdictPanel


class TableAnswers:
    """Takes answers to what the camera proposes, to a refusal and to a suggested action, one thing at a time."""

    def __init__(
        self,
        camera: CameraFollower,
        panel: VerdictPanel,
        choices: LegalChoices,
        changes: RecordChanges,
        recorder: Recorder,
        confirmation: Confirmation,
    ) -> None:
        self._camera, self._panel, self._choices = camera, panel, choices
        self._changes, self._recorder, self._press = changes, recorder, confirmation.press

    @property
    def _tracker(self) -> Tracker:
        return self._camera.tracker

    @property
    def _proposal(self) -> ProposalState:
        return self._camera.proposal

    @property
    def is_refused(self) -> bool:
        """Whether a refusal is still to be answered, of an action or of what the camera sees."""
        return self._panel.refused is not None or self._panel.is_by_sight

    @property
    def is_asked(self) -> bool:
        """Whether something is asked, proposed or suggested that *no* answers."""
        proposal = self._proposal
        is_open = proposal.candidate is not None or proposal.takes_back or proposal.is_clearing or proposal.is_rejected
        return is_open or self.is_refused or self._press.is_waiting or self._choices.suggested is not None

    def choose(self, key: str) -> bool:
        """Take a choice of these answers; false where nothing is open that it would answer."""
        proposal = self._proposal
        found = proposal.explanation
        if key == OVERRIDE and self._panel.refused is not None:
            self._recorder.report(self._changes.override(self._panel.refused))
        elif key == TAKE_BACK and proposal.takes_back:
            self._recorder.take_back(found.back if found is not None else 0)
        elif key == STOP_PLAYING and proposal.is_clearing:
            self._recorder.report(self._changes.end_early(CLEARED_REASON))
        elif key == KEEP_PLAYING and proposal.is_clearing:
            self._tracker.keep_playing()
            self._recorder.say(_("Put the board as the record has it; the marked spots differ."))
        elif key == PUT_BACK and (self._panel.is_by_sight or self._camera.proposed is not None):
            self._tracker.reject(self._camera.observation)
            self.dismiss_refusal(_("Put the board as the record has it; the marked spots differ."))
        elif key == PUT_BACK:
            self.dismiss_refusal(_("Not recorded."))
            self._choices.forget()
        elif key.startswith(CANDIDATE):
            number = int(key.removeprefix(CANDIDATE))
            if found is not None and number < len(found.candidates):
                self._recorder.record(found.candidates[number], found, by_person=True)
        else:
            return False
        return True

    def reject(self) -> IntentResult | None:
        """Answer *no* to what is asked, proposed or suggested, one thing at a time; None where nothing is."""
        proposal = self._proposal
        if self.is_refused:
            self.choose(PUT_BACK)
        elif proposal.is_clearing:
            self.choose(KEEP_PLAYING)
        elif self._camera.proposed is not None:
            self._press.drop()
            self._tracker.reject(self._camera.observation)
            self._recorder.say(_("Not recorded. Put it back, or choose what it is."))
        elif self._press.is_waiting:
            self._press.drop()
            self._recorder.say(_("The press is taken back."))
        elif self._choices.suggested is not None:
            self._choices.stop_suggesting()
        elif proposal.is_rejected:
            self._recorder.say(_("Put it back, or choose what it is."))
            return IntentResult.REFUSED
        else:
            return None
        return IntentResult.ACCEPTED

    def next(self) -> IntentResult:
        """Propose the next explanation of what the camera sees, else suggest the next action that it cannot see."""
        if self._proposal.candidate is not None:
            self._tracker.next()
            return IntentResult.ACCEPTED
        self._choices.suggest_next()
        return IntentResult.ACCEPTED if self._choices.suggested is not None else IntentResult.REFUSED

    def dismiss_refusal(self, note: str) -> None:
        """No refusal is open any more; `note` says what becomes of what was refused."""
        self._panel.close_refusal()
        self._recorder.say(note)
