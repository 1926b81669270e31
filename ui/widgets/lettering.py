"""Headings in the lettering of the prints: capitals set wide."""

from __future__ import annotations

from typing import Any

from kivy.core.text import Label as CoreLabel
from kivy.properties import NumericProperty, StringProperty

from ui.drawing.fonts import LETTERING, READING
from ui.widgets.controls import FittingText, load_layout

HAIR_SPACE = "\u200a"
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÀÈÉÌÒÙ0123456789 :.,-–'&")
"""what the prints' letters have; other texts are set in the font for reading"""


class Lettering(FittingText):
    """`words` in the prints' capitals with a hair more space between the letters."""

    words = StringProperty()
    text_width = NumericProperty(0)
    """pixels that it takes in a single line"""

    family = StringProperty(LETTERING)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.bind(words=self._set, largest=self._measure, font_name=self._keep_letters)
        self._set()

    @property
    def _measured_font(self) -> str:
        return self.family

    def _set(self, *_arguments: Any) -> None:
        has_letters = set(self.words) <= _LETTERS
        self.family = LETTERING if has_letters else READING
        words = (HAIR_SPACE.join(word) for word in self.words.split(" "))
        self.text = " ".join(words) if has_letters else self.words
        self._measure()

    def _keep_letters(self, _label: Any, name: str) -> None:
        """Labels take the font for reading whenever their text changes."""
        if name != self.family:
            self.font_name = self.family

    def _measure(self, *_arguments: Any) -> None:
        label = CoreLabel(font_name=self.family, font_size=self.largest)
        self.text_width = label.get_extents(self.text)[0] if self.text else 0


load_layout(__file__)
