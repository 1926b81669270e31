"""The hub's database: SQLite in a file or PostgreSQL by its address, brought up to date when it is opened.

Several hubs may share one PostgreSQL: each says what it has changed by NOTIFY and listens for what the others have.
"""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import psycopg
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import ArgumentError, DatabaseError, DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as AllInUse

from companion.errors import CompanionError
from companion.files.file_lock import take

FILE = "hub.sqlite"
CHANNEL = "companion_hub"
LONGEST_NOTICE = 7000
"""bytes of what PostgreSQL passes on at once (it takes less than 8000)"""
LONGEST_REASON = 160
VERSION_TABLE = "alembic_version"
WHAT_TO_DO = "put a copy back, or name another database with --database"
RETRY_SECONDS = 1.0
CLOCKS_COMPARED = 600.0
"""seconds after which the clocks are compared again: quartz goes wrong by some 50 ms meanwhile"""
CLOCK_SET = 1.0
"""seconds by which this machine's clock is off what has gone by, so that it must have been set"""
CLOCK_LOOKS = 3
"""of which the quickest counts"""
MIGRATING = 20_221
"""PostgreSQL's advisory lock, so that of hubs that start together one brings the database up to date"""
ALONE, NEWEST = 20_222, 20_223
"""likewise, for what two hubs must not do at once"""
_SCRIPTS = Path(__file__).parent / "migrations"

Lost = (DBAPIError, psycopg.Error, OSError, AllInUse)
"""raised while a database cannot be reached, or all connections to it wait"""


class DatabaseUnavailable(CompanionError):
    """The hub's database cannot be opened."""


class Database:
    """An open database. Connections of `engine` may be used by any thread."""

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._is_postgresql = engine.dialect.name == "postgresql"
        self._ahead = timedelta()
        """how far the database's clock is ahead of this machine's, as seen last"""
        self._compared_at: float | None = None
        """when that was (monotonic); None before"""
        self._clock_ahead = 0.0
        """how many seconds this machine's clock was ahead of the monotonic one then"""

    @property
    def is_shared(self) -> bool:
        """Whether other hubs may have the same database."""
        return self._is_postgresql

    def now(self) -> datetime:
        """The time in UTC by the one clock of all hubs: the database's, as far ahead of this machine's as seen last.

        The database is not asked: two clocks part by milliseconds in an hour, and whoever wants the time, a page among
        them, must not wait for a database that is away. `compare_clocks` asks.
        """
        return datetime.now(UTC) + self._ahead

    def compare_clocks(self) -> None:
        """See how far the database's clock is ahead, where that was long ago or this machine's clock was set since.

        Raises `Lost`; what was seen last holds on then.
        """
        before, clock_ahead = time.monotonic(), datetime.now(UTC).timestamp() - time.monotonic()
        if not self._is_postgresql or not self._is_comparison_due(before, clock_ahead):
            return
        with self.engine.connect() as connection:
            self._ahead = min(_compared(connection) for _look in range(CLOCK_LOOKS))[1]
        self._compared_at, self._clock_ahead = before, clock_ahead

    def _is_comparison_due(self, monotonic: float, clock_ahead: float) -> bool:
        if self._compared_at is None or monotonic - self._compared_at >= CLOCKS_COMPARED:
            return True
        return abs(clock_ahead - self._clock_ahead) >= CLOCK_SET

    def now_text(self) -> str:
        """The same as it is kept."""
        return self.now().isoformat(timespec="milliseconds").replace("+00:00", "Z")

    def own_seconds(self, moment: str) -> float:
        """A moment that was kept, in seconds since the epoch by this machine's clock; 0 for none."""
        return (datetime.fromisoformat(moment) - self._ahead).timestamp() if moment else 0.0

    def insert(self, table: sa.Table) -> Any:
        """An INSERT that may say what happens to rows that are there already."""
        return postgresql.insert(table) if self._is_postgresql else sqlite.insert(table)

    def alone(self, connection: sa.Connection) -> None:
        """Wait until no other hub is in a part of a transaction that only one at a time may be in."""
        if self._is_postgresql:
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": ALONE})

    def may_write_newest(self, connection: sa.Connection) -> bool:
        """Whether no other hub writes newest states in a transaction of its own just now."""
        if not self._is_postgresql:
            return True
        asked = connection.execute(sa.text("SELECT pg_try_advisory_xact_lock(:key)"), {"key": NEWEST})
        return bool(asked.scalar_one())

    def tell(self, connection: sa.Connection, table_ids: Iterable[str]) -> None:
        """Tell the other hubs, when the transaction is committed, that something of these tables has changed."""
        if not self._is_postgresql:
            return
        for text in notices(sorted(set(table_ids))):
            connection.execute(sa.text("SELECT pg_notify(:channel, :text)"), {"channel": CHANNEL, "text": text})

    def close(self) -> None:
        """Close all connections."""
        self.engine.dispose()


