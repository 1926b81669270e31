"""What people are told of SQLite's errors, and what a file must be before SQLite may touch it."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import DamagedDatabase, StoreError
from companion.session import store as store_module
from companion.session.file_check import APPLICATION_ID, DAMAGED, fault, is_free
from companion.session.sqlite_errors import reason_of
from companion.session.store import Store
from tests.session.evenings import new_session


def error_of(name: str, text: str = "no matter") -> sqlite3.Error:
    error = sqlite3.OperationalError(text)
    if name:
        error.sqlite_errorname = name
    return error


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("SQLITE_BUSY", "the database is in use by another program; close that, or try again"),
        ("SQLITE_BUSY_SNAPSHOT", "the database is in use by another program; close that, or try again"),
        ("SQLITE_LOCKED_SHAREDCACHE", "the database is in use by another program; close that, or try again"),
        ("SQLITE_FULL", "the database cannot grow: the disk is full; make room and try again"),
        (
            "SQLITE_READONLY_DBMOVED",
            "the database cannot be written; check who owns it, and whether its disk is read-only",
        ),
        (
            "SQLITE_CANTOPEN_ISDIR",
            "the database cannot be opened; check that its folder exists and can be written",
        ),
        ("SQLITE_PERM", "the database cannot be opened; check who owns it"),
        ("SQLITE_CORRUPT_VTAB", DAMAGED),
        ("SQLITE_NOTADB", DAMAGED),
        ("SQLITE_IOERR_WRITE", "the database cannot be read or written: the disk failed or is full"),
        ("SQLITE_TOOBIG", "the database failed: 'no matter'"),
        ("", "the database failed: 'no matter'"),
    ],
)
def test_each_error_is_told_with_what_to_do(name: str, reason: str) -> None:
    assert reason_of(error_of(name)) == reason


def test_what_python_cannot_decode_is_damage_and_nothing_else_without_a_name() -> None:
    assert reason_of(error_of("", "Could not decode to UTF-8 column 'entry'")) == DAMAGED
    assert reason_of(error_of("SQLITE_ERROR", "Could not decode")) == "the database failed: 'Could not decode'"
    told = reason_of(error_of("", "x" * 300)).removeprefix("the database failed: ")
    assert len(told) == 120


@pytest.mark.parametrize(
    ("error", "why"),
    [(OSError(5, "Input/output error"), "Input/output error"), (OSError("something odd"), "something odd")],
)
def test_what_the_disk_says_is_told(path: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, why: str) -> None:
    def refuse(place: Path) -> bool:
        raise error

    monkeypatch.setattr(store_module, "is_free", refuse)
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert str(caught.value) == f"{path}: the database cannot be used ({why})"


def test_a_database_in_use_is_waited_for_once(
    filled: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    asked: list[str] = []

    def ask(uri: str, patience: float, *, reads_all: bool) -> str:
        asked.append(uri.partition("?")[2])
        return fault(uri, patience, reads_all=reads_all)

    monkeypatch.setattr(store_module, "fault", ask)
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match="in use by another program"):
            Store(filled, 0.0)
    assert asked == ["mode=ro"]


def test_an_empty_file_is_a_new_database(path: Path) -> None:
    assert is_free(path)
    path.touch()
    assert is_free(path)
    with Store(path) as store:
        new_session(store)
    assert not is_free(path)


@pytest.mark.parametrize(
    ("version", "kind", "reason"),
    [
        (0, DamagedDatabase, "the header of the database is damaged; put it aside, or bring back a copy"),
        (2, StoreError, "has version 2, made by a newer program; this one reads version 1, so start the newer one"),
        (1000, StoreError, "has version 1000, made by a newer program; this one reads version 1, so start the newer"),
        (1001, DamagedDatabase, "the header of the database is damaged; put it aside, or bring back a copy"),
    ],
)
def test_a_version_that_no_program_will_have_is_damage(
    path: Path, version: int, kind: type[StoreError], reason: str
) -> None:
    Store(path).close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match=f": {reason}") as caught:
        is_free(path)
    assert type(caught.value) is kind


def test_a_header_of_less_than_a_hundred_bytes_is_none(path: Path) -> None:
    Store(path).close()
    whole = path.read_bytes()
    path.write_bytes(whole[:99])
    with pytest.raises(DamagedDatabase, match="is no database of games, or is damaged; name another file"):
        is_free(path)
    path.write_bytes(whole[:100])
    assert not is_free(path)
    path.write_bytes(whole[:68] + bytes(4) + whole[72:])
    with pytest.raises(DamagedDatabase, match="the header of the database is damaged"):
        is_free(path)
    path.write_bytes(whole[:68] + bytes(4) + whole[72:100])
    with pytest.raises(StoreError, match="is another program's database; move it elsewhere"):
        is_free(path)


def test_a_view_or_an_index_is_no_table_of_games(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute("CREATE TABLE games (id TEXT)")
        connection.execute("CREATE VIEW entries AS SELECT id FROM games")
    for reads_all in (True, False):
        assert fault(path.as_uri(), 0.0, reads_all=reads_all) == DAMAGED


def test_only_what_is_read_whole_is_looked_through_for_damaged_pages_and_numbers(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET number = 5001 WHERE number = 40")
    assert fault(filled.as_uri(), 0.0, reads_all=False) == ""
    assert fault(filled.as_uri(), 0.0, reads_all=True) == (
        "game 'evening-1' has an entry numbered 5001, and a game has at most 5000; put the database aside"
    )
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET number = 5000 WHERE number = 5001")
    assert fault(filled.as_uri(), 0.0, reads_all=True) == ""
    data = filled.read_bytes()
    filled.write_bytes(data[:-4096] + b"\xff" * 4096)
    assert fault(filled.as_uri(), 0.0, reads_all=False) == ""
    assert fault(filled.as_uri(), 0.0, reads_all=True) == DAMAGED
