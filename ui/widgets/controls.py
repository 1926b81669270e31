"""The small parts of all screens: texts, panels, buttons."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from functools import lru_cache
from math import ceil
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.core.text import Label as CoreLabel
from kivy.core.text.markup import MarkupLabel
from kivy.lang import Builder
from kivy.metrics import dp
from kivy.properties import AliasProperty, BooleanProperty, ColorProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.label import Label
from kivy.utils import escape_markup

from ui.drawing import theme
from ui.drawing.fonts import reading_font
from ui.drawing.theme import Colour
from ui.widgets.painting import SYMBOLS

LEGIBLE = 11
"""dp below which no text is drawn"""
MOST_SPARE = 16
"""buttons of a layout that are kept when it needs them no more: building one anew takes 5 ms"""


class Text(Label):
    """A text of any number of lines."""


class OneLine(Text):
    """A text that is shortened to what fits."""


class TouchableText(ButtonBehavior, Text):
    """A text that can be touched to read more."""


class FittingText(Label):
    """A text that wraps, and grows smaller down to `smallest` of its `largest` size (pixels) where it must.

    Where that does not help it is shortened.
    """

    largest = NumericProperty(16)
    smallest = NumericProperty(0.6)
    inset = NumericProperty(0)
    """pixels that stay free at both sides together; where the text allows, half as many above and below"""
    most_lines = NumericProperty(0)
    """how many lines it takes at most, 0 for as many as have room"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._fit_soon = Clock.create_trigger(self._fit, -1)
        for name in ("text", "size", "largest", "inset", "most_lines", "padding"):
            self.fbind(name, self._fit_soon)
        self._fit_soon()

    def least_size(self) -> float:
        """The font size (pixels) below which it is shortened rather than made smaller."""
        return min(float(self.largest), max(float(self.largest * self.smallest), float(dp(LEGIBLE))))

    @property
    def _measured_font(self) -> str:
        """The font that it is set in; "" for the one for reading."""
        return ""

    def _fit(self, *_: Any) -> None:
        left, over, right, under = self.padding
        width, height = self.width - self.inset - left - right, self.height - self.inset / 2 - over - under
        least, bold, font = self.least_size(), self.bold, self._measured_font
        if not fits(self.text, least, width, height, bold=bold, font=font):
            height = self.height - over - under

        def has_room(size: float) -> bool:
            if self.most_lines and lines_of(self.text, size, width, bold=bold, font=font) > self.most_lines:
                return False
            return fits(self.text, size, width, height, bold=bold, font=font)

        size = self.largest
        if not has_room(size):
            sizes = [size]
            while sizes[-1] > least:
                sizes.append(max(least, sizes[-1] - max(1, sizes[-1] * 0.04)))
            size = sizes[bisect_left(sizes, True, hi=len(sizes) - 1, key=has_room)]
        self.text_size = width + left + right, height + over + under
        self.shorten = not has_room(size)
        self.font_size = size


def fits(text: str, size: float, width: float, height: float, *, bold: bool, font: str = "") -> bool:
    """Whether a text wraps into a space at a font size; all in pixels."""
    font = font or reading_font(text)
    words = filter(None, text.replace("\n", " ").split(" "))  # other spaces, as between the letters of titles, hold
    if any(extent(word, size, bold, font)[0] > width for word in words):
        return False
    return lines_of(text, size, width, bold=bold, font=font) * extent("Ag", size, bold, font)[1] <= height


def lines_of(text: str, size: float, width: float, *, bold: bool, font: str = "") -> int:
    """How many lines a text takes where each may be so wide (pixels)."""
    font = font or reading_font(text)  # of the whole text: one foreign letter changes the font of all its words
    width = int(width)  # as Kivy has it
    space, lines = extent(" ", size, bold, font)[0], 0
    for written in text.split("\n"):
        line: list[str] = []
        wide, lines = 0.0, lines + 1
        for word in filter(None, written.split(" ")):
            long = extent(word, size, bold, font)[0]
            longer = wide + space + long  # in whole pixels a word, so the line may be a pixel longer for each
            is_close = width - len(line) - 1 < longer <= width
            if line and (longer > width or (is_close and extent(" ".join((*line, word)), size, bold, font)[0] > width)):
                lines, line, wide = lines + 1, [word], long
            else:
                line, wide = [*line, word], longer if line else long
    return lines


