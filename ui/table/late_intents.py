"""Which presses and touches come too late: those meant for a state of the record that has passed. No Kivy."""

from __future__ import annotations

from companion.session.entries import ActionEntry, Entry, OverrideEntry
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session

_OF_THE_LATEST_ENTRY = frozenset({IntentKind.CHOOSE, IntentKind.UNDO, IntentKind.REDO})
"""wishes that mean something else after every entry"""


class LateIntents:
    """Remembers at which entry the present turn began, for each seat that acts; asked before a wish is carried out."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._turn = session.state_id
        self._since = dict.fromkeys(session.actors, session.state_id)

    def follow_record(self, entry: Entry) -> None:
        """The record has changed by an entry."""
        number, acting = self._session.state_id, set(self._session.actors)
        if self._ends_turn(entry) and entry.seat is not None:
            self._since.pop(entry.seat, None)
        if acting != self._since.keys():
            self._turn = number
        self._since = {seat: self._since.get(seat, number) for seat in acting}

    def is_late(self, intent: Intent) -> bool:
        """Whether the presser could not see what the wish would act on.

        *Done* is meant for the seat's own turn, which may have begun before those of other seats. To choose, to undo
        and to redo is meant for the latest entry, all else for the present turn.
        """
        state = intent.state
        if state is None:
            return False
        if intent.kind in _OF_THE_LATEST_ENTRY:
            return self.has_not_seen_the_latest_entry(intent)
        if intent.kind is IntentKind.DONE:
            times = [since for seat, since in self._since.items() if intent.seat in (None, seat)]
            return state < min(times, default=0)
        return state < self._turn

    def has_not_seen_the_latest_entry(self, intent: Intent) -> bool:
        """Whether something was recorded since the wish was made, as where *no* would undo it."""
        return intent.state is not None and intent.state < self._session.state_id

    def _ends_turn(self, entry: Entry) -> bool:
        turn_end = self._session.game.info.turn_end
        is_action = isinstance(entry, ActionEntry | OverrideEntry)
        return is_action and turn_end is not None and entry.action == turn_end().text
