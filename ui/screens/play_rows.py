"""Where the cards that lie in rows are shown on the play screen: in the rail, or the first row in the tray."""

from __future__ import annotations

from typing import Any

from companion.board.layout import Board
from ui.view_models.play_view import PlayView
from ui.widgets.scale import scale

APART = 20
"""design pixels that the tray keeps beside a row of cards"""


def row_in_tray_wants(ids: Any, view: PlayView) -> float:
    """Pixels of the tray without which it cannot show the first row."""
    return ids.rows_beside.least_strip_width(view.rows[0]) + scale.unit * APART if view.rows else 0.0


def rows_in_tray(ids: Any, view: PlayView, board: Board, colour: str, room: float) -> bool:
    """Show the first row in the tray while a shelf fills the rail, or where the rail has no room for any row (pixels
    are those that the tray has left); whether it is there.
    """
    strip = ids.rows_beside
    strip.board, strip.colour, strip.rows = board, colour, view.rows[:1]
    wanted = strip.strip_width(view.rows[0], room - scale.unit * APART) if view.rows and ids.shelf.cards else 0.0
    strip.width, strip.opacity = wanted, int(wanted > 0)
    return wanted > 0


def rows_in_rail(ids: Any, view: PlayView, board: Board, colour: str, room: float) -> float:
    """Show as many rows in the rail as have so much room (pixels), above a shelf the first one alone; gives the height
    that they take.
    """
    wanted = view.rows[:1] if ids.shelf.cards else view.rows
    rows, height = ids.rows.fitting(() if ids.rows_beside.width else wanted, room)
    ids.rows.board, ids.rows.colour, ids.rows.rows = board, colour, rows
    ids.rows.height, ids.rows.opacity = height, int(height > 0)
    return height
