"""Buttons somebody else made, as records: which topics they speak on, where the word stands and what it means.

A record is a TOML file (docs/formats.md); those in `adapter_records/` come with the program. Nothing here knows a
client: topics and payloads go in, signals come out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, decode_text, parse_json, parse_toml, read_text
from firmware_bridge.addresses import DEVICE_LOCATION
from firmware_bridge.gestures import Gesture
from firmware_bridge.messages import HIGHEST_NUMBER

FORMAT = 1
LONGEST_TOPIC = 256
LONGEST_WORD = 64
LARGEST_PAYLOAD = 4096
MOST_RECORDS = 50
RECORDS = Path(__file__).with_name("adapter_records")

_ID = re.compile(r"[a-z0-9_]{1,32}")
_PLACEHOLDER = re.compile(r"\{([a-z]+)\}")
_BUTTON = "{button}"


class Meaning(StrEnum):
    """What a word tells of a button: one of its edges, or a whole gesture that the device has recognised."""

    PRESS = "press"
    RELEASE = "release"
    SINGLE = "single"
    DOUBLE = "double"
    LONG = "long"

    @property
    def gesture(self) -> Gesture | None:
        """The gesture, None for an edge."""
        return None if self in (Meaning.PRESS, Meaning.RELEASE) else Gesture(self.value)


@dataclass(frozen=True, slots=True)
class Word:
    """A word that a device says, perhaps with `{button}` in it, and what it means; `button` is 0 where it is told."""

    pattern: str
    button: int
    deed: Meaning

    def meaning(self, said: str) -> int | None:
        """The button the word is about, 0 if it does not tell; None if it is another word."""
        if _BUTTON not in self.pattern:
            return self.button if said == self.pattern else None
        before, after = self.pattern.split(_BUTTON, 1)
        match = re.fullmatch(re.escape(before) + r"(\d{1,2})" + re.escape(after), said, re.ASCII)
        return None if match is None else int(match[1])


@dataclass(frozen=True, slots=True)
class ButtonSignal:
    """A device said a word: `location` names the device as a box address does; `deed` is None for an unknown word.

    `is_state` tells a state that is said again, of which only changes count; `count` is the device's own number of
    the signal, `battery` what is left in it in percent; None where they are not told.
    """

    location: str
    word: str
    button: int
    deed: Meaning | None
    is_state: bool = False
    count: int | None = None
    battery: int | None = None


@dataclass(frozen=True, slots=True)
class TopicReader:
    """How to read one kind of topic. Levels of `topic` in braces are the device's name, or `{button}`.

    `path` are the keys that lead to the word in a JSON payload, none where the payload is the word; `device` is set
    where the topic does not tell it.
    """

    adapter: str
    topic: str
    path: tuple[str, ...]
    words: tuple[Word, ...]
    button_path: tuple[str, ...] = ()
    count_path: tuple[str, ...] = ()
    battery_path: tuple[str, ...] = ()
    first_button: int = 1
    is_state: bool = False
    device: str = ""

    @property
    def subscription(self) -> str:
        """The topic filter of all devices."""
        return "/".join("+" if "{" in level else level for level in self.topic.split("/"))

    def subscription_of(self, location: str) -> str | None:
        """The topic filter of one device, None for a device this reading does not know."""
        adapter, _, device = location.partition("/")
        if adapter != self.adapter:
            return None
        if self.device:
            return self.subscription if device == self.device else None
        names = device.split("/")
        levels = self.topic.split("/")
        if len(names) != sum("{" in level and level != _BUTTON for level in levels):
            return None
        left = iter(names)
        return "/".join("+" if level == _BUTTON else next(left) if "{" in level else level for level in levels)

    def read(self, topic: str, payload: bytes) -> list[ButtonSignal]:
        """What a publication on a topic of this kind says; nothing where it says no word.

        Raises InvalidDocument for a payload that is too large or no text.
        """
        names = self._match(topic)
        if names is None:
            return []
        if len(payload) > LARGEST_PAYLOAD:
            raise InvalidDocument(topic[:120], "", f"has a payload of {len(payload)} bytes; {LARGEST_PAYLOAD} are read")
        device, told = names
        text = decode_text(payload, topic[:120])
        if not self.path:
            return self._signals(device, told, text.strip(), None)
        if not text.startswith("{"):
            return []
        values = parse_json(text, topic[:120]).values
        found: list[ButtonSignal] = []
        for word, number in _found(values, self.path):
            if isinstance(word, str | bool | int):
                button = _number(_at(values, self.button_path)) if self.button_path else number
                said = word if isinstance(word, str) else json.dumps(word)
                count = _number(_at(values, self.count_path)) if self.count_path else None
                heard = self._signals(device, told if button is None else button, said, count)
                found += [replace(signal, battery=self._battery(values)) for signal in heard]
        return found

    def _signals(self, device: str, told: int | None, said: str, count: int | None) -> list[ButtonSignal]:
        if not said or len(said) > LONGEST_WORD or not said.isprintable():
            return []
        location = f"{self.adapter}/{device}"
        if not DEVICE_LOCATION.fullmatch(location):
            return []
        for word in self.words:
            meant = word.meaning(said)
            if meant is not None:
                button = meant or (1 if told is None else told - self.first_button + 1)
                if 1 <= button <= HIGHEST_NUMBER:
                    return [ButtonSignal(location, said, button, word.deed, self.is_state, count)]
        return [ButtonSignal(location, said, 0, None, self.is_state, count)]

    def _battery(self, values: Mapping[str, Any]) -> int | None:
        left = _at(values, self.battery_path) if self.battery_path else None
        if isinstance(left, bool) or not isinstance(left, int | float) or not 0 <= left <= 100:
            return None
        return round(left)

    def _match(self, topic: str) -> tuple[str, int | None] | None:
        if len(topic) > LONGEST_TOPIC:
            return None
        levels, pattern = topic.split("/"), self.topic.split("/")
        if len(levels) != len(pattern):
            return None
        names: list[str] = []
        told: int | None = None
        for level, wanted in zip(levels, pattern, strict=True):
            if wanted == _BUTTON:
                if not re.fullmatch(r"\d{1,2}", level, re.ASCII):
                    return None
                told = int(level)
            elif "{" in wanted:
                names.append(level)
            elif level != wanted:
                return None
        return self.device or "/".join(names), told


@dataclass(frozen=True, slots=True)
class Adapter:
    """One kind of device or bridge."""

    id: str
    title: str
    readings: tuple[TopicReader, ...]


@cache
def shipped_adapters() -> tuple[Adapter, ...]:
    """The records that come with the program."""
    return tuple(load_adapter(path) for path in sorted(RECORDS.glob("*.toml")))


def adapters_with(folder: Path) -> tuple[Adapter, ...]:
    """The records that come with the program and those in a folder, which go before one with the same id.

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
    document.only("format", "id", "title", "reading")
    identity = document.text("id", longest=32)
    if not _ID.fullmatch(identity):
        raise document.invalid("id", "is 1 to 32 of a-z 0-9 _")
    readings = tuple(_reading(identity, entry) for entry in document.tables("reading", longest=20))
    return Adapter(identity, document.text("title", longest=60), readings)


