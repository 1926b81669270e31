"""Damage to the database: one entry costs itself, lost files are noticed, and what was there is kept aside."""

import re
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.errors import DamagedDatabase, StoreError, UnreadableGame
from companion.frozen import FrozenDict
from companion.registry import load_game, print_and_play_board
from companion.session.checkpoints import Checkpointer
from companion.session.record import read_record
from companion.session.rejudging import verify
from companion.session.salvage import open_store
from companion.session.session import Session
from companion.session.store import Store
from companion.table import Player, Table
from tests.firmware_bridge.waiting import eventually
from tests.session.evenings import EVENING, new_session, play, play_at_random


@pytest.fixture
def filled(path: Path) -> Path:
    """A closed database with two games; the moves of `evening-1` are known."""
    with Store(path) as store:
        session = new_session(store)
        play(session, "draw red blue", "draw red yellow", "end", "draw blue green", "draw blue yellow", "end")
        play_at_random(new_session(store, game_id="evening-2"), 30, seed=1)
    return path


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(statement)


def kept_aside(path: Path) -> list[Path]:
    return sorted(path.parent.glob("games-damaged-*.sqlite3"))


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE entries SET entry = '{' WHERE game = 'evening-1' AND number = 2",
        "DELETE FROM entries WHERE game = 'evening-1' AND number = 2",
        "UPDATE entries SET entry = CAST(x'ff' AS TEXT) WHERE game = 'evening-1' AND number = 2",
        "UPDATE entries SET entry = replace(entry, 'WardsDrawn', 'WardsGrown') WHERE game = 'evening-1' AND number = 2",
    ],
)
def test_a_damaged_entry_costs_that_entry_only(filled: Path, damage: str) -> None:
    change(filled, damage)
    with Store(filled) as store:
        with pytest.raises(DamagedDatabase):
            store.read("evening-1")
        session = Session.open(store, "evening-1")
        assert [entry.number for entry in session.entries if entry.kind == "lost"] == [2]
        assert len(session.entries) == 6
        (notice,) = session.take_notices()
        (aside,) = kept_aside(filled)
        assert str(notice) == (
            f"Entry 2 of {EVENING} is lost: the database was damaged. Hands and stocks "
            f"may differ from the table; correct them in the history. The damaged database is kept as {aside.name}."
        )
        again = Session.open(store, "evening-1")
        assert again.notices == ()
        assert again.state == session.state
        assert read_record(again.export(), "record").entries == session.entries
        assert next(iter(verify(again.log))).number == 2
        play_at_random(again, 1, seed=3)
    with Store(aside) as untouched, pytest.raises(DamagedDatabase):
        untouched.read("evening-1")


@pytest.mark.parametrize("is_acknowledged", [True, False])
@pytest.mark.parametrize(("old", "new"), [(6, 4999), (3, 4999), (6, 7)])
def test_an_entry_in_the_place_of_a_later_one_is_put_back(
    filled: Path, old: int, new: int, is_acknowledged: bool
) -> None:
    with Store(filled) as store:
        before = store.read("evening-1")
    change(filled, f"UPDATE entries SET number = {new} WHERE game = 'evening-1' AND number = {old}")
    if not is_acknowledged:
        filled.with_name(f"{filled.name}-acknowledged").unlink()
    store, (notice,) = open_store(filled)
    (aside,) = kept_aside(filled)
    assert str(notice) == (
        f"Entries of {EVENING} stood in wrong places of the database and were put right; none is lost. The damaged "
        f"database is kept as {aside.name}."
    )
    with store:
        session = Session.open(store, "evening-1")
        assert session.entries == before.entries
        play_at_random(session, 1, seed=3)


def test_a_line_that_repeats_an_earlier_number_is_lost_and_nothing_else(filled: Path) -> None:
    change(filled, """UPDATE entries SET entry = replace(entry, '"number": 6', '"number": 2') WHERE number = 6""")
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        assert [entry.number for entry in session.entries if entry.kind == "lost"] == [6]


