"""The panels next to the board: players, verdict, choices and log. Each updates its widgets to a given view."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.properties import BooleanProperty, ColorProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.stacklayout import StackLayout
from kivy.uix.widget import Widget

from companion.board.layout import Board
from ui.drawing import theme
from ui.drawing.theme import VERDICTS, Seal
from ui.services.text import _
from ui.view_models.play_view import ChoiceView, LogLine, PlayerView, VerdictView
from ui.widgets.controls import (
    LEGIBLE,
    FittingText,
    Panel,
    PushButton,
    coloured,
    extent,
    fits,
    lines_of,
    load_layout,
    plain,
    plain_words,
    same_children,
    symbol,
)
from ui.widgets.scale import scale
from ui.widgets.seals import draw_seal

FEW_CHOICES = 8
"""largest number of choices that are listed together; more are shown one group at a time"""
GROUPS_A_ROW, GROUP_WIDTH = 5, 124
"""largest number of groups in a row, and the width of each in design pixels"""
ROW_GAP = 8
"""between rows of choices"""
GROUP_GAP, GROUP_INSET = 6, 8
"""design pixels between groups, and free at both sides of their texts together"""
NUMBERED = 9
"""choices that have a key of their own at a time"""
"""amounts that need not be shown"""
SEPARATOR = " · "
LONG_CHOICE = 60
"""characters from which a choice has a row of its own"""


class PlayerSign(Widget):
    """A player's seal."""

    style = ObjectProperty(None, allownone=True)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self.bind(pos=self._draw, size=self._draw, style=self._draw)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        if self.style is not None:
            # Kivy's own centre may still be the old one while a position is announced.
            centre = (self.x + self.width / 2, self.y + self.height / 2)
            draw_seal(self._drawing, centre, min(self.size), self.style)


class PlayerPanel(ButtonBehavior, Panel):
    """A player's name, score so far and as many holdings as there is room for. Can be touched."""

    style = ObjectProperty(None, allownone=True)
    name = StringProperty()
    points = NumericProperty(0)
    acts = BooleanProperty(False)
    holdings = StringProperty()
    has_chips = BooleanProperty(False)
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
        self.points, self.acts = player.points, player.acts
        self._held = player.holdings
        strip = self.ids.chips
        strip.board, strip.colour, strip.chips = board, player.colour, player.chips
        self.has_chips = board is not None and bool(player.chips)
        self._write()

    def wanted_height(self, width: float) -> float:
        """The height (pixels) that shows all of it in a panel so wide."""
        if self.has_chips:
            return self._around() + float(self.ids.chips.wanted_height(self._inside(width)))
        lines = self._lines(self._held, width)
        return self._around() + lines * self._line_height() + scale.unit * 2

    def least_height(self, width: float) -> float:
        """The height (pixels) that shows one line of it in a panel so wide, or two rows of small chips."""
        if self.has_chips:
            return self._around() + float(self.ids.chips.least_height(self._inside(width)))
        return self._around() + self._line_height() + scale.unit * 2

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
        return width - float(self.padding[0] + self.padding[2])

    def _around(self) -> float:
        return float(self.ids.top.height + self.padding[1] + self.padding[3])

    def _line_height(self) -> float:
        return extent("Ag", self.ids.holdings.font_size, True)[1] * self.ids.holdings.line_height


def amounts_markup(amounts: Iterable[tuple[str, str]]) -> str:
    """Names and amounts as markup."""
    return SEPARATOR.join(f"{plain(name)} [b]{coloured(plain(amount), theme.INK)}[/b]" for name, amount in amounts)


class PlayerPanels(StackLayout):
    """The players' panels two by two; an odd last one has the whole row."""

    row_height = NumericProperty(0)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.lay_out = Clock.create_trigger(self._give_sizes, -1)
        self.bind(width=self.lay_out, children=self.lay_out, row_height=self.lay_out, spacing=self.lay_out)

    def wanted_height(self, width: float) -> float:
        """The height (pixels) of a row that shows all that lies before any player, in a space so wide."""
        panels = enumerate(self.children[::-1])
        return max((panel.wanted_height(self._width_of(place, width)) for place, panel in panels), default=0.0)

    def least_height(self, width: float) -> float:
        """The height (pixels) of a row that shows a little of what lies before each player, in a space so wide."""
        panels = enumerate(self.children[::-1])
        return max((panel.least_height(self._width_of(place, width)) for place, panel in panels), default=0.0)

    def _width_of(self, place: int, width: float) -> float:
        is_alone = place == len(self.children) - 1 and place % 2 == 0
        # A pixel less than half, or rounding would break the row.
        return width if is_alone else (width - self.spacing[0] - 1) / 2

    def _give_sizes(self, *_: Any) -> None:
        for place, panel in enumerate(self.children[::-1]):
            width = self._width_of(place, self.width)
            is_whole = width == self.width
            panel.size = width, min(self.row_height, panel.wanted_height(width)) if is_whole else self.row_height


