"""Enters what the table did into its record, and says what became of it. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from companion.engine import judge
from companion.errors import CompanionError
from companion.legality import Verdict
from companion.session.intents import IntentResult, Source
from companion.session.session import Session
from companion.session.stories import is_order_open, leads_to_one_state
from companion.session.tracking import Candidate, Explanation, Finding
from ui.services.text import error_sentence
from ui.table.corrections.record_changes import ChangeResult, RecordChanges
from ui.table.verdict_panel import VerdictPanel


class Recorder:
    """The way into the record. `changed` is called whenever the verdict panel says something else."""

    def __init__(
        self, session: Session, panel: VerdictPanel, changes: RecordChanges, changed: Callable[[], None]
    ) -> None:
        self._session, self._panel, self._changes, self._changed = session, panel, changes, changed
        self._source = Source.TOUCH

    @contextmanager
    def wished_by(self, source: Source) -> Iterator[None]:
        """What is recorded meanwhile was wished for with `source`."""
        before, self._source = self._source, source
        try:
            yield
        finally:
            self._source = before

    def act_in_order(self, actions: Iterable[Any]) -> None:
        """Submit actions one after the other until one is refused; each is asked for when those before it are done."""
        for action in actions:
            if not self.act(action).is_legal:
                return

    def act(self, action: Any, *, seat: int | None = None) -> Verdict:
        """Submit an action as everybody sees it; a refusal is shown with its rules and may be overridden."""
        action = self._session.game.public_action(action)
        try:
            submission = self._session.submit(action, seat=seat, source=self._source)
        except CompanionError as error:
            self.say(error_sentence(error))
            return judge(self._session.game, self._session.state, action)
        if submission.entry is None:
            self._panel.refuse(action, submission.verdict)
        else:
            self._panel.accept([action], submission.verdict)
        self._changed()
        return submission.verdict

    def close(self, action: Any, seat: int) -> IntentResult:
        """Submit the action by which a press closes the step of a seat."""
        return result_of(self.act(action, seat=seat))

    def record(self, candidate: Candidate, found: Explanation, *, by_person: bool) -> None:
        """Enter what the camera proposes, instead of the latest action where it corrects that.

        `by_person` says that somebody chose it: with the order of its actions where another order ends otherwise.
        """
        if found.finding is Finding.CORRECTION:
            self.report(self._changes.replace_latest(candidate.actions))
            return
        session = self._session
        left = session.record_status.left
        told = session.game, session.state, candidate.actions, left
        order_seen = not is_order_open(*told) or (by_person and not leads_to_one_state(*told))
        verdict = None
        for action in candidate.actions:
            submission = session.submit(action, source=Source.CAMERA, order_seen=order_seen)
            verdict = submission.verdict
        if verdict is not None:
            self._panel.accept(list(candidate.actions), verdict)
        self._changed()

    def take_back(self, count: int) -> IntentResult:
        """The table took back the latest `count` actions."""
        return self.report(self._changes.take_back(count))

    def report(self, change: ChangeResult) -> IntentResult:
        """Say what became of a wish to change the record."""
        if change.is_done:
            self._panel.close_refusal()
        self.say(change.note)
        return IntentResult.ACCEPTED if change.is_done else IntentResult.REFUSED

    def say(self, text: str) -> None:
        """A note on the verdict panel."""
        self._panel.say(text)
        self._changed()


def result_of(verdict: Verdict) -> IntentResult:
    """What came of a wish to do an action with this verdict."""
    return IntentResult.ACCEPTED if verdict.is_legal else IntentResult.REFUSED
