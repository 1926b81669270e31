"""Events in the hub's database. Their logs are only ever added to; several hubs may do so at the same time."""

from __future__ import annotations

import json
import logging
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from companion.errors import CompanionError
from companion.event.entries import Archived, Change, EventSettings
from companion.event.event import ClubEvent
from companion.event.log_text import continued, entry_ending, entry_line, event_from, header_line, kind_of_line
from companion.event.results import FinishedGame, PlayedSeat
from ui.hub.database import Database
from ui.hub.results import read_result
from ui.hub.schema import EVENT_ENTRIES, EVENTS, GAMES, TABLES

FRESH = 1.0
"""seconds in which an event is not looked up again, so that many open pages ask once"""
_ATTEMPTS = 20
MOST_OPEN, MOST_ARCHIVED = 100, 100
"""events that are not archived, and those of the archive that are listed"""
MOST_KEPT = MOST_OPEN + MOST_ARCHIVED + 20
SOURCE = "event"
ARCHIVING = entry_ending(Archived())
"""how the line of an entry that archives an event ends, and no other"""
_LOG = logging.getLogger("companion.hub")
Changes = Callable[[ClubEvent], Iterable[Change]]
"""What is to be changed in an event as it stands. Raises EventRefused."""


@dataclass(slots=True)
class _Kept:
    event: ClubEvent
    looked_at: float


