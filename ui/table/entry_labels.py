"""What the entries of a log are called. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable

from companion.events import Event
from companion.session.entries import (
    ActionEntry,
    AmendEntry,
    CorrectionEntry,
    DetailEntry,
    EndEntry,
    Entry,
    InsertEntry,
    LaterActionEntry,
    LeaveEntry,
    LostEntry,
    RedoEntry,
    RemoveEntry,
    ReturnEntry,
    UndoEntry,
)
from companion.session.header_salvage import RECONSTRUCTED
from companion.session.salvage import IMPOSSIBLE_WITHOUT
from companion.session.session import Session
from companion.wording.texts import GameTexts
from ui.services.levels import level_name
from ui.services.text import _


def entry_name(entry: Entry, session: Session, texts: GameTexts) -> str:
    """An entry in a few words, for the button that undoes it: what was done, or the change to an earlier entry."""
    words = brief_name(entry, session, texts)
    if isinstance(entry, LaterActionEntry):
        return f"{words} ({action_name(entry, session, texts)})"
    return words if entry.action is None else action_name(entry, session, texts)


def action_name(entry: Entry, session: Session, texts: GameTexts) -> str:
    """What an entry says was done, in a few words and by whom."""
    words = texts.action(session.game.parse_action(entry.action or "", session.state))
    return f"{session.table.players[entry.seat - 1].name}: {words}" if entry.seat else words


def present_name(number: int, session: Session, texts: GameTexts) -> str:
    """What entry `number` says was done, as it stands now, after its number."""
    entry = next((move.entry for move in session.moves if move.number == number), session.entries[number - 1])
    name = _summary(entry, session) if entry.action is None else action_name(entry, session, texts)
    return f"{number} {name}"


def brief_name(entry: Entry, session: Session, texts: GameTexts) -> str:
    """An entry in a few words without who did it."""
    if isinstance(entry, AmendEntry):
        return _("correction of entry {number}").format(number=entry.target)
    if isinstance(entry, InsertEntry):
        return _("what was put in before entry {number}").format(number=entry.target)
    if entry.action is None:
        return _summary(entry, session)
    return texts.action(session.game.parse_action(entry.action, session.state))


def entry_text(entry: Entry, session: Session, texts: GameTexts, events: Iterable[Event] | None = None) -> str:
    """An entry in words: the facts that follow from it (`events`, or its own for None), else what it does."""
    facts = entry.events if events is None else events
    if isinstance(entry, DetailEntry):
        return _summary(entry, session)
    told = " ".join(texts.event(event, session.table) for event in facts)
    if isinstance(entry, LeaveEntry):
        return f"{_summary(entry, session)}. {told}".rstrip()
    if told and isinstance(entry, ActionEntry) and not entry.order_seen:
        return f"{told} " + _("(order not seen)")
    return told or _summary(entry, session)


def told_loss(entry: LostEntry) -> str:
    """Why an entry is lost, in words for players; the record itself has the cause in full."""
    if entry.reason == RECONSTRUCTED:
        return _("the header of the record could not be read; it was put together again from what remains")
    if entry.reason.startswith(IMPOSSIBLE_WITHOUT):
        return _("lost: it cannot have happened without an earlier entry that is lost")
    return _("lost: the database was damaged here, and nobody knows what was recorded")


def _summary(entry: Entry, session: Session) -> str:
    if isinstance(entry, LeaveEntry):
        return _("{name} leaves").format(name=session.table.players[(entry.seat or 1) - 1].name)
    if isinstance(entry, ReturnEntry):
        return _("{name} is back").format(name=session.table.players[(entry.seat or 1) - 1].name)
    if isinstance(entry, RemoveEntry):
        return _("Entry {number} taken out").format(number=entry.target)
    if isinstance(entry, UndoEntry):
        return _("Entry {number} taken back").format(number=entry.target)
    if isinstance(entry, RedoEntry):
        return _("Entry {number} stands again").format(number=entry.target)
    if isinstance(entry, CorrectionEntry):
        told = _("the record was corrected ({reason})") if entry.reason else _("the record was corrected")
        return told.format(reason=_(entry.reason))
    if isinstance(entry, DetailEntry):
        return _("told: {level}").format(level=level_name(entry.level))
    if isinstance(entry, LostEntry):
        return told_loss(entry)
    if isinstance(entry, EndEntry):
        return _("ended early ({reason})").format(reason=_(entry.reason))
    return entry.summary
