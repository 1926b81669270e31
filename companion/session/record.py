"""Logs as text: the header and each entry as one line of JSON, UTF-8, keys always in the same order."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from companion.board.layout import parse_board
from companion.engine import GameRules
from companion.errors import InvalidDocument, SessionError
from companion.events import Event, event_from, event_json
from companion.files.documents import DocumentTable, parse_json, shown
from companion.position import read_table, table_document
from companion.registry import known_games, load_game, print_and_play_board
from companion.session.entries import (
    ActionEntry,
    AmendEntry,
    CorrectionEntry,
    DetailEntry,
    EndEntry,
    Entry,
    EntryKind,
    InsertEntry,
    LeaveEntry,
    LostEntry,
    OverrideEntry,
    RedoEntry,
    Rejudged,
    RemoveEntry,
    ReturnEntry,
    UndoEntry,
)
from companion.session.log import MAXIMUM_ENTRIES, Header, Log, begin, check_position

FORMAT = 1
MAXIMUM_LINE = 2 * 1024 * 1024
MAXIMUM_EVENTS = 1000

ENTRY_CLASSES: dict[str, type[Entry]] = {
    kind.kind: kind
    for kind in (
        ActionEntry, OverrideEntry, CorrectionEntry, AmendEntry, InsertEntry, RemoveEntry, UndoEntry, RedoEntry,
        LeaveEntry, ReturnEntry, EndEntry, DetailEntry, LostEntry,
    )
}  # fmt: skip

_ALL = ("number", "time", "seat")
_MEMBERS: dict[EntryKind, tuple[str, ...]] = {
    EntryKind.ACTION: (*_ALL, "action", "source", "unchecked", "events", "order_seen"),
    EntryKind.OVERRIDE: (*_ALL, "action", "rules", "reason", "by", "events"),
    EntryKind.CORRECTION: (*_ALL, "changes", "reason"),
    EntryKind.AMEND: (*_ALL, "target", "action", "unchecked", "events", "later"),
    EntryKind.INSERT: (*_ALL, "target", "action", "unchecked", "events", "later"),
    EntryKind.REMOVE: (*_ALL, "target", "later"),
    EntryKind.UNDO: (*_ALL, "target"),
    EntryKind.REDO: (*_ALL, "target"),
    EntryKind.LEAVE: (*_ALL, "events"),
    EntryKind.RETURN: _ALL,
    EntryKind.END: (*_ALL, "reason"),
    EntryKind.DETAIL: (*_ALL, "level", "events"),
    EntryKind.LOST: (*_ALL, "reason"),
}
"""the members of a record's line other than `kind`, in the order in which they are written"""
_USUAL = {"order_seen": True}
"""members that are written only where they have another value"""

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}")


def record_text(log: Log) -> str:
    """A log as a record."""
    lines = [json_line(header_document(log.header, len(log.entries))), *map(entry_line, log.entries)]
    return "\n".join(lines) + "\n"


def json_line(document: Mapping[str, Any]) -> str:
    """A JSON object on one line.

    Raises SessionError for what JSON or UTF-8 cannot hold.
    """
    try:
        line = json.dumps(document, ensure_ascii=False, allow_nan=False)
        line.encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise SessionError(f"a record cannot hold that ({shown(str(error), 120)})") from error
    return line


def read_record(text: str, source: str) -> Log:
    """The log of a record. Its facts are taken as they are written; whether they follow from the rules, `verify` says.

    Raises InvalidDocument.
    """
    lines = text.removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        if len(line) > MAXIMUM_LINE:
            raise InvalidDocument(source, f"line {number}", f"is longer than {MAXIMUM_LINE} characters")
    header_line = parse_json(lines[0], source, "line 1")
    header = header_from(header_line)
    told = header_line.integer("entries", 0, MAXIMUM_ENTRIES)
    if told != len(lines) - 1:
        raise header_line.invalid("entries", f"is {told}, but {len(lines) - 1} lines follow; the record is not whole")
    try:
        log = begin(header, source)
        for number, line in enumerate(lines[1:], 2):
            log = appended(log, parse_json(line, source, f"line {number}"))
        check_position(log.game, log.state)
    except SessionError as error:
        raise InvalidDocument(source, f"line {len(lines)}", str(error)) from error
    return log


def appended(log: Log, line: DocumentTable) -> Log:
    """A log with the entry of a document.

    Raises InvalidDocument.
    """
    entry = entry_from(line, log.game, len(log.header.table.players))
    try:
        return log.append(entry)
    except SessionError as error:
        raise line.invalid("", str(error)) from error


def header_document(header: Header, entries: int) -> dict[str, Any]:
    """The first line of a record, telling how many entries follow."""
    document = {
        "record": FORMAT,
        "id": header.id,
        "created": header.created,
        "game": header.table.game,
        "version": header.version,
        "entries": entries,
        "table": {key: value for key, value in table_document(header.table).items() if key != "game"},
    }
    if header.start is not None:
        document["start"] = dict(header.start)
    return document | {"digest": header.table.board.digest, "board": dict(header.table.board.definition)}


