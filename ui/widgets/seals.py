"""Players' seals: their piece as it is printed, a disc or a tile in their colour with its letter."""

from __future__ import annotations

from kivy.graphics import InstructionGroup

from companion.board.lattice import Point
from ui.drawing.shapes import box, circle
from ui.drawing.theme import Seal
from ui.widgets.painting import outline, polygon, written

RIM = (0.18, 0.14, 0.125)
"""the ink around a printed piece"""


def draw_seal(group: InstructionGroup, centre: Point, side: float, seal: Seal) -> None:
    """A seal `side` pixels wide."""
    shape = circle(centre, side / 2, 40) if seal.is_round else box(*centre, side, side)
    inner = circle(centre, side * 0.37, 40) if seal.is_round else box(*centre, side * 0.76, side * 0.76)
    polygon(group, shape, seal.fill)
    outline(group, shape, RIM, max(1.4, side * 0.05))
    outline(group, inner, seal.ink, max(1.0, side * 0.03))
    written(group, seal.letter, centre, side * 0.5, seal.ink)
