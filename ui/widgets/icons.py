"""Signs drawn with a round pen, by themselves and on buttons."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from kivy.clock import Clock
from kivy.graphics import Color, InstructionGroup, Rectangle, SmoothLine
from kivy.metrics import dp
from kivy.properties import ColorProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.icons import GRID, ICONS, PEN
from ui.drawing.laurel import laurel
from ui.widgets.controls import PushButton, extent, fits, load_layout
from ui.widgets.scale import scale
from ui.widgets.scene_painting import texture_of

LAUREL = "laurel"
"""a sign of leaves"""
HEAD, FOOT, SIGN, APART = 18, 16, 26, 9
"""design pixels of a quiet button's letters, of those below, of its sign, and between"""
FINER = 4
"""times that a wreath is drawn larger than it is shown"""
SMALLEST, LINE = 0.8, 1.35
"""by what its letters may be smaller, and how high a line is for their size"""


class Icon(Widget):
    """A sign of `ui.drawing.icons` by name, as large as its space allows."""

    name = StringProperty()
    tint = ColorProperty(theme.INK)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        draw_soon = Clock.create_trigger(self._draw, -1)
        self.bind(pos=draw_soon, size=draw_soon, name=draw_soon, tint=draw_soon)
        draw_soon()

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        side = min(self.size)
        left, low = self.x + (self.width - side) / 2, self.y + (self.height - side) / 2
        if self.name == LAUREL and side >= 4:
            self._drawing.add(Color(*self.tint))
            wreath = Rectangle(texture=_wreath(round(side)), pos=(left, low), size=(side, side))
            wreath.tex_coords = 0, 1, 1, 1, 1, 0, 0, 0  # the first row of a texture is the upper one of its picture
            self._drawing.add(wreath)
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
    """A quiet button: a sign, what it does, and below that with what, as far as there is room for words."""

    icon = StringProperty()
    text = StringProperty()
    below = StringProperty()
    wanted_width = NumericProperty(0)
    """pixels that all of it takes in one line each"""
    head_height = NumericProperty(0)
    foot_height = NumericProperty(0)
    """pixels of what it does, and of what stands below; 0 where it is left out"""
    tint = ColorProperty(theme.INK)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._share_soon = Clock.create_trigger(self._share, -1)
        self.bind(text=self._measure, below=self._measure, size=self._share_soon)
        scale.bind(unit=self._measure)
        self._measure()

    def within(self, most: float) -> float:
        """The width (pixels) it takes where it may take `most`: without room for its word that of its sign alone."""
        if self.has_words_within(most):
            return float(min(self.wanted_width, most))
        return float(max(scale.touch, scale.unit * (SIGN + 2 * APART)))

    def has_words_within(self, most: float) -> bool:
        """Whether a width (pixels) has room for its word, in letters as small as they may be."""
        word = extent(self.text, head_size() * SMALLEST, True)[0] + 2
        return bool(self.wanted_width <= most or word <= most - beside_words())

    def _measure(self, *_: Any) -> None:
        head = extent(self.text, head_size(), True)[0]
        foot = extent(self.below, foot_size(), False)[0] if self.below else 0.0
        self.wanted_width = max(head, foot) + 2 + beside_words()
        self._share_soon()

    def _share(self, *_: Any) -> None:
        """Give the word a line, or all the height where it needs more, and what is left to what stands below."""
        room, head, foot = self.width - beside_words(), head_size(), foot_size()
        line = head * LINE
        if not fits(self.text, head * SMALLEST, room, line, bold=True):
            line = self.height if fits(self.text, head * SMALLEST, room, self.height, bold=True) else 0.0
        left = min(self.height - line, 2 * foot * LINE)
        has_foot = bool(self.below) and 0 < line < self.height
        has_foot = has_foot and fits(self.below, foot * SMALLEST, room, left, bold=False)
        is_long = has_foot and not fits(self.below, foot, room, foot * LINE, bold=False)
        self.head_height, self.foot_height = line, (left if is_long else foot * LINE) if has_foot else 0.0


@lru_cache(maxsize=16)
def _wreath(side: int) -> Any:
    """The texture of a laurel wreath in white, so many pixels wide and high, with smooth edges."""
    fine = np.zeros((side * FINER, side * FINER), np.uint8)
    for leaf in laurel((side / 2, side / 2), side * 0.38):
        corners = [(x * FINER, (side - y) * FINER) for x, y in leaf]
        cv2.fillConvexPoly(fine, np.round(corners).astype(np.int32), 255)
    opaque = cv2.resize(fine, (side, side), interpolation=cv2.INTER_AREA)
    white = np.full((side, side, 3), 255, np.uint8)
    return texture_of(np.ascontiguousarray(np.dstack([white, opaque])))


def head_size() -> float:
    """Pixels of the letters that say what a quiet button does."""
    return float(max(dp(13), scale.unit * HEAD))


def foot_size() -> float:
    """Pixels of the letters below."""
    return float(max(dp(12), scale.unit * FOOT))


def beside_words() -> float:
    """Pixels of a quiet button that its words do not have."""
    return float(scale.unit * (SIGN + 3 * APART))


load_layout(__file__)
