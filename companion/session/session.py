"""One game being played: judges what is submitted, stores it, and notifies its observers."""

from __future__ import annotations

import json
import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from companion import engine
from companion.absence import apply_with_absent
from companion.engine import Consequence, GameRules
from companion.errors import DamagedDatabase, NotRecorded, SessionError, StaleState, StoreError
from companion.files.documents import DocumentTable
from companion.legality import LEGAL, Verdict
from companion.position import Position
from companion.record_status import RecordStatus
from companion.registry import load_game
from companion.scoring import ScoreSheet
from companion.session.doubts import doubt_notice, doubtful_entries
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
    OverrideEntry,
    RedoEntry,
    RemoveEntry,
    ReturnEntry,
    RewritingEntry,
    UndoEntry,
)
from companion.session.log import Header, Log, Move, Point, begin, check_position
from companion.session.other_programs import OtherPrograms
from companion.session.record import check_readable, json_line, read_record, record_text, utc
from companion.session.rejudging import attempt, broken, is_worse, left_behind, rejudged_later, told_from_now, unchecked
from companion.session.salvage import mended_game
from companion.session.store import Store
from companion.session.submission import Submission
from companion.table import Table
from companion.wording.sentences import Sentence, sentence

Observer = Callable[[Entry], None]
Clock = Callable[[], datetime]

logger = logging.getLogger("companion.session")


def _now() -> datetime:
    return datetime.now(UTC)


