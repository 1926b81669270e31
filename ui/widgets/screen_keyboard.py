"""The keyboard on the screen, for names written by touch alone."""

from __future__ import annotations

from typing import Any

from kivy.uix.vkeyboard import VKeyboard
from kivy.uix.widget import Widget

from ui.services.text import language_in_use
from ui.widgets.scale import scale

LAYOUTS = {"de": "de", "it": "fr_CH"}
"""language -> Kivy's layout that has its letters"""
USUAL = "qwerty"
OBSCURE, KEYBOARD = "⬒", "⌨"
"""the sign by which Kivy's layouts mean another layout, and what stands there instead"""
ABOVE = 12
"""design pixels between the keyboard and what is written into"""


class ScreenKeyboard(VKeyboard):
    """Has the letters of the language in use whenever it is called up, and lifts what it would hide of its target."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        for layout in self.available_layouts.values():
            for row in (row for name, row in layout.items() if name.startswith(("normal_", "shift_", "special_"))):
                row[:] = [[KEYBOARD, *key[1:]] if key[0] == OBSCURE else key for key in row]
        self._lifted: Widget | None = None

    def setup_mode(self, *arguments: Any) -> None:
        """Kivy is about to show it."""
        self.layout = LAYOUTS.get(language_in_use(), USUAL)
        super().setup_mode(*arguments)
        self._lift()

    def on_parent(self, _keyboard: Widget, parent: Any) -> None:
        """It came or went."""
        if parent is None and self._lifted is not None:
            self._lifted.y, self._lifted = 0, None

    def _lift(self) -> None:
        target = self.target
        if self._lifted is not None or not isinstance(target, Widget) or self.parent is None:
            return
        _x, low = target.to_window(*target.pos)
        hidden = self.height * self.scale + ABOVE * scale.unit - low
        if hidden > 0:
            self._lifted = next((top for top in target.walk_reverse() if top.parent is self.parent), None)
        if self._lifted is not None:
            self._lifted.y = min(hidden, max(0, self.parent.height - low - target.height))