def test_what_hangs_on_a_lost_entry_is_lost_with_it(path: Path) -> None:
    with Store(path) as store:
        session = new_session(store)
        play(session, "draw red blue", "draw red yellow")
        session.undo()
        session.redo()
        play(session, "end")
    change(path, "DELETE FROM entries WHERE number = 3")
    with Store(path) as store:
        session = Session.open(store, "evening-1")
        assert [entry.kind for entry in session.entries] == ["action", "action", "lost", "lost", "action"]
        assert "cannot have happened without what is missing" in session.entries[3].summary
        assert [move.number for move in session.moves] == [1, 2, 5]


def test_a_game_whose_set_up_nothing_tells_is_kept_aside_and_the_others_open(filled: Path) -> None:
    change(filled, "UPDATE games SET header = '{' WHERE id = 'evening-1'")
    with Store(filled) as store:
        unreadable = r"header, .*cannot be put together again .* games-damaged-"
        with pytest.raises(UnreadableGame, match=unreadable) as refused:
            Session.open(store, "evening-1")
        assert "It is kept in games-damaged-" in str(refused.value.notice)
        assert len(Session.open(store, "evening-2").entries) == 30
        assert [game.id for game in store.games()] == ["evening-2"]
    (aside,) = kept_aside(filled)
    with Store(aside) as store:
        assert {game.id for game in store.games()} == {"evening-1", "evening-2"}


def test_a_schema_that_is_no_text_any_more_costs_no_game(filled: Path) -> None:
    filled.write_bytes(filled.read_bytes().replace(b"header TEXT", b"header\x9eTEXT"))
    store, (notice, *_others) = open_store(filled)
    with store:
        assert "Games that open: 2; games lost: 0" in str(notice)
        assert {game.id for game in store.games()} == {"evening-1", "evening-2"}


def test_a_game_beyond_repair_is_told_of_wherever_it_was_found(filled: Path) -> None:
    change(filled, "UPDATE games SET header = '{' WHERE id = 'evening-1'")
    with Store(filled) as store:
        with pytest.raises(UnreadableGame) as refused:
            Session.open(store, "evening-1")
        assert store.notices == {"evening-1": refused.value.notice}


@pytest.mark.parametrize(
    "damage",
    [
        'header = replace(header, \'"digest": "\', \'"digest": "x\')',
        "header = replace(header, '\"created\"', '\"creeted\"')",
        "header = replace(header, '\"version\": ', '\"version\": -')",
        "header = substr(header, 1, length(header) - 40)",
        "header = CAST(substr(CAST(header AS BLOB), 1, 30) || x'ff' || substr(CAST(header AS BLOB), 32) AS TEXT)",
        "created = 'yesterday', header = replace(header, '\"id\": \"', '\"id\": \"0')",
    ],
)
def test_a_damaged_header_costs_itself_where_it_still_says_who_plays_what(filled: Path, damage: str) -> None:
    with Store(filled) as store:
        before = store.read("evening-1")
    change(filled, f"UPDATE games SET {damage} WHERE id = 'evening-1'")
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        (notice,) = session.take_notices()
        assert "put together again" in notice
        assert (session.table, session.state) == (before.header.table, before.state)
        assert [entry.kind for entry in session.entries[-2:]] == ["action", "lost"]
        assert "the header could not be read" in session.entries[-1].summary
    (aside,) = kept_aside(filled)
    assert aside.name in notice
    with Store(filled) as store:
        again = Session.open(store, "evening-1")
        assert (again.take_notices(), again.state) == ((), before.state)


def test_players_that_the_header_lost_are_as_many_as_acted(path: Path) -> None:
    players = (Player("Ada", "red"), Player("Bea", "yellow"), Player("Cleo", "green"))
    board = print_and_play_board("capitol")
    table = Table("capitol", players, load_game("capitol").rulebook.defaults(), FrozenDict(), board)
    with Store(path) as store:
        session = Session.create(store, table, game_id="evening-1")
        play_at_random(session, 12, seed=3)
        before = session.state
    change(path, "UPDATE games SET header = '{' WHERE id = 'evening-1'")
    with Store(path) as store:
        again = Session.open(store, "evening-1")
        assert len(again.table.players) == 3
        assert again.state.city == before.city
        assert again.state.holdings == before.holdings


