"""What events and tables have to do with one another: a table is told who sits there, its finished game is a result."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from companion.event.endings import latest_endings, tables_playing_on
from companion.event.entries import (
    BY_TABLE,
    Archived,
    EndTakenBack,
    EventRefused,
    ResultKnown,
    RoundDrawn,
    TableNamed,
)
from companion.event.event import ClubEvent
from companion.event.results import FinishedGame, names_played_under, result_of_game
from companion.publishing.messages import AssignedSeat, Assignment
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain
from ui.hub.database import Lost
from ui.hub.event_store import Changes, EventStore
from ui.hub.untold_ends import UntoldEnds

NOTHING = Assignment("", 0, "", ())
Say = Callable[[str, str], None]
"""Keeps and sends a table its assignment, as JSON text."""
FOLLOWED_FOR = timedelta(hours=3)
"""after the latest entry of an event whose tables all have results"""
COMPARED_EVERY = 10.0
"""seconds between two looks whether tables were told what they are to play"""
_LOG = logging.getLogger("companion.hub")
CORRECTED = sentence("the table corrected its record")
BEGUN_EARLIER = sentence(
    "it was begun before this tablet was taken for the table and names nobody: if it is this table's game, enter its "
    "result by hand"
)


class Events:
    """The events of one hub. May be used by several threads; what reads or writes may raise `ui.hub.database.Lost`."""

    def __init__(
        self,
        store: EventStore,
        say: Say,
        show: Callable[[Iterable[str]], None] | None = None,
        ends: UntoldEnds | None = None,
    ) -> None:
        """`show` is called with the tables whose results have become known, or are no more."""
        self.store, self._say, self._show, self._ends = store, say, show, ends
        self._taken = frozenset[tuple[str, str]]()
        """the games that are results of latest rounds, each with its table"""
        self._problems = dict[tuple[str, int, int], Sentence]()
        self._others = dict[tuple[str, int, int], ResultKnown]()
        self._amiss = dict[str, tuple[str, Assignment]]()
        """tables that were told something else than what they are to play, as seen last"""
        self._compared_at = -COMPARED_EVERY
        self._failing = set[str]()
        """events whose results cannot be taken, said once each"""
        self._taken_later = dict[str, tuple[ClubEvent, Mapping[int, str]]]()
        """by event, as it stood: `tablets_taken_later`"""

    def change(self, event_id: str, by: str, changes: Changes) -> ClubEvent | None:
        """Change an event, and tell the tables whatever is new to them. A table that plays an open round of another
        event goes on with that.

        Raises EventRefused, also where such a table would be taken for a round.
        """
        before: list[ClubEvent] = []

        def noted(event: ClubEvent) -> Any:
            wanted = tuple(changes(event))
            before[:] = [event]
            self._check_free(event, event.append(self.store.moment(), by, *wanted))
            return wanted

        after = self.store.change(event_id, by, noted)
        if after is not None:
            told, now = assignments(before[0]), assignments(after)
            changed = [identity for identity in {**told, **now} if told.get(identity) != now.get(identity)]
            elsewhere = self.elsewhere(after) if changed else {}
            for identity in changed:
                assignment = now.get(identity) or NOTHING
                if identity in elsewhere:
                    assignment = assignments(elsewhere[identity])[identity]
                self._tell(identity, assignment)
        return after

    def delete(self, event_id: str, by: str) -> bool:
        """Forget an event with its log, its tables free; whether there was one."""
        free = self.change(event_id, by, lambda event: [] if event.is_archived else [Archived()])
        self.store.delete(event_id)
        self._taken_later.pop(event_id, None)
        for noted in (self._problems, self._others):
            for where in [where for where in noted if where[0] == event_id]:
                del noted[where]
        return free is not None

    def elsewhere(self, event: ClubEvent) -> Mapping[str, ClubEvent]:
        """The published tables that have no result yet in the latest round of another event, and which it is."""
        found = dict[str, ClubEvent]()
        for other in reversed(self.store.open()):
            if other.id != event.id:
                open_tables = frozenset(other.open_tables)
                found |= {identity: other for table, identity in other.tables.items() if table in open_tables}
        return found

    def _check_free(self, before: ClubEvent, after: ClubEvent) -> None:
        told, now = assignments(before), assignments(after)
        taken = [identity for identity, each in now.items() if each.seats and not told.get(identity, each).seats]
        taken += [identity for identity, each in now.items() if each.seats and identity not in told]
        if not taken:
            return
        elsewhere, playing_on = self.elsewhere(after), tables_playing_on(after)
        numbers = {identity: table for table, identity in after.tables.items()}
        for identity in taken:
            if identity in elsewhere and numbers[identity] not in playing_on:
                raise EventRefused(
                    sentence(
                        "table {table} plays a round of {event} still: take its result there, or choose another table",
                        table=numbers[identity],
                        event=elsewhere[identity].settings.name,
                    )
                )

    def drawn(self, event: ClubEvent) -> float:
        """When the latest round was drawn, in seconds since the epoch by this machine's clock."""
        return self.store.own_seconds(drawn_at(event))

    def problem(self, event: ClubEvent, table: int) -> Sentence | None:
        """Why the game that ended at a table of the latest round gives no result; None where nothing is wrong."""
        return self._problems.get((event.id, len(event.rounds), table))

    def other_result(self, event: ClubEvent, table: int) -> ResultKnown | None:
        """What the game of a table of the latest round came to, where a hand wrote something else without a reason."""
        return self._others.get((event.id, len(event.rounds), table))

    def look(self) -> bool:
        """Take the results of games that have ended, or were corrected since; whether there was anything new."""
        found, events = False, self.store.open()
        self._note_taken(events)
        if self._ends is not None:
            self._ends.write(_open_since(events))
        for event in events:
            if not event.rounds or not (event.open_tables or self._is_recent(event)):
                continue
            try:
                found |= self._look_at(event)
            except Lost:
                raise
            except Exception:  # noqa: BLE001  # one event must not end the results of all others
                if event.id not in self._failing:
                    _LOG.exception("the results of event %s are not taken", event.id)
                    self._failing.add(event.id)
        return found

    def is_taken(self, table_id: str, game_id: str) -> bool:
        """Whether a game is the result of its table in the latest round of an event."""
        return (table_id, game_id) in self._taken

    def _note_taken(self, events: Iterable[ClubEvent]) -> None:
        taken = set[tuple[str, str]]()
        for event in events:
            number = len(event.rounds)
            for table, identity in event.tables.items():
                result = event.results.get((number, table))
                if result is not None and result.record:
                    taken.add((identity, result.record))
        changed = {identity for identity, _record in self._taken ^ taken}
        self._taken = frozenset(taken)
        if changed and self._show is not None:
            self._show(changed)

    def _is_recent(self, event: ClubEvent) -> bool:
        """Whether something was written into the log lately, so that its tables may still correct their records."""
        written = datetime.fromisoformat(event.entries[-1].time)
        return datetime.fromisoformat(self.store.moment()) - written < FOLLOWED_FOR

    def _look_at(self, event: ClubEvent) -> bool:
        count = len(event.rounds[-1].tables)
        tables = {name: table for table, name in event.tables.items() if table <= count}
        found = self._take_back(event, tables)
        taken_later, games, in_doubt = self._tablets_taken_later(event), list[tuple[int, FinishedGame]](), set[int]()
        for identity, game in self.store.finished_since(drawn_at(event), tables):
            table = tables[identity]
            began_here = game.began >= taken_later.get(table, "")
            if began_here or self._is_of_round(event, table, identity, game):
                games.append((table, game))
            elif self._may_be_of_round(event, table, identity, game):
                in_doubt.add(table)
        for table, game in games:
            found |= self._take(event, table, game)
        for table in frozenset(tables.values()).difference(table for table, _game in games):
            found |= self._note_problem(event, table, BEGUN_EARLIER if table in in_doubt else None)
        return found

    def _note_problem(self, event: ClubEvent, table: int, problem: Sentence | None) -> bool:
        """Note why a table of the latest round gives no result, None for no reason; whether that is news."""
        where = event.id, len(event.rounds), table
        known = self._problems.pop(where, None)
        if problem is not None:
            self._problems[where] = problem
        return known != problem

    def _tablets_taken_later(self, event: ClubEvent) -> Mapping[int, str]:
        known = self._taken_later.get(event.id)
        if known is None or known[0] is not event:
            known = self._taken_later[event.id] = event, tablets_taken_later(event)
        return known[1]

    def _is_of_round(self, event: ClubEvent, table: int, identity: str, game: FinishedGame) -> bool:
        """Whether a game that was begun before its tablet was taken for a table is that of the table all the same: its
        result already, or by its names. Seats say nothing there, and what counts for another event is no news here.
        """
        known, players = event.results.get((len(event.rounds), table)), event.rounds[-1].tables[table - 1]
        if known is not None:
            return known.record == game.record
        if (identity, game.record) in self._taken or not any(seat.name for seat in game.seats):
            return False
        played = {plain(seat.name) for seat in game.seats}
        return names_played_under(played, event.names(players), event.earlier_names(players)) is not None

    def _may_be_of_round(self, event: ClubEvent, table: int, identity: str, game: FinishedGame) -> bool:
        """Whether such a game fits the event and names nobody, at a table without a result: people know whose it is."""
        is_open = (len(event.rounds), table) not in event.results and (identity, game.record) not in self._taken
        players = event.rounds[-1].tables[table - 1]
        fits = game.is_final and game.game == event.settings.game and len(game.seats) == len(players)
        return is_open and fits and not any(seat.name for seat in game.seats)

    def tell_again(self) -> None:
        """Tell tables what they are to play where something else was told last, at two looks one after the other: the
        hub that had drawn their round was killed before it told them.
        """
        now = time.monotonic()
        if now - self._compared_at < COMPARED_EVERY:
            return
        self._compared_at = now
        told, wanted = self.store.told(), dict[str, list[Assignment]]()
        known = self.store.known_open()
        for event in self.store.open() if known is None else known:
            for identity, assignment in assignments(event).items():
                if assignment.seats:
                    wanted.setdefault(identity, []).append(assignment)
        amiss = {
            identity: (text, wanted.get(identity, [NOTHING])[0])
            for identity, text in told.items()
            if not _is_told(text, wanted.get(identity, []))
        }
        for identity, (text, assignment) in amiss.items():
            if self._amiss.get(identity) == (text, assignment):
                self._tell(identity, assignment)
        self._amiss = amiss

    def _take_back(self, event: ClubEvent, tables: Mapping[str, int]) -> bool:
        """Let the results of games that go on after their end count no more; whether there were any."""
        endings = latest_endings(event)
        records = {
            (identity, ending.record): table for identity, table in tables.items()
            if isinstance(ending := endings.get(table), ResultKnown)
        }  # fmt: skip
        unfinished = self.store.unfinished(records) if records else []
        for identity, record in unfinished:
            self._end_taken_back(event, records[identity, record], record)
        return bool(unfinished)

    def _end_taken_back(self, event: ClubEvent, table: int, record: str) -> None:
        def still_known(now: ClubEvent) -> list[EndTakenBack]:
            known = latest_endings(now).get(table) if len(now.rounds) == len(event.rounds) else None
            is_known = isinstance(known, ResultKnown) and known.record == record
            return [EndTakenBack(len(now.rounds), table, record)] if is_known else []

        with suppress(EventRefused):  # the event was archived meanwhile
            self.change(event.id, event.tables[table], still_known)

    def _take(self, event: ClubEvent, table: int, game: FinishedGame) -> bool:
        """Take a finished game of this round as the result of a table; whether that changed anything."""
        number, where = len(event.rounds), (event.id, len(event.rounds), table)
        players = event.rounds[-1].tables[table - 1]
        names, plays = event.names(players), event.settings.game
        result = result_of_game(game, plays, names, number, table)
        if isinstance(result, Sentence):
            result = result_of_game(game, plays, names, number, table, event.earlier_names(players))
        if _settled(event, table, game.record):
            return self._compare(event, table, result)
        if isinstance(result, Sentence):
            if where[1:] in event.results:
                self._end_taken_back(event, table, game.record)
            return self._note_problem(event, table, result)
        self._problems.pop(where, None)
        if _was_written(event, result):
            return False

        def still_news(now: ClubEvent) -> list[ResultKnown]:
            if len(now.rounds) != number or _settled(now, table, game.record) or _was_written(now, result):
                return []
            return [replace(result, reason=CORRECTED) if (number, table) in now.results else result]

        with suppress(EventRefused):  # the round was drawn otherwise meanwhile
            self.change(event.id, event.tables[table], still_news)
        return True

    def _compare(self, event: ClubEvent, table: int, result: ResultKnown | Sentence) -> bool:
        """Note where a result by hand is not that of the table's game; whether that is news."""
        where = event.id, len(event.rounds), table
        known, before = event.results[where[1:]], self._others.pop(where, None)
        is_other = isinstance(result, ResultKnown) and (known.points, known.ranks) != (result.points, result.ranks)
        if isinstance(result, ResultKnown) and is_other and known.source != BY_TABLE and not known.reason:
            self._others[where] = result
        return self._others.get(where) != before

    def _tell(self, identity: str, assignment: Assignment) -> None:
        self._say(identity, _text(assignment))


