"""Keeps the second of two quick taps from pressing what came under the finger with the first."""

from __future__ import annotations

from collections.abc import Callable

from ui.view_models.play_view import PlayView

SETTLING = 0.35
"""seconds after a change of the tray in which it takes no touch: the second tap of two comes within 0.3 s"""
_AGAIN = ("undo", "redo")
"""what may be pressed again at once: it is pressed several times on purpose, and stays where it is"""


class Settling:
    """Says whether a touch of the tray counts; `clock` gives seconds."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._until = 0.0
        self._pressed = ""

    def changed(self) -> None:
        """Other buttons and cards lie in the tray from now on."""
        self._until = self._clock() + SETTLING

    def follow(self, before: PlayView | None, view: PlayView) -> None:
        """Another view is shown: the record, a question or a refusal brings other buttons."""
        if before is not None and _stage(before) != _stage(view):
            self.changed()

    def takes(self, control: str) -> bool:
        """Whether a touch of this button, or of a card, counts."""
        is_again = control == self._pressed and control in _AGAIN
        if self._clock() < self._until and not is_again:
            return False
        self._pressed = control
        return True


def _stage(view: PlayView) -> tuple[object, ...]:
    return view.log, view.question, view.is_refusal
