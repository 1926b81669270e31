"""The marks that explain a first table: a few words that point at a part of the screen, the rest dimmed."""

from __future__ import annotations

from typing import Any

from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine, Triangle
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout

from ui.drawing import theme
from ui.drawing.board_frame import Box
from ui.services.text import _
from ui.view_models.coach_view import CoachMarkView
from ui.widgets.controls import load_layout
from ui.widgets.scale import scale

WIDTH, POINTER, AROUND = 440, 16, 6
"""design pixels: of the box, of its pointer, left free around what it points at"""
DIM = 0.55


class CoachMarks(FloatLayout):
    """Shows one mark over everything. `on_next` follows a touch anywhere, `on_skip` that of the button to end them."""

    mark = ObjectProperty(None, allownone=True)
    target = ObjectProperty(None, allownone=True)
    """the widget that it points at"""
    told, step = StringProperty(), StringProperty()
    box_width = NumericProperty(0)
    __events__ = ("on_next", "on_skip")

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._ground = InstructionGroup()
        self.canvas.before.add(self._ground)
        for name in ("size", "pos"):
            self.fbind(name, self._lay_out)

    def on_kv_post(self, _base: Any) -> None:
        """The box is there."""
        self.ids.box.bind(size=self._lay_out)
        self._lay_out()

    def show(self, mark: CoachMarkView | None, target: Any) -> None:
        """Show a mark at a widget of the screen, or none."""
        if (mark, target) == (self.mark, self.target):
            return
        if self.target is not None:
            self.target.unbind(pos=self._lay_out, size=self._lay_out)
        self.mark, self.target = mark, target if mark is not None else None
        self.told = mark.text if mark is not None else ""
        self.step = _("{number} of {count}").format(number=mark.number, count=mark.count) if mark is not None else ""
        self.ids.next.text = _("Begin") if mark is not None and mark.is_last else _("Next")
        if self.target is not None:
            self.target.bind(pos=self._lay_out, size=self._lay_out)
        self._lay_out()

    def on_touch_down(self, touch: Any) -> bool:
        """While a mark is shown every touch is for it."""
        if self.mark is None:
            return False
        if not super().on_touch_down(touch):
            touch.ud["coach"] = self.mark
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """A touch that neither of the buttons took shows the next one."""
        if self.mark is None:
            return False
        if touch.ud.get("coach") is self.mark:
            self.dispatch("on_next")
        else:
            super().on_touch_up(touch)
        return True

    def on_next(self) -> None:
        """Shown and read."""

    def on_skip(self) -> None:
        """No more are wanted."""

    def _lay_out(self, *_: Any) -> None:
        box = self.ids.get("box")
        if box is None:
            return
        self.opacity, self.disabled = int(self.mark is not None), self.mark is None
        self.box_width = min(scale.unit * WIDTH, self.width - scale.unit * 24)
        self._ground.clear()
        if self.mark is None or self.target is None:
            return
        free = scale.unit * AROUND
        x, y = self.to_local(*self.target.to_window(*self.target.pos))
        hole = (
            max(self.x, x - free), max(self.y, y - free),
            min(self.right, x + self.target.width + free), min(self.top, y + self.target.height + free),
        )  # fmt: skip
        box.pos, pointer = self._place(hole, box.size)
        self._draw(hole, pointer)

    def _place(self, hole: Box, size: tuple[float, float]) -> tuple[tuple[float, float], tuple[float, ...]]:
        """Where the box stands beside what it points at, and its pointer: below, above, else in the midst of it."""
        left, low, right, high = hole
        width, height = size
        point, edge = scale.unit * POINTER, scale.unit * 12
        x = min(max((left + right - width) / 2, self.x + edge), self.right - width - edge)
        middle = min(max((left + right) / 2, x + 2 * point), x + width - 2 * point)
        if low - point - height - edge >= self.y:
            y = low - point - height
            return (x, y), (middle, low, middle - point, y + height, middle + point, y + height)
        if high + point + height + edge <= self.top:
            y = high + point
            return (x, y), (middle, high, middle - point, y, middle + point, y)
        return (x, (low + high - height) / 2), ()

    def _draw(self, hole: Box, pointer: tuple[float, ...]) -> None:
        left, low, right, high = hole
        around = (
            (self.x, self.y, self.right, low), (self.x, high, self.right, self.top),
            (self.x, low, left, high), (right, low, self.right, high),
        )  # fmt: skip
        self._ground.add(Color(*theme.BLACK, DIM))
        for x, y, end, top in around:
            self._ground.add(Rectangle(pos=(x, y), size=(max(0, end - x), max(0, top - y))))
        self._ground.add(Color(*theme.GOLD_LINE))
        corner = scale.unit * 10
        shape = (left, low, right - left, high - low, corner)
        self._ground.add(SmoothLine(rounded_rectangle=shape, width=scale.unit * 2))
        if pointer:
            self._ground.add(Color(*theme.PAPER))
            self._ground.add(Triangle(points=pointer))


load_layout(__file__)
