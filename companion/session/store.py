"""The database of games: every accepted entry is on the disk before anybody is told so.

SQLite with a write-ahead log and full synchronisation; each entry is a transaction of its own. A file that is not ours,
is damaged or was made by a later version is refused before anything is written to it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.errors import InvalidDocument, StoreError
from companion.files.documents import parse_json, shown
from companion.session.entries import Entry
from companion.session.log import MAXIMUM_ENTRIES, Header, Log, begin
from companion.session.record import (
    MAXIMUM_LINE,
    appended,
    entry_line,
    header_document,
    header_from,
    json_line,
)  # fmt: skip

APPLICATION_ID = 0x524F4D45
"""marks a SQLite file as a database of this program's games ("ROME")"""
SCHEMA_VERSION = 1
PATIENCE = 5.0
"""seconds to wait for another program that is writing"""

_MAGIC = b"SQLite format 3\0"
_SCHEMA = f"""
BEGIN EXCLUSIVE;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    created TEXT NOT NULL,
    header TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    over INTEGER NOT NULL CHECK (over IN (0, 1)),
    entry TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
_APPEND = """
INSERT INTO entries (game, number, over, entry)
SELECT :game, :number, :over, :entry
WHERE (SELECT coalesce(max(number), 0) FROM entries WHERE game = :game) = :number - 1
"""
_SUMMARIES = """
SELECT games.id, games.game, games.created, count(number), coalesce(max(number * 2 + over) % 2, 0)
FROM games LEFT JOIN entries ON entries.game = games.id
GROUP BY games.id ORDER BY games.created DESC, games.id
"""


@dataclass(frozen=True, slots=True)
class GameSummary:
    """A game of the database, without reading it."""

    id: str
    game: str
    created: str
    entries: int
    over: bool


class Store:
    """One open database; a context manager. Every method raises StoreError, with one line that says what to do.

    It may be used from any thread, and several programs may have the same database open.
    """

    def __init__(self, path: Path, patience: float = PATIENCE) -> None:
        self.path = path
        with self._errors():
            is_new = self._check_new(patience)
            self._connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        try:
            with self._errors():
                self._prepare(is_new=is_new)
                self._file = _identity(path)
        except StoreError:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the file; nothing is pending."""
        self._connection.close()

    def create(self, log: Log) -> None:
        """Take in a game with all entries that it has so far, or nothing of it."""
        header = log.header
        row = (header.id, header.table.game, header.created, json_line(header_document(header, 0)))
        with self._errors(), self._transaction():
            if self._connection.execute("SELECT 1 FROM games WHERE id = ?", (header.id,)).fetchone():
                raise StoreError(f"{self.path}: game {header.id} is there already; open it instead")
            self._connection.execute("INSERT INTO games VALUES (?, ?, ?, ?)", row)
            self._connection.executemany(
                "INSERT INTO entries VALUES (?, ?, ?, ?)",
                (
                    (header.id, entry.number, log.is_over and entry is log.entries[-1], entry_line(entry))
                    for entry in log.entries
                ),
            )

    def append(self, game_id: str, entry: Entry, *, over: bool) -> None:
        """Write the next entry of a game; `over` says whether the game has ended with it.

        It is refused where another program has written an entry of that number in the meantime.
        """
        values = {"game": game_id, "number": entry.number, "over": over, "entry": entry_line(entry)}
        with self._errors():
            self._check_place()
            if self._connection.execute(_APPEND, values).rowcount != 1:
                raise StoreError(
                    f"{self.path}: game {game_id} was continued elsewhere since it was opened; open it again"
                )

    def read(self, game_id: str) -> Log:
        """A game's log."""
        with self._errors():
            row = self._connection.execute(
                "SELECT substr(header, 1, ?) FROM games WHERE id = ?", (MAXIMUM_LINE, game_id)
            ).fetchone()
            if row is None:
                raise StoreError(f"{self.path}: there is no game {game_id}")
            rows = self._connection.execute(
                "SELECT substr(entry, 1, ?) FROM entries WHERE game = ? ORDER BY number LIMIT ?",
                (MAXIMUM_LINE, game_id, MAXIMUM_ENTRIES),
            ).fetchall()
        source = f"{self.path}: game {game_id}"
        try:
            header = self._header(row[0], source)
            if header.id != game_id:
                raise InvalidDocument(source, "header.id", f"is {header.id!r}")
            log = begin(header, source)
            for number, (line,) in enumerate(rows, 1):
                log = appended(log, parse_json(line, source, f"entry {number}"))
        except InvalidDocument as error:
            raise StoreError(f"{error}; the database is damaged") from error
        return log

    def header(self, game_id: str) -> Header:
        """Who plays what in a game, without its entries."""
        with self._errors():
            row = self._connection.execute(
                "SELECT substr(header, 1, ?) FROM games WHERE id = ?", (MAXIMUM_LINE, game_id)
            ).fetchone()
        if row is None:
            raise StoreError(f"{self.path}: there is no game {game_id}")
        try:
            return self._header(row[0], f"{self.path}: game {game_id}")
        except InvalidDocument as error:
            raise StoreError(f"{error}; the database is damaged") from error

    def delete(self, game_id: str) -> None:
        """Forget a game and all its entries, for good."""
        with self._errors(), self._transaction():
            self._connection.execute("DELETE FROM entries WHERE game = ?", (game_id,))
            if self._connection.execute("DELETE FROM games WHERE id = ?", (game_id,)).rowcount != 1:
                raise StoreError(f"{self.path}: there is no game {game_id}")

    @staticmethod
    def _header(line: str, source: str) -> Header:
        return header_from(parse_json(line, source, "header"))

    def games(self) -> tuple[GameSummary, ...]:
        """All games, the one begun last first."""
        with self._errors():
            rows = self._connection.execute(_SUMMARIES).fetchall()
        return tuple(
            GameSummary(game_id, game, created, entries, bool(over)) for game_id, game, created, entries, over in rows
        )

    def latest_unfinished(self, game: str) -> str | None:
        """The id of the game of this kind that was begun last and is not over."""
        return next((summary.id for summary in self.games() if summary.game == game and not summary.over), None)

    def _check_new(self, patience: float) -> bool:
        """Whether there is no database yet. One that is there is looked over through a connection that cannot write."""
        if _check_file(self.path):
            return True
        uri = self.path.absolute().as_uri()
        try:
            sound = _is_sound(f"{uri}?mode=ro", patience)
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_READONLY"):
                raise
            # A writer was killed. To read at all SQLite has to take back what it was at, perhaps all of a new database.
            sound = _is_sound(f"{uri}?mode=rw", patience)
            if _check_file(self.path):
                return True
        if not sound:
            raise StoreError(f"{self.path}: the database is damaged; put it aside, or bring back a copy")
        return False

    def _prepare(self, *, is_new: bool) -> None:
        connection = self._connection
        if is_new:
            connection.executescript(_SCHEMA)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(f"{self.path}: this disk cannot hold the database safely (journal mode {mode})")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")

    def _check_place(self) -> None:
        """Refuse to write where the file is no more: nobody could open what an open file without a name took in."""
        try:
            is_there = _identity(self.path) == self._file
        except FileNotFoundError:
            is_there = False
        if not is_there:
            raise StoreError(
                f"{self.path}: the database was moved or removed while it is open; put it back, or start again"
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        self._check_place()
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            self._connection.execute("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # on a full disk SQLite has taken it back already
                self._connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            name = getattr(error, "sqlite_errorname", "")
            known = (text for start, text in _REASONS.items() if name.startswith(start))
            if not name and str(error).startswith("Could not decode"):  # raised by Python, not by SQLite
                name = "SQLITE_CORRUPT"
            reason = next(known, f"failed: {shown(str(error), 120)}")
            raise StoreError(f"{self.path}: the database {reason}") from error
        except UnicodeDecodeError as error:  # the damage is in what SQLite quotes in its message
            raise StoreError(f"{self.path}: the database {_REASONS['SQLITE_CORRUPT']}") from error
        except OSError as error:
            raise StoreError(f"{self.path}: cannot be used ({error.strerror or error})") from error


_REASONS = {
    "SQLITE_BUSY": "is in use by another program; close that, or try again",
    "SQLITE_LOCKED": "is in use by another program; close that, or try again",
    "SQLITE_FULL": "cannot grow: the disk is full; make room and try again",
    "SQLITE_READONLY": "cannot be written; check who owns it",
    "SQLITE_CANTOPEN": "cannot be opened; check that its folder exists and can be written",
    "SQLITE_PERM": "cannot be opened; check who owns it",
    "SQLITE_CORRUPT": "is damaged; put it aside, or bring back a copy",
    "SQLITE_NOTADB": "is damaged; put it aside, or bring back a copy",
    "SQLITE_IOERR": "cannot be read or written: the disk failed or is full",
}
"""beginning of SQLite's name of an error -> what to say"""


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _is_sound(uri: str, patience: float) -> bool:
    connection = sqlite3.connect(uri, timeout=patience, isolation_level=None, uri=True)
    try:
        found = connection.execute("PRAGMA quick_check(1)").fetchone()
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    finally:
        connection.close()
    return found == ("ok",) and {"games", "entries"} <= tables


def _check_file(path: Path) -> bool:
    """Whether there is no database yet; its first bytes are looked at before SQLite touches it.

    Raises StoreError or OSError.
    """
    if not path.exists():
        return True
    if not path.is_file():
        raise StoreError(f"{path}: is no file; name another one")
    with path.open("rb") as stream:
        head = stream.read(100)
    if not head:
        return True
    if len(head) < 100 or not head.startswith(_MAGIC):
        raise StoreError(f"{path}: is no database of games, or is damaged; name another file")
    version, application = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if application != APPLICATION_ID:
        raise StoreError(f"{path}: is another program's database; name another file")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path}: has version {version}, made by a newer program; this one reads version {SCHEMA_VERSION}"
        )
    return False
