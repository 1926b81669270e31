"""The register of acknowledged entries line by line: its marks, its limits, and what it does without its file."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from companion.session import acknowledged
from companion.session.acknowledged import WIDTH, AcknowledgedEntries


@pytest.fixture
def register(tmp_path: Path) -> Iterator[AcknowledgedEntries]:
    register = AcknowledgedEntries(tmp_path / "games.db")
    yield register
    register.close()


def lines(register: AcknowledgedEntries) -> list[bytes]:
    data = register.path.read_bytes()
    return [data[place : place + WIDTH] for place in range(0, len(data), WIDTH)]


def test_a_line_is_an_id_a_number_and_a_mark(register: AcknowledgedEntries) -> None:
    register.note("evening-1", 42)
    assert lines(register) == [b"evening-1".ljust(65) + b"        42 \n"]
    assert stat.S_IMODE(register.path.stat().st_mode) == 0o600


def test_a_register_that_was_closed_is_opened_again_where_it_is_needed(register: AcknowledgedEntries) -> None:
    register.note("one", 1)
    file = register._opened()
    register.close()
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(file)
    register.close()
    register.note("one", 2)
    assert register.numbers() == {"one": 2}


def test_asking_makes_no_file(register: AcknowledgedEntries) -> None:
    assert register.number("one") == 0
    assert register.is_unsure("one") is False
    assert register.is_left_whole() is False
    assert register.numbers() == {}
    register.note_sure("one")
    register.forget_contests()
    register.forget([])
    register.put_right(lambda: pytest.fail("there is nothing to be put right"))
    assert not register.path.exists()


def test_a_folder_in_the_place_of_the_file_knows_nothing(register: AcknowledgedEntries) -> None:
    register.path.mkdir()
    register.contest("one")
    register.mark_unsure(lambda: {"one": 1})
    register.forget(["one"])
    register.forget_whole()
    register.put_right(lambda: {"one": 1})
    assert (register.number("one"), register.is_unsure("one"), register.is_left_whole()) == (0, False, False)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="only POSIX has named pipes")
def test_nothing_is_written_to_a_pipe(register: AcknowledgedEntries) -> None:
    os.mkfifo(register.path)
    pipe = os.open(register.path, os.O_RDWR | os.O_NONBLOCK)
    register.note("one", 1)
    with pytest.raises(BlockingIOError):
        os.read(pipe, 1)
    os.close(pipe)


def test_the_number_of_a_game_is_read_from_the_file_each_time(register: AcknowledgedEntries, tmp_path: Path) -> None:
    register.note("one", 3)
    register.note("two", 5)
    assert [register.number(game_id) for game_id in ("one", "two", "three", "on")] == [3, 5, 0, 0]
    AcknowledgedEntries(tmp_path / "games.db").note("one", 4)
    assert register.number("one") == 4
    first, second = lines(register)
    register.path.write_bytes(second + first)
    assert (register.number("one"), register.number("two")) == (4, 5)
    register.path.write_bytes(second + first.replace(b"4", b"x"))
    assert (register.number("one"), register.number("two")) == (0, 5)


def test_a_line_that_was_found_once_is_not_looked_for_again(
    register: AcknowledgedEntries, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, game_id in enumerate(("one", "two", "a" * 64), 1):
        register.note(game_id, number)
    monkeypatch.setattr(register, "_find", lambda *_arguments: pytest.fail("it was looked for"))
    for number, game_id in enumerate(("one", "two", "a" * 64), 7):
        assert register.note(game_id, number) is False
        assert register.number(game_id) == number


def test_a_game_without_a_line_may_be_contested(register: AcknowledgedEntries) -> None:
    register.contest("one")
    assert lines(register) == [b"one".ljust(65) + b"         0!\n"]
    assert register.number("one") == 0
    assert [register.note("one", 1), register.note("one", 2)] == [True, False]


def test_contests_are_dropped_and_nothing_else(register: AcknowledgedEntries) -> None:
    for number, game_id in enumerate(("one", "two", "three"), 1):
        register.note(game_id, number)
    register.contest("one")
    register.contest("three")
    register.mark_unsure(dict)
    register.contest("two")
    before = lines(register)
    register.forget_contests()
    assert lines(register) == [before[0], before[1].replace(b"!", b" "), before[2]]
    assert [register.note(game_id, 4) for game_id in ("one", "two", "three")] == [False] * 3


def test_a_system_that_must_go_to_a_place_first_reads_and_writes_the_same(
    register: AcknowledgedEntries, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(acknowledged, "sys", SimpleNamespace(platform="win32"))
    for number, game_id in enumerate(("one", "two", "three", "one"), 1):
        assert register.note(game_id, number) is False
    register.contest("two")
    register.forget(["three"])
    assert lines(register) == [
        b"one".ljust(65) + b"         4 \n", b"two".ljust(65) + b"         2!\n", b" " * (WIDTH - 1) + b"\n",
    ]  # fmt: skip
    assert [register.number("two"), register.note("two", 3), register.number("two")] == [2, True, 3]


def test_games_are_unsure_until_each_is_judged(register: AcknowledgedEntries) -> None:
    register.note("one", 1)
    register.note("two", 2)
    kept = {"one": 9, "new": 4, "no id!": 3, "": 2, "a" * 65: 1}
    register.mark_unsure(lambda: kept)
    assert register.numbers() == {"one": 1, "two": 2, "new": 4}
    assert [register.is_unsure(each) for each in ("one", "two", "new", "another")] == [True, True, True, False]
    register.note("one", 2)
    assert register.is_unsure("one"), "an entry more does not judge those before"
    register.note_sure("one")
    register.note_sure("another")
    assert [register.is_unsure(each) for each in ("one", "two", "new")] == [False, True, True]
    assert register.numbers() == {"one": 2, "two": 2, "new": 4}


def test_what_is_no_line_is_blanked_out_and_lines_that_hold_stay_in_their_places(
    register: AcknowledgedEntries, caplog: pytest.LogCaptureFixture
) -> None:
    for number, game_id in enumerate(("one", "two", "three"), 1):
        register.note(game_id, number)
    before = lines(register)
    register.put_right(lambda: pytest.fail("all is in order"))
    register.path.write_bytes(before[0] + b"x" * WIDTH + before[2] + b"and more")
    with caplog.at_level("WARNING"):
        register.put_right(lambda: {"one": 7, "two": 8, "four": 9})
    assert caplog.messages == [f"{register.path} held what this program did not write; it was put right"]
    assert register.numbers() == {"one": 1, "two": 8, "three": 3, "four": 9}
    assert [lines(register)[0], lines(register)[2]] == [before[0], before[2]]
    register.put_right(lambda: pytest.fail("all is in order again"))


def test_a_register_of_more_games_than_anybody_plays_is_read_and_a_larger_file_is_not(
    register: AcknowledgedEntries,
) -> None:
    register.note("one", 3)
    (line,) = lines(register)
    most = 4 * 1024 * 1024 // WIDTH
    register.path.write_bytes(line * most)
    assert register.numbers() == {"one": 3}
    register.path.write_bytes(line * (most + 1))
    assert register.numbers() == {}
    register.put_right(lambda: {"one": 4})
    assert register.path.stat().st_size == WIDTH
    assert register.numbers() == {"one": 4}


def test_a_file_just_as_large_as_may_be_is_read_to_its_end(
    register: AcknowledgedEntries, monkeypatch: pytest.MonkeyPatch
) -> None:
    register._database.write_bytes(b"a database")
    register.note("one", 1)
    register.note("two", 2)
    register.note_whole()
    monkeypatch.setattr(acknowledged, "_LARGEST", 3 * WIDTH)
    assert register.numbers() == {"one": 1, "two": 2}
    assert register.is_left_whole()
    register.put_right(lambda: pytest.fail("all is in order"))
    monkeypatch.setattr(acknowledged, "_LARGEST", 3 * WIDTH - 1)
    assert register.numbers() == {}
    register.put_right(dict)
    assert register.path.stat().st_size == 0


def test_a_database_is_left_whole_as_long_as_its_file_is_the_same_and_no_log_belongs_to_it(
    register: AcknowledgedEntries,
) -> None:
    database = register._database
    register.note_whole()
    assert not register.path.exists(), "there is no database"
    database.write_bytes(b"a database")
    log = database.with_name(f"{database.name}-wal")
    log.write_bytes(b"entries")
    register.note_whole()
    assert not register.path.exists(), "its latest entries are elsewhere"
    log.write_bytes(b"")
    register.note_whole()
    assert register.is_left_whole()
    register.note("one", 1)
    register.note_whole()
    assert len(lines(register)) == 2
    log.write_bytes(b"entries")
    assert not register.is_left_whole()
    log.unlink()
    found = database.stat()
    os.utime(database, ns=(found.st_atime_ns, found.st_mtime_ns + 1))
    assert not register.is_left_whole()
    os.utime(database, ns=(found.st_atime_ns, found.st_mtime_ns))
    assert register.is_left_whole()
    register.forget_whole()
    assert not register.is_left_whole()
    assert lines(register)[0] == b" " * (WIDTH - 1) + b"\n"
    register.note("two", 2)
    assert register.numbers() == {"one": 1, "two": 2}
