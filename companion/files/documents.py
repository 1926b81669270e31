"""Reading untrusted TOML and JSON: size, encoding, nesting and types are checked; errors name file, entry, reason."""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.errors import InvalidDocument

MAXIMUM_BYTES = 4 * 1024 * 1024
MAXIMUM_INTEGER = 2**53
MOST_DOTS = 500

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def shown(value: object, limit: int = 60) -> str:
    """A printable, bounded form of an untrusted value for an error line, as documents write it."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case Mapping():
            return "a table"
        case list() | tuple():
            return "a list"
    try:
        text = repr(value) if isinstance(value, str) else str(value)
    except ValueError:  # a whole number with more digits than Python writes
        return "a huge number"
    return text if len(text) <= limit else text[: limit - 1] + "…"


def read_text(path: Path, limit: int = MAXIMUM_BYTES) -> str:
    """The UTF-8 text of a file of at most `limit` bytes.

    Raises InvalidDocument.
    """
    if "\0" in str(path):
        raise InvalidDocument(str(path), "", "holds a NUL and names no file")
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for a writer that may never come
            raise InvalidDocument(str(path), "", "is no file")
        with path.open("rb") as stream:
            data = stream.read(limit + 1)
    except OSError as error:
        raise InvalidDocument(str(path), "", f"cannot be read ({error.strerror or error})") from error
    if len(data) > limit:
        raise InvalidDocument(str(path), "", f"is larger than {limit // 1024} KiB, which no such file needs")
    return decode_text(data, str(path))


def decode_text(data: bytes, source: str) -> str:
    """Bytes as UTF-8 text without NUL.

    Raises InvalidDocument.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidDocument(source, f"byte {error.start}", "is not UTF-8 text; save the file as UTF-8") from error
    if "\0" in text:
        raise InvalidDocument(source, f"character {text.index(chr(0))}", "is a NUL; this is not a text file")
    return text.replace("\r\n", "\n")


def parse_toml(text: str, source: str) -> DocumentTable:
    """A TOML document as its root table.

    Raises InvalidDocument.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:  # tomllib needs memory that grows with the square of a dotted key's length
            raise InvalidDocument(source, f"line {number}", f"has more than {MOST_DOTS} dots; break it up")
    try:
        return DocumentTable(tomllib.loads(text), source, "")
    except tomllib.TOMLDecodeError as error:
        raise InvalidDocument(source, "", f"is not TOML: {error}") from error
    except (RecursionError, ValueError) as error:
        raise InvalidDocument(source, "", _unusable(error)) from error


def parse_json(text: str, source: str, entry: str = "") -> DocumentTable:
    """A JSON object as a table; duplicate keys, NaN, infinity and halves of characters are refused.

    Raises InvalidDocument.
    """

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        result = dict(pairs)
        if len(result) != len(pairs):
            raise InvalidDocument(source, entry, "has the same key twice in one object")
        return result

    def finite(number: str) -> float:
        value = float(number)
        if not math.isfinite(value):
            raise InvalidDocument(source, entry, f"holds {shown(number)}, which is no number it may hold")
        return value

    try:
        value = json.loads(text, object_pairs_hook=unique, parse_float=finite, parse_constant=finite)
        if _SURROGATE.search(text):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        place = f"{entry}, column {error.colno}" if entry else f"line {error.lineno} column {error.colno}"
        raise InvalidDocument(source, place, f"is not JSON: {error.msg}") from error
    except UnicodeEncodeError as error:
        raise InvalidDocument(source, entry, "holds half of a surrogate pair, which is no character") from error
    except InvalidDocument:
        raise
    except (RecursionError, ValueError) as error:
        raise InvalidDocument(source, entry, _unusable(error)) from error
    if not isinstance(value, dict):
        raise InvalidDocument(source, entry, f"must be an object, not {shown(value)}")
    return DocumentTable(value, source, entry)


def merged(document: Any, patch: Any) -> Any:
    """A document with a JSON merge patch applied (RFC 7396)."""
    if not isinstance(patch, Mapping):
        return patch
    result = dict(document) if isinstance(document, Mapping) else {}
    for key, value in patch.items():
        if value is None:
            result.pop(key, None)
        else:
            result[key] = merged(result.get(key), value)
    return result


def changes_between(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON merge patch that makes one document of another."""
    changes: dict[str, Any] = dict.fromkeys(before.keys() - after.keys())
    for key, value in after.items():
        there = before.get(key)
        if isinstance(value, Mapping) and isinstance(there, Mapping):
            if nested := changes_between(there, value):
                changes[key] = nested
        elif value != there:
            changes[key] = value
    return changes


def _unusable(error: Exception) -> str:
    """Why a document that is written correctly cannot be taken in."""
    if isinstance(error, RecursionError):
        return "holds tables or lists nested too deeply"
    return "holds a number with more digits than can be read"


