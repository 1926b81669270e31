"""What a store notes of each entry, and what it does in the background and at its end."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from threading import Event

import pytest

from companion.errors import NoSuchGame, StoreError
from companion.session.acknowledged import AcknowledgedEntries, Shortfall
from companion.session.checkpoints import Checkpointer
from companion.session.entries import LostEntry
from companion.session.session import Session
from companion.session.store import Store
from companion.wording.sentences import sentence
from tests.session.evenings import eventful_session, new_session, play, play_at_random


def noted(path: Path) -> dict[str, int]:
    return AcknowledgedEntries(path).numbers()


def test_each_entry_is_noted_and_those_that_are_taken_in_at_once(path: Path) -> None:
    with Store(path) as store:
        session = new_session(store)
        assert noted(path) == {"evening-1": 0}
        play(session, "draw red blue", "draw red yellow")
        assert noted(path) == {"evening-1": 2}
        Session.read(store, eventful_session().export(), "record")
        assert noted(path) == {"evening-1": 2, "eventful": 19}
        store.delete("eventful")
        assert noted(path) == {"evening-1": 2}
        shorter = new_session()
        play(shorter, "draw red blue")
        store.replace(shorter.log)
        assert noted(path) == {"evening-1": 1}
        assert store.read("evening-1").entries == shorter.entries


def test_a_replaced_game_has_the_header_and_the_entries_of_the_log(path: Path) -> None:
    with Store(path) as store:
        play(new_session(store), "draw red blue", "draw red yellow")
        other = new_session(seats=3)
        other.end_early("late")
        new_session(store, game_id="evening-2")
        store.replace(other.log)
        assert store.header("evening-1") == other.log.header
        assert [(game.id, game.entries, game.over) for game in store.games()] == [
            ("evening-1", 1, True), ("evening-2", 0, False),
        ]  # fmt: skip
        assert {game: len(names) for game, names in store.players().items()} == {"evening-1": 3, "evening-2": 2}


def test_what_was_told_of_missing_entries_is_expected_no_more(path: Path) -> None:
    with Store(path) as store:
        play(new_session(store), "draw red blue", "draw red yellow")
        new_session(store, game_id="evening-2")
    AcknowledgedEntries(path).note("evening-1", 5)
    AcknowledgedEntries(path).note("gone", 3)
    expected = (Shortfall("evening-1", 5, 2), Shortfall("gone", 3, None))
    with Store(path) as store:
        assert store.shortfalls == expected
    with Store(path) as store:
        assert store.shortfalls == expected, "nobody was told yet"
        store.accept_shortfalls()
        assert store.shortfalls == ()
    with Store(path) as store:
        assert store.shortfalls == ()
    assert noted(path) == {"evening-2": 0}


def test_a_notice_of_a_game_is_kept_until_it_is_taken(path: Path) -> None:
    with Store(path) as store:
        new_session(store)
        told = sentence("there is nothing to undo")
        store.keep_notice("evening-1", told)
        store.notices.clear()
        assert store.notices == {"evening-1": told}
        assert [store.take_notice("evening-1"), store.take_notice("evening-1")] == [told, None]
        store.keep_notice("evening-1", told)
        store.delete("evening-1")
        assert store.notices == {}


@pytest.mark.parametrize("ask", [Store.read, Store.header, Store.delete])
def test_a_game_that_is_not_there_is_told_by_its_name(path: Path, ask: object) -> None:
    with Store(path) as store:
        new_session(store)
        with pytest.raises(NoSuchGame, match=f"^{path}: there is no game evening-7"):
            ask(store, "evening-7")  # type: ignore[operator]
        assert len(store.games()) == 1


def test_another_program_knows_what_was_recorded_or_deleted_here(path: Path) -> None:
    with Store(path) as store, Store(path) as other:
        session = new_session(store)
        assert [other.is_deleted("evening-1"), other.is_deleted("evening-2")] == [False, True]
        assert other.latest_number("evening-1") == 0
        play(session, "draw red blue")
        assert other.is_deleted("evening-1") is False
        assert [other.is_continued("evening-1", number) for number in (0, 1)] == [True, False]
        assert other.latest_number("evening-1") == 1
        store.delete("evening-1")
        assert other.is_deleted("evening-1") is True
        with pytest.raises(StoreError, match="another program has deleted this game; begin a new one"):
            other.append("evening-1", session.entries[0], over=False)


def test_entries_wait_for_nothing_but_their_own_writing(path: Path) -> None:
    """SQLite itself would move entries within the writing of one."""
    with Store(path) as store:
        for pragma, value in (("wal_autocheckpoint", 0), ("synchronous", 2), ("trusted_schema", 0)):
            assert store._connection.execute(f"PRAGMA {pragma}").fetchone() == (value,)
        session = new_session(store)
        size = path.stat().st_size
        for _again in range(60):
            session.undo() if session.can_undo() else play_at_random(session, 1, seed=1)
        assert path.stat().st_size == size


def test_a_store_that_is_closed_moves_nothing_any_more(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[bool] = []
    with Store(path) as store:
        play(new_session(store), "draw red blue")
        monkeypatch.setattr(store._checkpointer, "close", lambda: closed.append(True))
    assert closed == [True]
    Checkpointer.close(store._checkpointer)


def test_a_checkpoint_under_way_is_waited_for_at_the_end(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Store(path).close()
    moving, begun, ended = Checkpointer(path, quiet=0.0), Event(), []

    def move() -> None:
        begun.set()
        moving._closing.wait(10.0)
        ended.append(sum(range(200_000)))

    monkeypatch.setattr(moving, "_checkpoint", move)
    moving.close()
    moving = Checkpointer(path, quiet=0.0)
    monkeypatch.setattr(moving, "_checkpoint", move)
    moving.entry_written()
    assert begun.wait(10.0)
    moving.close()
    assert len(ended) == 1


def test_a_checkpoint_that_fails_does_not_end_those_after_it(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moving, tried = Checkpointer(path, quiet=0.0), [Event(), Event()]
    left = iter(tried)

    def fail() -> None:
        next(left).set()
        raise sqlite3.OperationalError("database is locked")

    monkeypatch.setattr(moving, "_checkpoint", fail)
    for each in tried:
        moving.entry_written()
        assert each.wait(10.0)
    moving.close()


def test_a_checkpoint_makes_no_database(path: Path) -> None:
    with pytest.raises(sqlite3.OperationalError, match="unable to open database file"):
        Checkpointer(path)._checkpoint()
    assert not path.exists()


def test_lost_entries_count_like_others(path: Path) -> None:
    with Store(path) as store:
        session = new_session()
        log = session.log.append(LostEntry(number=1, time=session.created, reason="cannot be read"))
        store.create(log)
        assert store.read("evening-1").entries == log.entries
        assert store.games_with_damaged_entries() == ()
        store._connection.execute("UPDATE entries SET number = 2")
        assert store.games_with_damaged_entries() == ("evening-1",)
        store._connection.execute("UPDATE entries SET number = 1, entry = '{'")
        assert store.games_with_damaged_entries() == ("evening-1",)
