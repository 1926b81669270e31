"""Rows of a database found by their bytes: at every size of page, and nothing that only looks like a row."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.session import page_scan
from companion.session.file_check import SCHEMA
from companion.session.page_scan import scattered_entries, scattered_games

GAME, PAGE = "game-1", 4096
START = bytes(100)
"""what a row follows in the files of these tests"""


def varint(value: int) -> bytes:
    """A number as SQLite writes it, seven bits a byte."""
    *before, last = [value >> 7 * place & 0x7F for place in reversed(range(max(1, (value.bit_length() + 6) // 7)))]
    return bytes([*(part | 0x80 for part in before), last])


def line(number: int, kind: str = "action", length: int = 0) -> str:
    """An entry, filled up to a length."""
    text = json.dumps({"number": number, "kind": kind, "x": ""})
    return text[:-2] + "x" * (length - len(text)) + text[-2:]


def row(text: bytes, number: int = 7, game: str = GAME, types: list[int] | None = None, header: int = 0) -> bytes:
    """A row of entries; `types` are those of other columns than it has, `header` another length of its header."""
    stored = {0: b"\0", 1: b""}.get(number, number.to_bytes(1 if number < 128 else 2, "big"))
    kinds = types or [13 + 2 * len(game), 9 if number == 1 else len(stored), 8, 13 + 2 * len(text)]
    columns = b"".join(map(varint, kinds))
    return bytes([header or len(columns) + 1]) + columns + game.encode() + stored + text


def game_row(header: str, game_id: bytes = GAME.encode()) -> bytes:
    """A row of games."""
    columns = (game_id, b"capitol", b"2026-11-27T19:30:00Z", header.encode())
    types = b"".join(varint(13 + 2 * len(column)) for column in columns)
    return bytes([len(types) + 1]) + types + b"".join(columns)


def game_header(version: int = 1) -> str:
    return json.dumps(
        {"record": 1, "id": GAME, "created": "2026-11-27T19:30:00Z", "game": "capitol", "version": version}
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite3"


def found_in(file: Path, data: bytes, *games: str) -> dict[int, str]:
    file.write_bytes(data)
    return scattered_entries(file, games or (GAME,))[(games or (GAME,))[0]]


def lengths(size: int) -> Iterator[int]:
    """Lengths of entries about those at which SQLite begins another page."""
    most, least = (size - 12) * 64 // 255 - 23, (size - 12) * 32 // 255 - 23
    for edge in (most, most + 1, most + size - 4, least + size - 4, least + 2 * (size - 4)):
        yield from range(edge - 24, edge + 4)


@pytest.mark.parametrize("size", [1024, 2048, 4096, 8192, 16384, 32768])
def test_entries_that_just_fit_in_a_page_and_those_that_do_not_are_read_whole(file: Path, size: int) -> None:
    lines = {number: line(number, length=length) for number, length in enumerate(lengths(size), 1)}
    with closing(sqlite3.connect(file)) as connection:
        connection.execute(f"PRAGMA page_size = {size}")
        connection.executescript(SCHEMA)
        connection.execute("INSERT INTO games VALUES (?, 'capitol', '', '{}')", (GAME,))
        rows = [(GAME, number, text) for number, text in lines.items()]
        connection.executemany("INSERT INTO entries VALUES (?, ?, 0, ?)", rows)
        connection.commit()
    assert scattered_entries(file, (GAME,)) == {GAME: lines}


def test_long_names_of_games_and_long_entries_are_read_whole(file: Path) -> None:
    names, long = ("a" * 61, "b" * 64), line(2, length=1_100_000)
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SCHEMA)
        for name in names:
            connection.execute("INSERT INTO games VALUES (?, 'capitol', '', '{}')", (name,))
            connection.execute("INSERT INTO entries VALUES (?, 2, 0, ?)", (name, long))
            connection.execute("INSERT INTO entries VALUES (?, 300, 1, ?)", (name, line(300)))
        connection.commit()
    assert scattered_entries(file, names) == {name: {2: long, 300: line(300)} for name in names}


def test_an_entry_nested_too_deeply_to_be_read_is_none(file: Path) -> None:
    deep = line(2)[:-3] + "[" * 100_000 + "]" * 100_000 + "}"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(SCHEMA)
        connection.execute("INSERT INTO games VALUES (?, 'capitol', '', '{}')", (GAME,))
        connection.execute("INSERT INTO entries VALUES (?, 2, 0, ?)", (GAME, deep))
        connection.execute("INSERT INTO entries VALUES (?, 3, 0, ?)", (GAME, line(3)))
        connection.commit()
    assert scattered_entries(file, (GAME,)) == {GAME: {3: line(3)}}


@pytest.mark.parametrize("number", [1, 2, 127, 128, 5000])
def test_a_row_is_found_wherever_it_lies(file: Path, number: int) -> None:
    alone = row(line(number).encode(), number)
    for data in (alone, START + alone, START + alone + START):
        assert found_in(file, data) == {number: line(number)}
    assert found_in(file, START + alone, "another") == {}


TEXT = line(7).encode()


@pytest.mark.parametrize(
    "data",
    [
        START + row(TEXT, header=9),
        row(TEXT)[1:] + b"\5",
        START + row(TEXT, types=[13 + 2 * 7, 1, 8, 13 + 2 * len(TEXT)]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 13 + 2 * len(TEXT), 8]),
        START + row(TEXT, types=[13 + 2 * 6, 8, 13 + 2 * len(TEXT)]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 14 + 2 * len(TEXT)]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 13]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 7]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 15 + 2 * len(TEXT)]),
        START + row(TEXT, types=[13 + 2 * 6, 1, 8, 11 + 2 * len(TEXT)]),
        START + row(TEXT, game="game-2"),
        START + row(line(0).encode(), number=0),
        START + row(line(5001).encode(), number=5001),
        START + row(TEXT.replace(b'""', b'"\xff"')),
        START + row(TEXT.replace(b'""}', b'""]')),
        START + row(TEXT[:-1] + b', "number": 8}'),
    ],
    ids=[
        "another length of the header", "cut at the beginning", "another length of the name", "five columns",
        "three columns", "no text", "an empty text", "a number", "one byte too many", "one byte too few",
        "another game", "number 0", "too high a number", "no UTF-8", "no JSON", "two numbers",
    ],
)  # fmt: skip
def test_what_only_looks_like_a_row_is_none(file: Path, data: bytes) -> None:
    assert found_in(file, data) == {}


def test_the_longest_entry_that_is_looked_for(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_scan, "MAXIMUM_LINE", 25)
    assert found_in(file, START + row(line(7, length=100).encode())) == {7: line(7, length=100)}
    assert found_in(file, START + row(line(7, length=101).encode())) == {}


@pytest.mark.parametrize(
    ("pointers", "is_found"),
    [
        ((2, 3, 0), True),
        ((2, 3, 3), True),
        ((3, 0, 2), True),
        ((2, 2, 0), False),
        ((0, 3, 0), False),
        ((4, 3, 0), False),
        ((2, 0, 0), False),
    ],
)
def test_an_entry_is_read_on_in_the_pages_that_it_names(
    file: Path, pointers: tuple[int, int, int], is_found: bool
) -> None:
    """`pointers` are the pages, counted from 1, that the row and the two pages after it name."""
    local = (PAGE - 12) * 32 // 255 - 23
    before = len(row(line(7, length=2 * PAGE).encode())) - 2 * PAGE
    text = line(7, length=local + 2 * (PAGE - 4) - before).encode()
    whole = row(text)
    parts = [whole[local : local + PAGE - 4], whole[local + PAGE - 4 :]]
    if pointers[0] == 3:
        parts.reverse()
    one, two, three = (place.to_bytes(4, "big") for place in pointers)
    data = (whole[:local] + one).ljust(PAGE, b"\0") + two + parts[0] + three + parts[1]
    assert found_in(file, data) == ({7: text.decode()} if is_found else {})


def test_of_lines_that_differ_the_one_that_says_that_the_entry_is_lost_is_taken(file: Path) -> None:
    one, other, lost = (row(text.encode()) for text in (line(7), line(7, length=60), line(7, "lost")))
    assert found_in(file, START + one + START + one) == {7: line(7)}
    assert found_in(file, START + one + START + other) == {}
    assert found_in(file, START + one + START + other + lost) == {7: line(7, "lost")}
    file.with_name("games.sqlite3-wal").write_bytes(START + lost)
    assert found_in(file, START + one) == {7: line(7, "lost")}
    file.unlink()
    assert scattered_entries(file, (GAME, "another")) == {GAME: {7: line(7, "lost")}, "another": {}}


def test_games_are_found_with_all_that_their_row_says(file: Path) -> None:
    file.write_bytes(START + game_row(game_header()) + START + game_row(game_header()))
    (found,) = scattered_games(file, (GAME, "another")).values()
    assert (found.id, found.game, found.created) == (GAME, "capitol", "2026-11-27T19:30:00Z")
    assert found.header == game_header()
    assert scattered_games(file, ("another",)) == {}
    file.with_name("games.sqlite3-wal").write_bytes(START + game_row(game_header(2)))
    assert scattered_games(file, (GAME,)) == {}, "two rows that differ"
    file.unlink()
    assert scattered_games(file, (GAME,))[GAME].header == game_header(2)


@pytest.mark.parametrize(
    "data",
    [
        game_header().encode(),
        START + game_header().encode(),
        START + game_row(game_header())[1:],
        START + game_row(game_header(), b"game-2"),
        START + game_row(game_header().replace("}", "]")),
        START + game_row(game_header() + " 1"),
    ],
    ids=["a header at the beginning", "a header alone", "no row", "another game", "no JSON", "more than JSON"],
)
def test_what_only_looks_like_a_game_is_none(file: Path, data: bytes) -> None:
    file.write_bytes(data)
    assert scattered_games(file, (GAME, "game-2")) == {}
