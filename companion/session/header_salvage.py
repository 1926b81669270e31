"""The header of a game put together again where it is damaged: of what can be read of it, and of what was played.

A header is written member by member, so that damage to one leaves the others. Who sat at the table and what
was drawn at set-up is taken from the entries only where they fit one table alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations, islice, product
from json import JSONDecodeError, JSONDecoder
from math import prod
from typing import Any

from companion.board.layout import Board, parse_board
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from companion.position import read_table
from companion.registry import known_games, load_game, print_and_play_board
from companion.session.entries import LostEntry
from companion.session.log import Header, Log
from companion.session.record import FORMAT
from companion.session.rejudging import verify
from companion.session.stored_lines import StoredGame
from companion.table import Table
from companion.wording.characters import without_controls

MOST_TABLES = 200
"""tables that are tried on the entries of a game whose header does not say who plays what"""
FIRST_ENTRIES = 12
"""entries by which most of them are ruled out"""
RECONSTRUCTED = "the header could not be read; it was put together again from what remains"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ENTRY_TIME = re.compile(r'"time": "(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)"')
_ENTRY_SEAT = re.compile(r'"seat": (\d)\b')

Lines = Mapping[int, str | None]
Replay = Callable[[Header, Lines], Log]
"""the log of stored lines under a header; raises InvalidDocument"""


@dataclass(frozen=True, slots=True)
class _Remains:
    """What can be read of a damaged header: its members, as far as they are whole."""

    text: str
    game: GameRules[Any]
    board: Board

    def member(self, name: str, opening: str) -> Any | None:
        """The value of a member that begins with this bracket; None where it cannot be read."""
        place = self.text.find(f'"{name}": {opening}')
        if place < 0:
            return None
        try:
            value, _end = JSONDecoder().raw_decode(self.text, place + len(name) + 4)
        except (JSONDecodeError, RecursionError):
            return None
        return value

    def start(self) -> Mapping[str, Any] | None:
        """Where a joined game began; None for the set-up.

        Raises InvalidDocument where there was a start, and it cannot be read.
        """
        found = self.member("start", "{")
        if found is None and '"start"' in self.text:
            raise InvalidDocument("header", "start", "cannot be read")
        return found if isinstance(found, dict) else None


def told_players(stored: StoredGame) -> tuple[str, ...]:
    """The names of the players, as far as a header that may be damaged has them."""
    place = stored.header.find('"players": [')
    if place < 0:
        return ()
    try:
        found, _end = JSONDecoder().raw_decode(stored.header, place + len('"players": '))
    except (JSONDecodeError, RecursionError):
        return ()
    names = [each.get("name") for each in found if isinstance(each, dict)]
    return tuple(without_controls(name[:40]) for name in names if isinstance(name, str))


def reconstructed(stored: StoredGame, lines: Lines, replay: Replay) -> Log | None:
    """The log of a game whose header is damaged, ending with an entry that says so; None where too little remains."""
    if not is_damaged(stored):
        return None
    game = load_game(stored.game)
    board = _board(stored)
    times = (found[1] for line in lines.values() if line and (found := _ENTRY_TIME.search(line)))
    created = stored.created if _TIME.fullmatch(stored.created) else next(times, "")
    if board is None or not created:
        return None
    remains = _Remains(stored.header, game, board)
    try:
        start = remains.start()
    except InvalidDocument:
        return None
    tables, is_sure = _tables(remains, lines)
    headers = [Header(stored.id, created, game.info.version, table, start) for table in tables]
    if not is_sure:
        headers = _fitting(_fitting(headers, _first(lines), replay), lines, replay)
    if len(headers) != 1:
        return None
    try:
        log = replay(headers[0], lines)
    except InvalidDocument:
        return None
    time = log.entries[-1].time if log.entries else created
    return log.append(LostEntry(number=len(log.entries) + 1, time=time, reason=RECONSTRUCTED))


def _fitting(headers: list[Header], lines: Lines, replay: Replay) -> list[Header]:
    """The headers under which all these entries can have happened by the rules; none where there are too many."""
    found = []
    for header in headers if len(headers) <= MOST_TABLES else ():
        try:
            log = replay(header, lines)
        except InvalidDocument:
            continue
        if _is_whole(log) and not verify(log):
            found.append(header)
    return found


def _first(lines: Lines) -> Lines:
    return {number: line for number, line in lines.items() if number <= FIRST_ENTRIES}


def is_damaged(stored: StoredGame) -> bool:
    """Whether a header that cannot be read is damaged, not that of a game or version this program is too old for."""
    if stored.game not in known_games():
        return False
    newest = {"record": FORMAT, "version": load_game(stored.game).info.version}
    told = {name: re.search(rf'"{name}": (\d{{1,6}})\b', stored.header) for name in newest}
    return all(found is None or int(found[1]) <= newest[name] for name, found in told.items())


def _is_whole(log: Log) -> bool:
    return bool(log.entries) and not any(isinstance(entry, LostEntry) for entry in log.entries)


def _board(stored: StoredGame) -> Board | None:
    """The board of the header; the usual one where that is as good as named by its digest, or nothing names any."""
    usual = print_and_play_board(stored.game)
    digest = re.search(r'"digest": "([0-9a-f]{64})"', stored.header)
    definition = _Remains(stored.header, load_game(stored.game), usual).member("board", "{")
    if isinstance(definition, dict):
        with suppress(InvalidDocument):  # a damaged definition: the digest may still name the usual board
            return parse_board(DocumentTable(definition, "header", "board"))
    return usual if digest is None or digest[1] == usual.digest else None


def _tables(remains: _Remains, lines: Lines) -> tuple[list[Table], bool]:
    """The tables that the game may have been played at, and whether the header itself says which."""
    told = remains.member("table", "{")
    if isinstance(told, dict) and (table := _table(remains, told)) is not None:
        return [table], True
    return list(islice(_guessed_tables(remains, lines), MOST_TABLES + 1)), False


def _table(remains: _Remains, entries: Mapping[str, Any]) -> Table | None:
    document = {"game": remains.game.info.id, **entries}
    try:
        return read_table(DocumentTable(document, "header", "table"), remains.board)
    except InvalidDocument:
        return None


def _guessed_tables(remains: _Remains, lines: Lines) -> Iterator[Table]:
    """All tables that agree with what can be read of the header's table and with the seats that acted."""
    rulings = remains.member("rulings", "{")
    told: dict[str, Any] = {"rulings": rulings} if isinstance(rulings, dict) else {}
    for players in _possible_players(remains, lines):
        for base in ({"players": players, **told}, {"players": players}):
            bare = _table(remains, base)
            if bare is not None:
                yield from _with_options(remains, base, bare)
                break


def _possible_players(remains: _Remains, lines: Lines) -> Iterator[Any]:
    players = remains.member("players", "[")
    if isinstance(players, list) and _table(remains, {"players": players}) is not None:
        yield players
        return
    fewest, most = remains.game.info.seats
    seats = [int(seat) for line in lines.values() for seat in _ENTRY_SEAT.findall(line or "")]
    yield from range(max((fewest, *seats)), min(most, len(remains.board.palette)) + 1)


def _with_options(remains: _Remains, base: Mapping[str, Any], bare: Table) -> Iterator[Table]:
    """The table with every outcome of its set-up that the header leaves open."""
    options = remains.game.options(bare)
    choices: list[list[Any]] = []
    for option in options:
        told = remains.member(option.name, "[")
        choices.append([told] if isinstance(told, list) else list(combinations(option.names, option.count)))
    if prod(map(len, choices)) > MOST_TABLES:
        return
    for values in product(*choices):
        outcome = {option.name: list(value) for option, value in zip(options, values, strict=True)}
        if (table := _table(remains, {**base, **outcome})) is not None:
            yield table
