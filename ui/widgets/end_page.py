"""The end of a game as an event: the places from last to first, then the sheet, then the points through the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout

from companion.board.layout import Board
from ui.drawing.theme import Seal
from ui.results.ending import compose_end, numeral, podium_order
from ui.view_models.play_view import ScoreView
from ui.widgets.controls import load_layout, same_children

BETWEEN_PLACES = 0.5
"""seconds from one revealed place to the next, and to the sheet after them"""
STEPS_HIGH = (1.0, 0.74, 0.65, 0.57)
"""how high the steps of the places are, compared with the first"""


class PodiumStepBox(BoxLayout):
    """A place of the podium."""

    style = ObjectProperty(None, allownone=True)
    name = StringProperty()
    points = StringProperty()
    numeral = StringProperty()
    high = NumericProperty(1.0)
    lowest = NumericProperty(1.0)
    """how high the lowest step beside it is"""
    is_first = BooleanProperty(False)
    is_shown = BooleanProperty(True)
    is_low = BooleanProperty(False)
    """whether there is room for a small seal, the name and the points only"""


class SheetLine(BoxLayout):
    """A rule, and what it brought each player."""

    title = StringProperty()
    faces = ObjectProperty(())
    board = ObjectProperty(None, allownone=True)
    has_faces = BooleanProperty(False)
    """whether faces have room before the title, here and in the other lines of the sheet"""
    is_total = BooleanProperty(False)


class SheetCell(FloatLayout):
    """Points that a rule brought a player, or a player's seal."""

    text = StringProperty()
    style = ObjectProperty(None, allownone=True)
    decides = BooleanProperty(False)
    is_total = BooleanProperty(False)


class EndPage(FloatLayout):
    """Shows who has won. Events: `on_lines`, `on_share`, `on_again`, `on_board`, `on_replay`, `on_home`.

    A touch while the places are being revealed shows all at once.
    """

    __events__ = ("on_lines", "on_share", "on_again", "on_board", "on_replay", "on_home")
    revealed = NumericProperty(0)
    """how many places are shown, from the last on; beyond them the sheet and the plot"""
    places = NumericProperty(0)
    told = StringProperty()
    has_plot = BooleanProperty(False)
    can_go_on = BooleanProperty(False)
    """whether there is a record to share, to replay and to play again"""
    is_slim = BooleanProperty(False)
    """whether the heading and what is told stand one above the other"""
    has_words = BooleanProperty(True)
    """whether the words of all quiet buttons have room in the tray"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._revealing: Any = None

    def on_kv_post(self, _base: Any) -> None:
        """Follow what takes room in the tray."""
        find_room = Clock.create_trigger(self._find_room, -1)
        self.bind(width=find_room, can_go_on=find_room)
        for button in self._quiet:
            button.bind(wanted_width=find_room)

    @property
    def _quiet(self) -> tuple[Any, ...]:
        return self.ids.board, self.ids.again, self.ids.replay, self.ids.lines

    def _find_room(self, *_: Any) -> None:
        ids, shown = self.ids, [button for button in self._quiet if not button.disabled]
        between = len(ids.tray.children) * ids.tray.spacing
        wanted = sum(button.wanted_width for button in shown) + ids.share.width + between
        self.has_words = wanted <= ids.tray.width

    @property
    def is_revealing(self) -> bool:
        """Whether places are still hidden."""
        return self.revealed <= self.places

    def show(self, score: ScoreView, styles: Mapping[int, Seal], board: Board) -> None:
        """Show a score of the game that a board is of."""
        end = compose_end(score, board.game)
        self.ids.heading.words, self.told, self.places = end.heading.upper(), end.told, len(end.steps)
        order = podium_order(len(end.steps))
        for widget, place in zip(same_children(self.ids.podium, len(order), PodiumStepBox), order, strict=True):
            step = end.steps[place]
            widget.style, widget.name, widget.points = styles.get(step.seat), step.name, str(step.points)
            widget.numeral, widget.is_first = numeral(step.rank), step.rank == 1 and score.decided
            widget.high = STEPS_HIGH[min(step.rank - 1, len(STEPS_HIGH) - 1)] if score.decided else STEPS_HIGH[1]
        lowest = min(widget.high for widget in self.ids.podium.children)
        for widget in self.ids.podium.children:
            widget.lowest = lowest
        lines = same_children(self.ids.sheet, len(end.rows) + 2, SheetLine)
        self._cells(lines[0], "", [""] * len(end.steps), [styles.get(step.seat) for step in end.steps])
        has_faces = any(row.faces for row in end.rows)
        for line, row in zip(lines[1:-1], end.rows, strict=True):
            told = [str(points) if points else "–" for points in row.points]
            self._cells(line, row.title, told, [None] * len(told), row.decides)
            line.board, line.faces, line.has_faces = board, row.faces, has_faces
        lines[-1].is_total = True
        self._cells(lines[-1], self.ids.total.text, list(map(str, end.totals)), [None] * len(end.steps))
        self._show_places()

    @staticmethod
    def _cells(line: SheetLine, title: str, texts: list[str], styles: list[Any], decides: int = -1) -> None:
        line.title = title
        cells = same_children(line.ids.cells, len(texts), SheetCell)
        for place, (cell, text, style) in enumerate(zip(cells, texts, styles, strict=True)):
            cell.text, cell.style, cell.decides, cell.is_total = text, style, place == decides, line.is_total

    def reveal(self) -> None:
        """Show the places one by one from the last to the first."""
        self.revealed = 0
        self._revealing = Clock.schedule_interval(self._next, BETWEEN_PLACES)

    def show_all(self) -> None:
        """Show everything at once."""
        if self._revealing is not None:
            self._revealing.cancel()
            self._revealing = None
        self.revealed = self.places + 1

    def _next(self, _elapsed: float) -> None:
        self.revealed += 1
        if not self.is_revealing:
            self.show_all()

    def on_revealed(self, *_arguments: Any) -> None:
        """Show so many places."""
        self._show_places()

    def _show_places(self) -> None:
        steps = list(reversed(self.ids.podium.children))
        for widget, place in zip(steps, podium_order(len(steps)), strict=True):
            widget.is_shown = len(steps) - place <= self.revealed

    def on_touch_down(self, touch: Any) -> bool:
        """A touch while places are hidden shows them; behind other pages none is taken."""
        if self.disabled:
            return False
        if self.is_revealing:
            self.show_all()
            return True
        return bool(super().on_touch_down(touch))

    def on_lines(self) -> None:
        """All lines of the sheet are asked for; for others to bind to."""

    def on_share(self) -> None:
        """It is to be shared; for others to bind to."""

    def on_again(self) -> None:
        """The same people play once more; for others to bind to."""

    def on_board(self) -> None:
        """The board is to be seen; for others to bind to."""

    def on_home(self) -> None:
        """The table is left; for others to bind to."""

    def on_replay(self) -> None:
        """The game is to be looked through; for others to bind to."""


load_layout(__file__)
