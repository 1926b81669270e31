"""Where table and record differ: of each place two pictures, what lies there and what was noted. A touch chooses."""

from __future__ import annotations

from typing import Any

from kivy.clock import Clock
from kivy.graphics import InstructionGroup, Rectangle
from kivy.graphics.stencil_instructions import StencilPop, StencilPush, StencilUnUse, StencilUse
from kivy.metrics import dp
from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.board.layout import Board
from ui.drawing.board_frame import BoardFrame
from ui.drawing.marks import DIFFERS
from ui.printed.scene import Looks, Shown, compose_scene, ring_around
from ui.services.text import _
from ui.view_models.play_view import DifferenceView, PieceState, PieceView
from ui.widgets.controls import PushButton, load_layout, same_children
from ui.widgets.scale import scale
from ui.widgets.scene_painting import BoardTextures, paint_scene, paint_sheet

ROW, TITLE, LABEL, AROUND = 168, 30, 22, 40.0
"""design pixels of a row at most, of the title and of the words below a picture; mm of the board around a place"""


class CutOutButton(PushButton):
    """A part of the board as it lies, or as it was noted, with a word below."""

    key = StringProperty()
    scene = ObjectProperty(None, allownone=True)
    """sheet, textures, pieces, the spot in the middle, and how much of the sheet is shown (mm)"""

    def __init__(self, **properties: Any) -> None:
        super().__init__(**properties)
        self._drawing = InstructionGroup()
        self.canvas.after.add(self._drawing)
        draw_soon = Clock.create_trigger(self._draw, -1)
        self.bind(pos=draw_soon, size=draw_soon, scene=draw_soon, state=draw_soon)

    def _draw(self, *_: Any) -> None:
        self._drawing.clear()
        edge, below = dp(4), scale.unit * LABEL + dp(4)
        width, height = self.width - 2 * edge, self.height - below - edge
        if self.scene is None or min(width, height) < 8:
            return
        board, textures, pieces, spot, across = self.scene
        middle = board.spots[spot].centre
        step = min(width, height) / across
        x, y = self.x + edge + width / 2, self.y + below + height / 2 - self.sunk
        frame = BoardFrame(step, (x - middle[0] * step, y + middle[1] * step))
        clip = {"pos": (self.x + edge, self.y + below - self.sunk), "size": (width, height)}
        for instruction in (StencilPush(), Rectangle(**clip), StencilUse()):
            self._drawing.add(instruction)
        paint_sheet(self._drawing, textures, frame)
        looks = Looks(frame, textures.pictures, dp(1))
        drawn = *compose_scene(board, looks, Shown(pieces)), *ring_around(board, looks, spot, DIFFERS)
        paint_scene(self._drawing, drawn, textures.atlas)
        for instruction in (StencilUnUse(), Rectangle(**clip), StencilPop()):
            self._drawing.add(instruction)


class DifferenceRow(BoxLayout):
    """A place with its number."""

    number = StringProperty()


class Differences(BoxLayout):
    """The places where table and record differ, one below the other. Event: `on_choice(key)`."""

    __events__ = ("on_choice",)
    title = StringProperty()
    count = NumericProperty(0)

    def on_choice(self, key: str) -> None:
        """What is right at a place was touched; for others to bind to."""

    def wanted_height(self, count: int, room: float) -> float:
        """The height (pixels) for so many places in a room."""
        return float(min(room, scale.unit * (TITLE + count * ROW)))

    def show(
        self, found: tuple[DifferenceView, ...], pieces: tuple[PieceView, ...], board: Board, textures: Any
    ) -> None:
        """Show these; `pieces` are all that are shown on the board, `board` is the sheet."""
        self.count, self.title = len(found), _("Touch what is right") if found else ""
        lying = {piece.spot: piece for piece in pieces if piece.label and piece.state is not PieceState.WRONG}
        record = tuple(PieceView(spot, piece.label, PieceState.PLACED) for spot, piece in lying.items())
        spots = {each.spot for each in found}
        table = tuple(piece for piece in record if piece.spot not in spots)
        table += tuple(PieceView(each.spot, each.seen, PieceState.PLACED) for each in found if each.seen)
        rows = same_children(self.ids.rows, len(found), DifferenceRow)
        for row, each in zip(rows, found, strict=True):
            row.number = str(each.number)
            cut_outs = same_children(row.ids.pictures, 2, self._cut_out)
            told = (each.table, _("table"), table), (each.record, _("record"), record)
            for cut_out, (key, word, lain) in zip(cut_outs, told, strict=True):
                cut_out.key, cut_out.text = key, word
                cut_out.scene = scene_around(board, textures, each.spot, lain)

    def _cut_out(self) -> CutOutButton:
        return CutOutButton(on_release=lambda pressed: self.dispatch("on_choice", pressed.key))


def scene_around(
    board: Board, textures: BoardTextures | None, spot: str, pieces: tuple[PieceView, ...]
) -> tuple[Board, BoardTextures, tuple[PieceView, ...], str, float] | None:
    """What a picture around a spot shows; None while the board's pictures are not there, or off this sheet."""
    if textures is None or spot not in board.spots:
        return None
    xs, ys = zip(*board.spots[spot].outline, strict=True)
    return board, textures, pieces, spot, max(max(xs) - min(xs), max(ys) - min(ys)) + AROUND


load_layout(__file__)