class VerdictBox(Panel):
    """The latest verdict; of no height while there is none, at most as high as `limit`."""

    text = StringProperty()
    tone = ColorProperty(theme.MUTED)
    limit = NumericProperty(300)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._verdict: VerdictView | None = None
        scale.bind(unit=self._write)

    def show(self, verdict: VerdictView | None) -> None:
        """Show a verdict, or nothing."""
        if verdict != self._verdict:
            self._verdict = verdict
            self._write()

    @property
    def wanted_height(self) -> float:
        """The height (pixels) that shows all of it."""
        content = self.ids.content
        content.texture_update()
        return float(content.texture_size[1]) if self.text else 0.0

    def _write(self, *_: Any) -> None:
        verdict = self._verdict
        if verdict is None:
            self.text = ""
            return
        sign, self.tone = VERDICTS[verdict.kind]
        self.ground = theme.field_of(verdict.kind)
        lines = [f"[b]{coloured(symbol(sign), self.tone[:3])}  {plain(verdict.headline)}[/b]"]
        for sentence, source in verdict.sentences:
            lines.append(plain(sentence))
            lines.append(f"[size={round(max(dp(12), scale.unit * 12))}]{coloured(plain(source), theme.MUTED)}[/size]")
        self.text = "\n".join(lines)


class ChoiceButton(PushButton):
    """One choice; a forbidden one is pale."""

    key = StringProperty()
    forbidden = BooleanProperty(False)


class ChoiceRow(BoxLayout):
    """One or two choices side by side, as the recycling list hands them out."""

    choices = ObjectProperty(())
    columns = NumericProperty(1)
    choose = ObjectProperty(None, allownone=True)
    paper = ColorProperty(theme.PANEL)
    """the theme's; Kivy hands out rows that were built in another theme, too"""

    def on_paper(self, *_: Any) -> None:
        """Dress the buttons anew."""
        self.clear_widgets()
        self.on_choices()

    def on_choices(self, *_: Any) -> None:
        """Show other choices; a missing second one leaves its place empty."""
        buttons = same_children(self, self.columns, self._button)
        for index, button in enumerate(buttons):
            there = index < len(self.choices)
            button.key, button.text, button.forbidden = self.choices[index] if there else ("", "", False)
            button.opacity, button.disabled = int(there), not there

    def _button(self) -> ChoiceButton:
        button = ChoiceButton()
        button.bind(on_release=lambda pressed: self.choose(pressed.key))
        return button


class GroupHeading(FittingText):
    """The name of a group of choices."""


class GroupButton(PushButton):
    """Shows one group of many choices."""

    group = StringProperty()


