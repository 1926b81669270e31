"""The panels next to the board: players and verdict. Each updates its widgets to a given view."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.board.layout import Board
from ui.drawing import theme
from ui.drawing.fonts import reading_font
from ui.drawing.theme import VERDICTS, Seal
from ui.services.brief import brief, first_sentence
from ui.services.text import _
from ui.view_models.play_view import PlayerView, VerdictKind, VerdictView
from ui.widgets.controls import Panel, coloured, extent, lines_of, load_layout, plain, symbol
from ui.widgets.scale import scale
from ui.widgets.seals import draw_seal

LEAST_PANEL, LEAST_STACKED = 154, 100
"""design pixels of the narrowest panel of a player, and of one that has the name below"""
COUNTED_IN, SEEN_TO_COME = 0.26, 1.2
"""seconds in which points are counted up, and for which they are coloured afterwards"""
FEW_LETTERS = 60
"""what is left of a note that has no room even for its first sentence"""
SEPARATOR = " · "


class PlayerSign(Widget):
    """A player's seal."""

    style = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        draw_soon = Clock.create_trigger(self._draw, -1)
        self.bind(pos=draw_soon, size=draw_soon, style=draw_soon)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if self.style is not None:
            draw_seal(self._drawing, self.center, min(self.size), self.style)


class PlayerPanel(ButtonBehavior, Panel):
    """A player's name, score so far and as many holdings as there is room for. Can be touched."""

    style = ObjectProperty(None, allownone=True)
    name = StringProperty()
    points = NumericProperty(0)
    counted = NumericProperty(0)
    """the points that are shown, on the way to `points` while they are counted up"""
    gains = BooleanProperty(False)
    """whether points have just come"""
    acts = BooleanProperty(False)
    points_out = BooleanProperty(False)
    """whether a pointer at its left side shows who acts"""
    holdings = StringProperty()
    has_chips = BooleanProperty(False)
    is_stacked = BooleanProperty(False)
    """whether the name stands below seal and points"""
    clock = StringProperty()

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._held: tuple[tuple[str, str], ...] = ()
        self.bind(size=self._write)

    def show(self, player: PlayerView, style: Seal, board: Board | None = None) -> None:
        """Show a player; `style` is their seal. On a board what they hold is shown by its faces."""
        self.style, self.name = style, player.name
        if player.has_left:
            self.name = _("{name} (left)").format(name=player.name)
        elif player.has_passed:
            self.name = _("{name} (passed)").format(name=player.name)
        if player.points != self.points:
            Animation.cancel_all(self, "counted")
            self.points = self.counted = player.points
        self.acts = player.acts
        self._held = player.holdings
        strip = self.ids.chips
        strip.board, strip.colour, strip.chips = board, player.colour, player.chips
        self.has_chips = board is not None and bool(player.chips)
        self._write()

    def count_up(self, before_points: int) -> None:
        """Count from what it was to the points that are there now, and let these be seen to have come."""
        self.counted, self.gains = before_points, True
        Animation(counted=self.points, duration=COUNTED_IN).start(self)
        Clock.schedule_once(self._gained, COUNTED_IN + SEEN_TO_COME)

    def _gained(self, _elapsed: float) -> None:
        self.gains = False

    def points_centre(self) -> tuple[float, float]:
        """The window position of the points."""
        x, y = self.ids.points.to_window(*self.ids.points.center)
        return float(x), float(y)

    def least_width(self) -> float:
        """The width (pixels) of the narrowest panel that shows the name in letters as small as they may be."""
        name = self.ids.name.__self__  # what `ids` holds is never identical with a child
        others = [each.width for each in self.ids.top.children if each is not name]
        font = reading_font(self.name)
        word = max((extent(part, name.least_size(), name.bold, font)[0] for part in self.name.split()), default=0.0)
        around = self._width_around() + sum(others) + self.ids.top.spacing * len(others)
        return max(scale.unit * LEAST_PANEL, around + word + 1)

    def wanted_height(self, width: float) -> float:
        """The height (pixels) that shows all of it in a panel so wide."""
        if self.has_chips:
            return self._around() + float(self.ids.chips.wanted_height(self._inside(width)))
        lines = self._lines(self._held, width)
        return self._around() + lines * self._line_height() + scale.unit * 2

    def compact_height(self) -> float:
        """The height (pixels) that shows name and points alone."""
        return self._around()

    def _write(self, *_: Any) -> None:
        held = self._held
        room = max(1, int((self.height - self._around()) / self._line_height()))
        while held and self._lines(held, self.width, more=held != self._held) > room:
            held = held[:-1]
        self.holdings = amounts_markup(held) + ("" if held == self._held else " …")

    def _lines(self, held: tuple[tuple[str, str], ...], width: float, *, more: bool = False) -> int:
        text = SEPARATOR.join(f"{label} {value}" for label, value in held) + (" …" if more else "")
        return lines_of(text, self.ids.holdings.font_size, width - self.padding[0] - self.padding[2], bold=True)

    def _inside(self, width: float) -> float:
        return width - self._width_around()

    def _width_around(self) -> float:
        return float(self.padding[0] + self.padding[2])

    def _around(self) -> float:
        return float(self.ids.top.height + self.ids.name_below.height + self.padding[1] + self.padding[3])

    def _line_height(self) -> float:
        return extent("Ag", self.ids.holdings.font_size, True)[1] * self.ids.holdings.line_height


def amounts_markup(amounts: Iterable[tuple[str, str]]) -> str:
    """Names and amounts as markup."""
    return SEPARATOR.join(f"{plain(name)} [b]{coloured(plain(amount), theme.INK)}[/b]" for name, amount in amounts)


