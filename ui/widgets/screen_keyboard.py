"""The keyboard on the screen, for names written by touch alone: it looks like the rest of the app."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kivy.clock import Clock
from kivy.graphics import Color, Rectangle, SmoothRoundedRectangle
from kivy.uix.label import Label
from kivy.uix.vkeyboard import VKeyboard
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.fonts import READING
from ui.drawing.theme import Colour
from ui.services.text import language_in_use
from ui.widgets.painting import SYMBOLS
from ui.widgets.scale import scale

USUAL = "en"
LETTERS = {
    "en": ("qwertyuiop'", "asdfghjkl-.", "zxcvbnm,"),
    "de": ("qwertzuiopü", "asdfghjklöä", "yxcvbnmß"),
    "it": ("qwertyuiopè", "asdfghjklòà", "zxcvbnmù"),
}
"""language -> the letters of three rows"""
SIGNS = ("1234567890@", "áàéèíìóòúùç", "äöüñ/:_&")
SHIFT, ERASE, DONE, HIDE = "⇧", "⌫", "✓", "▾"
TO_SIGNS, TO_LETTERS = "123 é", "abc"
WORD_ENDS = " -'"
COLUMNS, ROWS = 11, 4
ABOVE = 12
"""design pixels between the keyboard and what is written into"""
ROW, HIGHEST = 62, 0.48
"""a row in design pixels, and how much of the window's height the keyboard takes at most"""
Key = list[Any]
"""what it shows, what it writes, what it does, how many columns it takes"""


class ScreenKeyboard(VKeyboard):
    """Has the letters of the language in use whenever it is called up, and lifts what it would hide of its target.

    Where a name is written (`capitals` of the field) each word begins with a capital; one touch of *shift* makes the
    next letter one, or does not.
    """

    layout: Any
    have_shift: Any
    _start_repeat_key_ev: Any

    def __init__(self, **properties: Any) -> None:
        self._lifted: Widget | None = None
        super().__init__(**{"margin_hint": [0.02, 0.01, 0.02, 0.01], "key_margin": [3, 3, 3, 3], **properties})

    def _load_layouts(self, *_: Any) -> None:
        """Kivy looks for layouts: only those of the project are there."""
        self.available_layouts = {language: _layout(language) for language in LETTERS}

    def _load_layout(self, *_: Any) -> None:
        if self.layout not in self.available_layouts:
            self.layout = USUAL
        self.refresh(True)

    def setup_mode(self, *_: Any) -> None:
        """Kivy is about to show it."""
        language = language_in_use()
        self.layout = language if language in LETTERS else USUAL
        self.have_special = False
        super().setup_mode()
        Clock.schedule_once(lambda _elapsed: self._begin_word(), 0)  # the field selects its text only now
        self._lift()

    def setup_mode_dock(self, *_: Any) -> None:
        """As wide as the window, at its lower edge."""
        super().setup_mode_dock()
        self._fit()

    def _update_dock_mode(self, *_: Any) -> None:
        if self.parent is not None:
            self._fit()

    def _fit(self) -> None:
        window = self.get_parent_window()
        rows = ROWS * max(scale.touch + 8, scale.unit * ROW)
        self.scale, self.pos = 1.0, (0, 0)
        self.size = window.width, min(rows, window.height * HIGHEST)
        self.refresh(True)

    def on_parent(self, _keyboard: Widget, parent: Any) -> None:
        """It came or went."""
        if parent is None and self._lifted is not None:
            self._lifted.y, self._lifted = 0, None

    def process_key_on(self, touch: Any) -> None:
        """A key is touched: *shift* and the other page stay until they are touched again, or a letter is written."""
        found = self.get_key_at_pos(*self.to_local(*touch.pos)) if touch else None
        if found is None:
            return
        _shown, written, does, _columns = found[0]
        if does in ("shift", "special"):
            self._repeat_no_more()
            if does == "shift":
                self.have_shift = not self.have_shift
            else:
                self.have_special = not self.have_special
            return
        super().process_key_on(touch)
        if written is not None or does == "backspace":
            self._begin_word()

    def _repeat_no_more(self) -> None:
        if self._start_repeat_key_ev is not None:
            self._start_repeat_key_ev.cancel()
        self._start_repeat_key_ev = self.repeat_touch = None

    def _begin_word(self) -> None:
        """The next letter is a capital where a name's word begins."""
        field = self.target
        if not getattr(field, "capitals", False):
            self.have_shift = False
            return
        before = field.text[: field.cursor_index()]
        self.have_shift = not before or before[-1] in WORD_ENDS or field.selection_text == field.text

    def draw_keys(self) -> None:
        """Draw the keys in the theme in use."""
        layer, unit = self.background_key_layer, scale.unit
        layer.clear()
        with layer:
            Color(*theme.PAPER)
            Rectangle(size=self.size)
            Color(*theme.EDGE)
            Rectangle(pos=(0, self.height - 1), size=(self.width, 1))
            for key, pos, size in self._keys():
                is_on = key[2] == "shift" and self.have_shift
                _draw_key(pos, size, theme.SELECTED if is_on else theme.PANEL, theme.MARK if is_on else theme.EDGE)
        for key, pos, size in self._keys():
            is_sign = key[0] in (SHIFT, ERASE, DONE, HIDE)
            label = Label(
                text=key[0], pos=pos, size=size, color=(*theme.INK, 1), font_name=SYMBOLS if is_sign else READING,
                font_size=round(unit * (26 if len(key[0]) == 1 else 20)),
            )  # fmt: skip
            self.add_widget(label)

    def refresh_active_keys_layer(self) -> None:
        """Draw the keys under fingers."""
        self.active_keys_layer.clear()
        with self.active_keys_layer:
            for line, index in self.active_keys.values():
                pos, size = self.layout_geometry[f"LINE_{line}"][index]
                _draw_key(pos, size, theme.PRESSED, theme.EDGE)

    def _keys(self) -> Iterator[tuple[Key, tuple[float, float], tuple[float, float]]]:
        layout = self.available_layouts[self.layout]
        for line in range(1, ROWS + 1):
            places = self.layout_geometry[f"LINE_{line}"]
            for key, (pos, size) in zip(layout[f"{self.layout_mode}_{line}"], places, strict=True):
                yield key, pos, size

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


