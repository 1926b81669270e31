"""Calling the judge of an event, at one table. No Kivy, no network."""

from __future__ import annotations

from collections.abc import Callable

from companion.session.intents import IntentResult
from ui.services.text import _


class JudgeCall:
    """Whether somebody looks after the table who can be called, and whether that is called now."""

    def __init__(self) -> None:
        self.is_reachable = self.is_called = False

    def toggle(self, say: Callable[[str], None]) -> IntentResult:
        """Call, or take the call back, and say so to the table."""
        if not self.is_reachable:
            self.is_called = False
            say(_("No organiser looks after this table; nobody can be called."))
            return IntentResult.REFUSED
        self.is_called = not self.is_called
        say(called_text() if self.is_called else _("The judge is called no more."))
        return IntentResult.ACCEPTED


def called_text() -> str:
    """What the table says while it calls."""
    return _("The judge is called.")
