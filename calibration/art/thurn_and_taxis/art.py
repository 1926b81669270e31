"""The printed edition of Thurn and Taxis: two maps that belong together, and all that lies on or beside them."""

from __future__ import annotations

from calibration.art.game_art import GameArt
from calibration.art.plain.sheet import draw_plain
from calibration.art.thurn_and_taxis import aids, cards, pieces
from calibration.art.thurn_and_taxis.rome_sheet import draw_roads_to_rome
from calibration.art.thurn_and_taxis.sheet import draw_post_roads
from calibration.art.thurn_and_taxis.stacks import has_stacks
from calibration.drawing.ink import Ink
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
    faces={**pieces.FACES, **cards.FACES, **aids.FACES},
    reverses=pieces.REVERSES,
    surfaces=pieces.SURFACES,
    fields=pieces.FIELDS,
)
