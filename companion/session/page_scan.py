"""Games and entries found in the bytes of a damaged database, where SQLite no longer finds its way to them.

SQLite reaches a row through the pages above its own; one of those destroyed hides all the rows below it, which lie
untouched in pages of their own. A row is written in one piece: a header with the length of each column, then game,
number and entry, or id, game, time and header, whose last goes on in further pages where it is long.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from pathlib import Path

from companion.session.log import MAXIMUM_ENTRIES
from companion.session.record import MAXIMUM_LINE
from companion.session.stored_lines import StoredGame

_PAGE = 4096
"""bytes of a page, where the file does not say so"""
_ENTRY = re.compile(rb'\{"number": ([0-9]{1,6}), "kind": "([a-z]{1,20})"')
"""how an entry begins"""
_HEADER = re.compile(
    rb'\{"record": [0-9]{1,4}, "id": "([^"\\]{1,70})", "created": "([^"\\]{1,40})", "game": "([a-z_]{1,40})"'
)
"""how the header of a game begins"""
_LONGEST_HEADER = 9
"""bytes of the header of a row: two for a long id, four for a long text, one for each other column"""
_COLUMNS = 4
_TEXT = 13
"""what the header of a row says of an empty text; two more for each byte of it"""


def scattered_entries(path: Path, game_ids: Collection[str]) -> dict[str, dict[int, str]]:
    """Game -> number -> line of the entries of these games anywhere in a database file or in its write-ahead log.

    Of two lines that differ the one that says that the entry is lost came later; otherwise neither is taken.
    """
    found: dict[tuple[str, int], set[str]] = {}
    for file in (path, path.with_name(f"{path.name}-wal")):
        for game_id, number, line in _rows(file.read_bytes(), game_ids) if file.is_file() else ():
            found.setdefault((game_id, number), set()).add(line)
    lines: dict[str, dict[int, str]] = {game_id: {} for game_id in game_ids}
    for (game_id, number), candidates in found.items():
        latest = {line for line in candidates if json.loads(line)["kind"] == "lost"} or candidates
        if len(latest) == 1:
            lines[game_id][number] = latest.pop()
    return lines


def scattered_games(path: Path, game_ids: Collection[str]) -> dict[str, StoredGame]:
    """Game -> its row, of those of these games that are anywhere in a database file or in its write-ahead log.

    Of a game with rows that differ none is taken.
    """
    found: dict[str, set[StoredGame]] = {}
    for file in (path, path.with_name(f"{path.name}-wal")):
        for game in _games(file.read_bytes()) if file.is_file() else ():
            found.setdefault(game.id, set()).add(game)
    return {game_id: found[game_id].pop() for game_id in game_ids if len(found.get(game_id, ())) == 1}


def _games(data: bytes) -> Iterator[StoredGame]:
    """The rows of all games that can be read whole."""
    size = _page_size(data)
    for match in _HEADER.finditer(data):
        game_id, created, game = match.groups()
        before = game_id + game + created
        row = match.start() - len(before)
        if data.startswith(before, row):
            text = _last_text(data, size, row, len(game_id), match.start())
            if text is not None and _is_object(text):
                yield StoredGame(
                    game_id.decode(errors="replace"), game.decode(), created.decode(errors="replace"), text
                )


def _rows(data: bytes, game_ids: Collection[str]) -> Iterator[tuple[str, int, str]]:
    """Game, number and line of all entries that can be read."""
    size = _page_size(data)
    names = {game_id.encode(): game_id for game_id in game_ids}
    lengths = {len(name) for name in names}
    for match in _ENTRY.finditer(data):
        number = int(match[1])
        if not 1 <= number <= MAXIMUM_ENTRIES:
            continue
        end = match.start() - len(_stored_number(number))
        for length in lengths:
            game_id = names.get(data[end - length : end])
            if game_id is not None:
                text = _last_text(data, size, end - length, length, match.start())
                if text is not None and _is_entry(text, number):
                    yield game_id, number, text


def _last_text(data: bytes, size: int, row: int, name: int, last: int) -> str | None:
    """The text at `last`, the last column of a row whose first column is the `name` bytes at `row`."""
    for length in range(_COLUMNS + 1, _LONGEST_HEADER + 1):
        header = row - length
        if header < 0 or data[header] != length:
            continue
        place = header + 1
        types: list[int] = []
        while place < row and len(types) < _COLUMNS:
            value, place = _varint(data, place)
            types.append(value)
        if place != row or len(types) != _COLUMNS or types[0] != _TEXT + 2 * name or types[-1] % 2 == 0:
            continue
        longest, before = (types[-1] - _TEXT) // 2, last - header
        if longest <= 4 * MAXIMUM_LINE:
            return _text(data, size, last, longest, _local(before + longest, size) - before)
    return None


def _text(data: bytes, size: int, place: int, length: int, local: int) -> str | None:
    """A text of which `local` bytes are here and the others in a chain of pages of their own."""
    text, following = data[place : place + min(local, length)], place + local
    while len(text) < length:
        following = (int.from_bytes(data[following : following + 4], "big") - 1) * size
        part = data[following + 4 : following + min(size, 4 + length - len(text))] if following > 0 else b""
        if not part:
            return None
        text += part
    try:
        return text.decode()
    except UnicodeDecodeError:
        return None


def _local(payload: int, size: int) -> int:
    """How many bytes of a row of a table without row ids are in its own page."""
    most, least = (size - 12) * 64 // 255 - 23, (size - 12) * 32 // 255 - 23
    if payload <= most:
        return payload
    fitting = least + (payload - least) % (size - 4)
    return fitting if fitting <= most else least


def _is_entry(text: str, number: int) -> bool:
    return _is_object(text) and json.loads(text).get("number") == number


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _stored_number(number: int) -> bytes:
    """A number as SQLite stores it; 1 takes no bytes."""
    if number == 1:
        return b""
    return number.to_bytes(1 if number < 128 else 2, "big")


def _varint(data: bytes, place: int) -> tuple[int, int]:
    """A number of SQLite's, seven bits a byte, and the place after it; the text after a row's header ends each."""
    value = 0
    while data[place] >= 0x80:
        value, place = value << 7 | data[place] & 0x7F, place + 1
    return value << 7 | data[place], place + 1


def _page_size(data: bytes) -> int:
    """The size of a page; of smaller ones than these none holds the beginning of an entry."""
    size = int.from_bytes(data[16:18], "big")
    return size if size in (1024, 2048, 4096, 8192, 16384, 32768) else _PAGE
