"""The board on the screen: print, pieces and marks, and which site a touch means."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup
from kivy.metrics import dp
from kivy.properties import NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.board.layout import Board
from ui.theme import GOLD, LEGAL, REFUSED, SHEET, WHITE, Colour
from ui.viewmodels import PieceView, VerdictKind, VerdictView
from ui.widgets.board_frame import (
    BoardFrame,
    Box,
    fitted,
    nearest_site,
    shown_part,
    site_centre,
    site_outline,
    site_places,
)
from ui.widgets.board_print import draw_print
from ui.widgets.painting import outline, polygon
from ui.widgets.piece_drawing import badge, drawn_piece, drawn_state
from ui.widgets.shapes import circle

SNAP = 24
"""how far (dp) from a site a touch still means it"""


class BoardView(Widget):
    """Draws any board from its definition. Only pieces that changed are drawn anew. Event: `on_site(name)`."""

    __events__ = ("on_site",)
    board = ObjectProperty(None, allownone=True)
    aspect = NumericProperty(1.0)
    """width by height of what is shown"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.frame = BoardFrame(1.0, (0.0, 0.0))
        self._pieces: dict[PieceView, tuple[InstructionGroup, InstructionGroup] | None] = {}
        self._places: dict[str, Any] = {}
        self._part: Box = (0.0, 0.0, 1.0, 1.0)
        self._marked: tuple[frozenset[str], VerdictView | None] = (frozenset(), None)
        self._print, self._states, self._marks = InstructionGroup(), InstructionGroup(), InstructionGroup()
        self._layers: dict[str, InstructionGroup] = {}
        self._is_stale = True
        self._redraw = Clock.create_trigger(self._draw_all, 0)
        self.bind(pos=self._on_moved, size=self._on_moved, board=self._on_new_board)
        if self.board is not None:
            self._on_new_board()

    def show(self, pieces: tuple[PieceView, ...], legal: frozenset[str], verdict: VerdictView | None) -> None:
        """Show these pieces, mark these sites as possible and those the verdict speaks of."""
        if self._is_stale:
            self._redraw()
            self._pieces = dict.fromkeys(piece for piece in pieces if piece.spot in self.board.spots)
            self._marked = (legal, verdict)
            return
        wanted = dict.fromkeys(pieces)
        for gone in [piece for piece in self._pieces if piece not in wanted]:
            self._erase(gone)
        for piece in wanted:
            if piece not in self._pieces and piece.spot in self.board.spots:
                self._draw_piece(piece)
        if (legal, verdict) != self._marked:
            self._marked = (legal, verdict)
            self._draw_marks()

    def site_at(self, position: tuple[float, float]) -> str | None:
        """The site nearest to a window position, within reach of a fingertip."""
        return nearest_site(self._places, self.frame.millimetres(position), dp(SNAP) / self.frame.scale)

    def on_site(self, site: str) -> None:
        """A site was touched; for others to bind to."""

    def on_touch_down(self, touch: Any) -> bool:
        """Begin a touch on the board."""
        if self.board is None or not self.collide_point(*touch.pos) or touch.is_mouse_scrolling:
            return False
        touch.grab(self)
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """End it: the site under the finger as it leaves is meant."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        site = self.site_at(touch.pos)
        if site is not None:
            self.dispatch("on_site", site)
        return True

    def _on_new_board(self, *_: Any) -> None:
        self.canvas.clear()
        self._pieces.clear()
        board: Board = self.board
        self._places = dict(site_places(board))
        left, top, right, bottom = self._part = shown_part(board)
        self.aspect = (right - left) / (bottom - top)
        self._layers = {name: InstructionGroup() for name in board.pieces}
        for group in (self._print, *self._layers.values(), self._states, self._marks):
            self.canvas.add(group)
        self._on_moved()

    def _on_moved(self, *_: Any) -> None:
        self._is_stale = True
        self._redraw()

    def _draw_all(self, *_: Any) -> None:
        self._is_stale = self.board is None or self.get_root_window() is None
        if self._is_stale:
            return
        part = self._part
        self.frame = fitted(part, (self.x, self.y, self.right, self.top))
        (left, high), (right, low) = self.frame.pixel(part[:2]), self.frame.pixel(part[2:])
        self._print.clear()
        draw_print(self._print, self.board, self.frame, (left, low, right, high))
        pieces = tuple(self._pieces)
        for layer in (*self._layers.values(), self._states):
            layer.clear()
        for piece in pieces:
            self._draw_piece(piece)
        self._draw_marks()

    def _layer(self, piece: PieceView) -> InstructionGroup:
        return self._layers[self.board.spots[piece.spot].piece]

    def _draw_piece(self, piece: PieceView) -> None:
        body = drawn_piece(self.board, self.frame, piece)
        state = drawn_state(self.board, self.frame, piece)
        self._pieces[piece] = body, state
        self._layer(piece).add(body)
        self._states.add(state)

    def _erase(self, piece: PieceView) -> None:
        drawn = self._pieces.pop(piece)
        if drawn is not None:
            self._layer(piece).remove(drawn[0])
            self._states.remove(drawn[1])

    def _draw_marks(self) -> None:
        self._marks.clear()
        legal, verdict = self._marked
        for site in sorted(legal):
            self._mark_possible(site)
        if verdict is None:
            return
        refused = verdict.kind is VerdictKind.REFUSED
        spots = (self.board.spots[name].site for name in verdict.spots if name in self.board.spots)
        for site in dict.fromkeys((*verdict.sites, *spots)):
            self._mark_spoken_of(site, REFUSED if refused else GOLD, "!" if refused else "")
        self.canvas.ask_update()

    def _mark_possible(self, site: str) -> None:
        if site in self._places:
            centre = self.frame.pixel(self._places[site][0])
            radius = max(self.frame.scale * 3.4, 4.0)
            polygon(self._marks, circle(centre, radius + 1.6), WHITE)
            polygon(self._marks, circle(centre, radius), LEGAL)
            polygon(self._marks, circle(centre, radius * 0.45), SHEET)

    def _mark_spoken_of(self, site: str, colour: Colour, sign: str) -> None:
        if not is_site(self.board, site):
            return
        shape = self.frame.pixels(site_outline(self.board, site))
        outline(self._marks, shape, WHITE, max(5.5, self.frame.scale * 3.4))
        outline(self._marks, shape, colour, max(3.0, self.frame.scale * 2.0))
        if sign:
            badge(self._marks, sign, max(shape, key=lambda p: (p[1], p[0])), self.frame.scale, colour)


def is_site(board: Board, name: str) -> bool:
    """Whether a board has a site of this name."""
    return site_centre(board, name) is not None
