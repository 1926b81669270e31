"""Parts that any board's sheet may have: its title and a scale of a hundred millimetres."""

from __future__ import annotations

from calibration.colours import INK as DARK
from calibration.colours import MARBLE, RUBRIC, SEPIA
from calibration.ink import Ink, text_width
from companion.board.layout import Board


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
    """A map's scale of a hundred millimetres from (x, y): it shows whether the printer kept the size."""
    with ink.placed(x, y, angle):
        for k in range(10):
            ink.rectangle(10 * k, -1.6, 10, 1.6, SEPIA if k % 2 == 0 else MARBLE)
        ink.rectangle(0, -1.6, 100, 1.6, None, SEPIA, 0.2)
        for value in (0, 50, 100):
            ink.text(value, -3.6, str(value), 1.7, SEPIA)
        ink.text(75, -3.6, "mm", 1.7, SEPIA)
