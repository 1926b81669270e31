"""The games of a database as they are stored, line by line: what can be read is read, whatever else is damaged."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from companion.session.log import MAXIMUM_ENTRIES
from companion.session.record import MAXIMUM_LINE

_ENTRY = "SELECT game, number, substr(entry, 1, ?) FROM entries WHERE game = ? AND number = ?"
_LATEST = "SELECT max(number) FROM entries WHERE game = ?"
_GAME = """
SELECT CAST(substr(game, 1, 100) AS BLOB), CAST(substr(created, 1, 100) AS BLOB), CAST(substr(header, 1, ?) AS BLOB)
FROM games WHERE id = ?
"""
_HOPELESS = 100
"""entries from the first on, more than two pages hold, after which no further one is tried if none could be read"""
DAMAGE = (sqlite3.Error, UnicodeDecodeError)
"""what reading a damaged database raises: SQLite's messages quote what may be no text"""


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A game as its row states it, whatever of that is damaged: bytes that are no text are replaced, "" is nothing."""

    id: str
    game: str
    created: str
    header: str


def stored_games(connection: sqlite3.Connection) -> Iterator[str]:
    """The ids of the games, up to the first that cannot be read."""
    try:
        for (game_id,) in connection.execute("SELECT id FROM games"):
            if isinstance(game_id, str):
                yield game_id
    except DAMAGE:
        return


def games_of_entries(connection: sqlite3.Connection) -> Iterator[str]:
    """The ids of the games that entries name, up to the first that cannot be read."""
    try:
        for (game_id,) in connection.execute("SELECT DISTINCT game FROM entries"):
            if isinstance(game_id, str):
                yield game_id
    except DAMAGE:
        return


def stored_game(connection: sqlite3.Connection, game_id: str) -> StoredGame:
    """What can be read of the row of a game."""
    try:
        found = connection.execute(_GAME, (MAXIMUM_LINE, game_id)).fetchone()
    except DAMAGE:
        found = None
    values = (value.decode(errors="replace") if isinstance(value, bytes) else "" for value in found or (b"",) * 3)
    return StoredGame(game_id, *values)


def stored_entries(connection: sqlite3.Connection, game_id: str, at_least: int = 0) -> dict[int, str | None]:
    """Number -> line of a game's entries from 1 to the latest (at least `at_least`), None for unreadable ones."""
    found = _latest(connection, game_id)
    latest = min(max(MAXIMUM_ENTRIES if found is None else found, at_least), MAXIMUM_ENTRIES)
    hopeless = max(_HOPELESS, at_least) if found is None else latest
    lines: dict[int, str | None] = {}
    is_readable = False
    for number in range(1, latest + 1):
        lines[number] = _line(connection, game_id, number)
        is_readable = is_readable or lines[number] is not None
        if number >= hopeless and not is_readable:
            break
    return _put_back(lines, at_least)


def _put_back(lines: dict[int, str | None], at_least: int) -> dict[int, str | None]:
    """The entries with each row that was given another number where its line says that it belongs, if no line is there
    that says the same.

    What lies behind a row that was given a higher number is then no gap: the entries end with the last that can be
    read, or with `at_least`.
    """
    stated = {number: _stated_number(line) for number, line in lines.items() if line is not None}
    right = {number for number, own in stated.items() if own == number}
    meant = Counter(own for number, own in stated.items() if number not in right)
    moving = {
        number: own
        for number, own in stated.items()
        if number not in right and own in lines and own not in right and meant[own] == 1
    }
    back = {own: lines[number] for number, own in moving.items()}
    lines = {number: None if number in moving else line for number, line in lines.items()} | back
    latest = max((number for number, line in lines.items() if line is not None), default=0) if moving else len(lines)
    return {number: line for number, line in lines.items() if number <= max(latest, at_least)}


def _stated_number(line: str) -> int:
    """The number in an entry's line; a large one where it says none."""
    try:
        number = json.loads(line)["number"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return MAXIMUM_ENTRIES
    return number if isinstance(number, int) else MAXIMUM_ENTRIES


def _latest(connection: sqlite3.Connection, game_id: str) -> int | None:
    """The number of a game's latest entry; None where that cannot be read."""
    try:
        (number,) = connection.execute(_LATEST, (game_id,)).fetchone()
    except DAMAGE:
        return None
    return number if isinstance(number, int) else 0


def _line(connection: sqlite3.Connection, game_id: str, number: int) -> str | None:
    """The line of an entry; None where it cannot be read, or SQLite gives another row, as where a page is misplaced."""
    try:
        found = connection.execute(_ENTRY, (MAXIMUM_LINE, game_id, number)).fetchone()
    except DAMAGE:
        return None
    is_it = found is not None and found[:2] == (game_id, number)
    return found[2] if is_it and isinstance(found[2], str) else None