def _reading(adapter: str, entry: DocumentTable) -> TopicReader:
    entry.only("topic", "path", "button_path", "count_path", "battery_path", "first_button", "state", "words")
    topic = entry.text("topic", longest=LONGEST_TOPIC)
    levels = topic.split("/")
    for level in levels:
        if ("{" in level and not _PLACEHOLDER.fullmatch(level)) or set(level) & set("+#"):
            raise entry.invalid("topic", f"has the level {level!r}; a level is a word or one {{name}}")
    if levels.count(_BUTTON) > 1 or not any("{" in level and level != _BUTTON for level in levels):
        raise entry.invalid("topic", "must have a level {device}, and {button} at most once")
    return TopicReader(
        adapter,
        topic,
        _keys(entry, "path"),
        tuple(_word(word) for word in entry.tables("words", longest=100)),
        _keys(entry, "button_path"),
        _keys(entry, "count_path"),
        _keys(entry, "battery_path"),
        entry.integer("first_button", 0, 1, 1),
        entry.flag("state", default=False),
    )


def _keys(entry: DocumentTable, key: str) -> tuple[str, ...]:
    path = entry.text(key, "", longest=120)
    keys = tuple(path.split(".")) if path else ()
    if any(not part for part in keys):
        raise entry.invalid(key, "must be keys with dots between them")
    if key != "path" and any(_BUTTON in part for part in keys):
        raise entry.invalid(key, "cannot have {button} in it")
    return keys


def _word(entry: DocumentTable) -> Word:
    entry.only("word", "button", "means")
    pattern = entry.text("word", longest=LONGEST_WORD)
    if pattern.count("{") != pattern.count(_BUTTON) or pattern.count(_BUTTON) > 1 or not pattern:
        raise entry.invalid("word", "is a word, perhaps with one {button} in it")
    if _BUTTON in pattern and "button" in entry:
        raise entry.invalid("button", "is told by the word itself")
    button = entry.integer("button", 1, HIGHEST_NUMBER) if "button" in entry else 0
    return Word(pattern, button, Meaning(entry.choice("means", tuple(Meaning))))


def _found(values: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[tuple[Any, int | None]]:
    """What lies at the end of a path, with the button's number where a key on the way tells it."""
    for index, key in enumerate(path):
        if _BUTTON in key:
            before, after = key.split(_BUTTON, 1)
            parent = _at(values, path[:index])
            for name in parent if isinstance(parent, Mapping) else ():
                number = name[len(before) : len(name) - len(after)]
                if name == f"{before}{number}{after}" and re.fullmatch(r"\d{1,2}", number, re.ASCII):
                    yield _at(parent[name], path[index + 1 :]), int(number)
            return
    yield _at(values, path), None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _at(value: Any, path: tuple[str, ...]) -> Any:
    for key in path:
        if isinstance(value, Mapping):
            value = value.get(key)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value
