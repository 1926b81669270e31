"""The board on the screen: print, pieces and marks; zoomed and moved by fingers; maps touches to sites."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup, MatrixInstruction, PopMatrix, PushMatrix, Rectangle
from kivy.graphics.stencil_instructions import StencilPop, StencilPush, StencilUnUse, StencilUse
from kivy.graphics.transformation import Matrix
from kivy.metrics import dp
from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty
from kivy.uix.widget import Widget

from companion.board.layout import Board
from ui.drawing.shapes import circle
from ui.drawing.theme import BOARD_GOLD, LEGAL, REFUSED, SHEET, WHITE, Colour
from ui.view_models.play_view import PieceView, VerdictKind, VerdictView
from ui.widgets.board_frame import (
    BoardFrame,
    Box,
    fitted,
    held,
    moved_by,
    nearer,
    nearest_site,
    shown_part,
    site_centre,
    site_outline,
    site_places,
)
from ui.widgets.board_print import draw_print
from ui.widgets.painting import outline, polygon
from ui.widgets.piece_drawing import badge, drawn_piece, drawn_state

SNAP = 24
"""how far (dp) from a site a touch still means it"""
DRAG = 12
"""how far (dp) a finger may stray and still have tapped"""
STEP = 1.25
"""zoom factor of one notch of a wheel or one press of a key"""
CLOSE = 2.0
"""zoom factor of one press of a button"""
SHARPENED_AFTER = 0.15
"""seconds after the last move of a finger or wheel until the board is drawn anew in its new size"""


class BoardView(Widget):
    """Draws one of a board's sheets from its definition. Only pieces that changed are drawn anew.

    While it is moved, what was drawn is moved as a whole. Event: `on_site(name)`.
    """

    __events__ = ("on_site",)
    board = ObjectProperty(None, allownone=True)
    sheet = NumericProperty(0)
    """which of the board's sheets is shown"""
    aspect = NumericProperty(1.0)
    """width by height of what is shown"""
    is_near = BooleanProperty(False)
    """whether only a part of the sheet is shown"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self.frame = BoardFrame(1.0, (0.0, 0.0))
        """where the sheet lies now"""
        self._drawn_frame = self.frame
        self._all: tuple[PieceView, ...] = ()
        self._pieces: dict[PieceView, tuple[InstructionGroup, InstructionGroup] | None] = {}
        self._places: dict[str, Any] = {}
        self._part: Box = (0.0, 0.0, 1.0, 1.0)
        self._marked: tuple[frozenset[str], VerdictView | None] = (frozenset(), None)
        self._print, self._states, self._marks = InstructionGroup(), InstructionGroup(), InstructionGroup()
        self._layers: dict[str, InstructionGroup] = {}
        self._clips = Rectangle(), Rectangle()
        self._transform = MatrixInstruction()
        self._fingers: list[Any] = []
        self._is_gesture = False
        self._is_stale = True
        self._redraw = Clock.create_trigger(self._draw_all, 0)
        self._sharpen = Clock.create_trigger(self._draw_all, SHARPENED_AFTER)
        self.bind(pos=self._on_moved, size=self._on_moved, board=self._on_new_board, sheet=self._on_new_board)
        if self.board is not None:
            self._on_new_board()

    @property
    def shown(self) -> Board:
        """The sheet that is shown."""
        sheet: Board = self.board.sheets[int(self.sheet)]
        return sheet

    def show(self, pieces: tuple[PieceView, ...], legal: frozenset[str], verdict: VerdictView | None) -> None:
        """Show the pieces that lie on this sheet; mark the possible sites and those of the verdict."""
        self._all = pieces
        spots = self.shown.spots
        wanted = dict.fromkeys(piece for piece in pieces if piece.spot in spots)
        if self._is_stale:
            self._redraw()
            self._pieces = dict.fromkeys(wanted)
            self._marked = (legal, verdict)
            return
        for gone in [piece for piece in self._pieces if piece not in wanted]:
            self._erase(gone)
        for piece in wanted:
            if piece not in self._pieces:
                self._draw_piece(piece)
        if (legal, verdict) != self._marked:
            self._marked = (legal, verdict)
            self._draw_marks()

    def site_at(self, position: tuple[float, float]) -> str | None:
        """The site nearest to a window position, within reach of a fingertip."""
        return nearest_site(self._places, self.frame.millimetres(position), dp(SNAP) / self.frame.scale)

    def in_reading_order(self, sites: Iterable[str]) -> tuple[str, ...]:
        """Those of these sites that lie on the sheet, from top to bottom and from left to right."""
        places = {site: self._places[site][0] for site in sites if site in self._places}
        return tuple(sorted(places, key=lambda site: (round(places[site][1]), places[site][0])))

    def nearer(self, factor: float = CLOSE) -> None:
        """Zoom around the board's middle; a factor below 1 zooms out."""
        self._place(nearer(self.frame, self.center, factor))

    def whole(self) -> None:
        """Show the whole sheet."""
        self._place(fitted(self._part, self._window()))

    def on_site(self, site: str) -> None:
        """A site was touched; for others to bind to."""

    def on_touch_down(self, touch: Any) -> bool:
        """Begin a touch on the board, or turn the wheel over it."""
        if self.board is None or not self.collide_point(*touch.pos):
            return False
        if touch.is_mouse_scrolling:
            self._place(nearer(self.frame, touch.pos, STEP if touch.button == "scrolldown" else 1 / STEP))
            return True
        touch.grab(self)
        self._fingers.append(touch)
        return True

    def on_touch_move(self, touch: Any) -> bool:
        """One finger moves a zoomed board, two fingers zoom it."""
        if touch.grab_current is not self or touch not in self._fingers:
            return False
        if len(self._fingers) > 1:
            self._is_gesture = True
            one, two = self._fingers[:2]
            before = math.dist(one.ppos if touch is one else one.pos, two.ppos if touch is two else two.pos)
            now = math.dist(one.pos, two.pos)
            middle = (one.x + two.x) / 2, (one.y + two.y) / 2
            frame = moved_by(self.frame, touch.dx / 2, touch.dy / 2)
            self._place(nearer(frame, middle, now / before if before > 1 else 1.0))
        elif self._is_gesture or math.dist(touch.pos, touch.opos) > dp(DRAG):
            self._is_gesture = self._is_gesture or self.is_near
            if self._is_gesture:
                self._place(moved_by(self.frame, touch.dx, touch.dy))
        return True

    def on_touch_up(self, touch: Any) -> bool:
        """End a touch: unless the board was moved, report the site under the finger."""
        if touch.grab_current is not self:
            return False
        touch.ungrab(self)
        if touch in self._fingers:
            self._fingers.remove(touch)
        was_gesture, self._is_gesture = self._is_gesture, self._is_gesture and bool(self._fingers)
        site = None if was_gesture else self.site_at(touch.pos)
        if site is not None:
            self.dispatch("on_site", site)
        return True

    def _window(self) -> Box:
        # Kivy's own `right` and `top` may still be the old ones while a size is announced.
        return self.x, self.y, self.x + self.width, self.y + self.height

    def _place(self, frame: BoardFrame) -> None:
        """Move what is drawn to where the frame is now; it is drawn sharply a moment later."""
        self.frame = held(frame, self._part, self._window())
        self.is_near = self.frame.scale > fitted(self._part, self._window()).scale * 1.001
        drawn, now = self._drawn_frame, self.frame
        factor = now.scale / drawn.scale
        matrix = Matrix().scale(factor, factor, 1)
        shift = (now.origin[0] - factor * drawn.origin[0], now.origin[1] - factor * drawn.origin[1])
        self._transform.matrix = Matrix().translate(*shift, 0).multiply(matrix)
        self.canvas.ask_update()
        self._sharpen.cancel()
        self._sharpen()

    def _on_new_board(self, *_: Any) -> None:
        self.canvas.clear()
        board = self.shown
        self._pieces = dict.fromkeys(piece for piece in self._all if piece.spot in board.spots)
        self._places = dict(site_places(board))
        left, top, right, bottom = self._part = shown_part(board)
        self.aspect = (right - left) / (bottom - top)
        self._layers = {name: InstructionGroup() for name in board.pieces}
        drawing = (self._print, *self._layers.values(), self._states, self._marks)
        for instruction in (
            StencilPush(), self._clips[0], StencilUse(), PushMatrix(), self._transform, *drawing, PopMatrix(),
            StencilUnUse(), self._clips[1], StencilPop(),
        ):  # fmt: skip
            self.canvas.add(instruction)
        self._on_moved()

    def _on_moved(self, *_: Any) -> None:
        for clip in self._clips:
            clip.pos, clip.size = self.pos, self.size
        if self.board is not None:
            self.frame, self.is_near = fitted(self._part, self._window()), False
        self._is_stale = True
        self._redraw()

    def _draw_all(self, *_: Any) -> None:
        self._is_stale = self.board is None or self.get_root_window() is None
        if self._is_stale:
            return
        part = self._part
        self._drawn_frame = self.frame
        self._transform.matrix = Matrix()
        (left, high), (right, low) = self.frame.pixel(part[:2]), self.frame.pixel(part[2:])
        self._print.clear()
        draw_print(self._print, self.shown, self.frame, (left, low, right, high))
        pieces = tuple(self._pieces)
        for layer in (*self._layers.values(), self._states):
            layer.clear()
        for piece in pieces:
            self._draw_piece(piece)
        self._draw_marks()

    def _layer(self, piece: PieceView) -> InstructionGroup:
        return self._layers[self.shown.spots[piece.spot].piece]

    def _draw_piece(self, piece: PieceView) -> None:
        body = drawn_piece(self.shown, self._drawn_frame, piece)
        state = drawn_state(self.shown, self._drawn_frame, piece)
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
        refused, board = verdict.kind is VerdictKind.REFUSED, self.shown
        spots = (board.spots[name].site for name in verdict.spots if name in board.spots)
        for site in dict.fromkeys((*verdict.sites, *spots)):
            self._mark_spoken_of(site, REFUSED if refused else BOARD_GOLD, "!" if refused else "")
        self.canvas.ask_update()

    def _mark_possible(self, site: str) -> None:
        if site in self._places:
            frame = self._drawn_frame
            centre = frame.pixel(self._places[site][0])
            radius = max(frame.scale * 3.4, 4.0)
            polygon(self._marks, circle(centre, radius + 1.6), WHITE)
            polygon(self._marks, circle(centre, radius), LEGAL)
            polygon(self._marks, circle(centre, radius * 0.45), SHEET)

    def _mark_spoken_of(self, site: str, colour: Colour, sign: str) -> None:
        if not is_site(self.shown, site):
            return
        frame = self._drawn_frame
        shape = frame.pixels(site_outline(self.shown, site))
        outline(self._marks, shape, WHITE, max(5.5, frame.scale * 3.4))
        outline(self._marks, shape, colour, max(3.0, frame.scale * 2.0))
        if sign:
            badge(self._marks, sign, max(shape, key=lambda p: (p[1], p[0])), frame.scale, colour)


def is_site(board: Board, name: str) -> bool:
    """Whether a board has a site of this name."""
    return site_centre(board, name) is not None
