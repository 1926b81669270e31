"""The database of games: durability, two programs at once, and what a foreign, damaged or full one gets."""

import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.errors import NotRecorded, StoreError
from companion.session.file_check import APPLICATION_ID
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import eventful_session, new_session, play

ROOT = Path(__file__).resolve().parents[2]


def refusal(path: Path, patience: float = 0.05) -> str:
    """What opening says, in one line; the file stays as it is."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(StoreError) as caught:
        Store(path, patience)
    assert before == (path.read_bytes() if path.is_file() else None)
    message = str(caught.value)
    assert message.startswith(str(path))
    assert "\n" not in message
    return message


def test_a_game_is_where_it_was_left(path: Path) -> None:
    with Store(path) as store:
        session = eventful_session(store)
    with Store(path) as store:
        again = Session.open(store, "eventful")
        assert again.entries == session.entries
        assert again.state == session.state
        assert again.export() == session.export()
        again.undo()
        play(again, "draw red blue")
    with Store(path) as store:
        assert Session.open(store, "eventful").state == again.state


def test_every_entry_is_kept_before_it_is_told(path: Path) -> None:
    with Store(path) as store, Store(path) as other:
        session = new_session(store)
        session.observe(lambda entry: kept.append(other.read(session.id).entries[-1] == entry))
        kept: list[bool] = []
        play(session, "draw red blue", "draw red yellow", "end")
        session.undo()
        session.correct({"actions": 1}, "")
    assert kept == [True] * 5


def test_the_database_writes_through(path: Path) -> None:
    with Store(path) as store:
        (synchronous,) = store._connection.execute("PRAGMA synchronous").fetchone()
        (mode,) = store._connection.execute("PRAGMA journal_mode").fetchone()
        (keys,) = store._connection.execute("PRAGMA foreign_keys").fetchone()
    assert (synchronous, mode, keys) == (2, "wal", 1)


def test_games_are_listed_with_what_is_known_of_them(path: Path) -> None:
    with Store(path) as store:
        assert store.games() == ()
        assert store.latest_unfinished("city_of_marble") is None
        play(new_session(store, game_id="a"), "draw red blue")
        finished = new_session(store, game_id="b")
        finished.end_early("late")
        assert [(game.id, game.entries, game.over) for game in store.games()] == [("a", 1, False), ("b", 1, True)]
        assert store.latest_unfinished("city_of_marble") == "a"
        assert store.latest_unfinished("capitol") is None
        finished.undo()
        assert [game.over for game in store.games()] == [False, False]


def test_a_record_is_taken_in_once(path: Path) -> None:
    text = eventful_session().export()
    with Store(path) as store:
        session = Session.read(store, text, "game.jsonl")
        assert store.read("eventful").entries == session.entries
        assert store.games()[0].over
        with pytest.raises(StoreError, match="game eventful is there already"):
            Session.read(store, text, "game.jsonl")
        session.undo()
        assert len(store.read("eventful").entries) == 20
    with Store(path) as store:
        assert len(store.read("eventful").entries) == 20, "a refused record leaves nothing half done"


def test_a_game_under_way_that_is_taken_in_is_not_over(path: Path) -> None:
    session = new_session()
    play(session, "draw red blue")
    with Store(path) as store:
        Session.read(store, session.export(), "game.jsonl")
        assert not store.games()[0].over
        assert store.latest_unfinished("city_of_marble") == "evening-1"


def test_an_unknown_game_is_refused(filled: Path) -> None:
    with Store(filled) as store, pytest.raises(StoreError, match="there is no game evening-7"):
        Session.open(store, "evening-7")


def test_two_sessions_of_one_game_cannot_both_go_on(filled: Path) -> None:
    with Store(filled) as store, Store(filled) as other:
        first, second = Session.open(store, "evening-1"), Session.open(other, "evening-1")
        first.submit(first.legal_actions()[0])
        before = second.state
        with pytest.raises(StoreError, match="continued elsewhere since it was opened; open it again"):
            second.submit(second.legal_actions()[-1])
        assert (second.state, second.state_id) == (before, 40)
        eventful_session(other)  # what failed holds up no other game
        again = Session.open(other, "evening-1")
        assert again.state == first.state
        again.submit(again.legal_actions()[-1])


def test_a_database_that_another_program_is_writing_is_waited_for_and_then_reported(
    filled: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with Store(filled, 0.05) as store:
        session = Session.open(store, "evening-1")
        other = sqlite3.connect(filled, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        for _again in range(2):
            with pytest.raises(NotRecorded) as caught:
                session.submit(session.legal_actions()[0])
        told = f"Not recorded: the database is in use by another program; close that, or try again ({filled})"
        assert str(caught.value) == told
        assert caplog.messages == [told]
        assert session.state_id == 40
        other.execute("COMMIT")
        other.close()
        session.submit(session.legal_actions()[0])
        assert session.state_id == 41


def test_a_locked_database_is_not_opened(filled: Path) -> None:
    other = sqlite3.connect(filled, isolation_level=None)
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("BEGIN EXCLUSIVE")
    assert "in use by another program" in refusal(filled)
    other.close()


def foreign(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE recipes (name TEXT)")
    connection.commit()
    connection.close()


def of_version(version: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        Store(path).close()
        connection = sqlite3.connect(path)
        connection.execute(f"PRAGMA user_version = {version}")
        connection.close()

    return make


def without_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute("PRAGMA user_version = 1")
    connection.close()


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda path: path.write_bytes(b"x" * 5000), "is no database of games, or is damaged"),
        (lambda path: path.write_text("{}"), "is no database of games, or is damaged"),
        (lambda path: path.write_bytes(b"SQLite format 3\0"), "is no database of games, or is damaged"),
        (foreign, "is another program's database"),
        (of_version(2), "has version 2, made by a newer program; this one reads version 1"),
        (without_tables, "the database is damaged"),
        (lambda path: path.mkdir(), "is no file"),
        (os.mkfifo, "is no file"),
    ],
    ids=["noise", "text", "header only", "foreign", "newer", "empty", "folder", "pipe"],
)
def test_a_file_that_is_not_ours_is_refused_and_left_alone(
    path: Path, make: Callable[[Path], object], reason: str
) -> None:
    make(path)
    assert reason in refusal(path)


def test_a_database_in_no_folder_is_refused(tmp_path: Path) -> None:
    assert "cannot be opened; check that its folder exists" in refusal(tmp_path / "nowhere" / "games.sqlite3")


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_truncated_database_is_refused_and_left_alone(filled: Path, part: float) -> None:
    data = filled.read_bytes()
    filled.write_bytes(data[: int(len(data) * part)])
    assert "the database is damaged" in refusal(filled)


def test_a_damaged_database_is_refused_and_left_alone(filled: Path) -> None:
    data = bytearray(filled.read_bytes())
    for place in range(4096, len(data), 4096):
        data[place : place + 100] = b"\xff" * 100
    filled.write_bytes(data)
    assert "the database is damaged" in refusal(filled)


def test_a_database_whose_own_words_are_damaged_is_refused(filled: Path) -> None:
    data = filled.read_bytes()
    damaged = data.replace(b"CREATE TABLE entries (", b"CREATE TABLE entries \x97")
    assert damaged != data
    filled.write_bytes(damaged)
    assert "the database is damaged" in refusal(filled)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("UPDATE entries SET entry = '{' WHERE number = 3", "entry 3, column"),
        (
            "UPDATE entries SET entry = replace(entry, '\"kind\"', '\"sort\"') WHERE number = 3",
            "entry 3.kind: is missing",
        ),
        ("DELETE FROM entries WHERE number = 3", "entry 3: entry 4 does not follow entry 2"),
        ("UPDATE entries SET entry = entry || printf('%.*c', 3000000, 'x') WHERE number = 3", "entry 3"),
        ("UPDATE games SET header = replace(header, 'Palatine', 'Pincian')", "header"),
        ("UPDATE entries SET entry = CAST(x'ff' AS TEXT) WHERE number = 3", "the database is damaged"),
        (
            "UPDATE games SET header = replace(header, 'evening-1', 'evening-2')",
            "game evening-1: header.id: is 'evening-2'; the database is damaged",
        ),
    ],
)
def test_a_game_that_was_tampered_with_is_refused_and_others_open(filled: Path, statement: str, reason: str) -> None:
    connection = sqlite3.connect(filled)
    connection.execute(statement)
    connection.commit()
    connection.close()
    with Store(filled) as store:
        with pytest.raises(StoreError) as caught:
            store.read("evening-1")
        assert reason in str(caught.value)
        assert "\n" not in str(caught.value)
        play(new_session(store, game_id="another"), "draw red blue")


LIMITED = """
import resource, sys
from pathlib import Path
from companion.errors import StoreError
from companion.session.session import Session
from companion.session.store import Store