def open_database(address: str) -> Database:
    """The database at an address (`sqlite:///FILE`, `postgresql://user:password@host/name`) or in a file.

    Raises DatabaseUnavailable.
    """
    url = database_url(address)
    try:
        engine = sa.create_engine(url, **_options(url))
    except (ArgumentError, SQLAlchemyError, ValueError) as error:
        raise DatabaseUnavailable(f"{_shown(url)}: is no address of a database ({_reason(error)})") from error
    if url.get_backend_name() == "sqlite":
        sa.event.listen(engine, "connect", _prepare_sqlite)
    database = Database(engine)
    try:
        _keep_to_its_user(url)
        _bring_up_to_date(engine)
        database.compare_clocks()
    except (SQLAlchemyError, OSError) as error:
        engine.dispose()
        raise DatabaseUnavailable(f"{_shown(url)}: cannot be opened ({_reason(error)}); {_what_to_do(url)}") from error
    except CommandError as error:
        engine.dispose()
        raise DatabaseUnavailable(
            f"{_shown(url)}: was made by a newer version of this program; update it, or name another database"
        ) from error
    return database


@contextmanager
def only_hub(database: Database) -> Iterator[None]:
    """Keep other hubs from a database that is not shared: they would not hear of what this one changes.

    Raises DatabaseUnavailable where one has it.
    """
    path = database.engine.url.database
    if database.is_shared or path in (None, "", ":memory:"):
        yield
        return
    with Path(f"{path}.lock").open("ab") as held:
        if not take(held):
            raise DatabaseUnavailable(
                f"{path}: another hub has it; end that one, or let both have a PostgreSQL database"
            )
        yield


def database_url(address: str) -> sa.URL:
    """The address as SQLAlchemy takes it; a word without "://" is a file.

    Raises DatabaseUnavailable for one of another kind.
    """
    if "://" not in address:
        return sa.URL.create("sqlite", database=address)
    try:
        url = sa.make_url(address)
    except (ArgumentError, ValueError) as error:
        raise DatabaseUnavailable(
            f"--database: write sqlite:///FILE or postgresql://user@host/name ({error})"
        ) from error
    if url.get_backend_name() in ("postgresql", "postgres"):
        return url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        raise DatabaseUnavailable(f"--database: {url.drivername!r} is neither sqlite nor postgresql")
    return url


def unreadable(database: Database, error: DatabaseError) -> DatabaseUnavailable:
    """That a database that could be opened is damaged within."""
    return DatabaseUnavailable(f"{_shown(database.engine.url)}: cannot be read ({_reason(error)}); {WHAT_TO_DO}")


def is_full(error: BaseException | None) -> bool:
    """Whether a database failed because there is no room left where it is."""
    cause = getattr(error, "orig", None) or error
    return getattr(cause, "sqlite_errorname", "") == "SQLITE_FULL" or isinstance(cause, psycopg.errors.DiskFull)


