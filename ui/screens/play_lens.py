"""The lens of the play screen: where an upright window has room, the place that is looked at is seen near."""

from __future__ import annotations

from typing import Any

from ui.drawing.board_frame import site_centre, site_outline
from ui.table.picking import place_looked_at
from ui.view_models.play_view import PlayView
from ui.widgets.scale import scale

LARGEST, LEAST, SHARE = 420, 220, 0.5
"""design pixels of the lens's sides, and how much of the width it takes at most"""
APART = 16
"""design pixels between the lens and what is beside it"""
NEIGHBOURS = 3.2
"""how many times as wide as a place the part is that is shown"""


def has_lens(screen: Any, view: PlayView) -> bool:
    """Whether the window has room for a lens, and the view a place to look at."""
    is_upright = screen.height > screen.width
    return bool(is_upright and not view.rows and not view.is_refusal and place_looked_at(view, screen.ids.board.shown))


def lens_side(ids: Any, room: float) -> float:
    """The side (pixels) of a lens in a room so high; 0 where it is too low."""
    side = min(scale.unit * LARGEST, ids.side.width * SHARE, room)
    return side if side >= scale.unit * LEAST else 0.0


def room_for_lens(ids: Any, room: float) -> float:
    """How high a lens may be in a room so high (pixels): 0 where it alone would keep cards on the shelf from sight."""
    width = ids.side.width
    beside = ids.shelf.least_height(width - lens_side(ids, room) - scale.unit * APART)
    return 0.0 if beside > room >= ids.shelf.least_height(width) else room


def show_lens(ids: Any, view: PlayView, room: float) -> None:
    """Show the lens in a room so high (pixels), 0 to show none."""
    lens, board = ids.lens, ids.board
    side = lens_side(ids, room)
    lens.opacity, lens.disabled = int(side > 0), not side
    lens.size = side, side
    if not side:
        return
    if lens.board is not board.board:
        lens.board = board.board
    lens.sheet = board.sheet
    site = place_looked_at(view, board.shown)
    xs, ys = zip(*site_outline(board.shown, site), strict=True)
    lens.look_at(site_centre(board.shown, site), NEIGHBOURS * min(max(xs) - min(xs), max(ys) - min(ys)))
    shown = board.showing
    lens.show(shown.pieces, shown.legal, shown.verdict, shown.ghost, shown.places, shown.path)
