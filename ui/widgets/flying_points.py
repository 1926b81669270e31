"""Points on their way from the board to their owner."""

from __future__ import annotations

from typing import Any

from kivy.animation import Animation
from kivy.uix.label import Label
from kivy.uix.widget import Widget

from companion.board.lattice import Point
from ui.drawing import theme
from ui.drawing.fonts import STRONG
from ui.widgets.scale import scale

SECONDS = 0.42
SIZE = 34
"""design pixels of the figures"""


class FlyingPoints(Widget):
    """Lies over a screen; touches go through it."""

    def fly(self, points: int, start: Point, end: Point) -> None:
        """Let "+7" go from one window position to another."""
        label = Label(
            text=f"[font={STRONG}]+{points}[/font]", markup=True, font_size=scale.unit * SIZE, color=(*theme.OK, 1),
            outline_color=theme.PAPER, outline_width=scale.unit * 2, center=start, size=(1, 1),
        )  # fmt: skip
        self.add_widget(label)
        flight = Animation(center_x=end[0], center_y=end[1], duration=SECONDS, transition="in_out_cubic")
        flight.bind(on_complete=self._arrived)
        flight.start(label)

    def on_touch_down(self, touch: Any) -> bool:
        """What lies below is touched."""
        return False

    def _arrived(self, _flight: Any, label: Any) -> None:
        self.remove_widget(label)
