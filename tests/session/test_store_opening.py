"""How a database is opened that a killed program left in the middle of something, or that the disk cannot hold."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.errors import StoreError
from companion.position import Position
from companion.session import acknowledged, viewing
from companion.session import store as store_module
from companion.session.acknowledged import AcknowledgedEntries
from companion.session.entries import Entry, LeaveEntry
from companion.session.file_check import SCHEMA
from companion.session.session import Session
from companion.session.store import Store
from companion.session.viewing import Viewer, ViewerKind
from tests.session.evenings import clock, new_session, play
from tests.session.test_told_pieces import HAND, capitol_hand, hand, submit


def left_in_the_middle(live: Path, path: Path, *statements: str) -> None:
    """Make a database and its journal as a program leaves them that was killed at the end of these statements."""
    with closing(sqlite3.connect(live, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("PRAGMA cache_size = 1")
        for statement in statements:
            connection.execute(statement)
        shutil.copyfile(f"{live}-journal", f"{path}-journal")
        connection.execute("COMMIT")
    shutil.copyfile(live, path)


def test_what_a_killed_program_was_at_is_taken_back(filled: Path, tmp_path: Path) -> None:
    path = tmp_path / "killed.sqlite3"
    grow = "UPDATE entries SET entry = entry || printf('%.*c', 9000, ' ')"
    left_in_the_middle(filled, path, "BEGIN IMMEDIATE", grow)
    assert path.stat().st_size > 300_000
    with Store(path) as store:
        assert len(store.read("evening-1").entries) == 40
        assert all(len(line) < 9000 for line in store.lines("evening-1")[1].values() if line)


def test_a_database_that_was_just_being_made_is_made_anew(tmp_path: Path) -> None:
    live, path = tmp_path / "live.sqlite3", tmp_path / "games.sqlite3"
    first = SCHEMA.partition("COMMIT")[0].split(";")
    large = ("CREATE TABLE more (x)", "INSERT INTO more VALUES (printf('%.*c', 90000, 'x'))")
    left_in_the_middle(live, path, *(each for each in first if each.strip()), *large)
    assert path.stat().st_size > 4096
    with Store(path) as store:
        assert store.games() == ()
        play(new_session(store), "draw red blue")
    with Store(path) as store:
        assert [game.entries for game in store.games()] == [1]


def test_what_a_killed_program_left_in_its_log_is_moved_into_the_file_at_once(tmp_path: Path) -> None:
    live, path, copy = (tmp_path / f"{name}.sqlite3" for name in ("live", "games", "copy"))
    with Store(live) as store:
        play(new_session(store), "draw red blue", "draw red yellow")
        for part in ("", "-wal"):
            shutil.copyfile(f"{live}{part}", f"{path}{part}")
    with Store(path) as store:
        shutil.copyfile(path, copy)
        with Store(copy) as copied:
            assert copied.read("evening-1").entries == store.read("evening-1").entries
            assert copied.games()[0].entries == 2


def test_a_database_that_cannot_be_opened_is_left_closed(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[sqlite3.Connection] = []

    def refuse(path: Path) -> tuple[int, int]:
        raise OSError(5, "Input/output error")

    def prepare(store: Store, *, is_new: bool) -> None:
        assert not is_new
        opened.append(store._connection)

    monkeypatch.setattr(Store, "_prepare", prepare)
    monkeypatch.setattr(store_module, "_identity", refuse)
    with pytest.raises(StoreError, match=r"the database cannot be used \(Input/output error\)"):
        Store(filled)
    (connection,) = opened
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")


def test_a_disk_without_a_write_ahead_log_is_refused(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class OldDisk(sqlite3.Connection):
        def execute(self, statement: str, *values: Any) -> sqlite3.Cursor:
            return super().execute("SELECT 'delete'" if "WAL" in statement else statement, *values)

    connect = sqlite3.connect
    monkeypatch.setattr(sqlite3, "connect", lambda *places, **options: connect(*places, factory=OldDisk, **options))
    with pytest.raises(StoreError) as caught:
        Store(path)
    assert str(caught.value) == f"{path}: this disk cannot hold the database safely (journal mode delete)"


def test_a_register_that_cannot_be_opened_disturbs_nobody(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path.write_bytes(b"a database")
    first = AcknowledgedEntries(path)
    first.note("one", 1)
    first.note_whole()
    first.mark_unsure(dict)
    first.close()

    def refuse(*_arguments: Any) -> int:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(acknowledged.os, "open", refuse)
    register = AcknowledgedEntries(path)
    assert (register.note("one", 2), register.number("one")) == (False, 0)
    assert (register.is_unsure("one"), register.is_left_whole()) == (False, False)
    register.contest("one")
    register.note_sure("one")
    register.forget(["one"])
    assert register.numbers() == {"one": 1}


def test_a_game_that_somebody_had_left_is_joined_without_them(path: Path) -> None:
    played = new_session(seats=4)
    play(played, "draw red blue")
    with Store(path) as store:
        position = Position(played.game, played.state, left=frozenset({4, 2}))
        session = Session.join(store, position, clock=clock(), game_id="joined")
        assert [(type(entry), entry.seat) for entry in session.entries] == [(LeaveEntry, 2), (LeaveEntry, 4)]
        assert session.record_status.left == {2, 4}
        assert session.record_status.joined
        assert Session.open(store, "joined").state == session.state


def test_an_entry_of_no_kind_has_no_words() -> None:
    with pytest.raises(NotImplementedError):
        _words = Entry(number=1, time="").summary


def test_what_was_told_is_known_however_little_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(viewing, "MOST_REMEMBERED", 2)
    pieces = capitol_hand(*HAND)
    for number in range(2):
        submit(pieces._session, "pass", pieces._session.actors[0])
        assert hand(pieces) == tuple(sorted(HAND)), number
        assert len(pieces._memories[1]) <= number + 2
    assert pieces.known_to(Viewer(ViewerKind.SEAT, 2)) is pieces._session.log
