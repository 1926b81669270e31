"""Adapter records: TOML files that say how to read a kind of device that somebody else made (docs/formats/boxes.md)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from companion.files.documents import DocumentTable, parse_toml, read_text
from firmware_bridge.adapters.payloads import BUTTON
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.records import (
    ANY,
    LONGEST_TOPIC,
    LONGEST_WORD,
    DeviceWord,
    Meaning,
    Repetition,
    TopicReader,
)
from firmware_bridge.protocol.messages import HIGHEST_NUMBER

FORMAT = 1
MOST_RECORDS = 50
MOST_READERS = 40
MOST_WORDS = 300
RECORDS = Path(__file__).with_name("adapter_records")

_ID = re.compile(r"[a-z0-9_]{1,32}")
_LEVEL = re.compile(r"\{[a-z]+\+?\}")


@dataclass(frozen=True, slots=True)
class Adapter:
    """One kind of device or bridge."""

    id: str
    title: str
    readers: tuple[TopicReader, ...]
    presence: tuple[PresenceReader, ...] = ()


@cache
def shipped_adapters() -> tuple[Adapter, ...]:
    """The records that come with the program."""
    return tuple(load_adapter(path) for path in sorted(RECORDS.glob("*.toml")))


def adapters_with(folder: Path) -> tuple[Adapter, ...]:
    """The records that come with the program and those in a folder, which replace one with the same id.

    Raises companion.errors.InvalidDocument.
    """
    own = [load_adapter(path) for path in sorted(folder.glob("*.toml"))[:MOST_RECORDS]]
    ids = {adapter.id for adapter in own}
    return (*own, *(adapter for adapter in shipped_adapters() if adapter.id not in ids))


def load_adapter(path: Path) -> Adapter:
    """The adapter in a file.

    Raises companion.errors.InvalidDocument.
    """
    document = parse_toml(read_text(path), str(path))
    if document.integer("format") != FORMAT:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format {FORMAT}")
    document.only("format", "id", "title", "reading", "presence", "key")
    identity = document.text("id", longest=32)
    if not _ID.fullmatch(identity):
        raise document.invalid("id", "is 1 to 32 of a-z 0-9 _")
    keys = []
    for entry in document.tables("key", optional=True, longest=50):
        entry.only("name", "button")
        keys.append((entry.text("name", longest=LONGEST_WORD), entry.integer("button", 1, HIGHEST_NUMBER)))
    readers: list[TopicReader] = []
    for entry in document.tables("reading", longest=MOST_READERS):
        readers.append(_reader(identity, entry, tuple(keys), readers))
    presence = tuple(_presence(identity, entry) for entry in document.tables("presence", optional=True, longest=10))
    return Adapter(identity, document.text("title", longest=60), tuple(readers), presence)


def _reader(
    adapter: str, entry: DocumentTable, keys: tuple[tuple[str, int], ...], before: Sequence[TopicReader]
) -> TopicReader:
    entry.only(
        "topic", "path", "button_path", "count_path", "stamp_path", "battery_path", "list_path", "where", "requires",
        "unless", "first_button", "state", "repeats", "named_only", "not_devices", "words", "words_of",
    )  # fmt: skip
    topic = entry.text("topic", longest=LONGEST_TOPIC)
    levels = topic.split("/")
    for level in levels:
        inside = level.replace(BUTTON, "").replace(ANY, "")
        if not _LEVEL.fullmatch(level) and ("{" in inside or set(inside) & set("+#")):
            raise entry.invalid("topic", f"has the level {level!r}; a level is a word or one {{name}}")
    named = [level for level in levels if _LEVEL.fullmatch(level) and level not in (BUTTON, ANY)]
    if sum(BUTTON in level for level in levels) > 1 or not named:
        raise entry.invalid("topic", "must have a level {device}, and {button} at most once")
    if sum(level.endswith("+}") for level in named) > 1 or len(set(named)) < len(named):
        raise entry.invalid("topic", "may have one name of several levels, and each name once")
    where = entry.table("where", optional=True).values
    if not all(isinstance(pattern, str) for pattern in where.values()):
        raise entry.invalid("where", "must be a table of texts")
    return TopicReader(
        adapter,
        topic,
        _keys(entry, "path"),
        _words(entry, before),
        _keys(entry, "button_path"),
        _keys(entry, "count_path"),
        _keys(entry, "stamp_path"),
        _keys(entry, "battery_path"),
        _keys(entry, "list_path"),
        tuple(where.items()),
        entry.texts("requires", optional=True, longest=10),
        entry.texts("unless", optional=True, longest=10),
        keys,
        entry.integer("first_button", 0, 1, 1),
        entry.flag("state", default=False),
        Repetition(entry.choice("repeats", tuple(Repetition), Repetition.NONE)),
        entry.flag("named_only", default=False),
        entry.texts("not_devices", optional=True, longest=10),
    )


def _words(entry: DocumentTable, before: Sequence[TopicReader]) -> tuple[DeviceWord, ...]:
    """The words of a reader, which may be those of an earlier one in the file."""
    if "words_of" not in entry:
        return tuple(_word(word) for word in entry.tables("words", longest=MOST_WORDS))
    if "words" in entry:
        raise entry.invalid("words_of", "and words exclude each other")
    return before[entry.integer("words_of", 1, len(before)) - 1].words


def _presence(adapter: str, entry: DocumentTable) -> PresenceReader:
    entry.only("topic", "of", "replays")
    topic = entry.text("topic", longest=LONGEST_TOPIC)
    scope = Scope(entry.choice("of", tuple(Scope)))
    levels = [level for level in topic.split("/") if "{" in level]
    if any(not _LEVEL.fullmatch(level) for level in levels) or len([one for one in levels if one != ANY]) > 1:
        raise entry.invalid("topic", "must have one level {device} at most")
    return PresenceReader(adapter, topic, scope, entry.integer("replays", 0, 60_000, 0) / 1000)


def _keys(entry: DocumentTable, key: str) -> tuple[str, ...]:
    path = entry.text(key, "", longest=120)
    keys = tuple(path.split(".")) if path else ()
    if any(not part for part in keys):
        raise entry.invalid(key, "must be keys with dots between them")
    if key != "path" and any(BUTTON in part for part in keys):
        raise entry.invalid(key, "cannot have {button} in it")
    return keys


def _word(entry: DocumentTable) -> DeviceWord:
    entry.only("word", "button", "means", "needs")
    pattern = entry.text("word", longest=LONGEST_WORD)
    placeholders = pattern.count(BUTTON) + pattern.count("{key}")
    if pattern.count("{") != placeholders or placeholders > 1 or not pattern:
        raise entry.invalid("word", "is a word, perhaps with one {button} in it")
    if placeholders and "button" in entry:
        raise entry.invalid("button", "is given by the word itself")
    button = entry.integer("button", 1, HIGHEST_NUMBER) if "button" in entry else 0
    meaning = Meaning(entry.choice("means", tuple(Meaning)))
    return DeviceWord(pattern, button, meaning, entry.texts("needs", optional=True, longest=20))
