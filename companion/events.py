"""Events as plain JSON: `{"event": "WardLaid", ...fields}`; each game lists its event classes once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cache
from types import UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from companion.files.documents import DocumentTable, shown
from companion.frozen import frozen

SEAT_FIELDS = ("seat", "seats", "first")


@dataclass(frozen=True, slots=True)
class Event:
    """A fact, named in the past tense; its fields are text, whole numbers, true/false, None or tuples of these.

    What the fields in SEAT_FIELDS hold are seats of the table.
    """


@frozen
class SupplyRanOut(Event):
    """A warning that changes nothing: the box holds no more of a kind of piece, and what becomes of that.

    It is no part of what a record must agree on, for older records have no warnings.
    """

    seat: int
    piece: str
    instead: str
    """a word of the game's texts for what is done without it"""


@frozen
class DetailChosen(Event):
    """From now on the table tells this much of the game (`companion.detail`)."""

    level: str


def event_json(event: Event) -> dict[str, Any]:
    """The event as a JSON object."""
    result: dict[str, Any] = {"event": type(event).__name__}
    for field in fields(event):
        value = getattr(event, field.name)
        result[field.name] = list(value) if isinstance(value, tuple) else value
    return result


def event_from(document: DocumentTable, classes: Mapping[str, type[Event]], seats: int) -> Event:
    """The event that a JSON object states, at a table with `seats` seats.

    Raises InvalidDocument.
    """
    name = document.text("event", longest=60)
    if name not in classes:
        raise document.invalid("event", f"{shown(name)} is no event of this game")
    kind: type = classes[name]
    hints = _hints(kind)
    document.only("event", *hints)
    values: dict[str, Any] = {}
    for key, hint in hints.items():
        value = document.required(key)
        if key in SEAT_FIELDS:
            told = value if isinstance(value, list) else [value]
            if any(_fits(each, int) and not 1 <= each <= seats for each in told):
                raise document.invalid(key, f"names a seat that is not there; they are 1 to {seats}")
        if isinstance(value, list):
            value = tuple(value)
        if not _fits(value, hint):
            raise document.invalid(key, f"cannot be {shown(value)}")
        values[key] = value
    event: Event = kind(**values)
    return event


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _fits(value: Any, hint: Any) -> bool:
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, part) for part in get_args(hint))
    if origin is tuple:
        return isinstance(value, tuple) and all(_fits(item, get_args(hint)[0]) for item in value)
    if hint is type(None):
        return value is None
    if hint is int:
        return isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**31
    if hint is str:
        return isinstance(value, str) and len(value) <= 200
    return isinstance(value, hint) if isinstance(hint, type) else False
