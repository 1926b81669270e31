"""Parts that any board's sheet may have: its margins, its title and a scale of a hundred millimetres."""

from __future__ import annotations

from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import MARBLE, RUBRIC, SEPIA
from calibration.drawing.ink import Ink, text_width
from companion.board.layout import Board

MARKER_BAND = 36.0
"""Width (mm) of the bands along the sheet's upper and lower edges that hold only markers; patches, and the game's own
drawings, may lie in the margins left and right.
"""


def draw_title(ink: Ink, board: Board, x: float = 44.0, y: float = 56.0) -> None:
    """The board's name, its subtitle and edition below each other, at most 110 mm wide, starting at (x, y)."""
    name, _, edition = board.name.partition(", ")
    first, _, second = name.partition(": ")
    ink.text(x, y, (first if second else name).upper(), 15, RUBRIC, anchor="start", spacing=0.1, widest=110)
    if second:
        ink.text(x + 1, y + 17, second.upper(), 5.2, DARK, anchor="start", spacing=0.22, widest=100)
        length = min(100.0, text_width(second.upper(), 5.2, 0.22))
        ink.line([(x + 1, y + 24), (x + 1 + length, y + 24)], RUBRIC, 0.4)
    ink.text(x + 1, y + 29, edition, 2.6, SEPIA, anchor="start")


def draw_scale(ink: Ink, x: float, y: float, angle: float = 0.0) -> None:
    """A scale of a hundred millimetres from (x, y), which shows whether the printer kept the size."""
    with ink.placed(x, y, angle):
        for k in range(10):
            ink.rectangle(10 * k, -1.6, 10, 1.6, SEPIA if k % 2 == 0 else MARBLE)
        ink.rectangle(0, -1.6, 100, 1.6, None, SEPIA, 0.2)
        for value in (0, 50, 100):
            ink.text(value, -3.6, str(value), 1.7, SEPIA)
        ink.text(75, -3.6, "mm", 1.7, SEPIA)


def draw_title_beside(ink: Ink, board: Board) -> None:
    """The title upright in the right margin, above the marker in its middle, and the scale below that marker."""
    name, _, edition = board.name.partition(", ")
    x, middle = board.size[0] - MARKER_BAND / 2, board.size[1] / 2
    ink.text(x - 1, middle - 26, name.upper(), 7.2, RUBRIC, anchor="start", spacing=0.1, angle=-90, widest=140)
    ink.text(x + 8, middle - 26, edition, 2.2, SEPIA, anchor="start", angle=-90)
    draw_scale(ink, x + 6, middle + 30, 90)
