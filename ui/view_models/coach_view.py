"""What explains a first table, as frozen values without Kivy. Texts are ready to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class CoachAnchor(StrEnum):
    """The part of the play screen that a mark points at."""

    PROMPT = "prompt"
    BOARD = "board"
    CARDS = "cards"
    PRIMARY = "primary"
    UNDO = "undo"


@dataclass(frozen=True, slots=True)
class CoachMarkView:
    """One of the marks: `number` of `count`; the next touch anywhere shows the next one, or none after the last."""

    anchor: CoachAnchor
    text: str
    number: int
    count: int

    @property
    def is_last(self) -> bool:
        """Whether no mark follows."""
        return self.number == self.count
