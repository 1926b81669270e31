"""Rows to read and to touch, as `ui.view_models.form_view` describes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.board.layout import Board
from ui.drawing import theme
from ui.drawing.theme import VERDICTS, seal_of
from ui.services.file_list import FILES
from ui.services.text import capitalised
from ui.view_models.form_view import Field, Hidden, Note, Picks, Row, SectionHeading, Stepper, Tone
from ui.view_models.play_view import VerdictKind
from ui.widgets.controls import ChoiceButton, PushButton, Text, extent, load_layout, plain, same_children, symbol
from ui.widgets.scrolling import SharpScroll

READING_SECONDS = 6.0
"""seconds after which a held curtain falls again"""
SMALL_PRINT, PRESS_MARGIN = 12, 26
"""design pixels of a button's letters, and of the space left and right of them"""
_SIGNS = {Tone.GOOD: VerdictKind.ACCEPTED, Tone.BAD: VerdictKind.REFUSED, Tone.ASKING: VerdictKind.PROPOSED}


class HeadingRow(Text):
    """What the rows below are about."""


class NoteRow(Text):
    """A sentence to read."""


class AnswerButton(ChoiceButton):
    """One of several things to press."""

    key = StringProperty()
    heading = StringProperty()
    detail = StringProperty()
    faces = ObjectProperty(())
    """printed faces before the text"""
    board = ObjectProperty(None, allownone=True)
    style = ObjectProperty(None, allownone=True)
    """the seal of the player whose doing it was"""
    colour = StringProperty()
    is_line = BooleanProperty(False)
    """whether it has the whole width, as one line of a list"""


class PicksRow(GridLayout):
    """Things to press, side by side where that leaves room for their longest word."""

    detailed = BooleanProperty(False)
    columns = NumericProperty(1)
    least = NumericProperty(0)
    """design pixels that the longest word needs, written small"""


class AmountRow(BoxLayout):
    """A number with buttons for less and more."""

    label = StringProperty()
    is_narrow = BooleanProperty(False)
    value = NumericProperty(0)
    can_fall = BooleanProperty(False)
    can_rise = BooleanProperty(False)


class FieldRow(BoxLayout):
    """A text to write."""

    label = StringProperty()
    hint = StringProperty()
    ground = ColorProperty(theme.PANEL)


class HiddenRow(PushButton):
    """A curtain: what is behind it shows while it is held, at most so long as it takes to read.

    It falls also when the app goes to sleep or its window is covered.
    """

    label = StringProperty()
    secret = StringProperty()

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._hide_soon = Clock.create_trigger(self._hide, READING_SECONDS)
        self.bind(state=self._show, label=self._hide)

    def _show(self, *_: Any) -> None:
        self._hide()
        if self.state == "down":
            self.text = self.secret
            self._hide_soon()
            Window.bind(on_minimize=self._hide, on_hide=self._hide, focus=self._hide)
            App.get_running_app().bind(on_pause=self._hide)

    def _hide(self, *_: Any) -> None:
        self.text = self.label
        self._hide_soon.cancel()
        Window.unbind(on_minimize=self._hide, on_hide=self._hide, focus=self._hide)
        App.get_running_app().unbind(on_pause=self._hide)


class Form(SharpScroll):
    """Shows rows; `touched(key, value)` is called when something is touched or written."""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.touched: Callable[[str, str], None] = lambda _key, _value: None
        self._rows: tuple[Row, ...] = ()
        self.board: Board | None = None
        """whose faces are shown"""

    def show(self, rows: Sequence[Row]) -> None:
        """Show rows; unchanged ones keep their widgets."""
        rows = tuple(rows)
        if rows == self._rows:
            return
        before, self._rows = self._rows, rows
        grid = self.ids.rows
        kinds = [type(row) for row in rows]
        if [type(row) for row in before] != kinds:
            grid.clear_widgets()
            for kind in kinds:
                grid.add_widget(_WIDGETS[kind]())
            before = ()
            self.scroll_y = 1
        for index, (widget, row) in enumerate(zip(reversed(grid.children), rows, strict=True)):
            if index >= len(before) or before[index] != row:
                self._fill(widget, row)

    def leave_fields(self) -> None:
        """Let go of the keyboard."""
        for widget in self.ids.rows.children:
            if isinstance(widget, FieldRow):
                widget.ids.field.focus = False

    def _fill(self, widget: Any, row: Row) -> None:
        match row:
            case SectionHeading(text):
                widget.text = text
            case Note(text, tone):
                sign = f"{symbol(VERDICTS[_SIGNS[tone]][0])} " if tone in _SIGNS else ""
                widget.text = sign + plain(text)
                widget.color = (*(VERDICTS[_SIGNS[tone]][1] if tone in _SIGNS else theme.MUTED), 1)
            case Picks():
                self._fill_picks(widget, row)
            case Hidden(label, text):
                widget.label, widget.secret = label, text
            case Stepper(key, label, value, least, most):
                widget.label, widget.value = label, value
                widget.can_fall, widget.can_rise = value > least, value < most
                widget.ids.less.on_release = lambda: self.touched(key, "-1")
                widget.ids.more.on_release = lambda: self.touched(key, "+1")
            case Field(key, label, value, hint):
                field = widget.ids.field
                widget.label, widget.hint = label, hint
                if not field.focus:
                    field.text = value
                widget.written = lambda text: self.touched(key, text)

    def _fill_picks(self, widget: Any, row: Picks) -> None:
        words = [word for pick in row.picks for word in pick.text.split()]
        widget.least = max((extent(word, SMALL_PRINT, True)[0] for word in words), default=0) + PRESS_MARGIN
        widget.columns = max(1, min(row.columns, len(row.picks)))
        widget.detailed = any(pick.detail for pick in row.picks)
        presses = same_children(widget, len(row.picks), AnswerButton)
        for press, pick in zip(presses, row.picks, strict=True):
            press.is_line = widget.columns == 1
            press.key, press.detail, press.chosen, press.strong = pick.key, pick.detail, pick.chosen, pick.leads
            press.board, press.faces, press.colour = self.board, pick.faces, pick.colour
            press.style = seal_of(self.board, pick.colour) if self.board is not None and pick.colour else None
            press.heading = pick.text if row.key == FILES or row.as_written else capitalised(pick.text)
            press.on_release = lambda key=row.key, value=pick.key: self.touched(key, value)


_WIDGETS: dict[type, type] = {
    SectionHeading: HeadingRow, Note: NoteRow, Picks: PicksRow, Stepper: AmountRow, Field: FieldRow,
    Hidden: HiddenRow,
}  # fmt: skip

load_layout(__file__)
