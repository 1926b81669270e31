"""How the parts of the rail beside the board share its height."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.board.layout import Board
from ui.screens.play_differences import show_differences
from ui.screens.play_lens import LEAST, room_for_lens, show_lens
from ui.screens.play_rows import rows_in_rail
from ui.table.picking import CardView
from ui.view_models.play_view import PlayView
from ui.widgets.moves import ROW
from ui.widgets.scale import scale
from ui.widgets.tray import are_known_by_a_part, card_sizes, shelf_height

MOST_FOR_PLAYERS = 0.88
"""how much of the rail the players may take where nothing is chosen beside them"""


LEAST_TOLD = 60
"""design pixels that are left to what is told beside all choices"""
MOVES_BESIDE = 3
"""latest moves shown beside the board; below it as many as have room"""


def share_rail(ids: Any, view: PlayView, board: Board, *, is_below: bool, is_near: bool) -> None:
    """Give the players the height that their holdings need, and the rest of the rail to what is most wanted: with
    `is_near` to a lens, too.
    """
    if show_differences(ids, view):
        ids.players.row_height = ids.players.opacity = 0
        ids.moves.height = ids.rows.height = ids.supply_beside.height = 0
        ids.moves.show((), view.players, board, None)
        ids.rows.rows = ()
        show_lens(ids, view, 0.0)
        return
    room = ids.side.height
    gap = ids.side.spacing
    width = ids.side.width
    rows = ids.players.rows(width)
    spaces, least = rows * ids.players.spacing[1], ids.players.compact_height()
    shelf = ids.shelf.wanted_height(width)
    left = room - 2 * gap - scale.unit * 2
    foot = foot_height(ids, view)
    are_reasons = any(card.forbidden and not card.opens for card in ids.shelf.cards)  # each tells by itself why not
    goes_first = bool(view.is_refusal or view.corrected or (view.barred and not are_reasons))  # before who has what
    is_crowded = shelf or ids.verdict.is_open or goes_first
    kept = foot + gap if foot and not is_crowded else 0.0
    left -= kept
    smallest = ids.shelf.least_height(width)
    beside = left - (rows * least + spaces + min(shelf, scale.touch * 1.4))
    told = limit_verdict(ids, beside, left - _kept_for_shelf(ids, left) if goes_first else beside, left)
    left -= told + gap if told else 0
    move_row = scale.unit * ROW
    has_room_below = left * (1 - MOST_FOR_PLAYERS) > move_row + gap
    most = left - smallest if shelf else left * MOST_FOR_PLAYERS if has_room_below else left
    if shelf and is_near:  # a lens beside the choices, where the players' cards can leave it room
        most = min(most, left - max(smallest, scale.unit * LEAST + gap))
    row = max(least, min(ids.players.wanted_height(width), (most - spaces) / rows))
    others = card_sizes(ids.shelf.cards)[0] + gap if shelf else 0.0
    if ids.shelf.are_pictured and left - rows * least - spaces < smallest <= left:
        row = spaces = 0.0  # all cards can be seen where nobody's holdings stand above them
    elif (shelf or ids.verdict.is_open or (goes_first and told)) and left - rows * least - spaces < others:
        row = spaces = 0.0  # what is told and what can be chosen go before who has what, where not all have room
    ids.players.row_height, ids.players.opacity = row, int(row > 0)
    ids.players.lay_out()
    left -= rows * row + spaces
    show_lens(ids, view, room_for_lens(ids, left - gap) if is_near else 0.0)
    colour = next((player.colour for player in view.pointed_out if player.acts), "")
    seen = rows_in_rail(ids, view, board, colour, left - gap - smallest if shelf else left - gap)
    left -= seen + gap if seen else 0
    wanted = len(view.moves) if is_below else min(MOVES_BESIDE, len(view.moves))
    count = 0 if shelf else max(0, min(wanted, int((left - gap) // move_row)))
    ids.moves.height = count * move_row
    ids.moves.show(view.moves[:count], view.players, board, ids.board.textures)
    left -= max(ids.lens.height, shelf + (ids.moves.height + gap if count else 0))
    show_foot(ids, view, left - gap + kept)


def _kept_for_shelf(ids: Any, room: float) -> float:
    """Pixels that what is told leaves to a shelf: those of all its cards where that leaves room to tell anything."""
    smallest, some = (
        ids.shelf.least_height(ids.side.width),
        min(ids.shelf.wanted_height(ids.side.width), scale.touch * 1.4),
    )
    return float(smallest if smallest <= room - scale.unit * LEAST_TOLD else some)


def limit_verdict(ids: Any, beside: float, instead: float, whole: float) -> float:
    """Let the verdict be as high as the players leave it room (pixels), `instead` of them where that is too low, and
    have all of the rail once a touch has opened it; gives the height that it takes.
    """
    verdict = ids.verdict
    verdict.tell_whole()
    verdict.limit = whole if verdict.is_open else max(scale.unit * 40, min(ids.side.height * 0.5, beside))
    if verdict.wanted_height > verdict.limit:
        verdict.limit = max(verdict.limit, instead)
    verdict.keep_within_limit()
    return float(min(verdict.wanted_height, verdict.limit))


def has_room_for_shelf(ids: Any, cards: Sequence[CardView], board: Board) -> bool:
    """Whether the rail has room for all these cards on a shelf, below the players as low as they can be."""
    players, width = ids.players, ids.side.width
    taken = players.rows(width) * (players.compact_height() + players.spacing[1]) + 2 * ids.side.spacing
    left = ids.side.height - taken - scale.unit * 2
    return are_known_by_a_part(cards, board.game) or bool(shelf_height(cards, width) <= left)


def show_foot(ids: Any, view: PlayView, room: float) -> None:
    """Show what lies before everybody at the rail's foot where it has room (pixels), unless the tray has it."""
    beside = ids.supply_beside
    height = beside.wanted_height(ids.side.width) if view.supply and not ids.supply.width else 0.0
    is_there = 0 < height <= room
    beside.height, beside.opacity = (height if is_there else 0), int(is_there)


def foot_height(ids: Any, view: PlayView) -> float:
    """Pixels at the rail's foot that are kept for what lies before everybody, whatever else the rail shows; 0 where the
    rail is too low for that.
    """
    width, gap, players = ids.side.width, ids.side.spacing, ids.players
    wanted = ids.supply_beside.wanted_height(width) if view.supply else 0.0
    rows = players.rows(width)
    others = rows * players.compact_height() + rows * players.spacing[1] + scale.unit * ROW + 3 * gap
    return wanted if 0 < wanted <= ids.side.height - others else 0.0
