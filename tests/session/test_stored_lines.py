"""What is read of a game's rows line by line, whatever else is damaged."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing

import pytest

from companion.session.stored_lines import (
    StoredGame,
    games_of_entries,
    stored_entries,
    stored_game,
    stored_games,
)


def line(number: object) -> str:
    return json.dumps({"number": number, "kind": "end"})


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    """Tables without any of the checks that a database of games has."""
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        connection.execute("CREATE TABLE games (id, game, created, header)")
        connection.execute("CREATE TABLE entries (game, number, over, entry)")
        yield connection


def fill(connection: sqlite3.Connection, lines: dict[object, object], game: object = "one") -> None:
    rows = [(game, number, text) for number, text in lines.items()]
    connection.executemany("INSERT INTO entries VALUES (?, ?, 0, ?)", rows)


class Unreadable:
    """A database that SQLite cannot read, but for some of the lines of one game."""

    def __init__(self, *readable: int) -> None:
        self.readable, self.tried = readable, 0

    def execute(self, statement: str, values: tuple[object, ...] = ()) -> Unreadable:
        if "number = ?" not in statement or values[2] not in self.readable:
            self.tried += "number = ?" in statement
            raise sqlite3.DatabaseError("malformed")
        self.tried += 1
        self._found = (values[1], values[2], line(values[2]))
        return self

    def fetchone(self) -> tuple[object, ...]:
        return self._found


def test_entries_are_numbered_from_one_to_the_latest(connection: sqlite3.Connection) -> None:
    assert stored_entries(connection, "one") == {}
    fill(connection, {1: line(1), 2: line(2), 4: line(4)})
    fill(connection, {1: line(1)}, game="two")
    assert stored_entries(connection, "one") == {1: line(1), 2: line(2), 3: None, 4: line(4)}
    assert stored_entries(connection, "one", 6) == {1: line(1), 2: line(2), 3: None, 4: line(4), 5: None, 6: None}
    assert stored_entries(connection, "one", 2) == stored_entries(connection, "one")
    assert stored_entries(connection, "three", 1) == {1: None}


def test_what_is_no_line_is_none(connection: sqlite3.Connection) -> None:
    fill(connection, {1: b"bytes", 2: None, 4: line(4)})
    assert stored_entries(connection, "one") == {1: None, 2: None, 3: None, 4: line(4)}
    fill(connection, {"text": line(5)}, game="two")
    assert stored_entries(connection, "two") == {}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ({1: line(1), 3: line(2)}, {1: line(1), 2: line(2)}),
        ({1: line(2), 2: line(1)}, {1: line(1), 2: line(2)}),
        ({1: line(2), 2: line(3), 3: line(1)}, {1: line(1), 2: line(2), 3: line(3)}),
        ({1: line(1), 2: line(1)}, {1: line(1), 2: line(1)}),
        ({1: line(3), 2: line(3), 4: line(4)}, {1: line(3), 2: line(3), 3: None, 4: line(4)}),
        ({1: line(7), 2: line(2)}, {1: line(7), 2: line(2)}),
        ({1: line("2"), 3: line(3)}, {1: line("2"), 2: None, 3: line(3)}),
        ({1: "[2]", 2: "2", 3: "{", 4: "{}"}, {1: "[2]", 2: "2", 3: "{", 4: "{}"}),
        ({1: line(1), 3: "[" * 100_000}, {1: line(1), 2: None, 3: "[" * 100_000}),
    ],
    ids=[
        "a higher number", "exchanged", "turned round", "one twice", "two for one place", "beyond the end",
        "a number as text", "no entries", "nested too deeply",
    ],
)  # fmt: skip
def test_a_row_stands_where_its_line_says_if_nothing_else_does(
    connection: sqlite3.Connection, lines: dict[object, object], found: dict[int, str | None]
) -> None:
    fill(connection, lines)
    assert stored_entries(connection, "one") == found


def test_what_was_acknowledged_stays_a_gap_behind_a_row_that_was_put_back(connection: sqlite3.Connection) -> None:
    fill(connection, {1: line(1), 9: line(2)})
    assert stored_entries(connection, "one", 4) == {1: line(1), 2: line(2), 3: None, 4: None}


@pytest.mark.parametrize(
    ("readable", "at_least", "tried"),
    [((), 0, 100), ((), 99, 100), ((), 150, 150), ((100,), 0, 5000), ((50,), 0, 5000), ((101,), 0, 100)],
)
def test_where_nothing_tells_how_many_entries_there_were_some_are_tried(
    readable: tuple[int, ...], at_least: int, tried: int
) -> None:
    database = Unreadable(*readable)
    found = stored_entries(database, "one", at_least)  # type: ignore[arg-type]
    assert (database.tried, len(found)) == (tried, tried)
    assert {number for number, text in found.items() if text is not None} == {
        number for number in readable if number <= tried
    }


def test_the_row_of_a_game_is_read_as_far_as_it_can_be(connection: sqlite3.Connection) -> None:
    rows = [("one", "capitol", "now", "{}"), ("two", b"cap\xff", None, 7), (3, "x", "y", "z")]
    connection.executemany("INSERT INTO games VALUES (?, ?, ?, ?)", rows)
    assert stored_game(connection, "one") == StoredGame("one", "capitol", "now", "{}")
    assert stored_game(connection, "two") == StoredGame("two", "cap\ufffd", "", "7")
    assert stored_game(connection, "four") == StoredGame("four", "", "", "")
    assert stored_game(Unreadable(), "one") == StoredGame("one", "", "", "")  # type: ignore[arg-type]
    connection.execute("UPDATE games SET game = ?, created = ?", ("g" * 101, "c" * 101))
    assert stored_game(connection, "one") == StoredGame("one", "g" * 100, "c" * 100, "{}")
    assert list(stored_games(connection)) == ["one", "two"]


def test_games_are_known_by_their_rows_and_by_their_entries(connection: sqlite3.Connection) -> None:
    for game in ("one", "two", 3):
        fill(connection, {1: line(1), 2: line(2)}, game)
    assert sorted(games_of_entries(connection)) == ["one", "two"]
    for ids in (stored_games, games_of_entries):
        assert list(ids(Unreadable())) == []  # type: ignore[arg-type]
