"""Which boxes belong to a table and what their buttons mean, as a TOML file (docs/formats.md)."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType

import tomlkit
from tomlkit.items import Table

from companion.files.documents import DocumentTable, parse_toml, read_text
from companion.session.intents import Intent, IntentKind
from firmware_bridge.adapters.records import LONGEST_WORD
from firmware_bridge.errors import InvalidBoxAddress
from firmware_bridge.protocol.addresses import HIGHEST_SEAT, BoxAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import HIGHEST_NUMBER

FORMAT = 1
HIGHEST_CHOICE = 99
MOST_BOXES = 100

GestureKey = tuple[str | None, int, Gesture]
"""The name of a box, or None for every box; a button; a gesture."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """Which gesture on which button means which intent, and whose each box is; a press adds the seat of its box.

    `seats` are the boxes that belong to the table, by name: a seat, or None for a box that all share. `words` are the
    intents of words of devices, by the name of the box and the word.
    """

    intents: Mapping[GestureKey, Intent]
    seats: Mapping[str, int | None] = field(default_factory=lambda: MappingProxyType({}))
    words: Mapping[tuple[str, str], Intent] = field(default_factory=lambda: MappingProxyType({}))

    def intent(self, box: str, button: int, gesture: Gesture, seat: int | None) -> Intent | None:
        """The intent of a gesture; None where it is bound to nothing."""
        bound = self.intents.get((box, button, gesture)) or self.intents.get((None, button, gesture))
        return None if bound is None else Intent(bound.kind, seat, bound.choice)

    def intent_of_word(self, box: str, word: str, seat: int | None) -> Intent | None:
        """The intent of a word that a device said; None where it is bound to nothing."""
        bound = self.words.get((box, word))
        return None if bound is None else Intent(bound.kind, seat, bound.choice)

    def gestures(self, box: str, button: int) -> frozenset[Gesture]:
        """The gestures that mean something on this button."""
        return frozenset(gesture for gesture in Gesture if self.intent(box, button, gesture, None) is not None)

    def with_seat(self, box: str, seat: int | None) -> Bindings:
        """The same with a box that belongs to a seat, or to all."""
        return replace(self, seats=MappingProxyType({**self.seats, box: seat}))

    def without(self, box: str) -> Bindings:
        """The same without a box: without its seat and the meanings of its own buttons and words."""
        return Bindings(
            MappingProxyType({key: intent for key, intent in self.intents.items() if key[0] != box}),
            MappingProxyType({name: seat for name, seat in self.seats.items() if name != box}),
            MappingProxyType({key: intent for key, intent in self.words.items() if key[0] != box}),
        )

    def with_intent(self, box: str, button: int, gesture: Gesture, intent: Intent) -> Bindings:
        """The same with another meaning of a button."""
        return replace(self, intents=MappingProxyType({**self.intents, (box, button, gesture): intent}))

    def with_word(self, box: str, word: str, intent: Intent) -> Bindings:
        """The same with a meaning of a word."""
        return replace(self, words=MappingProxyType({**self.words, (box, word): intent}))


@cache
def default_bindings() -> Bindings:
    """Buttons 1 to 4 of every box: done, no, next, help."""
    return load_bindings(Path(__file__).with_name("bindings.toml"))


def load_bindings(path: Path) -> Bindings:
    """The bindings in a file.

    Raises companion.errors.InvalidDocument.
    """
    document = parse_toml(read_text(path), str(path))
    if document.integer("format") != FORMAT:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format {FORMAT}")
    document.only("format", "binding", "box")
    seats: dict[str, int | None] = {}
    for entry in document.tables("box", optional=True, longest=MOST_BOXES):
        entry.only("box", "seat")
        box = _box(entry) or ""
        if box in seats:
            raise entry.invalid("box", "stands here twice")
        seats[box] = entry.integer("seat", 1, HIGHEST_SEAT) if "seat" in entry else None
    intents: dict[GestureKey, Intent] = {}
    words: dict[tuple[str, str], Intent] = {}
    for entry in document.tables("binding", optional=True, longest=1000):
        entry.only("box", "button", "gesture", "word", "intent", "choice")
        if "word" in entry:
            _add_word(entry, words)
            continue
        key = _gesture_key(entry)
        if key in intents:
            raise entry.invalid("button", "has two meanings for the same box and gesture")
        intents[key] = _intent(entry)
    if "binding" not in document:
        intents = dict(default_bindings().intents)
    return Bindings(MappingProxyType(intents), MappingProxyType(seats), MappingProxyType(words))


def save_bindings(path: Path, bindings: Bindings) -> None:
    """Write bindings to a file, whole or not at all; comments and the order of its entries are kept.

    Raises InvalidDocument for a file that holds something else, OSError where it cannot be written.
    """
    if path.exists():
        load_bindings(path)
        document = tomlkit.parse(read_text(path))
    else:
        document = tomlkit.document()
        document["format"] = FORMAT
    entries = {
        "box": [_seat_entry(box, seat) for box, seat in bindings.seats.items()],
        "binding": [
            *(_binding_entry(key, intent) for key, intent in bindings.intents.items()),
            *(_word_entry(key, intent) for key, intent in bindings.words.items()),
        ],
    }
    for key, wanted in entries.items():
        _update(document, key, wanted)
    _replace_file(path, tomlkit.dumps(document))


def _update(document: tomlkit.TOMLDocument, key: str, wanted: list[dict[str, str | int]]) -> None:
    """Keep the tables that are still wanted unchanged, remove the others, add the new ones."""
    kept = tomlkit.aot()
    left = list(wanted)
    for table in document.get(key, ()):
        plain = {name: value for name, value in table.unwrap().items() if (name, value) != ("gesture", Gesture.SINGLE)}
        if plain in left and isinstance(table, Table):  # one within a list is written anew as a table of its own
            left.remove(plain)
            kept.append(table)
    for entry in left:
        table = tomlkit.table()
        table.update(entry)
        kept.append(table)
    document.pop(key, None)
    if len(kept):
        document[key] = kept


def _seat_entry(box: str, seat: int | None) -> dict[str, str | int]:
    return {"box": box} if seat is None else {"box": box, "seat": seat}


def _binding_entry(key: GestureKey, intent: Intent) -> dict[str, str | int]:
    box, button, gesture = key
    entry: dict[str, str | int] = {} if box is None else {"box": box}
    entry["button"] = button
    if gesture is not Gesture.SINGLE:
        entry["gesture"] = gesture.value
    return entry | _intent_entry(intent)


def _word_entry(key: tuple[str, str], intent: Intent) -> dict[str, str | int]:
    return {"box": key[0], "word": key[1]} | _intent_entry(intent)


def _intent_entry(intent: Intent) -> dict[str, str | int]:
    entry: dict[str, str | int] = {"intent": intent.kind.value}
    return entry if intent.choice is None else entry | {"choice": intent.choice}


def _replace_file(path: Path, text: str) -> None:
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, prefix=path.name, delete=False) as file:
        written = Path(file.name)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    try:
        written.replace(path)
    except OSError:
        written.unlink(missing_ok=True)
        raise


def _box(entry: DocumentTable, *, optional: bool = False) -> str | None:
    box = entry.text("box", "" if optional else None, longest=200)
    if not box and optional:
        return None
    try:
        address = BoxAddress.parse(box)
    except InvalidBoxAddress as error:
        raise entry.invalid("box", error.reason) from error
    if address.seat is not None:
        raise entry.invalid("box", "names a seat with @, which has an entry of its own")
    return address.name


def _gesture_key(entry: DocumentTable) -> GestureKey:
    box = _box(entry, optional=True)
    gesture = Gesture(entry.choice("gesture", tuple(Gesture), Gesture.SINGLE))
    return box, entry.integer("button", 1, HIGHEST_NUMBER), gesture


def _add_word(entry: DocumentTable, words: dict[tuple[str, str], Intent]) -> None:
    for key in ("button", "gesture"):
        if key in entry:
            raise entry.invalid(key, "has no meaning beside a word")
    word_key = _box(entry) or "", entry.text("word", longest=LONGEST_WORD)
    if word_key in words:
        raise entry.invalid("word", "has two meanings for the same box")
    words[word_key] = _intent(entry)


def _intent(entry: DocumentTable) -> Intent:
    kind = IntentKind(entry.choice("intent", tuple(IntentKind)))
    if kind is IntentKind.CHOOSE:
        return Intent(kind, choice=entry.integer("choice", 1, HIGHEST_CHOICE))
    if "choice" in entry:
        raise entry.invalid("choice", "belongs to the intent choose only")
    return Intent(kind)
