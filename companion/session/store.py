"""The database of games: every accepted entry is on the disk before it is acknowledged.

SQLite with a write-ahead log and full synchronisation; each entry is a transaction of its own. A file that is not ours,
is damaged or was made by a later version is refused before anything is written to it.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from companion.errors import DamagedDatabase, InvalidDocument, NoSuchGame, StoreError
from companion.files.documents import parse_json
from companion.session.acknowledged import AcknowledgedEntries, Shortfall
from companion.session.checkpoints import Checkpointer
from companion.session.entries import Entry
from companion.session.file_check import DAMAGED, SCHEMA, fault, is_free
from companion.session.game_names import stored_name
from companion.session.log import MAXIMUM_ENTRIES, Header, Log, begin
from companion.session.record import (
    MAXIMUM_LINE,
    appended,
    entry_line,
    header_document,
    header_from,
    json_line,
)  # fmt: skip
from companion.session.sqlite_errors import reason_of
from companion.session.stored_lines import StoredGame, stored_entries, stored_game
from companion.wording.sentences import Sentence, sentence

PATIENCE = 0.8
"""seconds to wait for another program that is writing; people are told within a second"""

_APPEND = """
INSERT INTO entries (game, number, over, entry)
SELECT :game, :number, :over, :entry
WHERE (SELECT coalesce(max(number), 0) FROM entries WHERE game = :game) = :number - 1
"""
_LATEST_NUMBERS = "SELECT id, (SELECT coalesce(max(number), 0) FROM entries WHERE game = games.id) FROM games"
_SUMMARIES = """
SELECT id, games.game, created, coalesce(latest.number, 0), coalesce(latest.over, 0)
FROM games LEFT JOIN entries AS latest ON latest.game = games.id
    AND latest.number = (SELECT max(number) FROM entries WHERE entries.game = games.id)
ORDER BY created DESC, id
"""
"""numbered without gaps, so that the latest entry's number is how many there are; no other page of entries is read"""


