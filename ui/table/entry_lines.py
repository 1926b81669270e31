"""The entries of a log as lines to read: each as it stands now, and what has been changed since. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.session.entries import ActionEntry, AmendEntry, Entry, InsertEntry, RemoveEntry
from companion.session.log import Move
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.services.text import _
from ui.table.entry_labels import entry_text
from ui.view_models.play_view import LogLine


class EntryLines:
    """The latest lines of a table's log; an entry of which the same follows as before is not worded again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._table = session.table
        self._known: dict[int, tuple[Entry, Move | None, str]] = {}
        """number of an entry -> the entry, what counts at its place, and its words"""

    def anew(self) -> None:
        """The language has changed: word all again."""
        self._known = {}

    def view(self, texts: GameTexts, most: int) -> tuple[LogLine, ...]:
        """The latest entries, `most` at most, the oldest first."""
        if self._session.table is not self._table:
            self._table, self._known = self._session.table, {}
        known: dict[int, tuple[Entry, Move | None, str]] = {}

        def line(entry: Entry, move: Move | None) -> str:
            told = self._known.get(entry.number)
            if told is None or told[0] is not entry or told[1] is not move:
                told = entry, move, _line(entry, move, self._session, texts)
            known[entry.number] = told
            return told[2]

        lines = _lines(self._session, line, most)
        self._known = known
        return lines


def entry_lines(session: Session, texts: GameTexts, longest: int | None = None) -> tuple[LogLine, ...]:
    """The latest entries of the log, all for None, oldest first."""
    return _lines(session, lambda entry, move: _line(entry, move, session, texts), longest)


def _lines(
    session: Session, line: Callable[[Entry, Move | None], str], longest: int | None
) -> tuple[LogLine, ...]:  # fmt: skip
    undone, moves = session.undone_numbers(), {move.number: move for move in session.moves}
    notes = _notes(session, moves)
    shown = session.entries if longest is None else session.entries[-longest:]
    return tuple(
        LogLine(
            entry.number,
            entry.seat or 0,
            line(entry, moves.get(entry.number)),
            str(entry.kind),
            entry.number in undone,
            "; ".join(notes.get(entry.number, ())),
            is_correctable=entry.number in moves and entry.action is not None,
            is_unchecked=bool(unchecked_rules(moves[entry.number].entry if entry.number in moves else entry)),
        )
        for entry in shown
    )


def unchecked_rules(entry: Entry) -> tuple[str, ...]:
    """The rules that could not be checked as an action was recorded."""
    return entry.unchecked if isinstance(entry, ActionEntry | AmendEntry | InsertEntry) else ()


def move_text(move: Move, session: Session, texts: GameTexts) -> str:
    """What counts as done at a place in the record, with the entry that says so where it is a later one."""
    told = entry_text(move.entry, session, texts, move.events or ())
    if move.entry.number == move.number:
        return told
    return f"{told} ({_corrected_by().format(number=move.entry.number)})"


def _line(entry: Entry, move: Move | None, session: Session, texts: GameTexts) -> str:
    """What an entry says: of an action what counts now, of a change to an earlier one what that was or is missing."""
    if move is not None and move.events is not None:
        told = entry_text(move.entry, session, texts, move.events)
    else:
        told = entry_text(entry, session, texts)
    if isinstance(entry, AmendEntry):
        return _("corrects {number}: {told}").format(number=entry.target, told=told)
    if isinstance(entry, InsertEntry):
        return _("put in before {number}: {told}").format(number=entry.target, told=told)
    return told


def _notes(session: Session, moves: Mapping[int, Move]) -> dict[int, list[str]]:
    """Entry number -> what later entries that count have made of it."""
    said: dict[int, list[int]] = {}
    changed: dict[int, str] = {}
    notes: dict[int, list[str]] = {}
    for change in (change.entry for change in session.log.done):
        if isinstance(change, InsertEntry):
            note = _("entry {number} came before it").format(number=change.number)
            notes.setdefault(change.target, []).append(note)
        elif isinstance(change, AmendEntry | RemoveEntry):
            told = _("taken out by entry {number}") if isinstance(change, RemoveEntry) else _corrected_by()
            numbers = said.setdefault(change.target, [change.target])
            changed |= dict.fromkeys(numbers, told.format(number=change.number))
            numbers.append(change.number)  # which may be corrected again
    for number, move in moves.items():
        if move.events is None:
            notes.setdefault(number, []).append(_("cannot have happened any more"))
        elif number in session.doubtful and move.entry.number == number:
            notes.setdefault(number, []).append(_("what came of it does not agree with the rules"))
    return {number: [*filter(None, [changed.get(number)]), *notes.get(number, [])] for number in {*changed, *notes}}


def _corrected_by() -> str:
    return _("corrected by entry {number}")
