"""A phone that has a key, as the table's thread knows it: its number, its state, and which of its posts are done."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace

from ui.table.phone_views import PhoneState

REMEMBERED_POSTS = 64


@dataclass(slots=True)
class KnownPhone:
    """One phone; `number` is what people call it by."""

    number: int
    state: PhoneState = field(default_factory=PhoneState)
    serial: int = 0
    """how often its own page has changed; nobody else may learn that"""
    done: deque[str] = field(default_factory=lambda: deque(maxlen=REMEMBERED_POSTS))
    deeds: int = 0
    """how often it has asked for more than help"""
    is_dirty: bool = False
    position: int | None = None
    """the state of the game of which it was told something, no longer true in another"""

    def say(self, note: str, position: int | None = None) -> None:
        """Tell it something; of a `position` only until the game goes on."""
        self.state, self.position, self.is_dirty = replace(self.state, note=note), position, True

    def unsay(self, note: str) -> None:
        """Tell it this no longer, if it was told nothing else since."""
        if note and self.state.note == note:
            self.say("")

    def forget_position(self, position: int) -> None:
        """Tell it no longer what held of another position than this."""
        if self.position not in (None, position):
            self.state, self.position = replace(self.state, note="", refused=None), None
            self.is_dirty = True

    def forget_question(self) -> None:
        """Tell it no longer that its question is asked."""
        self.state, self.is_dirty = replace(self.state, own_question="", note=""), True
