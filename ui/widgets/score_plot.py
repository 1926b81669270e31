"""Points over time: a line for each player, distinguished by colour, dashes and the seal at its end."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.shapes import axis_marks, box, dashes_along, lanes, leads, spread, stairs, stroke
from ui.drawing.theme import Seal
from ui.services.text import _
from ui.widgets.controls import extent
from ui.widgets.painting import outline, polygon, thin_lines, triangles, written
from ui.widgets.scale import scale
from ui.widgets.seals import draw_seal

GRID_LINES = 5
DASHES = ((1, 0), (12, 5), (3, 4), (18, 4))
"""drawn and left out, in design pixels along the line, for the first player and so on"""
MOST_TURNS = 8
"""turns that are numbered at most"""
HIGH = 150
"""design pixels from which on there is room below the lines for turns and for who led when"""
WIDE = 700
"""design pixels from which on there is room for names beside the lines"""
STRIP = 16
ABOVE_LEADS = 10
"""design pixels from the lowest line up to the middle of the lowest name, above what the strip is called"""
LANE = 4
"""design pixels between lines that would hide each other"""


class ScorePlot(Widget):
    """Draws series of points. Event: `on_step(step)` where it is touched."""

    __events__ = ("on_step",)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._shown: tuple[Any, ...] = ()
        self._series: tuple[tuple[int, ...], ...] = ()
        self._styles: tuple[Seal, ...] = ()
        self._turns: tuple[int, ...] = ()
        self._names: tuple[str, ...] = ()
        self._step = 0
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._redraw, size=self._redraw)

    def show(
        self,
        series: tuple[tuple[int, ...], ...],
        styles: tuple[Seal, ...],
        step: int,
        turns: tuple[int, ...] = (),
        names: tuple[str, ...] = (),
    ) -> None:
        """Show these points, a tuple, a style and a name for each player, and mark a step; `turns` are the steps that
        end one.
        """
        if (series, styles, step, turns, names) != self._shown:
            self._shown = series, styles, step, turns, names
            self._series, self._styles, self._step, self._turns, self._names = self._shown
            self._redraw()

    def on_step(self, step: int) -> None:
        """A step was touched; for others to bind to."""

    def on_touch_down(self, touch: Any) -> bool:
        """Go where the finger is."""
        return self._touched(touch)

    def on_touch_move(self, touch: Any) -> bool:
        """Follow the finger."""
        return self._touched(touch)

    def _touched(self, touch: Any) -> bool:
        if self.disabled or not self._series or not self.collide_point(*touch.pos):
            return False
        left, _low, right, _high = self._frame()
        last = len(self._series[0]) - 1
        step = round((touch.x - left) / max(1.0, right - left) * last)
        self.dispatch("on_step", min(max(step, 0), last))
        return True

    def _frame(self) -> tuple[float, float, float, float]:
        """Left, lower, right and upper edge of the lines."""
        unit = scale.unit
        below = unit * (14 + (STRIP + 6 + 22 * bool(self._turns) if self.height > unit * HIGH else 0))
        return self.x + unit * 44, self.y + below, self.right - unit * 40 - self._room_for_names(), self.top - unit * 14

    def _text_size(self) -> float:
        return max(dp(12), scale.unit * 13)

    def _room_for_names(self) -> float:
        if not self._names or self.width < scale.unit * WIDE:
            return 0.0
        told = (*self._names, _("in the lead"), _("turns"))
        return max(extent(name, scale.unit * 16, False)[0] for name in told) + scale.unit * 8

    def _draw(self, *_arguments: Any) -> None:
        group = self._drawing
        group.clear()
        if not self._series or self.height < 20:
            return
        left, low, right, high = self._frame()
        last = max(1, len(self._series[0]) - 1)
        lowest, highest = min(0, *map(min, self._series)), max(0, *map(max, self._series))
        marks = axis_marks(lowest, highest, GRID_LINES)
        least, most = marks[0], marks[-1]

        def place(step: int, points: float, lane: int = 0) -> tuple[float, float]:
            x, y = left + (right - left) * step / last, low + (high - low) * (points - least) / (most - least)
            return x, y + lane * scale.unit * LANE

        for points in marks:
            y = place(0, points)[1]
            thin_lines(group, [((left, y), (right, y))], theme.HAIRLINE)
            written(group, str(points), (left - scale.unit * 20, y), self._text_size(), theme.MUTED, bold=False)
        if self.height > scale.unit * HIGH:
            self._draw_leads(left, right, last)
            self._draw_turns(left, right, last)
        x = place(self._step, 0)[0]
        triangles(group, stroke((x, low), (x, high), max(2.0, scale.unit * 2)), theme.GOLD)
        free = low + scale.unit * ABOVE_LEADS * bool(self._room_for_names())
        ends = spread([place(0, line[-1])[1] for line in self._series], scale.unit * 22, free, high)
        drawings = zip(self._series, lanes(self._series), self._styles, strict=True)
        for number, (line, beside, style) in enumerate(drawings):
            steps = stairs([place(*at) for at in zip(range(last + 1), line, beside, strict=False)])
            dash, gap = (scale.unit * length for length in DASHES[number % len(DASHES)])
            for width, colour, drawn in (
                (5, theme.PANEL, dashes_along(steps, 1, 0)),
                (3, _seen(style.fill), dashes_along(steps, dash, gap)),
            ):
                pieces = [corner for piece in drawn for corner in stroke(*piece, scale.unit * width)]
                triangles(group, pieces, colour)
            draw_seal(group, (right + scale.unit * 22, ends[number]), scale.unit * 22, style)
            if self._room_for_names():
                self._write_beside(self._names[number], right, ends[number], theme.INK)

    def _draw_leads(self, left: float, right: float, last: int) -> None:
        """A strip below the lines of who had most points when; where several had, nobody is named."""
        unit, group = scale.unit, self._drawing
        low = self.y + unit * (12 + 22 * bool(self._turns))
        for first, after, leader in leads(self._series):
            start, end = (left + (right - left) * min(step, last) / last for step in (first, after))
            if end - start < 1:
                continue
            style, bar = self._styles[leader], box((start + end) / 2, low + unit * STRIP / 2, end - start, unit * STRIP)
            polygon(group, bar, style.fill)
            outline(group, bar, theme.EDGE)
            if end - start > unit * STRIP * 1.5:
                draw_seal(group, ((start + end) / 2, low + unit * STRIP / 2), unit * STRIP, style)
        if self._room_for_names():
            self._write_beside(_("in the lead"), right, low + unit * STRIP / 2, theme.MUTED)

    def _draw_turns(self, left: float, right: float, last: int) -> None:
        """The numbers of some turns below the place where each ended."""
        if not self._turns:
            return
        y = self.y + scale.unit * 16
        for turn in axis_marks(0, len(self._turns), MOST_TURNS)[1:]:
            if turn <= len(self._turns):
                x = left + (right - left) * self._turns[turn - 1] / last
                written(self._drawing, str(turn), (x, y), self._text_size(), theme.MUTED, bold=False)
        if self._room_for_names():
            self._write_beside(_("turns"), right, y, theme.MUTED)

    def _write_beside(self, text: str, right: float, y: float, colour: theme.Colour) -> None:
        size = scale.unit * 16
        x = right + scale.unit * 38 + extent(text, size, False)[0] / 2
        written(self._drawing, text, (x, y), size, colour, bold=False)


def _seen(colour: theme.Colour) -> theme.Colour:
    """A line's colour that stands out from the panel; a white line is drawn grey."""
    return colour if theme.contrast(colour, theme.PANEL) > 1.4 else theme.mixed(colour, theme.INK, 0.45)
