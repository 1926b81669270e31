"""Calling the judge of an event, at one table. No Kivy, no network."""

from __future__ import annotations

from ui.services.text import _


class JudgeCall:
    """Whether somebody looks after the table who can be called, and whether that is called now."""

    def __init__(self) -> None:
        self.is_reachable = self.is_called = False

    def toggle(self) -> str:
        """Call, or take the call back; gives what the table is told."""
        if not self.is_reachable:
            self.is_called = False
            return _("No organiser looks after this table; nobody can be called.")
        self.is_called = not self.is_called
        return _("The judge is called.") if self.is_called else _("The judge is called no more.")
