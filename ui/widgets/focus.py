"""Keyboard focus for any screen: Tab and arrows move a frame from button to button, Enter presses it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Line
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.scrollview import ScrollView
from kivy.uix.textinput import TextInput
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.widgets.scale import scale

TAB, ENTER, NUMPAD_ENTER, SPACE = 9, 13, 271, 32
UP, DOWN, RIGHT, LEFT = 273, 274, 275, 276


class KeyboardFocus(Widget):
    """Draws a frame around the focused button and scrolls to it; nothing until the keyboard is used."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._screen: Widget | None = None
        self.target: Widget | None = None
        self._draw_soon = Clock.create_trigger(self._draw, -1)

    @property
    def is_writing(self) -> bool:
        """Whether the keys go into a text."""
        screen = self._screen
        return screen is not None and any(isinstance(each, TextInput) and each.focus for each in screen.walk())

    def watch(self, screen: Widget) -> None:
        """From now on the keys are for this screen."""
        if screen is not self._screen:
            self._screen = screen
            self._frame(None)

    def on_touch_down(self, touch: Any) -> bool:
        """Hide the frame at a touch, which this widget does not consume."""
        self._frame(None)
        return False

    def presses(self, key: int) -> bool:
        """Whether the key would press what is framed."""
        return key in (ENTER, NUMPAD_ENTER, SPACE) and self.target is not None

    def on_key(self, key: int, modifiers: list[str]) -> bool:
        """Move the focus or press; True if the key was used."""
        targets = list(self._targets())
        if key in (ENTER, NUMPAD_ENTER, SPACE):
            if self.target not in targets:
                return False
            pressed = self.target
            pressed.trigger_action(0)  # type: ignore[union-attr]
            return True
        if key not in (TAB, UP, DOWN, LEFT, RIGHT) or not targets:
            return False
        backward = key in (UP, LEFT) or (key == TAB and "shift" in modifiers)
        if self.target in targets:
            place = (targets.index(self.target) + (-1 if backward else 1)) % len(targets)
        else:
            place = len(targets) - 1 if backward else 0
        self._frame(targets[place])
        return True

    def _targets(self) -> Iterator[Widget]:
        """What can be pressed, or written into, from top to bottom as the screen is laid out."""
        if self._screen is None:
            return
        for widget in self._screen.walk():
            usable = isinstance(widget, ButtonBehavior | TextInput) and not widget.disabled and widget.opacity > 0
            if usable and min(widget.size) > 1:
                yield widget

    def _frame(self, target: Widget | None) -> None:
        if isinstance(self.target, TextInput):
            self.target.focus = False
        if self.target is not None:
            self.target.unbind(pos=self._draw, size=self._draw)
            for scrolling in _scrolling(self.target):
                scrolling.unbind(scroll_x=self._draw_soon, scroll_y=self._draw_soon)
        self.target = target
        if target is not None:
            target.bind(pos=self._draw, size=self._draw)
            for scrolling in _scrolling(target):
                scrolling.bind(scroll_x=self._draw_soon, scroll_y=self._draw_soon)
                scrolling.scroll_to(target, animate=False)
        if isinstance(target, TextInput):
            target.focus = True
        self._draw()

    def _draw(self, *_: Any) -> None:
        self.canvas.clear()
        if self.target is None:
            return
        x, y = self.target.to_window(*self.target.pos)
        inset = scale.unit * 2
        with self.canvas:
            Color(*theme.GOLD)
            for gap in (0, 1, 2):
                Line(
                    rounded_rectangle=(
                        x - inset - gap, y - inset - gap,
                        self.target.width + 2 * (inset + gap), self.target.height + 2 * (inset + gap), scale.unit * 9,
                    )
                )  # fmt: skip


def _scrolling(widget: Widget) -> Iterator[ScrollView]:
    """What scrolls the widget, from the innermost on."""
    while widget.parent is not None and widget.parent is not widget:
        widget = widget.parent
        if isinstance(widget, ScrollView):
            yield widget