def width_for(text: str, size: float, lines: int, *, bold: bool) -> float:
    """The least width (pixels) in which a text takes no more than so many lines."""
    widest = max((extent(word, size, bold, reading_font(text))[0] for word in text.split()), default=0.0)
    widths = range(ceil(widest), max(ceil(widest), ceil(extent(text, size, bold)[0])) + len(text.split()) + 1)
    first = bisect_left(widths, True, key=lambda width: lines_of(text, size, width, bold=bold) <= lines)
    return float(widths[min(first, len(widths) - 1)])


def extent(text: str, size: float, bold: bool, font: str = "") -> tuple[float, float]:
    """The width and height (pixels) of a text on one line."""
    return _extent(text, int(size), bold, font or reading_font(text))


@lru_cache(maxsize=4096)
def _extent(text: str, size: int, bold: bool, font: str) -> tuple[float, float]:
    """The same at the whole number of pixels that Kivy opens fonts in."""
    width, height = CoreLabel(font_size=size, bold=bold, font_name=font).get_extents(text)
    return width, height


class Panel(BoxLayout):
    """A sheet with a hairline border."""

    ground = ColorProperty(theme.PANEL)


class Chip(Panel):
    """A short word about something, as wide as it is."""

    text = StringProperty()


class PushButton(ButtonBehavior, FittingText):
    """A button. `strong` is for the one that is pressed most."""

    strong = BooleanProperty(False)
    edge = NumericProperty(1.5)
    """pixels of the line around it"""

    def _ground(self) -> Colour:
        if self.disabled:
            return theme.PAPER
        if self.strong:
            return theme.PORPHYRY_DARK if self.state == "down" else theme.PORPHYRY
        return theme.PRESSED if self.state == "down" else theme.PANEL

    ground = AliasProperty(_ground, bind=("state", "strong", "disabled"))

    def _rim(self) -> Colour:
        if self.disabled:
            return theme.HAIRLINE
        return theme.PORPHYRY_DARK if self.strong else theme.EDGE

    rim = AliasProperty(_rim, bind=("strong", "disabled"))
    """the colour of the line around it"""

    def _lip(self) -> float:
        return dp(2) if self.state == "normal" and not self.disabled else 0.0

    lip = AliasProperty(_lip, bind=("state", "disabled"))
    """pixels of its lower rim, which goes while it is pressed"""

    def _sunk(self) -> float:
        return dp(2) if self.state == "down" else 0.0

    sunk = AliasProperty(_sunk, bind=("state",))
    """pixels by which it is pressed down"""


class ChoiceButton(PushButton):
    """One of several answers. The `chosen` one has a frame and a tick: the primary button alone is filled."""

    chosen = BooleanProperty(False)

    def _ground(self) -> Colour:
        return theme.SELECTED if self.chosen and self.state == "normal" else super()._ground()

    ground = AliasProperty(_ground, bind=("state", "strong", "disabled", "chosen"))

    def _rim(self) -> Colour:
        return theme.MARK if self.chosen else super()._rim()

    rim = AliasProperty(_rim, bind=("strong", "disabled", "chosen"))


def symbol(sign: str) -> str:
    """Markup for a sign that the standard font lacks."""
    return f"[font={SYMBOLS}]{sign}[/font]"


def coloured(text: str, colour: Colour) -> str:
    """Markup for a text in a colour; the text is markup already."""
    return f"[color={''.join(f'{round(part * 255):02x}' for part in colour)}]{text}[/color]"


def plain(text: str) -> str:
    """A text escaped as markup, so that it is shown unchanged."""
    return str(escape_markup(text))


def plain_words(markup: str) -> str:
    """What markup shows, without its tags."""
    return "".join(part for part in MarkupLabel(text=markup).markup if not part.startswith("["))


def zero_again(*_changed: Any) -> int:
    """No pixels, told anew whenever one of these values changes in a layout file.

    A layout writes into width or height as long as a size hint is there; without the hint what it wrote would stay.
    """
    return 0


def load_layout(module_file: str) -> None:
    """Load the `.kv` layout of a module, which has the same name."""
    Builder.load_file(str(Path(module_file).with_suffix(".kv")))


def same_children(parent: Any, count: int, make: Callable[[], Any], spare: list[Any] | None = None) -> list[Any]:
    """The children of a layout in order, made or removed until there are `count`; the others are kept as they are.

    Removed buttons are kept in `spare` up to MOST_SPARE of them, from which `make` may take them again.
    """
    children = list(reversed(parent.children))
    for surplus in children[count:]:
        parent.remove_widget(surplus)
        if spare is not None and len(spare) < MOST_SPARE and surplus.state == "normal":
            spare.append(surplus)
    children = children[:count]
    while len(children) < count:
        child = make()
        parent.add_widget(child)
        children.append(child)
    return children


load_layout(__file__)
