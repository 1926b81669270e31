"""The database: migrations, entries that arrive in any order and more than once, several writers."""

import json
import sqlite3
import time
from contextlib import closing
from random import Random

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from companion.publishing.table_state import PublishedPlayer, TableState
from ui.hub.batches import Batch, Newest, Reason, TakenEntry, TakenState
from ui.hub.database import Database, DatabaseUnavailable, Lost, database_url, is_full, notices, open_database
from ui.hub.results import read_result
from ui.hub.schema import METADATA
from ui.hub.storing import COPIES_ASKED, Storing


def storing_at(address: str, opened) -> Storing:
    opened.append(open_database(address))
    storing = Storing(opened[-1])
    assert storing.tables.register("one", "Table 1", b"k" * 32)
    return storing


@pytest.fixture
def storing(tmp_path, opened) -> Storing:
    return storing_at(str(tmp_path / "hub.sqlite"), opened)


def entries(*numbers: int) -> Batch:
    return Batch([TakenEntry("one", "game", number, f'{{"number":{number}}}') for number in numbers])


def test_the_migrations_make_what_the_program_expects(storing):
    with storing.database.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), METADATA) == []


def test_entries_in_any_order_and_twice_are_stored_once_and_in_order(storing):
    numbers = list(range(40)) * 2
    Random(3).shuffle(numbers)
    for at in range(0, len(numbers), 7):
        unbroken = storing.write(entries(*numbers[at : at + 7]))
    assert storing.lines("one", "game") == [f'{{"number":{number}}}' for number in range(40)]
    assert storing.standing("one", "game", 39).missing == ()
    assert unbroken["one", "game"] == storing.standing("one", "game", 39).unbroken == 39


def test_a_gap_is_named_up_to_the_number_that_the_table_speaks_of(storing):
    assert storing.write(entries(0, 1, 4, 6)) == {("one", "game"): 1}
    standing = storing.standing("one", "game", 8)
    assert (standing.unbroken, standing.missing) == (1, ((2, 3), (5, 5), (7, 8)))
    assert storing.standing("one", "other", 2).missing == ((0, 2),)
    assert storing.write(entries(2, 3)) == {("one", "game"): 4}


def test_an_older_state_does_not_replace_a_newer_one(storing):
    for number, over in ((5, True), (4, False)):
        state = TableState(game="game", rules="capitol", over=over, players=(PublishedPlayer(1, "red", "Ann", 7, 1),))
        storing.write_newest(Newest({"one": TakenState("one", number, f"state {number}", state)}))
    assert storing.tables.registered()["one"].state == "state 5"
    (row,) = storing.games(finished=True)
    assert read_result(json.loads(row.result)).seats[0].name == "Ann"


def test_the_result_of_a_finished_game_is_kept_and_read(storing):
    players = (PublishedPlayer(1, "red", "Ann", 7, 1), PublishedPlayer(2, "blue", "Ben", 3, 2))
    state = TableState(game="game", rules="capitol", over=True, final=True, players=players)
    storing.write_newest(Newest({"one": TakenState("one", 5, "{}", state)}))
    (row,) = storing.games(finished=True)
    result = read_result(json.loads(row.result))
    assert (result.rules, result.is_final) == ("capitol", True)
    assert [(each.name, each.points, each.rank) for each in result.seats] == [("Ann", 7, 1), ("Ben", 3, 2)]
    assert storing.tables_with("aNN") == ["one"]
    assert storing.tables_with("%") == []


def test_nobody_else_on_the_machine_reads_the_keys(tmp_path, opened):
    path = tmp_path / "hub.sqlite"
    opened.append(open_database(str(path)))
    Storing(opened[-1]).tables.register("one", "Table 1", b"k" * 32)
    files = sorted(tmp_path.iterdir())
    assert path in files
    assert {file.stat().st_mode & 0o077 for file in files} == {0}
    path.chmod(0o644)  # as it was made before
    opened.append(open_database(str(path)))
    assert path.stat().st_mode & 0o077 == 0


def test_a_key_is_kept_against_another(storing):
    assert storing.tables.register("one", "x", b"k" * 32)
    assert not storing.tables.register("one", "x", b"other" * 8)
    assert storing.tables.register("two", "Table 2", b"z" * 32)
    assert [table.place for table in storing.tables.registered().values()] == [1, 2]


def test_refusals_add_up(storing):
    for _again in range(3):
        batch = Batch()
        batch.refuse(Reason.SIGNATURE, "one", 2)
        storing.write(batch)
    (row,) = storing.refusals()
    assert (row.reason, row.claimed, row.count) == ("signature", "one", 6)


def test_a_database_of_a_newer_program_is_left_alone(tmp_path):
    path = str(tmp_path / "hub.sqlite")
    database = open_database(path)
    with database.engine.begin() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    database.close()
    with pytest.raises(DatabaseUnavailable, match="newer version of this program"):
        open_database(path)


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "games.sqlite3"
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE games (id TEXT)")
    before = path.read_bytes()
    with pytest.raises(DatabaseUnavailable, match=r"games\.sqlite3: is the database of another program"):
        open_database(str(path))
    with closing(sqlite3.connect(path)) as database:
        assert database.execute("SELECT name FROM sqlite_master").fetchall() == [("games",)]
    assert len(path.read_bytes()) == len(before)


