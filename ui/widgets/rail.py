"""Parts one above the other, with gaps only between those that are there."""

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
