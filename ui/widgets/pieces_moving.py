"""Pieces on their way, drawn frame by frame above those that lie still."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup

from companion.board.layout import Board
from ui.printed.motion import SECONDS, Movement, compose_moving, movements, without
from ui.printed.scene import Looks
from ui.view_models.play_view import PieceView
from ui.widgets.scene_painting import paint_scene

Pieces = tuple[PieceView, ...]


class PiecesMoving:
    """What moves on a board now, and `group`, in which it is drawn."""

    def __init__(self) -> None:
        self.group = InstructionGroup()
        self._moving: tuple[Movement, ...] = ()
        self._board: Board | None = None
        self._before: Pieces = ()
        self._after: Pieces = ()
        self._drawn_with: tuple[Looks, Any] | None = None
        self._seconds = 0.0
        self._ended: Callable[[], None] = lambda: None
        self._frames = Clock.create_trigger(self._go_on, 0, interval=True)

    def begin(self, board: Board, before: Pieces, after: Pieces, ended: Callable[[], None]) -> None:
        """Let what differs move, and have `ended` called then. What moved before is where it should be at once; where
        the same pieces lie there, it goes on.
        """
        moving = movements(board, before, after)
        if not moving and self._moving and not movements(board, self._after, after):
            self._after = after
            return
        self.end()
        if moving:
            self._board, self._before, self._after, self._ended = board, before, after, ended
            self._moving, self._seconds = moving, 0.0
            self._frames()

    def end(self) -> None:
        """Let nothing move any more."""
        self._frames.cancel()
        self._moving, self._drawn_with = (), None
        self.group.clear()

    def resting(self, pieces: Pieces) -> Pieces:
        """The pieces that lie still now."""
        return without(pieces, self._moving) if self._moving else pieces

    def draw(self, looks: Looks, atlas: Any) -> None:
        """Draw what moves where it is now; `atlas` is the texture of all faces."""
        self.group.clear()
        self._drawn_with = looks, atlas
        if self._moving and self._board is not None:
            parts = compose_moving(self._board, looks, self._before, self._after, self._moving, self._seconds)
            paint_scene(self.group, parts, atlas)

    def _go_on(self, elapsed: float) -> None:
        self._seconds += elapsed
        if self._drawn_with is None or self._seconds >= max(SECONDS[each.way] for each in self._moving):
            self.end()
            self._ended()
        else:
            self.draw(*self._drawn_with)
