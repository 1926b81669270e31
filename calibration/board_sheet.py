"""A board's sheet: markers and patches at their exact positions, and the game's drawing between them."""

from __future__ import annotations

from calibration.drawing.colours import SEPIA, TRAVERTINE
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset
from calibration.markers import draw_marker, draw_patch
from calibration.registry import art_of
from companion.board.layout import Board


def draw_board(ink: Ink, board: Board) -> None:
    """Draw the whole sheet on a page of the board's size."""
    art = art_of(board)
    width, height = board.size
    left, top, right, bottom = art.band, art.band, width - art.band, height - art.band
    panel = [(left, top), (right, top), (right, bottom), (left, bottom)]
    ink.polygon(panel, TRAVERTINE)
    with ink.clipped(panel):
        art.draw_map(ink, board)
    if art.draw_margins is not None:
        art.draw_margins(ink, board)
    ink.polygon(inset(panel, 0.15), None, SEPIA, 0.3)
    for marker in board.markers.centres:
        draw_marker(ink, board.markers, marker)
    for patch in board.patches:
        draw_patch(ink, patch)
