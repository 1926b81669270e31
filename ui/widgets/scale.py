"""One unit of length for all screens: it grows with the window and with the size the reader asks for."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
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

MOST_TELLINGS = 10
"""tellings of one size that may end halfway, as many as widgets go away in one after another"""


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
        self._tell("touch", max(dp(TOUCH), unit * TOUCH))
        self._tell("unit", unit)  # last: those who follow it find everything in step

    def _tell(self, name: str, value: float) -> None:
        """Set a property, and tell everybody again where a widget went away meanwhile.

        Kivy sets what a rule of a layout gives by a weak reference to the rule's widget. Where that is collected while
        the rule is worked out, ReferenceError ends the telling halfway; its rules are gone when all are told again.
        """
        tell = partial(setattr, self, name, value)
        for _time in range(MOST_TELLINGS):
            with suppress(ReferenceError):
                return tell()
            tell = partial(self.property(name).dispatch, self)
        return tell()


scale = Scale()
