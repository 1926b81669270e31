"""What is kept of a damaged database, under which name, and what is said where the disk fails."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import pytest

from companion.errors import DamagedDatabase, StoreError
from companion.session import salvage
from companion.session.acknowledged import AcknowledgedEntries
from companion.session.doubts import doubtful_entries
from companion.session.entries import LostEntry
from companion.session.record import read_record
from companion.session.salvage import open_store, salvaged_database
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import EVENING, GAME, new_session, play, play_at_random
from tests.session.test_record import RECORD, changed, set_to
from tests.tables import table_of


class Evening(datetime):
    """A clock that stands still."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> Any:
        return datetime(2026, 11, 27, 19, 30, 5, tzinfo=tz)


def begun(store: Store, game_id: str, hour: int, seats: int = 2) -> Session:
    moment = datetime(2026, 11, 27, hour, tzinfo=UTC)
    return Session.create(store, table_of(GAME, seats), clock=lambda: moment, game_id=game_id)


def test_what_is_kept_aside_gets_a_name_that_no_file_has(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(salvage, "datetime", Evening)
    for name in ("", "-2", "-3"):
        with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
            connection.execute("UPDATE entries SET entry = '{' WHERE number = 40")
        with Store(filled) as store:
            (notice,) = Session.open(store, "evening-1").take_notices()
            assert str(notice).endswith(f"is kept as games-damaged-20261127-193005{name}.sqlite3.")
    damaged = filled.read_bytes()[:-4000]
    filled.write_bytes(damaged)
    assert salvaged_database(filled).kept_aside == filled.with_name("games-damaged-20261127-193005-4.sqlite3")
    assert filled.with_name("games-damaged-20261127-193005-4.sqlite3").read_bytes() == damaged


def test_all_files_of_a_damaged_database_are_kept_together(path: Path) -> None:
    live = path.with_name("live.sqlite3")
    with Store(live) as store:
        play(new_session(store), "draw red blue", "draw red yellow")
        parts = {part: live.with_name(live.name + part).read_bytes() for part in ("", "-wal", "-shm")}
    parts[""] = b"\x5a" * 100 + parts[""][100:]
    for part, data in parts.items():
        path.with_name(path.name + part).write_bytes(data)
    found = salvaged_database(path)
    aside = found.kept_aside
    assert {part: aside.with_name(aside.name + part).read_bytes() for part in parts} == parts
    assert (found.games, found.lost_games, found.lost_entries, found.incomplete) == (1, (), 0, ())
    with Store(path) as store:
        assert [entry.summary for entry in store.read("evening-1").entries] == ["draw red blue", "draw red yellow"]
    assert not list(path.parent.glob("salvage-*"))


@pytest.mark.parametrize(
    ("error", "why"),
    [(OSError(28, "No space left on device"), "No space left on device"), (OSError("something odd"), "something odd")],
)
def test_a_disk_that_fails_leaves_the_damaged_database_as_it_is(
    filled: Path, monkeypatch: pytest.MonkeyPatch, error: OSError, why: str
) -> None:
    filled.write_bytes(filled.read_bytes()[:-4000])
    before = filled.read_bytes()

    def fail(*_arguments: Any) -> None:
        raise error

    monkeypatch.setattr("companion.session.salvage.shutil.copyfile", fail)
    with pytest.raises(StoreError) as caught:
        open_store(filled)
    assert str(caught.value) == f"{filled}: the database is damaged and cannot be mended ({why})"
    assert filled.read_bytes() == before
    assert not list(filled.parent.glob("games-damaged-*"))
    assert not list(filled.parent.glob("salvage-*"))


def test_what_was_acknowledged_and_is_gone_counts_as_lost(filled: Path) -> None:
    AcknowledgedEntries(filled).note("evening-1", 45)
    AcknowledgedEntries(filled).note("gone", 3)
    data = bytearray(filled.read_bytes())
    data[60:64] = b"\xff" * 4
    filled.write_bytes(data)
    found = salvaged_database(filled)
    assert (found.games, found.lost_entries, found.incomplete) == (1, 5, (EVENING,))
    (lost,) = found.lost_games
    assert (lost.id, lost.title, lost.players, lost.begun, lost.entries) == ("gone", "", (), "", 3)


def test_games_of_which_nothing_is_known_are_put_together_up_to_a_number(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(salvage, "_MOST_GUESSED", 1)
    with Store(path) as store:
        for game_id in ("one", "two"):
            play_at_random(new_session(store, game_id=game_id), 30, seed=1)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET game = 'chess', created = '', header = '{'")
    data = bytearray(path.read_bytes())
    data[60:64] = b"\xff" * 4
    path.write_bytes(data)
    found = salvaged_database(path)
    assert (found.games, [(lost.id, lost.entries) for lost in found.lost_games]) == (1, [("two", 30)])


def test_a_row_of_another_game_is_damage(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET header = replace(header, 'evening-1', 'evening-2')")
    with Store(filled) as store:
        with pytest.raises(DamagedDatabase, match=r"header\.id: is 'evening-2'; the database is damaged"):
            store.read("evening-1")
        assert store.header("evening-1").id == "evening-2"
        session = Session.open(store, "evening-1")
        assert session.id == "evening-1"
        assert [entry.kind for entry in session.entries].count("lost") == 1


def test_a_game_with_a_damaged_header_is_mended_where_it_is_opened_and_not_before(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as connection:
        connection.execute('UPDATE games SET header = replace(header, \'"digest": "\', \'"digest": "x\')')
        connection.execute("UPDATE entries SET entry = '{' WHERE number = 40")
    store, notices = open_store(filled)
    with store:
        assert notices == ()
        assert not list(filled.parent.glob("games-damaged-*"))
        (notice,) = Session.open(store, "evening-1").take_notices()
        assert str(notice).startswith(f"The header of {EVENING} could not be read; it was put together again")


def test_damage_that_was_met_has_all_of_the_database_read_at_the_next_opening(filled: Path) -> None:
    with Store(filled) as store:
        assert not store.was_read_whole
        with pytest.raises(DamagedDatabase, match="the database is damaged"), store._errors():
            raise UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte")
    with Store(filled) as store:
        assert store.was_read_whole
    with Store(filled) as store:
        assert not store.was_read_whole


def test_games_are_listed_from_the_one_begun_last(path: Path) -> None:
    with Store(path) as store:
        for game_id, hour in (("a", 18), ("c", 20), ("b", 20), ("d", 19)):
            begun(store, game_id, hour)
        assert [game.id for game in store.games()] == ["b", "c", "d", "a"]
        assert store.latest_unfinished(GAME) == "b"
        for game_id in ("b", "c"):
            Session.open(store, game_id).end_early("late")
        assert store.latest_unfinished(GAME) == "d"
        (first, *_others) = store.games()
        assert (first.game, first.created, first.entries, first.over) == (GAME, "2026-11-27T20:00:00Z", 1, True)
        assert store.players()["a"] == ("Player 1", "Player 2")
        store._connection.execute("UPDATE games SET header = '{' WHERE id = 'a'")
        assert sorted(store.players()) == ["b", "c", "d"]


def test_only_entries_that_still_count_are_doubted() -> None:
    log = read_record(changed(3, set_to("action", "draw red red")), "record")
    assert doubtful_entries(log) == (2,)
    assert doubtful_entries(read_record(RECORD, "record")) == ()
    amended = read_record(changed(2, set_to("action", "draw red red")), "record")
    assert doubtful_entries(amended) == (), "it was amended later"
    undone = read_record(changed(5, set_to("action", "draw red red")), "record")
    assert doubtful_entries(undone) == (), "it was undone later"
    lost = LostEntry(number=20, time=log.header.created, reason="cannot be read")
    assert doubtful_entries(log.append(lost)) == (), "it lacks entries"
