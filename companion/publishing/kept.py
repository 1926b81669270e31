"""What a published table keeps over restarts: its key, its counter, and what a hub has acknowledged of each game.

A file of its own, which only this user may read: a copy of the database of games gives no key away.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from companion.errors import StoreError
from companion.publishing.signing import KEY_BYTES, new_key
from companion.session.stored_lines import DAMAGE
from companion.wording.sentences import sentence

FILE = "publishing.sqlite3"
_DAMAGED = ("SQLITE_NOTADB", "SQLITE_CORRUPT")
_SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (
    name TEXT PRIMARY KEY, key BLOB NOT NULL, number INTEGER NOT NULL DEFAULT 0,
    registered INTEGER NOT NULL DEFAULT 0, event INTEGER NOT NULL DEFAULT 0, words TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE IF NOT EXISTS preferences (
    only INTEGER PRIMARY KEY CHECK (only = 1), is_on INTEGER NOT NULL, broker TEXT NOT NULL, called TEXT NOT NULL,
    shows_names INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS games (
    name TEXT NOT NULL, game TEXT NOT NULL, acknowledged INTEGER NOT NULL, PRIMARY KEY (name, game)
) STRICT;
CREATE TABLE IF NOT EXISTS arrived (
    name TEXT NOT NULL, game TEXT NOT NULL, PRIMARY KEY (name, game)
) STRICT;
"""


@dataclass(frozen=True, slots=True)
class Identity:
    """Who a table is on brokers. `number` is one that no message has had, nor any higher one.

    `event` is the number of the hub's latest message with an assignment or a judge's word, `words` the JSON of both.
    """

    table: str
    key: bytes
    number: int
    registered: bool
    event: int
    words: str


@dataclass(frozen=True, slots=True)
class Preferences:
    """What the people at a table have chosen: whether it is published, on which broker, what it is called there, and
    whether the names of the players may be shown.

    `broker` is as people write it and may hold a password; "" for the one of this machine.
    """

    is_on: bool = False
    broker: str = ""
    called: str = ""
    shows_names: bool = False


class KeptPublishing:
    """The file; None keeps everything in memory. May be used from any thread. Every method raises StoreError."""

    def __init__(self, path: Path | None) -> None:
        self._path = "memory" if path is None else str(path)
        self._lock = threading.Lock()
        with self._errors():
            if path is not None:
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
                path.chmod(0o600)
            self._connection = sqlite3.connect(
                ":memory:" if path is None else path, timeout=5, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(_SCHEMA)

    def close(self) -> None:
        """Release the file; nothing is pending."""
        with self._lock:
            self._connection.close()

    def identity(self, table: str) -> Identity:
        """Who a table is; its key is made at the first time."""
        with self._errors():
            self._connection.execute("INSERT OR IGNORE INTO tables (name, key) VALUES (?, ?)", (table, new_key()))
            query = "SELECT key, number, registered, event, words FROM tables WHERE name = ?"
            key, number, registered, event, words = self._connection.execute(query, (table,)).fetchone()
        if len(key) != KEY_BYTES:
            raise StoreError(sentence("the key of {table} is damaged", table=table), self._path)
        return Identity(table, key, number + 1, bool(registered), event, words)

    def preferences(self) -> Preferences:
        """What was chosen last; the usual before anything was."""
        with self._errors():
            query = "SELECT is_on, broker, called, shows_names FROM preferences"
            row = self._connection.execute(query).fetchone()
        return Preferences() if row is None else Preferences(bool(row[0]), row[1], row[2], bool(row[3]))

    def keep_preferences(self, chosen: Preferences) -> None:
        """Remember what is chosen."""
        row = (chosen.is_on, chosen.broker, chosen.called, chosen.shows_names)
        self._write("INSERT OR REPLACE INTO preferences VALUES (1, ?, ?, ?, ?)", row)

    def reserve(self, table: str, number: int) -> None:
        """Let a table count up to a number without asking; after a restart it goes on above it."""
        self._write("UPDATE tables SET number = ? WHERE name = ?", (number, table))

    def register(self, table: str) -> None:
        """A hub has the table's key."""
        self._write("UPDATE tables SET registered = 1 WHERE name = ?", (table,))

    def keep_words(self, table: str, number: int, words: str) -> None:
        """What the hub has assigned, and the judge said, last: by its message of this number."""
        self._write("UPDATE tables SET event = ?, words = ? WHERE name = ?", (number, words, table))

    def games(self, table: str) -> dict[str, int]:
        """The published games of a table, in the order in which they were begun: id -> what is acknowledged."""
        with self._errors():
            query = "SELECT game, acknowledged FROM games WHERE name = ? ORDER BY rowid"
            return dict(self._connection.execute(query, (table,)).fetchall())

    def begin(self, table: str, game: str) -> None:
        """A game is to be published; what is acknowledged of it already stays."""
        self._write("INSERT OR IGNORE INTO games VALUES (?, ?, -1)", (table, game))

    def acknowledge(self, table: str, numbers: Mapping[str, int]) -> None:
        """The highest numbers of games below which a hub has everything; -1 for a game that is only begun."""
        with self._errors():
            self._connection.executemany(
                "INSERT INTO games VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET acknowledged = excluded.acknowledged",
                [(table, game, number) for game, number in numbers.items()],
            )

    def arrive(self, table: str, game: str) -> None:
        """All of a game has arrived at the hub that has the table's key now."""
        self._write("INSERT OR IGNORE INTO arrived VALUES (?, ?)", (table, game))
        self.forget(table, game)

    def forget(self, table: str, game: str) -> None:
        """A game is not published any more: all of it has arrived, or it is gone."""
        self._write("DELETE FROM games WHERE name = ? AND game = ?", (table, game))

    def tell_again(self, table: str) -> None:
        """The table is registered anew, perhaps with a hub that has nothing of it: all games are published again."""
        self._write("INSERT OR IGNORE INTO games SELECT name, game, -1 FROM arrived WHERE name = ?", (table,))
        self._write("DELETE FROM arrived WHERE name = ?", (table,))

    def _write(self, statement: str, values: tuple[object, ...]) -> None:
        with self._errors():
            self._connection.execute(statement, values)

    @contextmanager
    def _errors(self) -> Iterator[None]:
        with self._lock:
            try:
                yield
            except (*DAMAGE, OSError) as error:
                why = getattr(error, "strerror", None) or str(error)
                if isinstance(error, UnicodeDecodeError) or getattr(error, "sqlite_errorname", "") in _DAMAGED:
                    told = sentence("what is published cannot be kept: the file is damaged; move it elsewhere")
                else:
                    told = sentence("what is published cannot be kept ({why}); check who owns the file", why=why)
                raise StoreError(told, self._path) from error