@dataclass(frozen=True, slots=True)
class DocumentTable:
    """A table of an untrusted document that knows its source and entry; every getter raises InvalidDocument."""

    values: Mapping[str, Any]
    source: str
    entry: str

    def at(self, key: str) -> str:
        """The full name of an entry of this table."""
        return f"{self.entry}.{key}" if self.entry else key

    def invalid(self, key: str, reason: str) -> InvalidDocument:
        """The error for an entry of this table, to be raised."""
        return InvalidDocument(self.source, self.at(key) if key else self.entry, reason)

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def __iter__(self) -> Iterator[str]:
        return iter(self.values)

    def only(self, *known: str) -> None:
        """Refuse keys that are not known, so that a slip of the pen is not silently ignored."""
        for key in self.values:
            if key not in known:
                raise self.invalid(key, f"is not known here (known: {', '.join(sorted(known))})")

    def required(self, key: str) -> Any:
        """The raw value of an entry that must exist."""
        if key not in self.values:
            raise self.invalid(key, "is missing")
        return self.values[key]

    def text(self, key: str, default: str | None = None, longest: int = 4000) -> str:
        """A string of at most `longest` characters."""
        if key not in self.values and default is not None:
            return default
        value = self.required(key)
        if not isinstance(value, str):
            raise self.invalid(key, f"must be text, not {shown(value)}")
        if len(value) > longest:
            raise self.invalid(key, f"is longer than {longest} characters")
        return value

    def choice(self, key: str, allowed: tuple[str, ...], default: str | None = None) -> str:
        """One of the allowed words."""
        value = self.text(key, default)
        if value not in allowed:
            known = ", ".join(filter(None, allowed)) + (", or empty" if "" in allowed else "")
            raise self.invalid(key, f"is {shown(value)}; it must be one of {known}")
        return value

    def integer(
        self, key: str, low: int = -MAXIMUM_INTEGER, high: int = MAXIMUM_INTEGER, default: int | None = None
    ) -> int:
        """A whole number from `low` to `high`."""
        if key not in self.values and default is not None:
            return default
        value = self.required(key)
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.invalid(key, f"must be a whole number, not {shown(value)}")
        if not low <= value <= high:
            raise self.invalid(key, f"is {shown(value)}; it must be from {low} to {high}")
        return value

    def integer_among(self, key: str, allowed: tuple[int, ...], default: int) -> int:
        """One of the allowed whole numbers."""
        value = self.values.get(key, default)
        if not isinstance(value, int) or isinstance(value, bool) or value not in allowed:
            raise self.invalid(key, f"is {shown(value)}; it must be one of {', '.join(map(str, allowed))}")
        return value

    def number(self, key: str, low: float, high: float, default: float | None = None) -> float:
        """A finite number from `low` to `high`."""
        if key not in self.values and default is not None:
            return default
        value = self.required(key)
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.invalid(key, f"must be a number, not {shown(value)}")
        if not low <= value <= high:
            raise self.invalid(key, f"is {shown(value)}; it must be from {low:g} to {high:g}")
        return float(value)

    def flag(self, key: str, default: bool | None = None) -> bool:
        """True or false."""
        if key not in self.values and default is not None:
            return default
        value = self.required(key)
        if not isinstance(value, bool):
            raise self.invalid(key, f"must be true or false, not {shown(value)}")
        return value

    def table(self, key: str, *, optional: bool = False) -> DocumentTable:
        """A table below this one; with `optional` an empty one where it is missing."""
        if optional and key not in self.values:
            return DocumentTable({}, self.source, self.at(key))
        value = self.required(key)
        if not isinstance(value, dict):
            raise self.invalid(key, f"must be a table, not {shown(value)}")
        return DocumentTable(value, self.source, self.at(key))

    def counts(self, key: str, usual: Mapping[str, int], most: Mapping[str, int]) -> dict[str, int]:
        """How many of each name in `usual`, up to `most`: what is left out is as usual, an empty table means none."""
        table = self.table(key, optional=True)
        table.only(*usual)
        if key in self and not table.values:
            return dict.fromkeys(usual, 0)
        return {name: table.integer(name, 0, most[name], count) for name, count in usual.items()}

    def sequence(self, key: str, *, optional: bool = False, longest: int = 10_000) -> tuple[Any, ...]:
        """An array of raw values."""
        if optional and key not in self.values:
            return ()
        value = self.required(key)
        if not isinstance(value, list | tuple):
            raise self.invalid(key, f"must be a list, not {shown(value)}")
        if len(value) > longest:
            raise self.invalid(key, f"has {len(value)} entries; at most {longest} are allowed")
        return tuple(value)

    def texts(self, key: str, *, optional: bool = False, longest: int = 10_000) -> tuple[str, ...]:
        """An array of strings."""
        values = self.sequence(key, optional=optional, longest=longest)
        for index, value in enumerate(values):
            if not isinstance(value, str):
                raise self.invalid(f"{key}[{index + 1}]", f"must be text, not {shown(value)}")
        return values

    def integers(
        self, key: str, low: int, high: int, *, optional: bool = False, longest: int = 1000
    ) -> tuple[int, ...]:
        """An array of whole numbers from `low` to `high`."""
        values = self.sequence(key, optional=optional, longest=longest)
        for index, value in enumerate(values):
            if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
                raise self.invalid(
                    f"{key}[{index + 1}]", f"must be a whole number from {low} to {high}, not {shown(value)}"
                )
        return values

    def tables(self, key: str, *, optional: bool = False, longest: int = 10_000) -> tuple[DocumentTable, ...]:
        """An array of tables."""
        result = []
        for index, value in enumerate(self.sequence(key, optional=optional, longest=longest)):
            place = f"{key}[{index + 1}]"
            if not isinstance(value, dict):
                raise self.invalid(place, f"must be a table, not {shown(value)}")
            result.append(DocumentTable(value, self.source, self.at(place)))
        return tuple(result)
