"""The register of acknowledged entries: a line of fixed length for each game, read and rewritten in its place."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.errors import DamagedDatabase
from companion.session.acknowledged import WIDTH, AcknowledgedEntries, Shortfall
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play, play_at_random


@pytest.fixture
def register(tmp_path: Path) -> Iterator[AcknowledgedEntries]:
    register = AcknowledgedEntries(tmp_path / "games.db")
    yield register
    register.close()


def test_each_game_has_one_line_with_its_latest_number(register: AcknowledgedEntries) -> None:
    for game_id, number in (("one", 1), ("one-more", 2), ("one", 3), ("o", 4)):
        assert register.note(game_id, number) is False
    assert register.numbers() == {"one": 3, "one-more": 2, "o": 4}
    assert register.path.name == "games.db-acknowledged"
    assert register.path.stat().st_size == 3 * WIDTH


def test_of_two_names_as_long_as_can_be_neither_is_taken_for_the_other(register: AcknowledgedEntries) -> None:
    for number, game_id in enumerate(("a" * 64, "a" * 63, "a" * 62), 1):
        register.note(game_id, number)
    assert register.numbers() == {"a" * 64: 1, "a" * 63: 2, "a" * 62: 3}


def test_another_program_finds_the_lines_of_the_first(register: AcknowledgedEntries, tmp_path: Path) -> None:
    for number, game_id in enumerate(("one", "one-more", "two"), 1):
        register.note(game_id, number)
    other = AcknowledgedEntries(tmp_path / "games.db")
    other.note("two", 9)
    other.note("one", 8)
    assert register.numbers() == {"one": 8, "one-more": 2, "two": 9}
    assert register.path.stat().st_size == 3 * WIDTH
    other.close()


def test_a_line_that_was_remembered_and_belongs_to_another_game_now_is_looked_for_again(
    register: AcknowledgedEntries,
) -> None:
    register.note("one", 1)
    register.note("two", 2)
    lines = register.path.read_bytes()
    register.path.write_bytes(lines[WIDTH:] + lines[:WIDTH])
    register.note("one", 5)
    assert register.numbers() == {"one": 5, "two": 2}


def test_a_mark_is_found_once_by_the_next_entry(register: AcknowledgedEntries) -> None:
    register.note("one", 1)
    register.note("two", 1)
    register.contest("one")
    assert register.numbers() == {"one": 1, "two": 1}
    assert [register.note("two", 2), register.note("one", 2), register.note("one", 3)] == [False, True, False]


def test_a_mark_for_a_program_that_has_ended_is_not_found_by_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        session = new_session(store)
        AcknowledgedEntries(path).contest(session.id)
    with Store(path) as store:
        play_at_random(Session.open(store, session.id), 1, seed=1)
        assert not store.is_contested(session.id)


def test_a_game_that_is_forgotten_leaves_the_others_as_they_are(register: AcknowledgedEntries, tmp_path: Path) -> None:
    for number, game_id in enumerate(("one", "two", "three"), 1):
        register.note(game_id, number)
    AcknowledgedEntries(tmp_path / "games.db").forget(["two"])
    assert register.numbers() == {"one": 1, "three": 3}
    lines = register.path.read_bytes()
    assert [lines[place : place + WIDTH][-1:] for place in range(0, len(lines), WIDTH)] == [b"\n"] * 3
    register.forget(["one", "unknown"])
    assert register.numbers() == {"three": 3}


def test_damaged_lines_say_nothing_and_what_cannot_be_written_disturbs_nobody(
    register: AcknowledgedEntries, tmp_path: Path
) -> None:
    assert register.numbers() == {}
    register.note("one", 1)
    register.note("two", 2)
    data = bytearray(register.path.read_bytes())
    data[3] = ord("!")
    register.path.write_bytes(bytes(data))
    assert register.numbers() == {"two": 2}
    (tmp_path / "blocked.db-acknowledged").mkdir()
    blocked = AcknowledgedEntries(tmp_path / "blocked.db")
    assert blocked.note("one", 1) is False
    assert blocked.numbers() == {}


def test_what_is_missing_is_reported_unless_the_game_was_deleted_meanwhile(register: AcknowledgedEntries) -> None:
    assert register.shortfalls(lambda: pytest.fail("nothing is registered")) == ()
    for game_id, number in (("whole", 3), ("short", 5), ("gone", 2), ("deleted", 2), ("empty", 0)):
        register.note(game_id, number)

    def kept() -> dict[str, int]:
        register.forget(["deleted"])
        return {"whole": 3, "short": 4}

    assert register.shortfalls(kept) == (
        Shortfall("short", 5, 4), Shortfall("gone", 2, None), Shortfall("empty", 0, None),
    )  # fmt: skip


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that never ends")
def test_a_device_in_the_place_of_the_file_is_left_alone_and_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    resource = pytest.importorskip("resource")
    with Store(tmp_path / "games.sqlite3") as store:
        play(new_session(store), "draw red blue")
    register = tmp_path / "games.sqlite3-acknowledged"
    register.unlink()
    register.symlink_to("/dev/full")
    limit = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (4 * 1024**3, limit[1]))  # who reads it all stops before the memory is full
    try:
        with Store(tmp_path / "games.sqlite3") as store:
            play(Session.open(store, "evening-1"), "draw red yellow", "end")
            assert store.games()[0].entries == 3
            assert store.shortfalls == ()
    finally:
        resource.setrlimit(resource.RLIMIT_AS, limit)
    assert [record.getMessage() for record in caplog.records] == [
        f"{register} is no file: entries that are lost will not be noticed; remove it"
    ]
    assert register.is_symlink()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only POSIX has named pipes")
def test_a_pipe_or_a_folder_in_the_place_of_the_file_says_nothing(tmp_path: Path) -> None:
    register = AcknowledgedEntries(tmp_path / "games.db")
    for occupy in (os.mkfifo, os.mkdir):
        occupy(register.path)
        assert register.numbers() == {}
        assert not register.note("evening-1", 3)
        assert register.numbers() == {}
        (register.path.rmdir if register.path.is_dir() else register.path.unlink)()


def test_a_database_that_is_as_it_was_left_is_not_read_whole_again(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        assert store.was_read_whole is False  # it is new
        session = new_session(store)
        play_at_random(session, 3, seed=1)
    with Store(path) as store:
        assert store.was_read_whole is False
        play_at_random(Session.open(store, session.id), 1, seed=2)
    with Store(path) as store:
        assert store.was_read_whole is False
        assert AcknowledgedEntries(path).numbers() == {session.id: 4}


def test_a_database_that_was_changed_since_it_was_left_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        play_at_random(new_session(store), 3, seed=1)
    content = bytearray(path.read_bytes())
    content[60:64] = content[60:64]
    path.write_bytes(content)
    with Store(path) as store:
        assert store.was_read_whole is True


def test_a_database_that_a_killed_program_had_open_is_read_whole(tmp_path: Path) -> None:
    path, copy = tmp_path / "games.db", tmp_path / "copy" / "games.db"
    with Store(path) as store:
        play_at_random(new_session(store), 3, seed=1)
    with Store(path) as store:
        play_at_random(Session.open(store, "evening-1"), 1, seed=2)
        shutil.copytree(tmp_path, copy.parent, copy_function=shutil.copy2)
    with Store(copy) as store:
        assert store.was_read_whole is True


def test_a_store_that_met_damage_does_not_leave_its_database_as_whole(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    with Store(path) as store:
        session = new_session(store)
        play_at_random(session, 3, seed=1)
    with Store(path) as store:
        content = path.read_bytes()
        page = int.from_bytes(content[16:18], "big")
        path.write_bytes(content[: page * 3] + b"\xff" * (len(content) - page * 3))
        with pytest.raises(DamagedDatabase):
            store.read(session.id)
    with pytest.raises(DamagedDatabase):
        Store(path)


def test_a_line_that_says_nonsense_of_the_database_is_no_reason_not_to_read_it(tmp_path: Path) -> None:
    path = tmp_path / "games.db"
    register = AcknowledgedEntries(path)
    register.path.write_bytes(b"= 1 2".ljust(WIDTH - 1) + b"\n" + b"=" * WIDTH)
    assert register.is_left_whole() is False
    path.write_bytes(b"")
    assert register.is_left_whole() is False
    register.note_whole()
    assert register.is_left_whole() is True
    register.note("one", 1)
    assert register.numbers() == {"one": 1}
    register.forget_whole()
    assert register.is_left_whole() is False
    assert register.numbers() == {"one": 1}
    register.close()