def test_a_header_of_a_newer_program_is_no_damage(filled: Path) -> None:
    change(
        filled, "UPDATE games SET header = replace(header, '\"version\": ', '\"version\": 9') WHERE id = 'evening-1'"
    )
    with Store(filled) as store:
        with pytest.raises(DamagedDatabase, match="this program knows"):
            Session.open(store, "evening-1")
        assert len(store.games()) == 2
    assert kept_aside(filled) == []


@pytest.mark.parametrize("missing", [4095, 4096])
def test_a_truncated_database_gives_back_what_can_be_read(filled: Path, missing: int) -> None:
    data = filled.read_bytes()
    filled.write_bytes(data[:-missing])
    store, notices = open_store(filled)
    with store:
        assert re.search(r"entries lost from games that open: [0-9]+, of Rome: City of Marble \(", notices[0])
        (aside,) = kept_aside(filled)
        assert aside.read_bytes() == data[:-missing]
        assert sorted(game.id for game in store.games()) == ["evening-1", "evening-2"]
        for game in store.games():
            session = Session.open(store, game.id)
            assert session.notices == ()
            if game.id == "evening-1":
                assert [entry.summary for entry in session.entries[:2]] == ["draw red blue", "draw red yellow"]
                assert len(session.entries) == 6
            else:
                assert 10 < len(session.entries) < 30
            play_at_random(session, 1, seed=1)
    assert open_store(filled)[1] == ()


def test_a_sound_database_is_opened_without_a_word(filled: Path) -> None:
    store, notices = open_store(filled)
    assert (notices, store.shortfalls, kept_aside(filled)) == ((), (), [])
    store.close()


@pytest.fixture
def killed(tmp_path: Path) -> Iterator[Path]:
    """The files of a database as a killed program leaves them, its latest entries in the write-ahead log."""
    folder = tmp_path / "killed"
    folder.mkdir()
    with Store(tmp_path / "live.sqlite3") as store:
        session = new_session(store)
        play(session, "draw red blue", "draw red yellow")
        with closing(sqlite3.connect(tmp_path / "live.sqlite3")) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        play(session, "end", "draw blue green")
        for file in tmp_path.glob("live.sqlite3*"):
            shutil.copyfile(file, folder / file.name.replace("live", "games"))
    return folder / "games.sqlite3"


def test_a_killed_program_leaves_nothing_to_complain_of(killed: Path) -> None:
    store, notices = open_store(killed)
    with store:
        assert notices == ()
        assert store.games()[0].entries == 4


@pytest.mark.parametrize("damage", ["removed", "torn", "emptied"])
def test_a_lost_write_ahead_log_is_noticed_once(killed: Path, damage: str) -> None:
    log = killed.with_name("games.sqlite3-wal")
    if damage == "removed":
        log.unlink()
    else:
        log.write_bytes(log.read_bytes()[:40] if damage == "torn" else b"")
    killed.with_name("games.sqlite3-shm").unlink()
    store, notices = open_store(killed)
    with store:
        assert [str(notice) for notice in notices] == [
            f"The latest entries are gone of {EVENING} (recorded: 4, left: 2). "
            "games.sqlite3 was changed, or a file beside it was lost. Look at the table and record what is missing."
        ]
        play(Session.open(store, "evening-1"), "end")
    assert open_store(killed)[1] == ()


def test_a_database_that_is_gone_is_noticed(killed: Path) -> None:
    for part in ("", "-wal", "-shm"):
        killed.with_name(killed.name + part).unlink()
    store, (notice,) = open_store(killed)
    assert "Games missing from the database: 1 (entries: 4). If games.sqlite3 or" in notice
    store.close()


def test_a_database_with_more_than_was_noted_is_fine(killed: Path) -> None:
    noted = killed.with_name("games.sqlite3-acknowledged")
    noted.write_bytes(noted.read_bytes().replace(b"4 \n", b"1 \n"))
    assert open_store(killed)[1] == ()
    noted.write_bytes(b"\xff" * 1000)
    assert open_store(killed)[1] == ()
    noted.unlink()
    assert open_store(killed)[1] == ()


