"""The log of a game: a header, and entries that are only ever appended. The position is a fold over those that count.

Undoing, redoing and amending are entries themselves, so nothing is ever lost. Replaying folds the facts that entries
keep, and stays the same when a rule is mended later.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from companion.absence import NOBODY
from companion.engine import GameRules
from companion.errors import InvalidDocument, SessionError
from companion.events import Event
from companion.files.documents import DocumentTable, merged, shown
from companion.record_status import RecordStatus
from companion.registry import load_game
from companion.session.entries import (
    AttendanceEntry,
    CorrectionEntry,
    EndEntry,
    Entry,
    InsertEntry,
    LostEntry,
    RedoEntry,
    RemoveEntry,
    RewritingEntry,
    UndoEntry,
)
from companion.table import Table
from companion.wording.sentences import sentence
from companion.wording.texts import game_texts

MAXIMUM_ENTRIES = 5000

IMPOSSIBLE = (ArithmeticError, AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
"""What a game's functions may raise on facts that cannot be; they promise nothing about such facts."""


@dataclass(frozen=True, slots=True)
class Header:
    """What is fixed before the first entry. `version` is the game's; `start` the position if it is not the set-up."""

    id: str
    created: str
    version: int
    table: Table
    start: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Move:
    """One entry that counts: what `entry` did, with the facts as they are now; None where it could not have happened.

    `number` is that of the entry it was first recorded by.
    """

    number: int
    entry: Entry
    events: tuple[Event, ...] | None = ()
    rules: tuple[str, ...] = ()

    @property
    def action(self) -> str | None:
        """The notation of its action, if it is one."""
        return self.entry.action


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """A position in the line of moves that count: the one after `move`, which follows `before`.

    `left` are the seats whose players have gone; the game has `ended` early at the table's wish, or with one left.
    """

    state: Any
    move: Move | None = None
    before: Point | None = field(default=None, repr=False)
    ended: bool = False
    left: frozenset[int] = NOBODY

    @property
    def moves(self) -> tuple[Move, ...]:
        """All moves up to here, the first one first."""
        found = []
        point: Point | None = self
        while point is not None and point.move is not None:
            found.append(point.move)
            point = point.before
        return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class AppliedEntry:
    """An entry that changed something, the point it was entered at and the point it led to."""

    entry: Entry
    before: Point
    point: Point


