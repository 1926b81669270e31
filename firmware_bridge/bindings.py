"""What a button means: (box, button, gesture) to an intent, as a TOML file (docs/hardware.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType

from companion.documents import Table, parse_toml, read_text
from companion.session.intents import Intent, IntentKind
from firmware_bridge.addresses import BoxAddress
from firmware_bridge.errors import InvalidBoxAddress
from firmware_bridge.gestures import Gesture
from firmware_bridge.messages import HIGHEST_NUMBER

FORMAT = 1
HIGHEST_CHOICE = 99

Place = tuple[str | None, int, Gesture]
"""The name of a box, or None for every box; a button; a gesture."""


@dataclass(frozen=True, slots=True)
class Bindings:
    """Which place means which wish; the seat is the box's and is added when the button is pressed."""

    intents: Mapping[Place, Intent]

    def intent(self, box: str, button: int, gesture: Gesture, seat: int | None) -> Intent | None:
        """The wish behind a gesture; None where it is bound to nothing."""
        bound = self.intents.get((box, button, gesture)) or self.intents.get((None, button, gesture))
        return None if bound is None else Intent(bound.kind, seat, bound.choice)

    def gestures(self, box: str, button: int) -> frozenset[Gesture]:
        """The gestures that mean something on this button."""
        return frozenset(gesture for gesture in Gesture if self.intent(box, button, gesture, None) is not None)


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
    document.only("format", "binding")
    intents: dict[Place, Intent] = {}
    for entry in document.tables("binding", longest=1000):
        entry.only("box", "button", "gesture", "intent", "choice")
        place = _place(entry)
        if place in intents:
            raise entry.invalid("button", "has two meanings for the same box and gesture")
        intents[place] = _intent(entry)
    return Bindings(MappingProxyType(intents))


def _place(entry: Table) -> Place:
    box = entry.text("box", "", longest=200) or None
    if box is not None:
        try:
            address = BoxAddress.parse(box)
        except InvalidBoxAddress as error:
            raise entry.invalid("box", error.reason) from error
        if address.seat is not None:
            raise entry.invalid("box", "names a seat, which bindings do not know")
        box = address.name
    gesture = Gesture(entry.choice("gesture", tuple(Gesture), Gesture.SINGLE))
    return box, entry.integer("button", 1, HIGHEST_NUMBER), gesture


def _intent(entry: Table) -> Intent:
    kind = IntentKind(entry.choice("intent", tuple(IntentKind)))
    if kind is IntentKind.CHOOSE:
        return Intent(kind, choice=entry.integer("choice", 1, HIGHEST_CHOICE))
    if "choice" in entry:
        raise entry.invalid("choice", "belongs to the intent choose only")
    return Intent(kind)