@pytest.mark.parametrize("address", ["mysql://host/name", "://", "postgresql://[::/x"])
def test_what_is_no_address_of_a_database_is_said_in_one_line(address):
    with pytest.raises(DatabaseUnavailable) as raised:
        database_url(address)
    assert "\n" not in str(raised.value)


def test_a_file_that_is_no_database_is_said(tmp_path):
    path = tmp_path / "hub.sqlite"
    path.write_text("these are the notes of a club evening, and no database at all\n" * 100)
    with pytest.raises(DatabaseUnavailable, match=r"hub\.sqlite"):
        open_database(str(path))


def test_notices_are_short_enough_for_postgresql():
    ids = [f"table-{number:020}" for number in range(2000)]
    texts = notices(ids)
    assert all(len(text) < 8000 for text in texts)
    assert [name for text in texts for name in json.loads(text)] == ids


def test_a_full_disk_is_told_from_a_database_that_is_away(storing):
    with storing.database.engine.connect() as connection:
        connection.execute(sa.text("PRAGMA max_page_count = 1"))
        connection.commit()
        with pytest.raises(Lost) as full:
            connection.execute(sa.text("CREATE TABLE more AS SELECT randomblob(100000)"))
    assert is_full(full.value)
    with pytest.raises(Lost) as other, storing.database.engine.connect() as connection:
        connection.execute(sa.text("SELECT * FROM nowhere"))
    assert not is_full(other.value)


def test_a_database_all_whose_connections_wait_cannot_be_reached():
    engine = sa.create_engine("sqlite://", poolclass=sa.QueuePool, pool_size=1, max_overflow=0, pool_timeout=0.01)
    storing = Storing(Database(engine))
    with engine.connect(), pytest.raises(Lost):
        storing.known_setting("secret")
    engine.dispose()


def told(number: int, **line: object) -> TakenEntry:
    named = {"number": number, "time": "2026-11-30T20:00:00Z", "kind": "action", "seat": 1, "action": "draw"}
    return TakenEntry("one", "game", number, json.dumps(named | line))


def test_other_entries_under_numbers_that_were_told_are_counted_and_the_first_stay(storing):
    first = [told(number, action=f"draw {number}") for number in range(4)]
    assert storing.write(Batch(first[:3])) == {("one", "game"): 2}
    copied = Batch([*first, told(1, action="pass"), told(2, time="2026-11-30T20:00:01Z"), told(3, seat=2)])
    assert storing.write(copied) == {("one", "game"): 3}
    assert copied.copied == {"one": 3}
    (row,) = storing.refusals()
    assert (row.reason, row.claimed, row.count) == (Reason.COPIED.value, "one", 3)
    assert storing.lines("one", "game") == [each.body for each in first]
    assert storing.copied_at("one") > storing.copied_at("two") == 0.0


def test_which_tables_are_copied_is_asked_seldom_but_known_at_once_where_it_is_found(storing, monkeypatch):
    asked = []
    sa.event.listen(storing.database.engine, "before_cursor_execute", lambda _c, _cursor, told, *_: asked.append(told))
    assert [storing.copied_at(name) for name in ("one", "two", "one")] == [0.0] * 3
    assert len(asked) == 1
    storing.write(Batch([told(1)]))
    storing.write(Batch([told(1, action="pass")]))
    found = storing.copied_at("one")
    assert found > 0.0
    asked.clear()
    storing.write(Batch([told(1, action="again")]))
    written = len(asked)
    assert storing.copied_at("one") == found
    assert len(asked) == written
    monkeypatch.setattr("ui.hub.storing.time.monotonic", lambda clock=time.monotonic: clock() + COPIES_ASKED)
    assert storing.copied_at("one") >= found
    assert len(asked) == written + 1


def test_what_one_table_may_tell_in_two_ways_is_no_copy(storing):
    header = '{"id":"game","table":{"players":[{"name":"%s"}]}}'
    storing.write(Batch([TakenEntry("one", "game", 0, header % "Ann"), told(1, kind="end", reason="late"), told(2)]))
    again = Batch([
        TakenEntry("one", "game", 0, header % "red"), told(1, kind="end", reason=""), told(2, kind="lost", reason="x"),
        told(2), told(2, later_key=True),
    ])  # fmt: skip
    storing.write(again)
    assert (again.copied, storing.refusals()) == ({}, [])


@pytest.fixture(params=["SQLite", "PostgreSQL"])
def storing_anywhere(request, tmp_path, opened) -> Storing:
    is_file = request.param == "SQLite"
    address = str(tmp_path / "hub.sqlite") if is_file else request.getfixturevalue("postgresql").address
    return storing_at(address, opened)


def test_new_entries_are_compared_with_nothing(storing_anywhere, monkeypatch):
    compared = []
    monkeypatch.setattr(Storing, "_note_copies", lambda _self, _connection, batch: compared.append(batch))
    for batch in (entries(0, 1, 4), entries(2, 3)):
        storing_anywhere.write(batch)
    assert compared == []
    storing_anywhere.write(entries(4, 5))
    assert len(compared) == 1
