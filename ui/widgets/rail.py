"""Parts one above the other or side by side, with gaps only between those that are there."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty
from kivy.uix.layout import Layout


class Rail(Layout):
    """Parts from the top down as wide as it is: those without a `size_hint_y` as high as they are, the others share the
    rest. A part of no height takes no gap.
    """

    spacing = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        again = self._trigger_layout
        self.fbind("pos", again)
        self.fbind("size", again)
        self.fbind("children", again)
        self.fbind("spacing", again)

    def do_layout(self, *_: Any) -> None:
        """Give the parts their places."""
        shown = [part for part in reversed(self.children) if part.size_hint_y is not None or part.height > 0]
        fixed = sum(part.height for part in shown if part.size_hint_y is None)
        shares = sum(part.size_hint_y or 0 for part in shown)
        rest = max(0.0, self.height - fixed - self.spacing * (len(shown) - 1))
        top = self.top
        for part in shown:
            if part.size_hint_y is not None:
                part.height = rest * part.size_hint_y / shares if shares else 0
            part.width = self.width
            part.x, part.top = self.x, top
            top -= part.height + self.spacing
        for part in self.children:
            if part not in shown:
                part.width = self.width
                part.x, part.top = self.x, max(self.y, top)


class Strip(Layout):
    """Parts from left to right within `padding` above and below: those without a `size_hint_x` as wide as they are, the
    others share the rest; as high as there is room, or in the middle. A part of no width takes no gap.
    """

    spacing = NumericProperty(0)
    padding = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        again = self._trigger_layout
        for name in ("pos", "size", "children", "spacing", "padding"):
            self.fbind(name, again)

    def gaps(self, count: int) -> float:
        """Pixels between so many parts."""
        return float(self.spacing * max(0, count - 1))

    def do_layout(self, *_: Any) -> None:
        """Give the parts their places."""
        shown = [part for part in reversed(self.children) if part.size_hint_x is not None or part.width > 0]
        fixed = sum(part.width for part in shown if part.size_hint_x is None)
        shares = sum(part.size_hint_x or 0 for part in shown)
        rest = max(0.0, self.width - fixed - self.gaps(len(shown)))
        x, inside = self.x, self.height - 2 * self.padding
        for part in shown:
            if part.size_hint_x is not None:
                part.width = rest * part.size_hint_x / shares if shares else 0
            if part.size_hint_y is not None:
                part.height = inside
            part.x, part.y = x, self.y + self.padding + (inside - part.height) / 2
            x += part.width + self.spacing
        for part in self.children:
            if part not in shown:
                part.x, part.y = min(x, self.right), self.y + self.padding
