"""One unit of length for all screens: it grows with the window and with the size the reader asks for."""

from __future__ import annotations

from typing import Any

from kivy.event import EventDispatcher
from kivy.metrics import dp
from kivy.properties import NumericProperty

DESIGN_SIZE = (1280, 800)
"""the window (dp) in which a unit is one dp"""
SMALLEST, LARGEST = 0.8, 1.7
TOUCH = 48
NARROW = 760
"""design pixels below which an upright window is narrow, so that parts are stacked instead of side by side"""


class Scale(EventDispatcher):
    """`unit` is the pixels of a design pixel, `touch` those of a touch target: never less than 48 dp."""

    unit = NumericProperty(1.0)
    touch = NumericProperty(48.0)
    reader = NumericProperty(1.0)
    """the reader's own wish: 1.0 to 1.6"""

    def follow(self, window: Any) -> None:
        """Take the unit from a window's size from now on."""
        window.bind(on_resize=self._resized)
        self.bind(reader=lambda *_: self._fit(*window.size))
        self._fit(*window.size)

    def _resized(self, _window: Any, width: float, height: float) -> None:
        self._fit(width, height)

    def _fit(self, width: float, height: float) -> None:
        long, short = max(width, height) / dp(1), min(width, height) / dp(1)
        fit = min(long / DESIGN_SIZE[0], short / DESIGN_SIZE[1])
        unit = dp(1) * min(max(fit, SMALLEST), LARGEST) * self.reader
        self.touch = max(dp(TOUCH), unit * TOUCH)
        self.unit = unit  # last: those who follow it find everything in step


scale = Scale()
