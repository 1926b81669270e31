"""Positions of a game whose state is a frozen dataclass of plain fields: a document has an entry for each field.

Such a field is a whole number, a text, true or false, a tuple of texts or of whole numbers, or a `FrozenDict` from text
to either. What a document leaves out is as in the state after set-up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from companion.files.documents import DocumentTable
from companion.frozen import FrozenDict

S = TypeVar("S")
LARGEST = 1_000_000


def plain_document(state: Any) -> dict[str, Any]:
    """The fields of a state as JSON values, without the table."""
    return {name: _json(getattr(state, name)) for name in _hints(type(state))}


def read_plain_state(document: DocumentTable, start: S) -> S:
    """The state after set-up with the fields that a document names.

    Raises InvalidDocument for a value of another type.
    """
    hints = _hints(type(start))
    changed = {name: _read(document, name, hint) for name, hint in hints.items() if name in document}
    return replace(start, **changed)  # type: ignore[type-var]


def _hints(kind: type) -> Mapping[str, Any]:
    """Field -> its type, for the fields of a state that a position names."""
    hints = get_type_hints(kind)
    return {field.name: hints[field.name] for field in fields(kind) if field.init and field.name != "table"}


def _json(value: Any) -> Any:
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value


def _read(document: DocumentTable, key: str, hint: Any) -> Any:
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is FrozenDict:
        table = document.table(key)
        return FrozenDict({name: _read(table, name, arguments[1]) for name in table})
    if origin is tuple:
        return document.texts(key) if arguments[0] is str else document.integers(key, 0, LARGEST)
    if hint is bool:
        return document.flag(key)
    return document.text(key) if hint is str else document.integer(key, 0, LARGEST)
