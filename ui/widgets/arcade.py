"""An aqueduct along the lower edge of a screen, a shade darker than the screen itself."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.shapes import Points, circle
from ui.drawing.theme import Colour
from ui.widgets.painting import polygon
from ui.widgets.scale import scale

SPAN = 120
"""design pixels from pier to pier of the lower tier; the upper one has two arches in that space"""


class Arcade(Widget):
    """Draws two tiers of arches as wide as the widget, the lower one cut off below."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._redraw, size=self._redraw)
        self._redraw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        stone = theme.mixed(theme.TABLE, theme.EDGE, 0.42)
        edge = theme.mixed(theme.TABLE, theme.EDGE, 0.8)
        count = max(3, round(self.width / (scale.unit * SPAN)))
        span, top = self.width / count, self.y + self.height
        self._course(stone, edge, top, span * 0.08)
        self._tier(stone, top - span * 0.08, span / 2, span * 0.42, 2 * count)
        self._course(stone, edge, top - span * 0.5, span * 0.1)
        self._tier(stone, top - span * 0.6, span, max(0.0, self.height - span * 0.6), count)

    def _course(self, stone: Colour, edge: Colour, top: float, height: float) -> None:
        """A row of stones under a ledge."""
        polygon(self._drawing, _block(self.x, top - height, self.width, height), stone)
        polygon(self._drawing, _block(self.x, top - height * 0.3, self.width, height * 0.3), edge)

    def _tier(self, stone: Colour, top: float, span: float, height: float, count: int) -> None:
        """A wall with an opening, round above, in each of its parts."""
        if height <= 0:
            return
        polygon(self._drawing, _block(self.x, top - height, self.width, height), stone)
        for number in range(count):
            middle, radius = self.x + span * (number + 0.5), min(span * 0.36, height * 0.8)
            spring = top - span * 0.08 - radius
            arch = [(x, max(y, spring)) for x, y in circle((middle, spring), radius, 48)]
            polygon(self._drawing, arch, theme.TABLE)
            low = top - height
            if spring > low:
                polygon(self._drawing, _block(middle - radius, low, 2 * radius, spring - low), theme.TABLE)


def _block(left: float, low: float, width: float, height: float) -> Points:
    return (left, low), (left + width, low), (left + width, low + height), (left, low + height)
