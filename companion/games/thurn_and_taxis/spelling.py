"""Cities and provinces of a position in whatever spelling: München, Muenchen, MUENCHEN."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.files.documents import DocumentTable
from companion.wording.spelling import plain

_DEPTH = 3
"""how deep the tables and lists of a position are nested"""


def in_one_spelling(document: DocumentTable, names: Mapping[str, str]) -> DocumentTable:
    """The document with its names written as `names` writes them by their plain spelling, also as stacks of tiles.

    Raises InvalidDocument where a table has the same name in two spellings.
    """

    def written(text: str) -> str:
        name, space, value = text.rpartition(" ")
        stack = names.get(plain(name), "") if value.isdecimal() else ""
        return names.get(plain(text)) or (f"{stack}{space}{value}" if stack else text)

    def rewritten(value: Any, place: DocumentTable, key: str, depth: int) -> Any:
        if isinstance(value, str):
            return written(value)
        if not depth:
            return value
        if isinstance(value, list | tuple):
            return [rewritten(each, place, key, depth - 1) for each in value]
        if not isinstance(value, dict):
            return value
        below = DocumentTable(value, place.source, place.at(key))
        found: dict[str, Any] = {}
        for name, inner in value.items():
            if written(name) in found:
                raise below.invalid(name, f"is there twice, also as {written(name)}")
            found[written(name)] = rewritten(inner, below, name, depth - 1)
        return found

    values = {key: rewritten(value, document, key, _DEPTH) for key, value in document.values.items()}
    return DocumentTable(values, document.source, document.entry)