_DAMAGED_ENTRIES = """
SELECT game FROM entries GROUP BY game HAVING count(*) <> max(number) OR NOT min(json_valid(entry))
"""
_PLAYERS = """
SELECT id, (SELECT json_group_array(json_extract(value, '$.name')) FROM json_each(header, '$.table.players'))
FROM games WHERE json_valid(header)
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
        self._acknowledged, self._checkpointer = AcknowledgedEntries(path), Checkpointer(path)
        self._is_whole = True
        self.was_read_whole = False
        """whether all of the database was looked at when it was opened: it is not as a program of ours had left it"""
        with self._errors():
            is_new = self._check_new(patience)
            self._connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
        self._contested: set[str] = set()
        self._notices: dict[str, Sentence] = {}
        try:
            with self._errors():
                self._prepare(is_new=is_new)
                self._file = _identity(path)
                self._shortfalls = self._acknowledged.shortfalls(self._latest_numbers)
                self._acknowledged.put_right(self._latest_numbers)
                self._acknowledged.forget_contests()
                if self.was_read_whole:
                    self._acknowledged.mark_unsure(self._latest_numbers)
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
        self._checkpointer.close()
        self._connection.close()
        if self._is_whole:
            self._acknowledged.note_whole()
        self._acknowledged.close()

    @property
    def shortfalls(self) -> tuple[Shortfall, ...]:
        """The games with fewer entries at opening than had been acknowledged, until `accept_shortfalls`.

        A write-ahead log that is missing or damaged, or a database file copied without it, looks like this.
        """
        return self._shortfalls

    def accept_shortfalls(self) -> None:
        """The people at the table were told what is missing: expect no more than there is from now on."""
        self._acknowledged.forget(shortfall.game_id for shortfall in self._shortfalls)
        self._shortfalls = ()

    def is_contested(self, game_id: str) -> bool:
        """Whether another program was refused an entry of a game that this one goes on with."""
        return game_id in self._contested

    def is_continued(self, game_id: str, number: int) -> bool:
        """Whether another program has written entries of a game after this one; quick where it has not."""
        return self._acknowledged.number(game_id) > number and self.latest_number(game_id) > number

    def is_deleted(self, game_id: str) -> bool:
        """Whether another program has deleted a game; quick where any program has recorded something in it."""
        if self._acknowledged.number(game_id):
            return False
        with self._errors():
            return not self._is_there(game_id)

    def keep_notice(self, game_id: str, notice: Sentence) -> None:
        """Keep what the table of a game must know until it is taken."""
        self._notices[game_id] = notice

    @property
    def notices(self) -> dict[str, Sentence]:
        """Game -> what its table must know about the database."""
        return dict(self._notices)

    def take_notice(self, game_id: str) -> Sentence | None:
        """What the table of a game must know; it is given once."""
        return self._notices.pop(game_id, None)

    def create(self, log: Log) -> None:
        """Take in a game with all entries that it has so far, or nothing of it."""
        header = log.header
        row = (header.id, header.table.game, header.created, json_line(header_document(header, 0)))
        with self._errors(), self._transaction():
            if self._is_there(header.id):
                raise StoreError(f"{self.path}: game {header.id} is there already; open it instead")
            self._connection.execute("INSERT INTO games VALUES (?, ?, ?, ?)", row)
            self._insert_entries(log)
        self._acknowledged.note(header.id, len(log.entries))

    def append(self, game_id: str, entry: Entry, *, over: bool) -> None:
        """Write the next entry of a game; `over` says whether the game has ended with it.

        It is refused where another program has written an entry of that number in the meantime. The other program
        finds `is_contested` true after its next entry.
        """
        values = {"game": game_id, "number": entry.number, "over": over, "entry": entry_line(entry)}
        with self._errors():
            self._check_place()
            try:
                is_written = self._connection.execute(_APPEND, values).rowcount == 1
            except sqlite3.IntegrityError:  # its game is gone
                is_written = False
            if not is_written:
                raise self._not_the_next(game_id)
        if self._acknowledged.note(game_id, entry.number):
            self._contested.add(game_id)
        self._checkpointer.entry_written()

    def read(self, game_id: str) -> Log:
        """A game's log."""
        with self._errors():
            row = self._connection.execute(
                "SELECT substr(header, 1, ?) FROM games WHERE id = ?", (MAXIMUM_LINE, game_id)
            ).fetchone()
            if row is None:
                raise NoSuchGame(game_id, str(self.path))
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
            raise DamagedDatabase(f"{error}; the database is damaged") from error
        return log

    def header(self, game_id: str) -> Header:
        """Who plays what in a game, without its entries."""
        with self._errors():
            row = self._connection.execute(
                "SELECT substr(header, 1, ?) FROM games WHERE id = ?", (MAXIMUM_LINE, game_id)
            ).fetchone()
        if row is None:
            raise NoSuchGame(game_id, str(self.path))
        try:
            return self._header(row[0], f"{self.path}: game {game_id}")
        except InvalidDocument as error:
            raise DamagedDatabase(f"{error}; the database is damaged") from error

    def games_with_damaged_entries(self) -> tuple[str, ...]:
        """The games with entries that are no JSON or missing between others."""
        with self._errors():
            return tuple(game_id for (game_id,) in self._connection.execute(_DAMAGED_ENTRIES).fetchall())

    def lines(self, game_id: str) -> tuple[StoredGame, dict[int, str | None]]:
        """A game's row and its entries (number -> line) as they are stored, None for entries that cannot be read."""
        with self._errors():
            return stored_game(self._connection, game_id), stored_entries(self._connection, game_id)

    def replace(self, log: Log) -> None:
        """Let a game have the header and the entries of this log instead of those it has."""
        game_id = log.header.id
        row = (log.header.table.game, log.header.created, json_line(header_document(log.header, 0)), game_id)
        with self._errors(), self._transaction():
            self._connection.execute("UPDATE games SET game = ?, created = ?, header = ? WHERE id = ?", row)
            self._connection.execute("DELETE FROM entries WHERE game = ?", (game_id,))
            self._insert_entries(log)
        self._acknowledged.note(game_id, len(log.entries))

    def copy_to(self, path: Path) -> None:
        """Copy the whole database to a new file."""
        with self._errors(), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    def delete(self, game_id: str) -> None:
        """Forget a game and all its entries, for good."""
        self._notices.pop(game_id, None)
        self._acknowledged.forget((game_id,))  # first: a program killed in between must not report the game as lost
        with self._errors(), self._transaction():
            self._connection.execute("DELETE FROM entries WHERE game = ?", (game_id,))
            if self._connection.execute("DELETE FROM games WHERE id = ?", (game_id,)).rowcount != 1:
                raise NoSuchGame(game_id, str(self.path))

    def _insert_entries(self, log: Log) -> None:
        latest = log.entries[-1] if log.entries else None
        self._connection.executemany(
            "INSERT INTO entries VALUES (?, ?, ?, ?)",
            ((log.header.id, each.number, log.is_over and each is latest, entry_line(each)) for each in log.entries),
        )

    def _latest_numbers(self) -> dict[str, int]:
        """Game -> number of its latest entry."""
        return dict(self._connection.execute(_LATEST_NUMBERS))

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

    def players(self) -> dict[str, tuple[str, ...]]:
        """Game -> the names of its players, of all games whose first line can be read."""
        with self._errors():
            rows = self._connection.execute(_PLAYERS).fetchall()
        return {game_id: tuple(map(str, json.loads(names))) for game_id, names in rows}

    def _not_the_next(self, game_id: str) -> StoreError:
        """What another program has done with a game since it was opened."""
        if not self._is_there(game_id):
            return StoreError(sentence("another program has deleted this game; begin a new one"))
        self._acknowledged.contest(game_id)
        game = stored_name(stored_game(self._connection, game_id))
        return StoreError(sentence("{game} was continued elsewhere since it was opened; open it again", game=game))

    def _is_there(self, game_id: str) -> bool:
        return self._connection.execute("SELECT 1 FROM games WHERE id = ?", (game_id,)).fetchone() is not None

    def latest_number(self, game_id: str) -> int:
        """The number of a game's latest entry; 0 where it has none."""
        with self._errors():
            found = self._connection.execute("SELECT max(number) FROM entries WHERE game = ?", (game_id,)).fetchone()
        return found[0] or 0

    def latest_unfinished(self, game: str) -> str | None:
        """The id of the game of this kind that was begun last and is not over."""
        return next((summary.id for summary in self.games() if summary.game == game and not summary.over), None)

    def _check_new(self, patience: float) -> bool:
        """Whether there is no database yet. One that is there is looked over through a connection that cannot write."""
        if is_free(self.path):
            return True
        uri = self.path.absolute().as_uri()
        self.was_read_whole = not self._acknowledged.is_left_whole()
        try:
            found = fault(f"{uri}?mode=ro", patience, reads_all=self.was_read_whole)
        except sqlite3.OperationalError as error:
            if not error.sqlite_errorname.startswith("SQLITE_READONLY"):
                raise
            # A writer was killed. To read at all SQLite has to take back what it was at, perhaps all of a new database.
            found = fault(f"{uri}?mode=rw", patience, reads_all=True)
            if is_free(self.path):
                return True
        if found == DAMAGED:
            raise DamagedDatabase(DAMAGED, str(self.path))
        if found:
            raise StoreError(f"{self.path}: {found}")
        return False

    def _prepare(self, *, is_new: bool) -> None:
        connection = self._connection
        if is_new:
            connection.executescript(SCHEMA)
        (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        if mode != "wal":
            raise StoreError(f"{self.path}: this disk cannot hold the database safely (journal mode {mode})")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")  # the checkpointer's work, so that no entry waits for it
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA trusted_schema = OFF")

    def _check_place(self) -> None:
        """Refuse to write where the file is no more: nobody could open what an open file without a name took in."""
        try:
            is_there = _identity(self.path) == self._file
        except FileNotFoundError:
            is_there = False
        if not is_there:
            told = sentence("the database was moved or removed while it is open; put it back, or start again")
            raise StoreError(told, str(self.path))

    def is_unsure(self, game_id: str) -> bool:
        """Whether others may have changed entries of a game since they were last judged (`note_sure`)."""
        return self.was_read_whole or self._acknowledged.is_unsure(game_id)

    def note_sure(self, game_id: str) -> None:
        """All entries of a game were judged again, and are as its rules say."""
        self._acknowledged.note_sure(game_id)

    def _note_damage(self) -> None:
        """Something in it cannot be read: all is to be looked at again at the next opening."""
        self._is_whole = False
        self._acknowledged.forget_whole()

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
            reason = reason_of(error)
            if reason == DAMAGED:
                self._note_damage()
                raise DamagedDatabase(reason, str(self.path)) from error
            raise StoreError(reason, str(self.path)) from error
        except UnicodeDecodeError as error:  # the damage is in what SQLite quotes in its message
            self._note_damage()
            raise DamagedDatabase(DAMAGED, str(self.path)) from error
        except OSError as error:
            told = sentence("the database cannot be used ({why})", why=error.strerror or error)
            raise StoreError(told, str(self.path)) from error


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino
