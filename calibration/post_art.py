"""The printed edition of Thurn and Taxis: two maps that belong together, and all that lies on or beside them."""

from __future__ import annotations

from calibration import post_aids, post_cards, post_pieces
from calibration.game_art import GameArt
from calibration.ink import Ink
from calibration.post_sheet import draw_post_roads
from calibration.rome_sheet import draw_roads_to_rome, draw_rome_margins
from companion.board.layout import Board


def _draw_map(ink: Ink, board: Board) -> None:
    if _leads_to_rome(board):
        draw_roads_to_rome(ink, board)
    else:
        draw_post_roads(ink, board)


def _draw_margins(ink: Ink, board: Board) -> None:
    if _leads_to_rome(board):
        draw_rome_margins(ink, board)


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