class PlayerPanels(StackLayout):
    """The players' panels, as many side by side as leaves no gap; else one above the other.

    Where they `may_stack` they stand side by side with names below rather than one above the other.
    """

    row_height = NumericProperty(0)
    may_stack = BooleanProperty(False)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.lay_out = Clock.create_trigger(self._give_sizes, -1)
        self.bind(width=self.lay_out, children=self.lay_out, row_height=self.lay_out, spacing=self.lay_out)

    def columns(self, width: float) -> int:
        """How many panels stand side by side in a space so wide (pixels)."""
        return self._columns_stacked(width) if self.stacks(width) else self._columns_beside(width)

    def stacks(self, width: float) -> bool:
        """Whether the names stand below in a space so wide (pixels)."""
        return self.may_stack and self._columns_beside(width) == 1 and self._columns_stacked(width) > 1

    def _columns_stacked(self, width: float) -> int:
        return self._columns_of(scale.unit * LEAST_STACKED, width)

    def _columns_beside(self, width: float) -> int:
        return self._columns_of(max((panel.least_width() for panel in self.children), default=1.0), width)

    def _columns_of(self, least: float, width: float) -> int:
        count = max(1, len(self.children))
        most = max(1, int((width + self.spacing[0]) // (least + self.spacing[0])))
        return max(columns for columns in range(1, count + 1) if columns <= most and count % columns == 0)

    def rows(self, width: float) -> int:
        """How many rows of panels there are."""
        return max(1, len(self.children)) // self.columns(width)

    def wanted_height(self, width: float) -> float:
        """The height (pixels) of a row that shows all that lies before any player, in a space so wide."""
        inside = self._width_of(width)
        return max((panel.wanted_height(inside) for panel in self.children), default=0.0)

    def compact_height(self) -> float:
        """The height (pixels) of a row that shows names and points alone."""
        is_stacked = self.stacks(self.width)
        for panel in self.children:
            panel.is_stacked = is_stacked
        return max((panel.compact_height() for panel in self.children), default=0.0)

    def _width_of(self, width: float) -> float:
        columns = self.columns(width)
        # A pixel less, or rounding would break the row.
        return (width - (columns - 1) * self.spacing[0] - 1) / columns

    def _give_sizes(self, *_: Any) -> None:
        is_stacked = self.stacks(self.width)
        for panel in self.children:
            panel.is_stacked = is_stacked
            panel.size = self._width_of(self.width), self.row_height
            panel.points_out = self.columns(self.width) == 1


class VerdictBox(Panel):
    """The latest verdict; of no height while there is none, at most as high as `limit`.

    Of a refusal the first rule is in front, with where it stands; touched, it tells all rules and their codes. Of a
    note that has no room the first sentence is in front; touched, it tells all of it.
    """

    text = StringProperty()
    tone = ColorProperty(theme.MUTED)
    limit = NumericProperty(300)
    is_open = BooleanProperty(False)
    """whether all of it is told"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._verdict: VerdictView | None = None
        self._cut = ""
        """what is told in place of a headline that has no room"""
        scale.bind(unit=self._write)
        self.bind(is_open=self._write)

    def show(self, verdict: VerdictView | None) -> None:
        """Show a verdict, or nothing."""
        if verdict != self._verdict:
            self._verdict, self.is_open, self._cut = verdict, False, ""
            self._write()

    def tell_more(self) -> None:
        """Tell all of it, or the first rule alone."""
        if self._verdict is not None and (self._verdict.sentences or self._cut or self.is_open):
            self.is_open = not self.is_open

    def tell_whole(self) -> None:
        """Tell a headline again that was shortened."""
        if self._cut:
            self._cut = ""
            self._write()

    def keep_within_limit(self) -> None:
        """Tell the first sentence of a headline alone, or its beginning, where more is higher than `limit`."""
        headline = self._verdict.headline if self._verdict is not None else ""
        self.tell_whole()
        first = first_sentence(headline)
        for shorter in (first, brief(first, FEW_LETTERS)):
            if self.is_open or self.wanted_height <= self.limit:
                return
            if shorter != headline:
                self._cut = shorter
                self._write()

    @property
    def wanted_height(self) -> float:
        """The height (pixels) that shows all of it."""
        content = self.ids.content
        content.texture_update()
        return float(content.texture_size[1]) if self.text else 0.0

    def _write(self, *_arguments: Any) -> None:
        verdict = self._verdict
        if verdict is None:
            self.text = ""
            return
        sign, self.tone = VERDICTS[verdict.looks]
        self.ground = theme.field_of(verdict.looks)
        headline, told = self._cut or verdict.headline, verdict.sentences
        is_brief = bool(told) and not self.is_open
        if is_brief and verdict.looks is VerdictKind.REFUSED:
            headline = verdict.brief or _("Not allowed")
        large = round(max(dp(14), scale.unit * (21 if is_brief else 17)))
        first = headline if told else first_sentence(headline)
        lines = [f"[size={large}][b]{coloured(symbol(sign), self.tone[:3])}  {plain(first)}[/b]"]
        lines[0] += f"{plain(headline[len(first) :])}{' ›' if self._cut else ''}[/size]"
        small = round(max(dp(12), scale.unit * 15))
        for sentence, source in told[:1] if is_brief else told:
            lines.append(plain(sentence))
            where = f"{source.title} ›" if source is not None and is_brief else str(source or "")
            lines.append(f"[size={small}]{coloured(plain(where), theme.MUTED)}[/size]")
        if is_brief and len(told) > 1:
            more = _("and {count} more").format(count=len(told) - 1)
            lines[-1] += f"[size={small}]{coloured(plain(f', {more}'), theme.MUTED)}[/size]"
        self.text = "\n".join(lines)


load_layout(__file__)