def test_a_deleted_game_is_not_missed(filled: Path) -> None:
    with Store(filled) as store:
        store.delete("evening-1")
    assert open_store(filled)[1] == ()


def test_entries_are_moved_into_the_database_file_behind_the_writers_back(filled: Path) -> None:
    with Store(filled) as store:
        session = Session.open(store, "evening-2")
        before = filled.read_bytes()
        moving = Checkpointer(filled, quiet=0.01)
        play_at_random(session, 1, seed=1)
        moving.entry_written()
        eventually(lambda: filled.read_bytes() != before)
        moving.close()
        copy = filled.with_name("copy.sqlite3")
        shutil.copyfile(filled, copy)
        with Store(copy) as copied:
            assert len(copied.read("evening-2").entries) == len(session.entries)


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("CREATE TRIGGER t AFTER INSERT ON entries BEGIN DELETE FROM games; END", "holds a trigger 't'"),
        ("CREATE VIEW v AS SELECT 1", "holds a view 'v'"),
        ("CREATE TABLE recipes (name TEXT)", "holds a table 'recipes'"),
        ("CREATE INDEX i ON entries (over)", "holds an index 'i'"),
        (
            "ALTER TABLE games ADD COLUMN mood TEXT",
            "the columns of table games are 'id, game, created, header, mood', not id, game, created, header",
        ),
        (
            "INSERT INTO entries SELECT game, 999999999, over, entry FROM entries WHERE number = 1",
            "game 'evening-1' has an entry numbered 999999999, and a game has at most 5000",
        ),
    ],
)
def test_a_database_with_things_of_its_own_is_refused(filled: Path, statement: str, reason: str) -> None:
    change(filled, statement)
    before = filled.read_bytes()
    with pytest.raises(StoreError) as caught:
        open_store(filled)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)
    assert filled.read_bytes() == before
    assert kept_aside(filled) == []


def test_a_header_and_an_entry_that_are_damaged_cost_themselves(filled: Path) -> None:
    change(filled, "UPDATE entries SET entry = '{' WHERE game = 'evening-1' AND number = 2")
    change(filled, "UPDATE games SET header = replace(header, '\"evening-1\"', '\"evening-9\"') WHERE id = 'evening-1'")
    with Store(filled) as store:
        session = Session.open(store, "evening-1")
        assert session.id == "evening-1"
        assert [entry.kind for entry in session.entries[:3]] == ["action", "lost", "action"]
        assert session.entries[-1].kind == "lost"
    assert len(kept_aside(filled)) == 1


def test_a_damaged_database_is_named_by_the_time_it_was_put_aside(filled: Path) -> None:
    change(filled, "DELETE FROM entries WHERE game = 'evening-1' AND number = 2")
    with Store(filled) as store:
        Session.open(store, "evening-1")
    (aside,) = kept_aside(filled)
    assert re.fullmatch(r"games-damaged-20\d{6}-\d{6}\.sqlite3", aside.name)


def _head(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(bytes(range(7, 67)))


def _first_page(path: Path) -> None:
    path.write_bytes(b"\x5a" * 4096 + path.read_bytes()[4096:])


def _sizes(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:16] + b"\xff" * 30 + data[46:])


