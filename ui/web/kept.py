"""Which phones sit where and what was told on them, kept in a file of its own, which only this user may read.

It is not the database of games, so that whoever copies or sends that gives no secret away.
"""

from __future__ import annotations

import json
import logging
import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from companion.session.stored_lines import DAMAGE
from companion.session.viewing import Telling

FILE = "phones.sqlite3"
MOST_KEPT = 200
"""phones that are remembered, the latest"""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS phones (
    phone TEXT PRIMARY KEY, number INTEGER NOT NULL, added INTEGER NOT NULL
) STRICT;
CREATE TABLE IF NOT EXISTS seats (
    game TEXT NOT NULL, phone TEXT NOT NULL, seat INTEGER NOT NULL, PRIMARY KEY (game, phone)
) STRICT;
CREATE TABLE IF NOT EXISTS tellings (
    game TEXT NOT NULL, phone TEXT NOT NULL, seat INTEGER NOT NULL, entry INTEGER NOT NULL, names TEXT NOT NULL,
    PRIMARY KEY (game, phone, seat, entry)
) STRICT;
CREATE TABLE IF NOT EXISTS serving (address TEXT NOT NULL) STRICT;
"""
_TOLD_BEFORE = "SELECT count(*) FROM sqlite_master WHERE name = 'told'"
_WITH_PHONES = """
BEGIN IMMEDIATE;
INSERT OR IGNORE INTO tellings
    SELECT told.game, seats.phone, told.seat, told.entry, told.names
    FROM told JOIN seats ON seats.game = told.game AND seats.seat = told.seat;
DROP TABLE told;
COMMIT;
"""
"""what 0.1.0 kept by seats alone is that of the phones that sit there"""
_log = logging.getLogger("companion.phones")


class KeptPhones:
    """The file. What cannot be kept is forgotten when the program ends, and the log says so; nothing here raises.

    A phone is named by a hash of its key. It `remembers` what is kept beyond the evening unless the file is damaged or
    cannot be written. One thread uses it.
    """

    def __init__(self, path: Path) -> None:
        self._path, self.remembers = path, False
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
        self._connection.executescript(_SCHEMA)
        with self._unharmed():
            os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
            path.chmod(0o600)
            connection = sqlite3.connect(path, timeout=0.5, isolation_level=None, check_same_thread=False)
            try:
                connection.execute("PRAGMA synchronous = FULL")
                connection.executescript(_SCHEMA)
                if connection.execute(_TOLD_BEFORE).fetchone()[0]:
                    connection.executescript(_WITH_PHONES)
                connection.execute("SELECT count(*) FROM tellings").fetchone()
            except DAMAGE:
                connection.close()
                raise
            self._connection.close()
            self._connection, self.remembers = connection, True

    def close(self) -> None:
        """Release the file; nothing is pending."""
        self._connection.close()

    def serving(self) -> str:
        """The address with its port at which phones are served, or were when the program was killed; "" for none."""
        row = None
        with self._unharmed():
            row = self._connection.execute("SELECT address FROM serving").fetchone()
        return str(row[0]) if row is not None else ""

    def serve(self, address: str) -> None:
        """Phones are served at an address with its port from now on, or, for "", no more."""
        with self._unharmed():
            self._connection.execute("DELETE FROM serving")
            if address:
                self._connection.execute("INSERT INTO serving VALUES (?)", (address,))

    def phones(self) -> dict[str, int]:
        """The phones that have a key, with the numbers they are called by."""
        rows: list[tuple[str, int]] = []
        with self._unharmed():
            query = "SELECT phone, number FROM phones ORDER BY added DESC LIMIT ?"
            rows = self._connection.execute(query, (MOST_KEPT,)).fetchall()
        return {phone: number for phone, number in reversed(rows) if number > 0}

    def add(self, phone: str, number: int) -> None:
        """A phone has a key from now on."""
        with self._unharmed():
            added = "SELECT coalesce(max(added), 0) + 1 FROM phones"
            self._connection.execute(f"INSERT OR REPLACE INTO phones VALUES (?, ?, ({added}))", (phone, number))

    def forget(self, phone: str) -> None:
        """The key of a phone is worth nothing any more."""
        with self._unharmed():
            self._connection.execute("DELETE FROM phones WHERE phone = ?", (phone,))
            self._connection.execute("DELETE FROM seats WHERE phone = ?", (phone,))
            self._connection.execute("DELETE FROM tellings WHERE phone = ?", (phone,))

    def seats(self, game: str) -> dict[str, int]:
        """Phone -> its seat in a game."""
        rows: list[tuple[str, int]] = []
        with self._unharmed():
            rows = self._connection.execute("SELECT phone, seat FROM seats WHERE game = ?", (game,)).fetchall()
        return dict(rows)

    def sit(self, game: str, phone: str, seat: int) -> None:
        """A phone has a seat in a game, or, for 0, none."""
        with self._unharmed():
            self._connection.execute("DELETE FROM seats WHERE game = ? AND phone = ?", (game, phone))
            if seat:
                self._connection.execute("INSERT INTO seats VALUES (?, ?, ?)", (game, phone, seat))

    def told(self, game: str, phone: str) -> tuple[Telling, ...]:
        """What was told on a phone of the closed pieces of seats in a game."""
        rows: list[tuple[int, int, str]] = []
        with self._unharmed():
            query = "SELECT seat, entry, names FROM tellings WHERE game = ? AND phone = ? ORDER BY seat, entry"
            rows = self._connection.execute(query, (game, phone)).fetchall()
        return tuple(
            Telling(seat, entry, tuple(names)) for seat, entry, text in rows if (names := _names(text)) is not None
        )

    def tell(self, game: str, phone: str, telling: Telling) -> None:
        """Keep what was told on a phone."""
        with self._unharmed():
            row = (game, phone, telling.seat, telling.after, json.dumps(telling.names))
            self._connection.execute("INSERT OR REPLACE INTO tellings VALUES (?, ?, ?, ?, ?)", row)

    @contextmanager
    def _unharmed(self) -> Iterator[None]:
        try:
            yield
        except (*DAMAGE, OSError) as error:
            _log.warning("%s: phones are not remembered beyond this evening (%s)", self._path, error)


def _names(text: str) -> list[str] | None:
    try:
        names = json.loads(text)
    except ValueError:
        return None
    return names if isinstance(names, list) and all(isinstance(name, str) for name in names) else None