def header_from(document: DocumentTable) -> Header:
    """The header of a record's first line.

    Raises InvalidDocument.
    """
    record_format = document.integer("record")
    if record_format != FORMAT:
        raise document.invalid("record", f"is {record_format}; this program reads format {FORMAT}")
    document.only("record", "id", "created", "game", "version", "entries", "table", "start", "digest", "board")
    game = load_game(document.choice("game", tuple(known_games())))
    version = document.integer("version", 1)
    if version > game.info.version:
        raise document.invalid("version", f"is {version}; this program knows {game.info.id} up to {game.info.version}")
    definition = document.table("board")
    board = print_and_play_board(game.info.id)
    if dict(board.definition) != definition.values:
        board = parse_board(definition)
    if document.text("digest", longest=64) != board.digest:
        raise document.invalid("digest", f"is not that of the board below, which is {board.digest}")
    entry = document.table("table")
    table = read_table(DocumentTable({"game": game.info.id, **entry.values}, document.source, entry.entry), board)
    entry.only("board", "players", "rulings", *table.options)
    return Header(
        _matching(document, "id", _ID, "letters, digits and hyphens"), _time(document, "created"), version, table,
        document.table("start").values if "start" in document else None,
    )  # fmt: skip


def entry_line(entry: Entry) -> str:
    """An entry as a line of a record.

    Raises SessionError where it is too long for one.
    """
    line = json_line(entry_document(entry))
    if len(line) > MAXIMUM_LINE:
        raise SessionError(f"entry {entry.number} is longer than the {MAXIMUM_LINE} characters that a record can hold")
    return line


def check_readable(log: Log, entry: Entry | None = None) -> None:
    """Make sure that a log's header, or an entry to be added to it, will be read back as it is.

    Raises SessionError.
    """
    try:
        if entry is None:
            header_from(parse_json(json_line(header_document(log.header, 0)), "record", "header"))
        else:
            line = parse_json(entry_line(entry), "record", f"entry {entry.number}")
            entry_from(line, log.game, len(log.header.table.players))
    except InvalidDocument as error:
        raise SessionError(f"a record cannot hold that: {error.entry} {error.reason}") from error


def entry_document(entry: Entry) -> dict[str, Any]:
    """A line of a record."""
    document: dict[str, Any] = {"number": entry.number, "kind": str(entry.kind)}
    for name in _MEMBERS[entry.kind][1:]:
        value = _plain(getattr(entry, name))
        if name not in _USUAL or value != _USUAL[name]:
            document[name] = value
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Event):
        return event_json(value)
    if isinstance(value, Rejudged):
        return {"number": value.number, "rules": list(value.rules), "events": _plain(value.events)}
    return dict(value) if isinstance(value, Mapping) else value


def entry_from(document: DocumentTable, game: GameRules[Any], seats: int) -> Entry:
    """The entry of a record's line; `seats` is the number of seats at the table.

    Raises InvalidDocument.
    """
    kind = ENTRY_CLASSES[document.choice("kind", tuple(EntryKind))]
    names = _MEMBERS[kind.kind]
    document.only("kind", *names)
    written = [name for name in names if name in document or name not in _USUAL]
    return kind(**{name: _READERS[name](document, name, game, seats) for name in written})


def _events(document: DocumentTable, key: str, game: GameRules[Any], seats: int) -> tuple[Event, ...]:
    tables = document.tables(key, longest=MAXIMUM_EVENTS)
    return tuple(event_from(table, game.event_classes, seats) for table in tables)


def _later(document: DocumentTable, key: str, game: GameRules[Any], seats: int) -> tuple[Rejudged, ...]:
    found = []
    for table in document.tables(key, longest=MAXIMUM_ENTRIES):
        table.only("number", "events", "rules")
        events = None if table.required("events") is None else _events(table, "events", game, seats)
        found.append(Rejudged(table.integer("number", 1), events, _rules(table, "rules", game, seats)))
    return tuple(found)


def _rules(document: DocumentTable, key: str, game: GameRules[Any], seats: int) -> tuple[str, ...]:
    rules = document.texts(key, longest=100)
    for rule in rules:
        if rule not in game.rulebook.rules:
            raise document.invalid(key, f"names {rule!r}, which is no rule of {game.info.title}")
    return rules


def _seat(document: DocumentTable, key: str, game: GameRules[Any], seats: int) -> int | None:
    return None if document.required(key) is None else document.integer(key, 1, seats)


def _matching(document: DocumentTable, key: str, pattern: re.Pattern[str], form: str) -> str:
    text = document.text(key, longest=100)
    if pattern.fullmatch(text) is None:
        raise document.invalid(key, f"is {text!r}; it must be {form}")
    return text


def _time(document: DocumentTable, key: str) -> str:
    text = _matching(document, key, _TIME, "a time in UTC such as 2026-11-27T19:30:00Z")
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise document.invalid(key, f"is {text!r}, which is no time of the calendar") from error
    return text


def utc(moment: datetime) -> str:
    """A moment as records write it."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


_READERS: dict[str, Any] = {
    "number": lambda document, key, game, seats: document.integer(key, 1, MAXIMUM_ENTRIES),
    "time": lambda document, key, game, seats: _time(document, key),
    "seat": _seat,
    "action": lambda document, key, game, seats: document.text(key, longest=200),
    "events": _events,
    "unchecked": _rules,
    "source": lambda document, key, game, seats: document.text(key, longest=40),
    "rules": _rules,
    "reason": lambda document, key, game, seats: document.text(key, longest=400),
    "by": lambda document, key, game, seats: document.text(key, longest=60),
    "changes": lambda document, key, game, seats: document.table(key).values,
    "target": lambda document, key, game, seats: document.integer(key, 1, MAXIMUM_ENTRIES),
    "later": _later,
    "level": lambda document, key, game, seats: document.choice(key, game.info.details),
    "order_seen": lambda document, key, game, seats: document.flag(key),
}
"""entry field -> how to read it"""
