"""A part of the board seen near: the place that is looked at and its neighbours."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty

from companion.board.lattice import Point
from ui.drawing.board_frame import BoardFrame
from ui.widgets.board_view import BoardView


class LensBoard(BoardView):
    """Shows the board around a point, so many millimetres across."""

    across = NumericProperty(0)
    """mm of the board that the shorter side shows; 0 for all of it"""

    def __init__(self, **properties: Any) -> None:
        self._looked: Point | None = None
        super().__init__(**properties)

    def look_at(self, point: Point | None, across: float) -> None:
        """Show the board around a point (mm), so many mm across; all of it for none."""
        if (point, across) != (self._looked, self.across):
            self._looked, self.across = point, across
            self._look_there()

    def _on_moved(self, *arguments: Any) -> None:
        super()._on_moved(*arguments)
        self._look_there()

    def _look_there(self) -> None:
        if self._looked is None or not self.across or self.board is None or min(self.size) < 2:
            return
        step = min(self.size) / self.across
        x, y = self._looked
        self._place(BoardFrame(step, (self.center_x - x * step, self.center_y + y * step)))
