"""An event's log as text: settings, then each entry, as one line of JSON each; keys always in the same order."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from typing import Any

from companion.errors import InvalidDocument
from companion.event.entrants import MOST_PLAYERS
from companion.event.entries import (
    BY_HAND,
    BY_TABLE,
    Archived,
    Change,
    EndTakenBack,
    EventEntry,
    EventRefused,
    EventSettings,
    Joined,
    Left,
    Moved,
    Renamed,
    Replanned,
    ResultKnown,
    ResultTakenBack,
    Returned,
    RoundDrawn,
    RoundTakenBack,
    Swapped,
    TableNamed,
    TakenOut,
)
from companion.event.event import MOST_POINTS, MOST_ROUNDS, MOST_TABLES, ClubEvent
from companion.event.table_sizes import FEWEST, MOST
from companion.files.documents import DocumentTable, parse_json
from companion.position import LONGEST_NAME
from companion.wording.characters import is_plain_text

FORMAT = 1
MAXIMUM_BYTES = 16 * 1024 * 1024
MOST_ENTRIES = 50_000
LONGEST_REASON = 400

KINDS: Mapping[str, type[Any]] = {
    "replanned": Replanned,
    "joined": Joined, "renamed": Renamed, "left": Left, "returned": Returned, "table": TableNamed,
    "round": RoundDrawn, "swapped": Swapped, "moved": Moved, "round_taken_back": RoundTakenBack, "result": ResultKnown,
    "result_taken_back": ResultTakenBack, "end_taken_back": EndTakenBack, "archived": Archived, "taken_out": TakenOut,
}  # fmt: skip
_NAMES = {kind: name for name, kind in KINDS.items()}
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_ID = re.compile(r"[0-9A-Za-z][0-9A-Za-z-]{0,63}")


def event_text(event: ClubEvent) -> str:
    """An event as its log, which `read_event` reads back."""
    lines = [header_line(event), *map(entry_line, event.entries)]
    return "\n".join(lines) + "\n"


def header_line(event: ClubEvent) -> str:
    """The first line: what the event is."""
    made_with = event.made_with or event.settings
    settings = {field.name: getattr(made_with, field.name) for field in fields(EventSettings)}
    return _line({"event": FORMAT, "id": event.id, "created": event.created, **settings})


def entry_line(entry: EventEntry) -> str:
    """An entry as a line."""
    return _line({"number": entry.number, "time": entry.time, "by": entry.by, **_change_document(entry.change)})


def _change_document(change: Change) -> dict[str, Any]:
    return {"kind": _NAMES[type(change)], **{field.name: getattr(change, field.name) for field in fields(change)}}


def entry_ending(change: Change) -> str:
    """How the line of an entry that makes this change ends: its kind with what it says, and the closing brace. No other
    change has a line that ends like that, for what is inside of a text has its quotation marks escaped.
    """
    return _line(_change_document(change))[1:]


def kind_of_line(line: str) -> type[Any] | None:
    """What a line of a log says by its kind alone, unchecked; None for what this program does not know."""
    try:
        document = json.loads(line)
    except ValueError:
        return None
    return KINDS.get(str(document.get("kind"))) if isinstance(document, dict) else None


def read_event(text: str, source: str) -> ClubEvent:
    """The event of a log.

    Raises InvalidDocument, which names the line.
    """
    if len(text) > MAXIMUM_BYTES:
        raise InvalidDocument(source, "", f"is longer than {MAXIMUM_BYTES} characters")
    header, *lines = text.removesuffix("\n").split("\n")
    return event_from(header, lines, source)


def event_from(header: str, lines: Iterable[str], source: str) -> ClubEvent:
    """The event of a header and of the lines of its entries.

    Raises InvalidDocument, which names the line.
    """
    return continued(_header(parse_json(header, source, "line 1")), lines, source)


def continued(event: ClubEvent, lines: Iterable[str], source: str) -> ClubEvent:
    """An event with the entries of further lines of its log.

    Raises InvalidDocument, which names the line.
    """
    for at, line in enumerate(lines, len(event.entries) + 2):
        document = parse_json(line, source, f"line {at}")
        if at > MOST_ENTRIES:
            raise document.invalid("", f"is beyond the {MOST_ENTRIES} entries that an event may have")
        entry = read_entry(document)
        if entry.number != at - 1:
            raise document.invalid("number", f"is {entry.number}, not {at - 1}; the log is not whole")
        try:
            event = event.append(entry.time, entry.by, entry.change)
        except EventRefused as error:
            raise document.invalid("", str(error)) from error
    return event


def read_entry(document: DocumentTable) -> EventEntry:
    """The entry of a line. Raises InvalidDocument."""
    name = document.choice("kind", tuple(KINDS))
    kind = KINDS[name]
    names = [field.name for field in fields(kind)]
    document.only("number", "time", "by", "kind", *names)
    change: Change = kind(**{each: _READERS[kind, each](document, each) for each in names})
    return EventEntry(
        document.integer("number", 1, MOST_ENTRIES), _time(document, "time"), _plain(document, "by"), change
    )


def _header(document: DocumentTable) -> ClubEvent:
    known = document.integer("event")
    if known != FORMAT:
        raise document.invalid("event", f"is {known}; this program reads format {FORMAT}")
    document.only("event", "id", "created", *(field.name for field in fields(EventSettings)))
    few, most = _pair(document, "seats", FEWEST, MOST)
    settings = EventSettings(
        _plain(document, "name", LONGEST_NAME),
        _plain(document, "game", LONGEST_NAME),
        document.integer("preferred", few, most),
        document.integer("rounds", 1, MOST_ROUNDS),
        document.integer("by_lot", 0, MOST_ROUNDS),
        document.integer("tables", 1, MOST_TABLES),
        _plain(document, "seed", LONGEST_NAME),
        (few, most),
    )
    return ClubEvent(
        _matching(document, "id", _ID, "letters, digits and hyphens"), _time(document, "created"), settings
    )


def _pair(document: DocumentTable, key: str, low: int, high: int) -> tuple[int, int]:
    values = document.integers(key, low, high, longest=2)
    if len(values) != 2 or values[0] > values[1]:
        raise document.invalid(key, "must be the fewest and the most players at a table")
    return values[0], values[1]


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))


def _plain(document: DocumentTable, key: str, longest: int = LONGEST_REASON) -> str:
    text = document.text(key, longest=longest)
    if not is_plain_text(text):
        raise document.invalid(key, "holds a control character or a line break")
    return text


def _matching(document: DocumentTable, key: str, pattern: re.Pattern[str], form: str) -> str:
    text = document.text(key, longest=100)
    if pattern.fullmatch(text) is None:
        raise document.invalid(key, f"must be {form}")
    return text


def _time(document: DocumentTable, key: str) -> str:
    return _matching(document, key, _TIME, "a time like 2026-11-30T19:30:00Z")


def _source(document: DocumentTable, key: str) -> str:
    return document.choice(key, (BY_HAND, BY_TABLE))


def _integer(low: int, high: int) -> Callable[[DocumentTable, str], int]:
    return lambda document, key: document.integer(key, low, high)


def _integers(low: int, high: int, longest: int) -> Callable[[DocumentTable, str], tuple[int, ...]]:
    return lambda document, key: tuple(document.integers(key, low, high, longest=longest))


def _groups(document: DocumentTable, key: str) -> tuple[tuple[int, ...], ...]:
    groups = []
    for at, values in enumerate(document.sequence(key, longest=MOST_TABLES), 1):
        each = DocumentTable({f"table {at}": values}, document.source, document.at(key))
        groups.append(tuple(each.integers(f"table {at}", 1, MOST_PLAYERS, longest=MOST)))
    return tuple(groups)


def _plan(document: DocumentTable, key: str) -> tuple[tuple[tuple[int, ...], ...], ...]:
    rounds = document.sequence(key, longest=MOST_ROUNDS)
    names = [f"round {at}" for at in range(1, len(rounds) + 1)]
    planned = DocumentTable(dict(zip(names, rounds, strict=True)), document.source, document.at(key))
    return tuple(_groups(planned, name) for name in names)


_PLAYER, _ROUND, _TABLE = _integer(1, MOST_PLAYERS), _integer(1, MOST_ROUNDS), _integer(1, MOST_TABLES)
_COUNT = _integer(0, MOST_PLAYERS * MOST_ROUNDS)
_READERS: Mapping[tuple[type[Any], str], Callable[[DocumentTable, str], Any]] = {
    **{(kind, "player"): _PLAYER for kind in (Joined, Renamed, Left, Returned, Moved)},
    **{(Swapped, player): _PLAYER for player in ("one", "other")},
    **{(kind, "name"): _plain for kind in (Joined, Renamed)},
    **{
        (kind, "round"): _ROUND for kind in (
            RoundDrawn, Swapped, Moved, RoundTakenBack, ResultKnown, ResultTakenBack, EndTakenBack
        )
    },
    **{(kind, "repeats"): _COUNT for kind in (RoundDrawn, Swapped, Moved)},
    (Moved, "table"): _integer(0, MOST_TABLES),
    **{(kind, "table"): _TABLE for kind in (TableNamed, ResultKnown, ResultTakenBack, EndTakenBack)},
    **{(kind, "reason"): _plain for kind in (RoundTakenBack, ResultKnown, ResultTakenBack)},
    (Replanned, "preferred"): _integer(FEWEST, MOST),
    (Replanned, "rounds"): _ROUND,
    (Replanned, "by_lot"): _integer(0, MOST_ROUNDS),
    (Replanned, "tables"): _TABLE,
    (TableNamed, "identity"): _plain,
    (RoundDrawn, "tables"): _groups,
    (RoundDrawn, "byes"): _integers(1, MOST_PLAYERS, MOST_PLAYERS),
    (RoundDrawn, "plan"): _plan,
    (RoundDrawn, "at_least"): _COUNT,
    (ResultKnown, "points"): _integers(-MOST_POINTS, MOST_POINTS, MOST),
    (ResultKnown, "ranks"): _integers(1, MOST, MOST),
    (ResultKnown, "source"): _source,
    **{(kind, "record"): _plain for kind in (ResultKnown, EndTakenBack)},
}  # fmt: skip