class ChoiceList(BoxLayout):
    """Choices as touch buttons, by group. Event: `on_choice(key)`."""

    __events__ = ("on_choice",)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._choices: tuple[ChoiceView, ...] = ()
        self.group = ""
        self._first = 0
        scale.bind(unit=self._show_rows)
        self.bind(width=self._show_anew)

    def on_choice(self, key: str) -> None:
        """A choice was touched; for others to bind to."""

    def show(self, choices: tuple[ChoiceView, ...]) -> None:
        """Show these choices."""
        if choices != self._choices:
            self._choices = choices
            self._show_groups()
            self._show_rows()
            self.ids.rows.scroll_y, self._first = 1, 0

    @property
    def shown(self) -> tuple[ChoiceView, ...]:
        """The choices of the group that is shown, in order."""
        return tuple(choice for choice in self._choices if self.group in ("", choice.group))

    @property
    def has_groups(self) -> bool:
        """Whether one group is shown at a time, chosen above."""
        return bool(self.group)

    @property
    def has_headings(self) -> bool:
        """Whether the choices are divided into groups."""
        return len({choice.group for choice in self._choices}) > 1

    @property
    def numbered(self) -> tuple[ChoiceView, ...]:
        """The choices that the keys 1 to 9 choose."""
        return self.shown[self._first : self._first + NUMBERED]

    @property
    def wanted_height(self) -> float:
        """The height (pixels) that shows the choices of the group without scrolling."""
        gaps = max(0, len(self.ids.rows.data) - 1)
        groups = self.ids.groups.minimum_height + self.spacing if self.has_groups else 0
        return float(sum(row["size"][1] for row in self.ids.rows.data) + gaps * scale.unit * ROW_GAP + groups)

    def leaf(self) -> None:
        """Assign the keys to the next nine choices; after a group's last choice show the next group, cyclically."""
        count = len(self.shown)
        if self._first + NUMBERED < count:
            self._first += NUMBERED
            self.ids.rows.scroll_y = 1 - self._first / (count - 1)
            return
        names = list(dict.fromkeys(choice.group for choice in self._choices))
        self._select(names[(names.index(self.group) + 1) % len(names)] if self.group in names else self.group)

    def _show_groups(self) -> None:
        names = list(dict.fromkeys(choice.group for choice in self._choices))
        if len(names) < 2 or len(self._choices) <= FEW_CHOICES:
            names = []
        counts = Counter(choice.group for choice in self._choices)
        labels = [f"{name} ({counts[name]})" for name in names]
        a_row = max(1, min(GROUPS_A_ROW, int(self.width // (scale.unit * GROUP_WIDTH))))
        cols = max(1, math.ceil(len(names) / math.ceil(len(names) / a_row)) if names else 1)
        self.ids.groups.cols = cols if all(self._fits_a_column(label, cols) for label in labels) else 1
        if self.group not in names:
            self.group = names[0] if names else ""
        presses = same_children(self.ids.groups, len(names), self._group_press)
        for press, name, label in zip(presses, names, labels, strict=True):
            press.group, press.text, press.strong = name, label, name == self.group

    def _fits_a_column(self, label: str, columns: int) -> bool:
        room = (self.width - (columns - 1) * scale.unit * GROUP_GAP) / columns
        inset = scale.unit * GROUP_INSET
        return fits(label, dp(LEGIBLE), room - inset, scale.touch, bold=True)

    def _show_anew(self, *_: Any) -> None:
        self._show_groups()
        self._show_rows()

    def _group_press(self) -> GroupButton:
        press = GroupButton()
        press.bind(on_release=lambda pressed: self._select(pressed.group))
        return press

    def _select(self, group: str) -> None:
        self.group = group
        self._show_groups()
        self._show_rows()
        self.ids.rows.scroll_y, self._first = 1, 0

    def _show_rows(self, *_: Any) -> None:
        shown = self.shown
        several = len({choice.group for choice in shown}) > 1
        rows: list[dict[str, Any]] = []
        for name, members in groupby(shown, key=lambda choice: choice.group):
            group = list(members)
            if several and name:
                heading = {"viewclass": "GroupHeading", "text": name, "color": (*theme.MUTED, 1)}
                rows.append(heading | {"size": (0, self._heading_height(name))})
            rows.extend(map(self._row, _rows_of(group)))
        self.ids.rows.data = rows

    def _heading_height(self, name: str) -> float:
        size = max(dp(12), scale.unit * 13)
        further = lines_of(name, size, self.ids.rows.width - scale.unit * 10, bold=True) - 1
        return scale.unit * 20 + further * extent(name, size, True)[1]

    def _row(self, choices: tuple[ChoiceView, ...]) -> dict[str, Any]:
        return {
            "viewclass": "ChoiceRow",
            "size": (0, scale.touch),
            "columns": 1 if len(choices[0].text) > LONG_CHOICE else 2,
            "choose": self._choose,
            "paper": (*theme.PANEL, 1),
            "choices": tuple((choice.key, choice.text, choice.forbidden) for choice in choices),
        }

    def _choose(self, key: str) -> None:
        if key:
            self.dispatch("on_choice", key)


def _rows_of(choices: list[ChoiceView]) -> Iterator[tuple[ChoiceView, ...]]:
    """Short choices two by two, long ones by themselves, in order."""
    waiting: list[ChoiceView] = []
    for choice in choices:
        if len(choice.text) > LONG_CHOICE:
            if waiting:
                yield tuple(waiting)
            yield (choice,)
            waiting = []
        elif waiting:
            yield (*waiting, choice)
            waiting = []
        else:
            waiting = [choice]
    if waiting:
        yield tuple(waiting)


class LogPanel(Panel):
    """The latest entries, newest at the bottom; undone ones are struck through."""

    text = StringProperty()

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._entries: list[str] = []
        self._fit_soon = Clock.create_trigger(self._fit, -1)
        self.bind(size=self._fit_soon)

    def show(self, lines: tuple[LogLine, ...], names: dict[int, str], count: int) -> None:
        """Show the last `count` entries, or as many of them as fit whole; of the newest at least how it begins."""
        self._entries = [self._markup(line, names) for line in lines[-count:]] if count else []
        self._fit()

    def _fit(self, *_: Any) -> None:
        size, width = self.ids.lines.font_size, self.width - self.padding[0] - self.padding[2]
        room = (self.height - self.padding[1] - self.padding[3]) / (
            extent("Ag", size, False)[1] * self.ids.lines.line_height
        )
        shown: list[str] = []
        for entry in reversed(self._entries):
            lines = lines_of(plain_words(entry), size, width, bold=False)
            if lines > room:
                if not shown:
                    shown = [_beginning(entry, size, width, max(1, int(room)))]
                break
            room -= lines
            shown.insert(0, entry)
        self.text = "\n".join(shown)

    def _markup(self, line: LogLine, names: dict[int, str]) -> str:
        text = plain(line.text)
        name = names.get(line.seat, "")
        if name and name not in line.text:
            text = f"{plain(name)}: {text}"
        return f"{line.number}  [s]{text}[/s]" if line.undone else f"{line.number}  {text}"


def _beginning(markup: str, size: float, width: float, most_lines: int) -> str:
    """As many words of a text as fit into lines of a width (pixels) at a font size."""
    words = markup.split(" ")
    while len(words) > 1 and lines_of(plain_words(" ".join(words)) + "…", size, width, bold=False) > most_lines:
        words.pop()
    begun = " ".join(words).rstrip(" .,:;") + "…"
    return f"{begun}[/s]" if "[s]" in begun else begun


load_layout(__file__)
