"""The latest moves as pictures: who, what was laid or taken, what it brought. A touched one can be corrected."""

from __future__ import annotations

from typing import Any

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.board.layout import Board
from ui.drawing.theme import seal_of
from ui.view_models.play_view import UNCHECKED, MoveView, PlayerView
from ui.widgets.controls import load_layout, same_children

ROW = 56
"""design pixels of a row"""


class MoveRow(ButtonBehavior, BoxLayout):
    """One move."""

    number = NumericProperty(0)
    style = ObjectProperty(None, allownone=True)
    board = ObjectProperty(None, allownone=True)
    textures = ObjectProperty(None, allownone=True)
    faces = ObjectProperty(())
    pieces = ObjectProperty(())
    colour = StringProperty()
    told = StringProperty()
    points = NumericProperty(0)
    sign = StringProperty()
    """of what could not be checked; a touch says why"""
    beside = NumericProperty(0)
    """pixels that the faces take; what is told of the move stands right of them"""


class MoveRows(BoxLayout):
    """The latest moves, one below the other. Event: `on_move(number)`, the number of the entry that was touched."""

    __events__ = ("on_move",)

    def on_move(self, number: int) -> None:
        """A move was touched; for others to bind to."""

    def show(self, moves: tuple[MoveView, ...], players: tuple[PlayerView, ...], board: Board, textures: Any) -> None:
        """Show these moves."""
        by_seat = {player.seat: player for player in players}
        rows = same_children(self, len(moves), self._row)
        for number, (row, move) in enumerate(zip(rows, moves, strict=True)):
            player = by_seat[move.seat]
            row.sign = UNCHECKED if move.is_unchecked else ""
            row.number, row.points, row.colour = move.number, move.points, player.colour
            row.style, row.board, row.textures = seal_of(board, player.colour), board, textures
            row.pieces = move.pieces[:4]
            row.faces = () if row.pieces else move.faces
            is_told = not row.pieces and (number == 0 or not row.faces)  # small cards look alike; the latest is told
            row.told = move.text if is_told else ""

    def _row(self) -> MoveRow:
        row = MoveRow()
        row.bind(on_release=lambda pressed: self.dispatch("on_move", pressed.number))
        return row


load_layout(__file__)