def notices(table_ids: list[str]) -> list[str]:
    """Ids as texts that PostgreSQL passes on, each a JSON list short enough."""
    texts: list[str] = []
    at = 0
    while at < len(table_ids):
        count = max(1, LONGEST_NOTICE // (max(map(len, table_ids[at:])) + 4))
        texts.append(json.dumps(table_ids[at : at + count], ensure_ascii=True, separators=(",", ":")))
        at += count
    return texts


class Listener:
    """Hears what other hubs have changed: `changed` is called with ids of tables, None for "anything, look again"."""

    def __init__(self, database: Database, changed: Callable[[frozenset[str] | None], object]) -> None:
        url = database.engine.url.set(drivername="postgresql")
        self._address = url.render_as_string(hide_password=False)
        self._changed, self._stopping = changed, threading.Event()
        self._thread = threading.Thread(target=self._run, name="hub listener", daemon=True)

    def start(self) -> None:
        """Listen, in a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Listen no more."""
        self._stopping.set()
        self._thread.join(5.0)

    def _run(self) -> None:
        while not self._stopping.is_set():
            with suppress(psycopg.Error, OSError):
                self._listen()
            self._stopping.wait(RETRY_SECONDS)

    def _listen(self) -> None:
        with psycopg.connect(self._address, autocommit=True, connect_timeout=5) as connection:
            connection.execute(f"LISTEN {CHANNEL}")
            self._changed(None)
            while not self._stopping.is_set():
                for notice in connection.notifies(timeout=0.5, stop_after=1):
                    self._changed(_ids(notice.payload))


def _ids(text: str) -> frozenset[str] | None:
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return frozenset(each for each in found if isinstance(each, str)) if isinstance(found, list) else None


def _keep_to_its_user(url: sa.URL) -> None:
    """The file holds the tables' keys and what signs cookies: nobody else on this machine may read it."""
    if url.get_backend_name() != "sqlite" or url.database in (None, "", ":memory:"):
        return
    os.close(os.open(str(url.database), os.O_RDWR | os.O_CREAT, 0o600))
    for end in ("", "-wal", "-shm"):
        with suppress(OSError):  # not there, or somebody else's who lets us in
            Path(f"{url.database}{end}").chmod(0o600)


def _options(url: sa.URL) -> dict[str, Any]:
    if url.get_backend_name() == "sqlite":
        return {"connect_args": {"timeout": 10.0, "check_same_thread": False}}
    return {"pool_pre_ping": True, "pool_size": 4, "connect_args": {"connect_timeout": 5}}


def _prepare_sqlite(connection: Any, _record: object) -> None:
    for line in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {line}")


def _bring_up_to_date(engine: sa.Engine) -> None:
    configuration = Config()
    configuration.set_main_option("script_location", str(_SCRIPTS).replace("%", "%%"))
    configuration.set_main_option("path_separator", "os")
    with engine.begin() as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
        there = sa.inspect(connection).get_table_names()
        if there and VERSION_TABLE not in there:
            raise DatabaseUnavailable(
                f"{_shown(engine.url)}: is the database of another program (it has a table {there[0]!r}) and was left "
                "alone; name another one"
            )
        configuration.attributes["connection"] = connection
        command.upgrade(configuration, "head")


def _compared(connection: sa.Connection) -> tuple[timedelta, timedelta]:
    """How long it took to ask the database for the time, and how far its clock is ahead of this machine's."""
    before = datetime.now(UTC)
    told: datetime = connection.execute(sa.select(sa.func.clock_timestamp())).scalar_one()
    after = datetime.now(UTC)
    return after - before, told.astimezone(UTC) - (before + (after - before) / 2)


def _shown(url: sa.URL) -> str:
    return url.render_as_string(hide_password=True)


def _what_to_do(url: sa.URL) -> str:
    """How a database that cannot be opened can be."""
    if url.get_backend_name() == "postgresql":
        return "see that this server runs and lets us in, or name another database with --database"
    folder = Path(url.database or "").parent
    return WHAT_TO_DO if folder.is_dir() else f"make the folder {folder}, or name another database with --database"


def _reason(error: Exception) -> str:
    told = str(getattr(error, "orig", None) or error).strip().splitlines()[0]
    return told if len(told) <= LONGEST_REASON else f"{told[: LONGEST_REASON - 1]}…"
