"""The marks over the play screen that explain a first table."""

from __future__ import annotations

from typing import Any

from ui.screens.play_keys import ENTER, ESCAPE, NUMPAD_ENTER
from ui.shell.coaching import Coaching
from ui.view_models.coach_view import CoachAnchor
from ui.view_models.play_view import PlayView


class PlayCoach:
    """Shows what `coaching` explains beside the parts (`ids`) of the screen; nothing where nobody explains."""

    def __init__(self, ids: Any, coaching: Coaching | None) -> None:
        self._ids, self._coaching = ids, coaching
        self._view: PlayView | None = None

    def show(self, view: PlayView) -> None:
        """The mark for a view, as the screen is laid out now; none before the board's picture is there."""
        self._view = view
        is_seen = self._ids.board.textures is not None
        mark = self._coaching.mark(view) if self._coaching is not None and is_seen else None
        self._ids.coach.show(mark, self._target(mark.anchor) if mark is not None else None)

    def next(self) -> None:
        """The mark was read."""
        if self._coaching is not None and self._view is not None:
            self._coaching.next()
            self.show(self._view)

    def skip(self) -> None:
        """No more marks are wanted."""
        if self._coaching is not None and self._view is not None:
            self._coaching.skip()
            self.show(self._view)

    def on_key(self, key: int) -> bool:
        """Enter shows the next mark, Escape ends them; all other keys do what they do without marks."""
        if self._ids.coach.mark is None or key not in (ENTER, NUMPAD_ENTER, ESCAPE):
            return False
        if key == ESCAPE:
            self.skip()
        else:
            self.next()
        return True

    def _target(self, anchor: CoachAnchor) -> Any:
        """The part of the screen that an anchor stands for; the cards may lie on the shelf."""
        if anchor is CoachAnchor.CARDS and not self._ids.cards.cards:
            return self._ids.shelf
        return self._ids[anchor]
