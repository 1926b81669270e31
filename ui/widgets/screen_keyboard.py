"""The keyboard on the screen, for names written by touch alone."""

from __future__ import annotations

from typing import Any

from kivy.uix.vkeyboard import VKeyboard

from ui.text import language_in_use

LAYOUTS = {"de": "de", "it": "fr_CH"}
"""language -> Kivy's layout that has its letters"""
USUAL = "qwerty"


class ScreenKeyboard(VKeyboard):
    """Has the letters of the language in use whenever it is called up."""

    def setup_mode(self, *arguments: Any) -> None:
        """Kivy is about to show it."""
        self.layout = LAYOUTS.get(language_in_use(), USUAL)
        super().setup_mode(*arguments)
