"""Keeps the second of two quick taps from pressing what came under the finger with the first."""

from __future__ import annotations

from collections.abc import Callable

from ui.view_models.play_view import PlayView

SETTLING = 0.35
"""seconds after other buttons were first seen in which none takes a touch: the second tap of two comes within 0.3 s"""
_AGAIN = ("undo", "redo")
"""what may be pressed again at once: it is pressed several times on purpose, and stays where it is"""


class Settling:
    """Says whether a touch of buttons that change counts.

    `clock` gives seconds; what `after_frame` is given is called once the changed buttons can be seen. A control for
    which `may_repeat` holds is taken again at once.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        after_frame: Callable[[Callable[[], None]], None],
        may_repeat: Callable[[str], bool] = _AGAIN.__contains__,
    ) -> None:
        self._clock, self._after_frame, self._may_repeat = clock, after_frame, may_repeat
        self._until = 0.0
        self._pressed = self._site = ""

    def changed(self) -> None:
        """Other buttons and cards are there from now on, and will be seen with the coming frame."""
        if SETTLING > 0:
            self._until = float("inf")
            self._after_frame(self._seen)

    def _seen(self) -> None:
        self._until = self._clock() + SETTLING

    def follow(self, before: PlayView | None, view: PlayView) -> None:
        """Another view of a table is shown; opening, the record, a question or a refusal brings other buttons."""
        if before is None or _stage(before) != _stage(view):
            self.changed()

    def takes(self, control: str) -> bool:
        """Whether a touch of this button, or of a card, counts."""
        is_again = control == self._pressed and self._may_repeat(control)
        if self._clock() < self._until and not is_again:
            return False
        self._pressed = control
        return True

    def takes_site(self, site: str) -> bool:
        """Whether a touch of the board counts: not a second one at the same place before what came there was seen."""
        is_again, self._site = site == self._site, site
        return not is_again or self.takes(site)


def _stage(view: PlayView) -> tuple[object, ...]:
    return view.log, view.question, view.is_refusal, view.corrected
