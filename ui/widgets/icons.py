"""Signs drawn with a round pen, by themselves and on buttons."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, InstructionGroup, SmoothLine
from kivy.metrics import dp
from kivy.properties import ColorProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.icons import GRID, ICONS, PEN
from ui.drawing.laurel import laurel
from ui.widgets.controls import PushButton, extent, load_layout
from ui.widgets.painting import polygon
from ui.widgets.scale import scale

LAUREL = "laurel"
"""a sign of leaves"""
HEAD, FOOT, SIGN, APART = 18, 16, 26, 9
"""design pixels of a quiet button's letters, of those below, of its sign, and between"""


class Icon(Widget):
    """A sign of `ui.drawing.icons` by name, as large as its space allows."""

    name = StringProperty()
    tint = ColorProperty(theme.INK)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw, name=self._draw, tint=self._draw)
        self._draw()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        side = min(self.size)
        # Kivy's own centre may still be the old one while a position is announced.
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        if self.name == LAUREL and side >= 4:
            tint = self.tint[0], self.tint[1], self.tint[2]
            for leaf in laurel((left + side / 2, low + side * 0.5), side * 0.38):
                polygon(self._drawing, leaf, tint)
        if self.name not in ICONS or side < 4:
            return
        grown = side / GRID
        self._drawing.add(Color(*self.tint))
        for stroke in ICONS[self.name]:
            points = [value for x, y in stroke for value in (left + x * grown, low + y * grown)]
            self._drawing.add(SmoothLine(points=points, width=PEN * grown * 0.62))


class IconButton(PushButton):
    """A button with a sign alone; `says` names it for those who read."""

    icon = StringProperty()
    says = StringProperty()


class IconWordButton(ButtonBehavior, BoxLayout):
    """A quiet button: a sign, what it does, and below that with what."""

    icon = StringProperty()
    text = StringProperty()
    below = StringProperty()
    wanted_width = NumericProperty(0)
    """pixels that all of it takes"""
    tint = ColorProperty(theme.INK)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.bind(text=self._measure, below=self._measure)
        scale.bind(unit=self._measure)
        self._measure()

    def _measure(self, *_: Any) -> None:
        head = extent(self.text, max(dp(13), scale.unit * HEAD), True)[0]
        foot = extent(self.below, max(dp(12), scale.unit * FOOT), False)[0] if self.below else 0.0
        self.wanted_width = max(head, foot) + 2 + scale.unit * (SIGN + 3 * APART)


load_layout(__file__)