def _draw_key(pos: tuple[float, float], size: tuple[float, float], ground: Colour, edge: Colour) -> None:
    unit = scale.unit
    Color(*edge)
    SmoothRoundedRectangle(pos=pos, size=size, radius=[unit * 8])
    Color(*ground)
    inner = (size[0] - 2 * unit, size[1] - 4 * unit)
    SmoothRoundedRectangle(pos=(pos[0] + unit, pos[1] + 3 * unit), size=inner, radius=[unit * 7])


def _layout(language: str) -> dict[str, Any]:
    """A layout as Kivy's keyboard has it."""
    letters = LETTERS[language]
    found: dict[str, Any] = {"title": language, "description": language, "cols": COLUMNS, "rows": ROWS}
    for mode, rows in (
        ("normal", letters),
        ("shift", tuple(row.upper() if "ß" not in row else row[:-1].upper() + "ß" for row in letters)),
        ("special", SIGNS),
    ):
        first, second, third = ([[sign, sign, sign, 1] for sign in row] for row in rows)
        found[f"{mode}_1"], found[f"{mode}_2"] = first, second
        corner = ["?", "?", "?", 1.5] if mode == "special" else [SHIFT, None, "shift", 1.5]
        found[f"{mode}_3"] = [corner, *third, [ERASE, None, "backspace", 1.5]]
        page = TO_LETTERS if mode == "special" else TO_SIGNS
        found[f"{mode}_4"] = [
            [page, None, "special", 2], ["-", "-", "-", 1], [" ", " ", "spacebar", 4], [".", ".", ".", 1],
            [HIDE, None, "escape", 1], [DONE, None, "enter", 2],
        ]  # fmt: skip
    return found
