"""A building as a little tower seen from the side: a line for each storey, and on them what lies on top. No Kivy."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from ui.printed.extent import Cell, cut

STOREY, LONE, LEAST_TOP, MOST_TOP = 0.22, 0.62, 0.35, 0.75
"""shares of the height of a face: a storey with the gap above it, the same of one alone with nothing on it, and what is
on top at least and at most
"""
GAP = 0.3
"""share of a storey's height by which it is parted from the next"""
ACROSS = 0.8
"""how wide a storey is, as a share of its face"""


class Lain(NamedTuple):
    """A face and where it lies: pixels from the lower left corner, width and height."""

    cell: Cell
    x: float
    y: float
    width: float
    height: float

    def on_pixels(self, left: float, low: float, step: float) -> tuple[tuple[int, int], tuple[float, int]]:
        """Lower left corner and size made smaller by a step, from a corner on, with whole pixels above and below."""
        bottom, top = (floor(low + each * step + 0.5) for each in (self.y, self.y + self.height))
        return (round(left + self.x * step), bottom), (self.width * step, max(1, top - bottom))


def pile(storey: Cell, storeys: int, top: Cell | None = None) -> Sequence[Lain]:
    """The parts of a building from the ground up, all of them within the size of a single face; with no storeys the
    face itself.
    """
    if storeys < 1:
        return [Lain(storey, 0, 0, storey.width, storey.height)]
    highest = (1.0 - LEAST_TOP) / storeys if top is not None else 1.0 / (storeys - GAP)
    usual = LONE if storeys == 1 and top is None else STOREY  # a line alone would hardly be seen
    step = min(usual, highest) * storey.height
    width, height = storey.width * ACROSS, step * (1.0 - GAP)
    brick = cut(storey, 1.0 - min(1.0, height / (storey.height * ACROSS)), 1.0)
    aside = (storey.width - width) / 2
    lain = [Lain(brick, aside, step * number, width, height) for number in range(storeys)]
    if top is not None:
        high = min(storey.height - step * storeys, storey.height * MOST_TOP)
        share = min(storey.width / top.width, high / top.height)
        across, along = top.width * share, top.height * share
        lain.append(Lain(top, (storey.width - across) / 2, step * storeys - step * GAP, across, along))
    return lain
