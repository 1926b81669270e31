"""What a phone sends when its user taps."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from companion.session.intents import IntentKind


class Deed(StrEnum):
    """What a post asks for."""

    SEAT = "seat"
    BUTTON = "button"
    CHOOSE = "choose"
    ANSWER = "answer"
    UNDO = "undo"
    HAND = "hand"


@dataclass(frozen=True, slots=True)
class Post:
    """One tap: what it asks for, `number` of its own (a second one of that number does nothing), `at` which state."""

    deed: Deed
    number: str
    at: int
    value: str = ""
    names: tuple[str, ...] = ()

    @property
    def asks_for_help(self) -> bool:
        """Whether it only asks what may be done, so that what is looked at stays so."""
        return (self.deed, self.value) == (Deed.BUTTON, IntentKind.HELP)