@dataclass(frozen=True, slots=True)
class Log:
    """A game's log with its result: `done` are the changes that count, `undone` all that do not, the latest last."""

    header: Header
    game: GameRules[Any] = field(repr=False)
    start: Point = field(repr=False)
    entries: tuple[Entry, ...] = ()
    done: tuple[AppliedEntry, ...] = field(default=(), repr=False)
    undone: tuple[AppliedEntry, ...] = field(default=(), repr=False)

    @property
    def point(self) -> Point:
        """The point the game is at."""
        return self.done[-1].point if self.done else self.start

    @property
    def state(self) -> Any:
        """The current position."""
        return self.point.state

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end or was ended early."""
        return self.point.ended or self.game.decide(self.state) is None

    @property
    def record_status(self) -> RecordStatus:
        """Whether the game was joined under way, ended early or left by somebody."""
        return RecordStatus(self.header.start is not None, self.point.ended, self.point.left)

    @property
    def redoable(self) -> tuple[AppliedEntry, ...]:
        """The changes that redo may bring back at this point, the one undone last first.

        Several where something else was done after an undo, and was undone as well.
        """
        return tuple(change for change in reversed(self.undone) if change.before is self.point)

    def before(self, number: int) -> Point:
        """The point before the action that entry `number` recorded.

        Raises SessionError where there is no such action or it was undone.
        """
        point = self.point
        while point.move is not None and point.before is not None:
            if point.move.number == number and point.move.action is not None:
                return point.before
            point = point.before
        raise SessionError(sentence("entry {number} is no action or was undone; it cannot be changed", number=number))

    def following(self, entry: RewritingEntry) -> tuple[Move, ...]:
        """The moves that follow the one that an entry rewrites.

        Raises SessionError where its target is no action, or was undone.
        """
        moves = self.point.moves[len(self.before(entry.target).moves) :]
        return moves if isinstance(entry, InsertEntry) else moves[1:]

    def rewritten(self, entry: RewritingEntry) -> Point:
        """The point at which an entry leaves what it rewrites: the moves that follow are still to be added.

        Raises SessionError for facts that cannot be.
        """
        point = self.before(entry.target)
        if isinstance(entry, RemoveEntry):
            return point
        number = entry.number if isinstance(entry, InsertEntry) else entry.target
        return after(self.game, point, Move(number, entry, entry.events))

    def append(self, entry: Entry) -> Log:
        """The log with one more entry.

        Raises SessionError where the entry does not follow: a wrong number, nothing to undo, facts that cannot be.
        """
        entries = (*self.entries, entry)
        if entry.number != len(entries):
            raise SessionError(f"entry {entry.number} does not follow entry {len(self.entries)}")
        if entry.number > MAXIMUM_ENTRIES:
            raise SessionError(sentence("the log has {count} entries; it is full", count=MAXIMUM_ENTRIES))
        if isinstance(entry, LostEntry):
            return replace(self, entries=entries)
        if isinstance(entry, UndoEntry):
            change = _latest(self.done, entry.target)
            return replace(self, entries=entries, done=self.done[:-1], undone=(*self.undone, change))
        if isinstance(entry, RedoEntry):
            change = _chosen(self.redoable, entry.target)
            undone = tuple(each for each in self.undone if each is not change)
            return replace(self, entries=entries, done=(*self.done, change), undone=undone)
        if self.point.ended and not isinstance(entry, RewritingEntry | CorrectionEntry):
            raise SessionError(sentence("the game was ended early; undo that before anything else is played"))
        if isinstance(entry, AttendanceEntry):
            self._check_seat(entry)
        if isinstance(entry, RewritingEntry):
            point = self._rewritten(entry)
        else:
            point = after(self.game, self.point, _move_of(entry))
        return replace(self, entries=entries, done=(*self.done, AppliedEntry(entry, self.point, point)))

    def _check_seat(self, entry: AttendanceEntry) -> None:
        if entry.seat is None or entry.seat not in self.header.table.seats:
            raise SessionError(f"entry {entry.number} must say who {entry.kind}s, a seat of this table")
        if entry.among(self.point.left) == self.point.left:
            name = self.header.table.players[entry.seat - 1].name
            if entry.leaves:
                raise SessionError(sentence("{name} has left already", name=name))
            raise SessionError(sentence("{name} has not left", name=name))

    def _rewritten(self, entry: RewritingEntry) -> Point:
        later = self.following(entry)
        if [move.number for move in later] != [rejudged.number for rejudged in entry.later]:
            what = f"entry {entry.number} {entry.does} entry {entry.target}"
            raise SessionError(f"{what} but leaves out what becomes of some after it")
        point = self.rewritten(entry)
        for move, rejudged in zip(later, entry.later, strict=True):
            point = after(self.game, point, replace(move, events=rejudged.events, rules=rejudged.rules))
        return point


def begin(header: Header, source: str = "") -> Log:
    """The log of a game before its first entry; `source` is the file its header came from.

    Raises InvalidDocument where the header's start is no position of the game.
    """
    game = load_game(header.table.game)
    if header.start is None:
        state = game.setup(header.table)
    else:
        document = DocumentTable(header.start, source or header.id, "start")
        document.only(*game.position_keys)
        state = game.read_state(document, header.table)
    return Log(header, game, Point(state))


def after(game: GameRules[Any], point: Point, move: Move) -> Point:
    """The point after one more move.

    Raises SessionError for facts that cannot be.
    """
    if isinstance(move.entry, CorrectionEntry):
        state = point.state if move.events is None else corrected(game, point.state, move.entry.changes)
    else:
        state = _folded(game, point.state, move)
    left = move.entry.among(point.left) if isinstance(move.entry, AttendanceEntry) else point.left
    is_alone = len(state.table.players) - len(left) < 2
    return Point(state, move, point, point.ended or isinstance(move.entry, EndEntry) or is_alone, left)


def _folded(game: GameRules[Any], state: Any, move: Move) -> Any:
    for place, event in enumerate(move.events or (), 1):
        try:
            state = game.evolve(state, event)
        except IMPOSSIBLE as error:
            told = shown(game_texts(game.info.id).event(event, state.table), 160)
            reason = f"cannot have happened: its fact {place}, {told}, contradicts the position before it"
            raise SessionError(f"what entry {move.number} says {reason}") from error
    return state


def corrected(game: GameRules[Any], state: Any, changes: Mapping[str, Any]) -> Any:
    """The position with some entries changed: a JSON merge patch on its document, so null takes an entry away.

    Raises SessionError where the outcome is no position.
    """
    for key in changes:
        if key not in game.position_keys:
            raise SessionError(f"{key!r} is no entry of a position that can be corrected during a game")
    return read_back(game, merged(game.state_document(state), changes), state.table)


def read_back(game: GameRules[Any], document: Mapping[str, Any], table: Table) -> Any:
    """The state of a document that this program made.

    Raises SessionError where it is no position.
    """
    try:
        return game.read_state(DocumentTable(document, "position", ""), table)
    except InvalidDocument as error:
        told = sentence("the position would not hold: {entry}: {reason}", entry=error.entry, reason=error.reason)
        raise SessionError(told) from error


def check_position(game: GameRules[Any], state: Any) -> None:
    """Make sure that a state that came about against the rules is still a position that can be written down.

    Raises SessionError.
    """
    try:
        document = game.state_document(state)
    except IMPOSSIBLE as error:
        raise SessionError(sentence("the position contradicts itself so that it cannot be written down")) from error
    own = {key: value for key, value in document.items() if key in game.position_keys}
    if read_back(game, own, state.table) != state:
        raise SessionError(sentence("the position would not hold: it cannot be read back as it is"))


def _move_of(entry: Entry) -> Move:
    return Move(entry.number, entry, entry.events, entry.rules)


def _latest(done: tuple[AppliedEntry, ...], number: int) -> AppliedEntry:
    if not done:
        raise SessionError("there is nothing to be undone")
    if done[-1].entry.number != number:
        raise SessionError(f"entry {number} is not the one to be undone; that is entry {done[-1].entry.number}")
    return done[-1]


def _chosen(redoable: tuple[AppliedEntry, ...], number: int) -> AppliedEntry:
    if not redoable:
        raise SessionError("there is nothing to be redone")
    for change in redoable:
        if change.entry.number == number:
            return change
    numbers = " or ".join(str(change.entry.number) for change in redoable)
    raise SessionError(f"entry {number} is not the one to be redone; that is entry {numbers}")