class EventStore:
    """One hub's way to the events. May be used by several threads; every call may raise `ui.hub.database.Lost`."""

    def __init__(self, database: Database, clock: Callable[[], float] = time.monotonic) -> None:
        self._database, self._engine, self._clock = database, database.engine, clock
        self._kept = OrderedDict[str, _Kept]()
        self._open: dict[str, ClubEvent] | None = None
        """those that are not archived, replaced whole; None before they were asked for"""
        self._left_out = set[tuple[str, int | None]]()
        """events that cannot be read, each with its latest entry: said once"""
        self._lock = threading.Lock()

    def moment(self) -> str:
        """The time by the one clock of all hubs, as logs write it."""
        return self._database.now().strftime("%Y-%m-%dT%H:%M:%SZ")

    def own_seconds(self, moment: str) -> float:
        """Such a time in seconds since the epoch by this machine's clock."""
        return self._database.own_seconds(moment)

    def open(self) -> list[ClubEvent]:
        """All events that are not archived, the newest first; without those that only a newer program can read."""
        found = self._read_all([row for row in self._latest_entries(open_only=True) if not _is_archived(row.line)])
        with self._lock:
            self._open = {event.id: event for event in found if not event.is_archived}
            return list(self._open.values())

    def known_open(self) -> list[ClubEvent] | None:
        """Likewise as this hub knows them, without asking the database or waiting: with its own changes, and with those
        of other hubs as of the latest `open`; None before the first.
        """
        known = self._open
        return None if known is None else list(known.values())

    def archived(self) -> list[ClubEvent]:
        """Those of the archive that were made last, likewise."""
        return self._read_all([row for row in self._latest_entries() if _is_archived(row.line)][:MOST_ARCHIVED])

    def count_open(self) -> int:
        """How many events are not archived."""
        return sum(not _is_archived(row.line) for row in self._latest_entries(open_only=True))

    def _latest_entries(self, *, open_only: bool = False) -> list[sa.Row[Any]]:
        """Each event, the newest first, with the number and the line of its latest entry, or None for none. With
        `open_only` without those whose latest entry archives them as this program writes it.
        """
        highest = sa.select(sa.func.max(EVENT_ENTRIES.c.number)).where(EVENT_ENTRIES.c.event_id == EVENTS.c.event_id)
        events = sa.select(EVENTS.c.event_id, EVENTS.c.created_at, highest.scalar_subquery().label("number")).subquery()
        latest = sa.and_(EVENT_ENTRIES.c.event_id == events.c.event_id, EVENT_ENTRIES.c.number == events.c.number)
        query = (
            sa.select(events.c.event_id, events.c.number, EVENT_ENTRIES.c.line)
            .select_from(events.outerjoin(EVENT_ENTRIES, latest))
            .order_by(events.c.created_at.desc(), events.c.event_id)
        )
        if open_only:
            line = EVENT_ENTRIES.c.line
            query = query.where(sa.or_(line.is_(None), sa.not_(line.endswith(ARCHIVING, autoescape=True))))
        with self._engine.connect() as connection:
            return list(connection.execute(query))

    def _read_all(self, rows: Iterable[sa.Row[Any]]) -> list[ClubEvent]:
        found = []
        for row in rows:
            try:
                event = self._as_of(row.event_id, row.number or 0)
            except CompanionError as error:
                if (row.event_id, row.number) not in self._left_out:
                    _LOG.warning("event %s is left out: %s", row.event_id, error)
                    self._left_out.add((row.event_id, row.number))
                continue
            if event is not None:
                found.append(event)
        return found

    def event(self, event_id: str, *, newest: bool = False) -> ClubEvent | None:
        """An event as it was a moment ago, or with `newest` as it is now; None where there is none.

        Raises CompanionError for one that cannot be read.
        """
        with self._lock:
            kept = self._kept.get(event_id)
            if kept is not None and not newest and self._clock() - kept.looked_at < FRESH:
                return kept.event
            event = self._read(event_id, kept.event if kept is not None else None)
            if event is not None:
                self._keep(event)
            else:
                self._forget(event_id)
            return event

    def _as_of(self, event_id: str, entries: int) -> ClubEvent | None:
        """An event whose log has so many entries: read only where that is news."""
        with self._lock:
            kept = self._kept.get(event_id)
            if kept is not None and len(kept.event.entries) >= entries:
                self._keep(kept.event)
                return kept.event
        return self.event(event_id, newest=True)

    def _keep(self, event: ClubEvent) -> None:
        self._kept[event.id] = _Kept(event, self._clock())
        self._kept.move_to_end(event.id)
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        known = self._open
        if event.is_archived:
            self._close(event.id)
        elif known is not None and known.get(event.id) is not event:
            self._open = {**known, event.id: event} if event.id in known else {event.id: event, **known}

    def _forget(self, event_id: str) -> None:
        self._kept.pop(event_id, None)
        self._close(event_id)

    def _close(self, event_id: str) -> None:
        if self._open is not None and event_id in self._open:
            self._open = {name: each for name, each in self._open.items() if name != event_id}

    def create(self, settings: EventSettings) -> ClubEvent:
        """A new event, without players."""
        event = ClubEvent(secrets.token_hex(6), self.moment(), settings)
        with self._engine.begin() as connection:
            connection.execute(
                EVENTS.insert(), {"event_id": event.id, "created_at": event.created, "header": header_line(event)}
            )
        with self._lock:
            self._keep(event)
        return event

    def delete(self, event_id: str) -> None:
        """Forget an event, and its log."""
        with self._engine.begin() as connection:
            for table in (EVENT_ENTRIES, EVENTS):
                connection.execute(table.delete().where(table.c.event_id == event_id))
        with self._lock:
            self._forget(event_id)

    def change(self, event_id: str, by: str, changes: Changes) -> ClubEvent | None:
        """Add to an event's log what fits it as it stands; None where there is no such event.

        Where another hub was faster the changes are asked for again. Raises EventRefused.
        """
        for _attempt in range(_ATTEMPTS):
            event = self.event(event_id, newest=True)
            if event is None:
                return None
            changed = event.append(self.moment(), by, *changes(event))
            rows = [
                {"event_id": event_id, "number": entry.number, "line": entry_line(entry)}
                for entry in changed.entries[len(event.entries) :]
            ]
            try:
                if rows:
                    with self._engine.begin() as connection:
                        connection.execute(EVENT_ENTRIES.insert(), rows)
            except IntegrityError:
                continue
            with self._lock:
                self._keep(changed)
            return changed
        raise OSError(f"event {event_id}: other hubs change it without a pause")

    def finished_since(self, moment: str, tables: Collection[str]) -> list[tuple[str, FinishedGame]]:
        """The games of these tables that were begun since a moment and have ended, each with its table."""
        query = (
            sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.result, GAMES.c.began_at)
            .where(
                GAMES.c.table_id.in_(list(tables)),
                GAMES.c.began_at >= moment.removesuffix("Z"),
                GAMES.c.result != "",
                GAMES.c.finished_at != "",
            )
            .order_by(GAMES.c.finished_at)
        )
        with self._engine.connect() as connection:
            rows = list(connection.execute(query))
        return [(row.table_id, _finished(row.game_id, row.result, row.began_at)) for row in rows]

    def unfinished(self, records: Collection[tuple[str, str]]) -> list[tuple[str, str]]:
        """Of these games, each by table and record, those that have not ended."""
        key = sa.tuple_(GAMES.c.table_id, GAMES.c.game_id)
        query = sa.select(GAMES.c.table_id, GAMES.c.game_id).where(key.in_(list(records)), GAMES.c.finished_at == "")
        with self._engine.connect() as connection:
            return [(row.table_id, row.game_id) for row in connection.execute(query)]

    def told(self) -> dict[str, str]:
        """What each published table was told last of who sits there, as JSON text, "" for nothing yet."""
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(TABLES.c.table_id, TABLES.c.assignment))
            return {row.table_id: row.assignment for row in rows}

    def _read(self, event_id: str, known: ClubEvent | None) -> ClubEvent | None:
        after = len(known.entries) if known is not None else 0
        lines = (
            sa.select(EVENT_ENTRIES.c.line)
            .where(EVENT_ENTRIES.c.event_id == event_id, EVENT_ENTRIES.c.number > after)
            .order_by(EVENT_ENTRIES.c.number)
        )
        head = sa.select(EVENTS.c.header).where(EVENTS.c.event_id == event_id)
        with self._engine.connect() as connection:
            header: Any = connection.execute(head).scalar_one_or_none()
            found: list[str] = list(connection.execute(lines).scalars())
        if header is None:
            return None
        return event_from(str(header), found, SOURCE) if known is None else continued(known, found, SOURCE)


def _is_archived(latest_line: str | None) -> bool:
    """Whether the latest entry of an event's log puts it away: nothing but its being taken out may follow."""
    return latest_line is not None and kind_of_line(latest_line) is Archived


def _finished(record: str, text: str, began: str) -> FinishedGame:
    result = read_result(json.loads(text))
    seats = tuple(PlayedSeat(each.seat, each.name, each.points, each.rank) for each in result.seats)
    return FinishedGame(record, result.rules, result.is_final, seats, began)
