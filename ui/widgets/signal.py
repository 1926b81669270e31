"""Draws attention to a refusal: a flash along the window's edge."""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.graphics import Color, Rectangle
from kivy.properties import NumericProperty
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.widgets.scale import scale

EDGE = 12
"""design pixels that the flash is wide"""
FADES_IN = 0.9
"""seconds; one flash only, which is safe for eyes that flicker troubles"""


class Flash(Widget):
    """A coloured edge that fades."""

    strength = NumericProperty(0.0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        with self.canvas:
            self._colour = Color(*theme.NO, 0)
            self._sides = [Rectangle() for _side in range(4)]
        self.bind(pos=self._lay_out, size=self._lay_out, strength=self._fade)

    def begin(self) -> None:
        """Flash once."""
        Animation.cancel_all(self, "strength")
        self.strength = 1.0
        Animation(strength=0.0, duration=FADES_IN, transition="in_quad").start(self)

    def on_touch_down(self, touch: Any) -> bool:
        """What lies below is touched."""
        return False

    def _fade(self, *_: Any) -> None:
        self._colour.a = self.strength

    def _lay_out(self, *_: Any) -> None:
        edge, (x, y), (width, height) = scale.unit * EDGE, self.pos, self.size
        for side, (left, low, wide, high) in zip(
            self._sides,
            (
                (x, y, width, edge),
                (x, y + height - edge, width, edge),
                (x, y, edge, height),
                (x + width - edge, y, edge, height),
            ),
            strict=True,
        ):
            side.pos, side.size = (left, low), (wide, high)
