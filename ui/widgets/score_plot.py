"""Points over time: a line for each player, distinguished by colour, dashes and the seal at its end."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.uix.widget import Widget

from ui.drawing import theme
from ui.drawing.shapes import Points, axis_marks, lanes, spread, stroke
from ui.drawing.theme import Seal
from ui.widgets.painting import thin_lines, triangles, written
from ui.widgets.scale import scale
from ui.widgets.seals import draw_seal

GRID_LINES = 5
DASHES = ((1, 0), (6, 3), (2, 2), (9, 2))
"""drawn and left out, in steps along the line, for the first player and so on"""
LANE = 4
"""design pixels between lines that would hide each other"""


class ScorePlot(Widget):
    """Draws series of points. Event: `on_step(step)` where it is touched."""

    __events__ = ("on_step",)

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._series: tuple[tuple[int, ...], ...] = ()
        self._styles: tuple[Seal, ...] = ()
        self._step = 0
        self._drawing = InstructionGroup()
        self.canvas.add(self._drawing)
        self._redraw = Clock.create_trigger(self._draw, -1)
        self.bind(pos=self._redraw, size=self._redraw)

    def show(self, series: tuple[tuple[int, ...], ...], styles: tuple[Seal, ...], step: int) -> None:
        """Show these points, a tuple and a style for each player, and mark a step."""
        if (series, styles, step) != (self._series, self._styles, self._step):
            self._series, self._styles, self._step = series, styles, step
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
        unit = scale.unit
        return self.x + unit * 44, self.y + unit * 14, self.right - unit * 40, self.top - unit * 14

    def _draw(self, *_: Any) -> None:
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
            size = max(dp(12), scale.unit * 13)
            written(group, str(points), (left - scale.unit * 20, y), size, theme.MUTED, bold=False)
        x = place(self._step, 0)[0]
        triangles(group, stroke((x, low), (x, high), max(2.0, scale.unit * 2)), theme.GOLD)
        ends = spread([place(0, line[-1])[1] for line in self._series], scale.unit * 22, low, high)
        drawings = zip(self._series, lanes(self._series), self._styles, ends, strict=True)
        for number, (line, beside, style, end) in enumerate(drawings):
            steps = tuple(
                place(step, points, lane) for step, (points, lane) in enumerate(zip(line, beside, strict=True))
            )
            drawn = _dashed(steps, DASHES[number % len(DASHES)], scale.unit * 3)
            triangles(group, _dashed(steps, (1, 0), scale.unit * 5), theme.PANEL)
            triangles(group, drawn, _seen(style.fill))
            draw_seal(group, (right + scale.unit * 22, end), scale.unit * 22, style)


def _dashed(points: Points, dash: tuple[int, int], width: float) -> list[tuple[float, float]]:
    """The line through the points, in triangles, with gaps of whole steps where it is level."""
    found: list[tuple[float, float]] = []
    period = sum(dash)
    for step, (start, end) in enumerate(pairwise(points)):
        if step % period < dash[0] or start[1] != end[1]:
            found += stroke(start, end, width)
    return found


def _seen(colour: theme.Colour) -> theme.Colour:
    """A line's colour that stands out from the panel; a white line is drawn grey."""
    return colour if theme.contrast(colour, theme.PANEL) > 1.4 else theme.mixed(colour, theme.INK, 0.45)
