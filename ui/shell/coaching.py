"""Explains the first table of a device by three marks, once; which, and when they give way. No Kivy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ui.services.settings import Introduction, Settings
from ui.services.text import _
from ui.view_models.coach_view import CoachAnchor, CoachMarkView
from ui.view_models.play_view import PlayView, VerdictKind

MARKS = 3


class Coaching:
    """The marks of the table that is open; `settle` keeps settings in which they are over."""

    def __init__(self, settings: Callable[[], Settings], settle: Callable[[Settings], None]) -> None:
        self._settings, self._settle = settings, settle
        self._number = 0
        """of the mark that is shown; 0 for none"""

    def begin(self, *, is_first_table: bool) -> None:
        """A table is opened: show the marks if they are wanted, or if it is the first one of this device."""
        wanted = self._settings().introduction
        is_wanted = wanted == Introduction.NEXT_TABLE or (wanted == Introduction.FIRST_TABLE and is_first_table)
        self._number = 1 if is_wanted else 0

    def mark(self, view: PlayView) -> CoachMarkView | None:
        """What to show over a table's view; nothing while the table is asked or told something else."""
        if not self._number or _has_something_to_say(view):
            return None
        anchor, text = (_of_prompt, _of_places, _of_what_follows)[self._number - 1](view)
        return CoachMarkView(anchor, text, self._number, MARKS)

    def next(self) -> None:
        """A touch: show the next mark, or none any more."""
        if self._number >= MARKS:
            self.skip()
        elif self._number:
            self._number += 1

    def skip(self) -> None:
        """Show none any more.

        Raises OSError where that cannot be remembered.
        """
        if self._number:
            self._number = 0
            self._settle(replace(self._settings(), introduction=Introduction.NONE))


def _has_something_to_say(view: PlayView) -> bool:
    """Whether a refusal, a question, a proposal or the final score stands on the screen."""
    told = view.verdict.kind if view.verdict is not None else None
    is_over = view.score is not None and view.score.final
    return bool(view.question) or is_over or told in (VerdictKind.REFUSED, VerdictKind.PROPOSED)


def _of_prompt(_view: PlayView) -> tuple[CoachAnchor, str]:
    return CoachAnchor.PROMPT, _("Whose turn it is, and what the table waits for.")


def _of_places(view: PlayView) -> tuple[CoachAnchor, str]:
    """How what was done is told: by itself, by a place of the board, or by a card of the tray."""
    if view.is_watched:
        return CoachAnchor.BOARD, _("The camera sees what you lay on the table and enters it. You can touch it, too.")
    if view.legal_sites and view.choices:
        return CoachAnchor.BOARD, _(
            "Play at the table, then touch the place here. What has no place, such as drawn tiles, is in the row below."
        )
    if view.legal_sites or not view.choices:
        return CoachAnchor.BOARD, _(
            "Play at the table, then touch here where it was. Hold it, and letting go does what the red button says."
        )
    return CoachAnchor.CARDS, _("Play at the table, then touch here what you did.")


def _of_what_follows(view: PlayView) -> tuple[CoachAnchor, str]:
    """The button that goes on; before anything is recorded and while nothing follows, the one that goes back."""
    if any(button.strong and button.intent == "done" for button in view.buttons):
        return CoachAnchor.PRIMARY, _("This does what usually comes next. Undo, on the left, takes back any mistake.")
    return CoachAnchor.UNDO, _("Nothing can go wrong: this takes back any mistake, one step at a time.")