def _version(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(60)
        file.write(b"\x80\0\0\1")


def _no_version(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(60)
        file.write(bytes(4))


def _application(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(69)
        file.write(b"\0")


@pytest.mark.parametrize("damage", [_head, _first_page, _sizes, _version, _no_version, _application])
@pytest.mark.parametrize("state", ["closed", "killed"])
def test_a_damaged_beginning_of_the_file_costs_nothing(
    request: pytest.FixtureRequest, damage: Callable[[Path], None], state: str
) -> None:
    path: Path = request.getfixturevalue("filled" if state == "closed" else "killed")
    damage(path)
    damaged = path.read_bytes()
    store, notices = open_store(path)
    with store:
        counts = {game.id: game.entries for game in store.games()}
        assert counts == ({"evening-1": 6, "evening-2": 30} if state == "closed" else {"evening-1": 4})
        for game_id in counts:
            assert Session.open(store, game_id).notices == ()
        (aside,) = kept_aside(path)
        assert [str(notice) for notice in notices] == [
            f"The database of games was damaged. Games that open: {len(counts)}; games lost: 0; entries lost from "
            f"games that open: 0. The damaged database is kept as {aside.name}."
        ]
        assert aside.read_bytes() == damaged
    assert open_store(path)[1] == ()


@pytest.mark.parametrize("rubbish", [b"x" * 20000, b"{}", b"SQLite format 3\0", bytes(range(256)) * 100], ids="abcd")
def test_rubbish_is_kept_aside_and_what_is_lost_told_in_one_line(filled: Path, rubbish: bytes) -> None:
    filled.write_bytes(rubbish)
    store, (notice,) = open_store(filled)
    with store:
        assert store.games() == ()
        new_session(store)
    (aside,) = kept_aside(filled)
    assert aside.read_bytes() == rubbish
    assert str(notice) == (
        "The database of games was damaged, and no game could be read. Games lost: 2 (entries: 36). "
        f"A new database was begun; the damaged one is kept as {aside.name}."
    )


def test_rubbish_in_place_of_a_first_database_loses_nothing_known(path: Path) -> None:
    path.write_text("rubbish")
    store, (notice,) = open_store(path)
    store.close()
    assert "no game was found in it. A new one was begun; the damaged one is kept as games-damaged-" in notice


def test_a_game_that_is_lost_is_named_with_its_players_and_entries(filled: Path) -> None:
    change(filled, "UPDATE games SET created = '', header = substr(header, instr(header, '\"players\"'), 200)")
    change(filled, "UPDATE entries SET entry = '{' WHERE game = 'evening-1'")
    _head(filled)
    store, (notice,) = open_store(filled)
    with store:
        assert len(store.games()) == 1
    assert "games lost: 1 (entries: 6): Rome: City of Marble (Player 1, Player 2); entries lost" in notice


@pytest.mark.parametrize("damage", ["UPDATE entries SET entry = '[[[['", "DELETE FROM entries"])
def test_a_damaged_entry_is_told_at_the_start_and_when_the_game_is_gone_on_with_once_each(
    filled: Path, damage: str
) -> None:
    change(filled, f"{damage} WHERE game = 'evening-1' AND number = 2")
    store, (notice,) = open_store(filled)
    with store:
        assert str(notice).startswith(f"Entry 2 of {EVENING} is lost: the ")
        Session.open(store, "evening-1")  # for the picture of the start screen
        session = Session.open(store, "evening-1")
        assert session.take_notices() == (notice,)
        assert Session.open(store, "evening-1").take_notices() == ()
        assert session.undone_numbers() == frozenset()
    store, notices = open_store(filled)
    assert notices == ()
    store.close()


def test_several_lost_entries_are_told_from_where_to_where(filled: Path) -> None:
    change(filled, "DELETE FROM entries WHERE game = 'evening-1' AND number IN (1, 3, 4)")
    store, (notice,) = open_store(filled)
    store.close()
    assert str(notice).startswith(f"Entries 1, 3–4 of {EVENING} are lost: the ")


@pytest.mark.parametrize("times", [100, 1_000_000])
def test_rubbish_in_the_file_of_acknowledged_entries_is_told_once_and_the_guard_holds_again(
    filled: Path, caplog: pytest.LogCaptureFixture, times: int
) -> None:
    noted = filled.with_name("games.sqlite3-acknowledged")
    noted.write_bytes(b"rubbish" * times)
    with caplog.at_level("WARNING"):
        open_store(filled)[0].close()
        open_store(filled)[0].close()
    assert [record.getMessage() for record in caplog.records] == [
        f"{noted} held what this program did not write; it was put right"
    ]
    assert noted.stat().st_size < 2000
    change(filled, "DELETE FROM entries WHERE game = 'evening-1' AND number > 2")
    store, (notice,) = open_store(filled)
    store.close()
    assert str(notice).startswith(f"The latest entries are gone of {EVENING} (recorded: 6, left: 2). games.sq")