class Session:
    """A log, the store that keeps it (None: memory only), and whoever watches. One thread uses it at a time.

    A method that changes something either has done so, on the disk, when it returns, or raises and has done nothing:
    SessionError where it cannot be done, StoreError where it cannot be kept.
    """

    def __init__(self, log: Log, store: Store | None = None, clock: Clock = _now) -> None:
        self._current, self._store, self._clock = log, store, clock
        self._observers: list[Observer] = []
        self._other_programs = None if store is None else OtherPrograms(store, log.header.id)
        self.notices: tuple[Sentence, ...] = ()
        """what the table must know about its database, until it is taken"""
        self.doubtful: frozenset[int] = frozenset()
        """the entries that did not agree with the rules when the game was opened from a database changed elsewhere"""
        self.unrecorded: NotRecorded | None = None
        """why the database did not take in what was entered last; None where it did"""

    @classmethod
    def create(
        cls,
        store: Store | None,
        table: Table,
        start: Mapping[str, Any] | None = None,
        *,
        clock: Clock = _now,
        game_id: str | None = None,
    ) -> Session:
        """A new game, from the set-up or from the board as it lies: `start` holds entries of a position document.

        Raises InvalidDocument where `start` is no position, SessionError where no record could hold the table.
        """
        game = load_game(table.game)
        whole = None
        if start is not None:
            own = {key: value for key, value in start.items() if key in game.position_keys}
            whole = game.state_document(game.read_state(DocumentTable(own, "start", ""), table))
        header = Header(game_id or str(uuid.uuid4()), utc(clock()), game.info.version, table, whole)
        log = begin(header)
        check_readable(log)
        if store is not None:
            store.create(log)
        return cls(log, store, clock)

    @classmethod
    def join(
        cls, store: Store | None, position: Position, *, clock: Clock = _now, game_id: str | None = None
    ) -> Session:
        """A new record of a game under way; who has left that leaves it at once.

        Raises InvalidDocument, SessionError, as `create`.
        """
        document = position.game.state_document(position.state)
        session = cls.create(store, position.state.table, document, clock=clock, game_id=game_id)
        for seat in sorted(position.left):
            session.leave(seat)
        return session

    @classmethod
    def open(cls, store: Store, game_id: str, *, clock: Clock = _now) -> Session:
        """A game of the store, where it was left; of a damaged one what can be kept (see `notices`)."""
        try:
            log = store.read(game_id)
        except DamagedDatabase:
            log, _notice = mended_game(store, game_id)
        session = cls(log, store, clock)
        notice = store.notices.get(game_id)
        session.notices = (notice,) if notice is not None else ()
        if store.is_unsure(game_id):
            if doubtful := doubtful_entries(log):
                session.doubtful = frozenset(doubtful)
                session.notices += (doubt_notice(log, doubtful),)
            else:
                store.note_sure(game_id)
        return session

    @classmethod
    def read(cls, store: Store | None, text: str, source: str, *, clock: Clock = _now) -> Session:
        """A game from its record, taken into the store.

        Raises InvalidDocument.
        """
        log = read_record(text, source)
        if store is not None:
            store.create(log)
        return cls(log, store, clock)

    @property
    def id(self) -> str:
        """What the game is called in its record and in the store."""
        return self._current.header.id

    @property
    def created(self) -> str:
        """When the game was begun, in UTC."""
        return self._current.header.created

    @property
    def log(self) -> Log:
        """The log as it is now."""
        return self._current

    @property
    def game(self) -> GameRules[Any]:
        """The rules."""
        return self._current.game

    @property
    def table(self) -> Table:
        """Who plays what."""
        return self._current.header.table

    @property
    def state(self) -> Any:
        """The current position."""
        return self._current.state

    @property
    def state_id(self) -> int:
        """The number of entries; `submit` takes the one that an action was meant for."""
        return len(self._current.entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Everything that was ever entered."""
        return self._current.entries

    @property
    def point(self) -> Point:
        """The current position in the line of moves that count."""
        return self._current.point

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves that count, in order."""
        return self._current.point.moves

    @property
    def is_over(self) -> bool:
        """Whether the game has come to its end or was ended early."""
        return self._current.is_over

    @property
    def actors(self) -> tuple[int, ...]:
        """The seats whose choice the table waits for; none once the game is over."""
        decision = None if self._current.point.ended else self.game.decide(self.state)
        return decision.actors if decision is not None else ()

    @property
    def record_status(self) -> RecordStatus:
        """Whether the game was joined under way, ended early or left by somebody."""
        return self._current.record_status

    def undone_numbers(self) -> frozenset[int]:
        """The numbers of the entries whose change was undone or taken out."""
        standing = {change.entry.number for change in self._current.done}
        standing -= {entry.target for entry in self._standing_entries() if isinstance(entry, RemoveEntry)}
        changes = {entry.number for entry in self.entries if not isinstance(entry, UndoEntry | RedoEntry | LostEntry)}
        return frozenset(changes - standing)

    def take_notices(self) -> tuple[Sentence, ...]:
        """What the table must know about its database; each notice is given once."""
        if self._store is not None:
            self._store.take_notice(self.id)
        notices, self.notices = self.notices, ()
        return notices

    def _standing_entries(self) -> Iterator[Entry]:
        return (change.entry for change in self._current.done)

    def observe(self, observer: Observer) -> Callable[[], None]:
        """Call `observer` with every entry after it was accepted; the result, called, ends that."""
        self._observers.append(observer)
        return lambda: self._observers.remove(observer)

    def judge(self, action: Any, seat: int | None = None) -> Verdict:
        """The verdict on an action now, by `seat` (None: whoever may act), with every reason where it is refused."""
        return engine.explain(self.game, self.state, action, seat)

    def legal_actions(self) -> list[Any]:
        """What may be done now; nothing once the game was ended early."""
        return [] if self._current.point.ended else engine.legal_actions(self.game, self.state)

    def scores(self) -> ScoreSheet:
        """The score sheet now."""
        return self._current.record_status.scores(self.game, self.state)

    def submit(
        self,
        action: Any,
        *,
        seat: int | None = None,
        at: int | None = None,
        source: str = "touch",
        order_seen: bool = True,
    ) -> Submission:
        """Judge an action and, unless it is illegal, enter it; `order_seen` as in ActionEntry.

        Raises StaleState where the game is not at state `at` any more.
        """
        if at is not None and at != self.state_id:
            told = sentence("that was meant for state {at}, and the game is at state {now}", at=at, now=self.state_id)
            raise StaleState(told)
        self._check_running()
        verdict = self.judge(action, seat)
        if not verdict.is_legal:
            return Submission(verdict)
        step = apply_with_absent(self.game, self.state, action, self._current.point.left)
        entry = ActionEntry(
            **self._next(seat or self._actor_of(action)), action=action.text, source=source,
            unchecked=unchecked(verdict), events=step.events, order_seen=order_seen,
        )  # fmt: skip
        self._enter(entry)
        return Submission(verdict, step.consequences, entry)

    def override(self, action: Any, *, reason: str, by: str) -> Submission:
        """Enter an action that breaks rules because the table wants it so.

        Raises SessionError where it breaks none, or cannot be done on any table.
        """
        if self.is_over:
            raise SessionError(sentence("the game is over; undo its end, or correct the record"))
        verdict = engine.judge(self.game, self.state, action)
        if verdict.is_legal:
            raise SessionError(f"{action.text!r} breaks no rule; there is nothing to override")
        try:
            step = attempt(self.game, self.state, action, self._current.point.left)
        except SessionError as error:
            sentences = engine.refusal_text(self.game, self.state, verdict)
            raise SessionError(f"{error}: {sentences} Correct the record instead.") from error
        entry = OverrideEntry(
            **self._next(self._actor_of(action)), action=action.text, rules=broken(verdict), reason=reason, by=by,
            events=step.events,
        )  # fmt: skip
        self._enter(entry)
        return Submission(verdict, step.consequences, entry)

    def can_override(self, action: Any) -> bool:
        """Whether an illegal action could be entered all the same: it has an outcome, and that is a position."""
        if self.is_over:
            return False
        try:
            attempt(self.game, self.state, action, self._current.point.left)
        except SessionError:
            return False
        return True

    def can_undo(self) -> Entry | None:
        """The entry that `undo` would undo."""
        return self._current.done[-1].entry if self._current.done else None

    def can_redo(self) -> Entry | None:
        """The entry that `redo` brings back unless another one is chosen."""
        return next(iter(self.redoable()), None)

    def redoable(self) -> tuple[Entry, ...]:
        """The entries that `redo` may bring back now, the one undone last first.

        Several where something was done after an undo and undone as well: the earlier continuation is not lost.
        """
        return tuple(change.entry for change in self._current.redoable)

    def undo(self) -> Entry:
        """Undo the latest change, whatever it was; gives the entry that was undone."""
        entry = self.can_undo()
        if entry is None:
            raise SessionError(sentence("there is nothing to undo"))
        self._enter(UndoEntry(**self._next(), target=entry.number))
        return entry

    def redo(self, number: int | None = None) -> Entry:
        """Bring back a change undone at this point, the latest or that of entry `number`; gives that entry.

        Raises SessionError where there is none.
        """
        entry = next((each for each in self.redoable() if number in (None, each.number)), None)
        if entry is None:
            if number is None:
                raise SessionError(sentence("there is nothing to redo"))
            raise SessionError(sentence("entry {number} cannot be redone now", number=number))
        self._enter(RedoEntry(**self._next(), target=entry.number))
        return entry

    def amend(self, number: int, action: Any) -> Submission:
        """Replace the action of entry `number` by another one of the same seat, and judge all later ones again.

        Later actions that break a rule now are kept as they are, like overrides; those that cannot have happened any
        more have no effect. Both are listed in `unsettled`. Raises SessionError where there is no such action or it was
        undone.
        """
        before = self._current.before(number)
        return self._enter_later(AmendEntry, before, number, action, self.entries[number - 1].seat)

    def insert(self, number: int, action: Any) -> Submission:
        """Insert an action that was missed before entry `number`, and judge that and all later ones again.

        As `amend`. Raises SessionError where there is no such action or it was undone.
        """
        before = self._current.before(number)
        decision = self.game.decide(before.state)
        actors = decision.actors if decision is not None else ()
        return self._enter_later(InsertEntry, before, number, action, actors[0] if len(actors) == 1 else None)

    def remove(self, number: int) -> Submission:
        """Take the action of entry `number` out, and judge all later ones again.

        As `amend`. Raises SessionError where there is no such action or it was undone.
        """
        self._current.before(number)
        return self._rewrite(RemoveEntry(**self._next(), target=number), LEGAL)

    def _enter_later(
        self, kind: type[LaterActionEntry], before: Point, number: int, action: Any, seat: int | None
    ) -> Submission:
        """Judge an action that was done earlier, at the point `before`, and enter it unless it is illegal."""
        verdict = engine.explain(self.game, before.state, action, seat)
        if not verdict.is_legal:
            return Submission(verdict)
        step = apply_with_absent(self.game, before.state, action, before.left)
        entry = kind(
            **self._next(seat), target=number, action=action.text, unchecked=unchecked(verdict), events=step.events
        )
        return self._rewrite(entry, verdict, step.consequences)

    def _rewrite(
        self, entry: RewritingEntry, verdict: Verdict, consequences: tuple[Consequence, ...] = ()
    ) -> Submission:
        later = rejudged_later(self._current, entry)
        entry = replace(entry, later=later)
        held = {move.number: move for move in self.moves}
        unsettled = tuple(rejudged for rejudged in later if is_worse(rejudged, held[rejudged.number]))
        self._enter(entry)
        return Submission(verdict, consequences, entry, unsettled)

    def correct(self, entries: Mapping[str, Any], reason: str) -> Entry:
        """Say that the position is otherwise than recorded: `entries` is merged into its document (RFC 7396).

        Raises SessionError where the outcome is no position.
        """
        entry = CorrectionEntry(**self._next(), changes=json.loads(json_line(entries)), reason=reason)
        self._enter(entry)
        return entry

    def leave(self, seat: int) -> Entry:
        """The player of a seat leaves: its turns pass from now on, and the game ends where one alone stays.

        Raises SessionError where nobody sits there any more.
        """
        if self.is_over:
            raise SessionError(sentence("the game is over already"))
        entry = LeaveEntry(**self._next(seat))
        self._current.append(entry)
        entry = replace(entry, events=left_behind(self.game, self._current.point, entry).events)
        self._enter(entry)
        return entry

    def come_back(self, seat: int) -> Entry:
        """The player of a seat who left is back, and plays from its next turn on.

        Raises SessionError where nobody has left it.
        """
        self._check_running()
        entry = ReturnEntry(**self._next(seat))
        self._enter(entry)
        return entry

    def choose_detail(self, level: str) -> Entry:
        """Tell more of the game, or less, from now on.

        Raises SessionError where the game has no such level, or tells that much already.
        """
        self._check_running()
        if self.is_over:
            raise SessionError(sentence("the game is over already"))
        if level not in self.game.info.details or level == self.game.detail(self.state):
            raise SessionError(f"the level of detail cannot become {level!r}")
        entry = DetailEntry(**self._next(), level=level, events=told_from_now(self.game, self.state, level).events)
        self._enter(entry)
        return entry

    def end_early(self, reason: str) -> Entry:
        """Stop here and count."""
        if self.is_over:
            raise SessionError(sentence("the game is over already"))
        entry = EndEntry(**self._next(), reason=reason)
        self._enter(entry)
        return entry

    def export(self) -> str:
        """The game as a record."""
        return record_text(self._current)

    def _check_running(self) -> None:
        if self._current.point.ended:
            raise SessionError(sentence("the game was ended early; undo that before anything else is played"))

    def _next(self, seat: int | None = None) -> dict[str, Any]:
        return {"number": len(self.entries) + 1, "time": utc(self._clock()), "seat": seat}

    def _actor_of(self, action: Any) -> int | None:
        return engine.actor_of(self.game, self.state, action, self.actors)

    def notice_continuation(self) -> None:
        """Tell the table, once, where another program has gone on with this game; nothing else is done about it."""
        if self._other_programs is not None:
            self.notices += self._other_programs.went_on(len(self.entries))

    def _enter(self, entry: Entry) -> None:
        log = self._current.append(entry)
        if not isinstance(entry, UndoEntry | RedoEntry | EndEntry | ReturnEntry):
            check_position(self.game, log.state)
        check_readable(self._current, entry)
        if self._store is not None:
            try:
                self._store.append(self.id, entry, over=log.is_over)
            except StoreError as error:
                before, self.unrecorded = self.unrecorded, NotRecorded(error)
                if str(before) != str(self.unrecorded):  # once, however often it is tried again
                    logger.warning("%s", self.unrecorded)
                raise self.unrecorded from error
            self.unrecorded = None
            if self._other_programs is not None:
                self.notices += self._other_programs.refused()
        self._current = log
        for observer in tuple(self._observers):
            try:
                observer(entry)
            except Exception:
                logger.exception("an observer failed on entry %d, which was accepted", entry.number)
