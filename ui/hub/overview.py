"""The newest of every table, kept beside the database: of it pages are made. Thread-safe.

A table's state is kept as the packed text of its message, and only what a card shows is taken out of it: thousands of
tables have room.
"""

from __future__ import annotations

import threading
import zlib
from collections import Counter, OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import StrEnum
from sys import intern

from companion.errors import InvalidDocument
from companion.files.documents import parse_json
from companion.publishing.table_state import PublishedPlayer, TableState, read_state

SECONDS_UNTIL_SILENT = 25.0
"""without a word of a table, which speaks every 10 s, after which it counts as silent"""
_PACKED = 1
"""level of zlib: a third of the size for some 50 microseconds"""


class Situation(StrEnum):
    """What a table is doing, the most urgent first."""

    HELP = "help"
    DISPUTED = "disputed"
    SILENT = "silent"
    PLAYING = "playing"
    FINISHED = "finished"
    FREE = "free"


ORDER = {situation: rank for rank, situation in enumerate(Situation)}


@dataclass(frozen=True, slots=True)
class ShownTable:
    """A table as cards show it. `began`, `since` and `heard` are seconds by the hub's own clock (`time.time`), 0 for
    never; `since` is when the situation began, `asked` when the table began to call for the judge. `packed` is the
    whole state.
    """

    table_id: str
    place: int = 0
    name: str = ""
    number: int = 0
    """of the message with the state"""
    game: str = ""
    """the id of its record"""
    rules: str = ""
    title: str = ""
    entries: int = 0
    players: tuple[PublishedPlayer, ...] = ()
    wants_help: bool = False
    is_disputed: bool = False
    is_over: bool = False
    is_final: bool = False
    is_online: bool = False
    is_silent: bool = True
    is_judge_coming: bool = False
    refused: str = ""
    """what the table disputes, in its own words"""
    began: float = 0.0
    heard: float = 0.0
    since: float = 0.0
    asked: float = 0.0
    packed: bytes = b""

    @property
    def situation(self) -> Situation:
        """What the table is doing."""
        if self.wants_help and not self.is_silent:
            return Situation.HELP
        if self.is_over:
            return Situation.FINISHED
        if self.is_silent:
            return Situation.SILENT
        if self.is_disputed:
            return Situation.DISPUTED
        return Situation.PLAYING if self.game else Situation.FREE

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that have won; none before the end."""
        return tuple(each.seat for each in self.players if each.rank == 1) if self.is_over else ()

    def state(self) -> TableState:
        """All that the table shows to everybody."""
        if not self.packed:
            return TableState()
        try:
            return read_state(parse_json(zlib.decompress(self.packed).decode(), self.table_id, "body"))
        except (InvalidDocument, zlib.error, UnicodeDecodeError):
            return TableState()

    def told(self, number: int, body: str, state: TableState, now: float) -> ShownTable:
        """The same table with a newer state."""
        is_same_game = state.game == self.game and self.began > 0
        return replace(
            self,
            number=number,
            game=state.game,
            rules=intern(state.rules),
            title=intern(state.title),
            entries=state.entries,
            players=state.players,
            wants_help=state.help,
            asked=(self.asked or now) if state.help else 0.0,
            is_judge_coming=self.is_judge_coming and state.help,
            is_disputed=state.disputed,
            is_over=state.over,
            is_final=state.final,
            refused=state.verdict.words if state.verdict is not None else "",
            began=self.began if is_same_game else now,
            packed=zlib.compress(body.encode(), _PACKED),
        )


class Overview:
    """All tables. `revision` grows with every change."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tables: OrderedDict[str, tuple[int, ShownTable]] = OrderedDict()
        self._removed: OrderedDict[str, int] = OrderedDict()
        self._counts: Counter[Situation] = Counter()
        self.revision = 0

    def __len__(self) -> int:
        return len(self._tables)

    def table(self, table_id: str) -> ShownTable | None:
        """A table as it is now."""
        found = self._tables.get(table_id)
        return found[1] if found is not None else None

    def name_of(self, table_id: str) -> str:
        """What people call a table: its number and its name, or its id where nothing else is known of it."""
        table = self.table(table_id)
        return table_id if table is None else f"{table.place} · {table.name or table_id}"

    def put(self, table: ShownTable, now: float) -> ShownTable:
        """A table has changed."""
        with self._lock:
            known = self._tables.get(table.table_id)
            if known is None or known[1].situation is not table.situation:
                table = replace(table, since=_began(table, now))
                if known is not None:
                    self._counts[known[1].situation] -= 1
                self._counts[table.situation] += 1
            if known is not None and replace(known[1], heard=table.heard) == table:
                self._tables[table.table_id] = known[0], table
                return table
            self.revision += 1
            self._tables[table.table_id] = self.revision, table
            self._tables.move_to_end(table.table_id)
        return table

    def hear(self, table_id: str, now: float) -> None:
        """A table has said something; pages show that only where it was silent."""
        with self._lock:
            revision, table = self._tables[table_id]
            if not table.is_silent:
                self._tables[table_id] = revision, replace(table, heard=now)
                return
        self.put(replace(table, heard=now, is_silent=not table.is_online), now)

    def remove(self, table_id: str) -> None:
        """A table is registered no more."""
        with self._lock:
            found = self._tables.pop(table_id, None)
            if found is not None:
                self.revision += 1
                self._counts[found[1].situation] -= 1
                self._removed[table_id] = self.revision

    def find_silent(self, now: float) -> None:
        """Tables of which nothing was heard for a while are silent; so are those that were heard in times to come,
        by a clock that was put back: whoever is there wakes up again.
        """
        for table in self.all():
            if not table.is_silent and abs(now - table.heard) > SECONDS_UNTIL_SILENT:
                self.put(replace(table, is_silent=True), now)

    def touch(self, table_ids: Iterable[str]) -> None:
        """What pages show beside a table's state has changed."""
        with self._lock:
            for table_id in table_ids:
                if table_id in self._tables:
                    self.revision += 1
                    self._tables[table_id] = self.revision, self._tables[table_id][1]
                    self._tables.move_to_end(table_id)

    def all(self) -> list[ShownTable]:
        """Every table."""
        with self._lock:
            return [table for _revision, table in self._tables.values()]

    def changed_since(self, revision: int) -> tuple[int, list[ShownTable], list[str]]:
        """The revision now, what has changed since another, the newest first, and what is no more."""
        changed, removed = [], []
        with self._lock:
            for at, table in reversed(self._tables.values()):
                if at <= revision:
                    break
                changed.append(table)
            for table_id, at in reversed(self._removed.items()):
                if at <= revision:
                    break
                removed.append(table_id)
            return self.revision, changed, removed

    def revision_of(self, table_id: str) -> int:
        """The revision with which a table changed last; 0 for one that is not there."""
        found = self._tables.get(table_id)
        return found[0] if found is not None else 0

    def counts(self) -> dict[Situation, int]:
        """How many tables are in each situation."""
        with self._lock:
            return {situation: self._counts[situation] for situation in Situation}


def _began(table: ShownTable, now: float) -> float:
    """When a situation that a table is in only now began: a call that was silent for a while is as old as it is."""
    if table.situation is Situation.HELP:
        return table.asked or now
    return table.heard or now if table.situation is Situation.SILENT else now


def by_urgency(table: ShownTable) -> tuple[int, float, int]:
    """The order of cards: help first, the oldest call of all first; then by place."""
    urgent = table.situation in (Situation.HELP, Situation.DISPUTED)
    return ORDER[table.situation], table.since if urgent else 0.0, table.place
