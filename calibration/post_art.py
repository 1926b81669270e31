"""The printed edition of Thurn and Taxis: two maps that belong together, and all that lies on or beside them."""

from __future__ import annotations

from calibration import post_aids, post_cards, post_pieces
from calibration.game_art import GameArt
from calibration.ink import Ink
from calibration.plain_sheet import draw_plain
from calibration.post_sheet import draw_post_roads
from calibration.post_stacks import has_stacks
from calibration.rome_sheet import draw_roads_to_rome
from calibration.sheet_parts import draw_title_beside
from companion.board.layout import Board


def _draw_map(ink: Ink, board: Board) -> None:
    if "city" not in board.groups:
        draw_plain(ink, board)
    elif _leads_to_rome(board):
        draw_roads_to_rome(ink, board)
    else:
        draw_post_roads(ink, board)


def _draw_margins(ink: Ink, board: Board) -> None:
    if "city" in board.groups and (_leads_to_rome(board) or not has_stacks(board)):
        draw_title_beside(ink, board)


def _leads_to_rome(board: Board) -> bool:
    return "passengers" in board.groups and "audience" in board.groups


THURN_AND_TAXIS = GameArt(
    _draw_map,
    _draw_margins,
    faces={**post_pieces.FACES, **post_cards.FACES, **post_aids.FACES},
    reverses=post_pieces.REVERSES,
    surfaces=post_pieces.SURFACES,
    fields=post_pieces.FIELDS,
)