def assignments(event: ClubEvent) -> Mapping[str, Assignment]:
    """What each published table of an event is to play now: nothing where its result is known, or it is archived."""
    found, settings, number = dict[str, Assignment](), event.settings, len(event.rounds)
    open_tables = frozenset(() if event.is_archived else event.open_tables)
    for table, identity in event.tables.items():
        seats: tuple[AssignedSeat, ...] = ()
        if table in open_tables:
            players = event.names(event.rounds[-1].tables[table - 1])
            seats = tuple(AssignedSeat(seat, name) for seat, name in enumerate(players, 1))
        found[identity] = Assignment(settings.name, number, settings.game, seats, 1 if seats else 0)
    return found


def _is_told(text: str, wanted: list[Assignment]) -> bool:
    """Whether a table was told one of what it may be to play; nothing where there is none."""
    told = json.loads(text) if text else {}
    return any(told == json.loads(_text(each)) for each in wanted) if wanted else not told.get("seats")


def _text(assignment: Assignment) -> str:
    return json.dumps(assignment.document(), ensure_ascii=False)


def drawn_at(event: ClubEvent) -> str:
    """When the latest round was drawn."""
    return next(entry.time for entry in reversed(event.entries) if isinstance(entry.change, RoundDrawn))


def tablets_taken_later(event: ClubEvent) -> dict[int, str]:
    """The tables of the latest round whose tablet was another one, or none, when it was drawn: since when they have it,
    without the letter of UTC.
    """
    held, as_drawn, since = dict[int, str](), dict[int, str](), dict[tuple[int, str], str]()
    for entry in event.entries:
        change = entry.change
        if isinstance(change, RoundDrawn):
            as_drawn = dict(held)
            since.clear()
        elif isinstance(change, TableNamed):
            held[change.table] = change.identity
            if as_drawn.get(change.table) != change.identity:
                since.setdefault((change.table, change.identity), entry.time.removesuffix("Z"))
    return {each[0]: since[each] for each in event.tables.items() if each in since}


def _open_since(events: Iterable[ClubEvent]) -> dict[str, str]:
    """The published tables that have no result yet in the latest round of an event, and when that was drawn."""
    found = dict[str, str]()
    for event in events:
        open_tables = frozenset(event.open_tables)
        for table, identity in event.tables.items():
            if table in open_tables:
                drawn = drawn_at(event)
                found[identity] = min(found.get(identity, drawn), drawn)
    return found


def _settled(event: ClubEvent, table: int, record: str) -> bool:
    """Whether a table of the latest round has a result that this record does not decide."""
    known = event.results.get((len(event.rounds), table))
    return known is not None and (known.source != BY_TABLE or known.record != record)


def _was_written(event: ClubEvent, result: ResultKnown) -> bool:
    """Whether the log has this very result already: what was taken back is not taken again."""
    known = event.results.get((result.round, result.table)) or latest_endings(event).get(result.table)
    return isinstance(known, ResultKnown) and replace(known, reason="") == result
