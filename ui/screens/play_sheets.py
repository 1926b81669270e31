"""Which sheet of a board the play screen turns to next, and what that is called."""

from __future__ import annotations

from companion.board.layout import Board
from ui.services.text import _, capitalised, place_name
from ui.view_models.play_view import PlayView


def next_sheet(board: Board, view: PlayView | None, shown: int) -> int:
    """The sheet after the one that is shown: the first one, and the others with pieces on them, in turn."""
    lying = {piece.spot for piece in view.pieces} if view is not None else set()
    used = [number for number, sheet in enumerate(board.sheets) if not number or not lying.isdisjoint(sheet.spots)]
    return next((number for number in used if number > shown), 0)


def sheet_name(board: Board, number: int) -> str:
    """What people call a sheet."""
    names = [_("Board"), *(capitalised(place_name(board.game, name)) for name in board.beside)]
    return names[number]