path = Path(sys.argv[1])
with Store(path) as store:
    session = Session.open(store, "evening-1")
    size = max(file.stat().st_size for file in path.parent.iterdir())
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    try:
        for _ in range(1000):
            before = session.state_id
            session.submit(session.legal_actions()[0])
    except StoreError as error:
        assert session.state_id == before
        print(before, error)
"""


def test_a_full_disk_is_reported_and_loses_nothing(filled: Path) -> None:
    """The operating system lets no file grow beyond its size, which SQLite takes for a full disk."""
    run = subprocess.run([sys.executable, "-c", LIMITED, filled], cwd=ROOT, capture_output=True, text=True, check=True)
    number, _, message = run.stdout.partition(" ")
    assert "the disk" in message
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        assert session.state_id == int(number)
        session.submit(session.legal_actions()[0])


@pytest.mark.parametrize("successor", [False, True])
def test_nothing_is_acknowledged_once_the_database_is_gone(filled: Path, tmp_path: Path, successor: bool) -> None:
    """The open file would take entries in as before, but nobody could open it again."""
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        before = session.state_id
        aside = tmp_path / "aside"
        aside.mkdir()
        for file in tmp_path.glob(f"{filled.name}*"):
            file.rename(aside / file.name)
        if successor:
            Store(filled).close()
        for refused in (lambda: session.submit(session.legal_actions()[0]), lambda: store.delete("evening-1")):
            with pytest.raises(StoreError, match="moved or removed"):
                refused()
        assert session.state_id == before
        for file in aside.iterdir():
            file.replace(filled.with_name(file.name))
        session.submit(session.legal_actions()[0])
    with Store(filled) as store:
        assert Session.open(store, "evening-1").state_id == before + 1


SPILLED = """
import resource, sys
from pathlib import Path
from companion.errors import StoreError
from companion.session.session import Session
from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random

path = Path(sys.argv[1])
longest = new_session(game_id="taken-in")
play_at_random(longest, 150, seed=2)
store = Store(path)
store._connection.execute("PRAGMA cache_size = 1")
store._connection.execute("PRAGMA cache_spill = 1")
size = path.with_name(path.name + "-wal").stat().st_size + 20_000
resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
for _ in range(2):
    try:
        Session.read(store, longest.export(), "record")
    except StoreError as error:
        print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
Session.read(store, longest.export(), "record")
"""


def test_a_game_that_finds_no_room_is_taken_in_later(filled: Path) -> None:
    """SQLite takes a transaction back by itself where the disk is full."""
    run = subprocess.run([sys.executable, "-c", SPILLED, filled], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not run.stderr
    assert run.stdout.count("the disk") == 2
    with Store(filled) as store:
        assert {summary.id for summary in store.games()} == {"evening-1", "taken-in"}


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_database_that_cannot_be_written_is_refused(filled: Path) -> None:
    filled.chmod(0o444)
    assert "cannot be" in refusal(filled)


def test_a_killed_writer_loses_nothing_it_was_told_of(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.session.killed_writer", str(tmp_path), "25", "1"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["acknowledged"] >= 13
