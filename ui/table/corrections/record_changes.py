"""Changes of the record other than actions: undo, redo, overrides, players who come and go, an early end. No Kivy.

Each is tried on the session; a sentence says what became of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from companion.errors import CompanionError
from companion.position import Position
from companion.session.counting import count_up
from companion.session.intents import Source
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.services.levels import level_name
from ui.services.text import _, error_sentence
from ui.table.entry_labels import entry_name


@dataclass(frozen=True, slots=True)
class ChangeResult:
    """A sentence for the table about a change of the record, and whether the record was changed."""

    note: str
    is_done: bool = False


class RecordChanges:
    """What the table may want of its record."""

    def __init__(self, session: Session, texts: GameTexts) -> None:
        self._session, self._texts = session, texts

    def end_early(self, reason: str) -> ChangeResult:
        """The table stops here and counts."""
        return self._tried(
            lambda: self._session.end_early(reason), lambda: _("Ended early. The score is as it stands.")
        )

    def leave(self, seat: int) -> ChangeResult:
        """The player of a seat leaves, the others go on."""
        return self._tried(lambda: self._session.leave(seat), lambda: self._left().format(name=self._name(seat)))

    def choose_detail(self, level: str) -> ChangeResult:
        """The table tells more of the game, or less, from now on."""
        return self._tried(
            lambda: self._session.choose_detail(level),
            lambda: _("From now on told: {level}.").format(level=level_name(level)),
        )

    def count_up(self, end: Position) -> ChangeResult:
        """The game has ended in this position."""
        return self._tried(lambda: count_up(self._session, end), lambda: _("The board is counted."))

    def _left(self) -> str:
        if self._session.is_over:
            return _("{name} has left. One player alone ends the game: the score is as it stands.")
        return _("{name} has left. The others go on.")

    def come_back(self, seat: int) -> ChangeResult:
        """The player of a seat who left is back."""
        return self._tried(
            lambda: self._session.come_back(seat), lambda: _("{name} is back.").format(name=self._name(seat))
        )

    def override(self, action: Any) -> ChangeResult:
        """Record an action although it breaks rules."""
        reason = "the table wants it so"
        return self._tried(
            lambda: self._session.override(action, reason=reason, by="table"), lambda: _("Recorded against the rules.")
        )

    def undo(self) -> ChangeResult:
        """Undo the latest change."""
        undoable = self._session.can_undo()
        if undoable is None:
            return ChangeResult(_("There is nothing to undo."))
        what = entry_name(undoable, self._session, self._texts)
        return self._tried(self._session.undo, lambda: _("Undone: {what}.").format(what=what))

    def take_back(self, count: int) -> ChangeResult:
        """Undo the latest `count` actions; where they are not the latest entries, take them out."""
        session = self._session
        latest = [move.number for move in session.moves[-count:]]

        def change() -> None:
            if [change.entry.number for change in session.log.done[-count:]] == latest:
                for _number in latest:
                    session.undo()
            else:
                for number in reversed(latest):
                    session.remove(number)

        return self._tried(change, lambda: _("Undone, as on the table."))

    def replace_latest(self, actions: Sequence[Any]) -> ChangeResult:
        """These actions were done instead of the latest one."""
        session = self._session

        def change() -> None:
            session.amend(session.moves[-1].number, actions[0])
            for action in actions[1:]:
                session.submit(action, source=Source.CAMERA)

        return self._tried(change, lambda: _("Corrected."))

    def redo(self, number: int | None = None) -> ChangeResult:
        """Let a change that was undone count again: the one undone last, or that of entry `number`."""
        entry = next((each for each in self._session.redoable() if number in (None, each.number)), None)
        what = entry_name(entry, self._session, self._texts) if entry is not None else ""
        return self._tried(lambda: self._session.redo(number), lambda: _("Recorded again: {what}.").format(what=what))

    def _tried(self, change: Callable[[], object], told: Callable[[], str]) -> ChangeResult:
        try:
            change()
        except CompanionError as error:
            return ChangeResult(error_sentence(error))
        return ChangeResult(told(), is_done=True)

    def _name(self, seat: int) -> str:
        return self._session.table.players[seat - 1].name
