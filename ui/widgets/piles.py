"""Faces on one another: the storeys of a building seen from above, and what lies on top of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ui.printed.extent import Cell

RAISED = 0.14
"""by how much of its height each face is drawn above the one below"""
TOP_SHARE = 0.8
"""how much of a storey the face on top of it covers at most, along and across"""


class Lain(NamedTuple):
    """A face and where it lies: pixels from the lower left corner, width and height."""

    cell: Cell
    x: float
    y: float
    width: float
    height: float


def pile(storey: Cell, storeys: int, top: Cell | None = None) -> Sequence[Lain]:
    """The faces of a building from the ground up, all of them within the size of a single storey."""
    count = max(1, storeys)
    step = 1.0 / (1.0 + RAISED * (count - 1))
    width, height, raised = storey.width * step, storey.height * step, RAISED * storey.height * step
    aside = (storey.width - width) / 2
    lain = [Lain(storey, aside, raised * number, width, height) for number in range(count)]
    if top is not None:
        share = TOP_SHARE * min(width / top.width, height / top.height)
        across, along = top.width * share, top.height * share
        x, y = aside + (width - across) / 2, raised * (count - 1) + (height - along) / 2
        lain.append(Lain(top, x, y, across, along))
    return lain
