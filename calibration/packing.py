"""Lays out pieces for cutting: shapes that fit together share edges, so that one straight cut frees two."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from calibration.components import Component
from calibration.errors import PrintError
from calibration.solids import net_of
from companion.board.lattice import Point

GAP = 2.0
"""Gap (mm) between shapes that are cut one by one."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class CutPosition:
    """The position of one piece: its centre (mm, from its row's top left) and turn (degrees clockwise)."""

    centre: Point
    turn: float


@dataclass(frozen=True, slots=True)
class CutRow(Generic[T]):
    """Pieces side by side; `height` is the distance to the next row's top."""

    height: float
    places: tuple[tuple[T, CutPosition], ...]


def rows_of(component: Component, things: Sequence[T], width: float) -> Iterator[CutRow[T]]:
    """Rows of at most `width` mm that hold all `things`, each of the component's shape.

    Raises PrintError where not even one fits.
    """
    height = _row_height(component)
    done, index = 0, 0
    while done < len(things):
        positions = _positions(component, index, width)
        if not positions:
            raise PrintError(f"{component.name}: is wider than the paper's {width:g} mm; print on larger paper")
        row = tuple(zip(things[done : done + len(positions)], positions, strict=False))
        done, index = done + len(row), index + 1
        yield CutRow(height, row)


def _row_height(component: Component) -> float:
    piece = component.piece
    if component.form == "net":
        return net_of(piece).size[1] + GAP
    if piece.shape in ("rhombus", "triangle"):
        return piece.size[0] * math.sqrt(3) / 2
    return piece.size[-1] + (GAP if piece.shape in ("hexagon", "disc") else 0.0)


def _positions(component: Component, row: int, width: float) -> list[CutPosition]:
    """The positions that fit into the row with this number."""
    piece = component.piece
    side = piece.size[0]
    if component.form == "net":
        across, down = net_of(piece).size
        return _regular(across, GAP, width, down / 2)
    if piece.shape == "rhombus":
        # Rows are offset alternately to left and right, so that they stay aligned and cuts are straight.
        turn = -30.0 if row % 2 else 30.0
        count = int((width - side / 2 + 1e-9) / side)
        return [CutPosition((0.75 * side + k * side, side * math.sqrt(3) / 4), turn) for k in range(count)]
    if piece.shape == "triangle":
        height = side * math.sqrt(3) / 2
        count = int(2 * (width + 1e-9) / side) - 1
        return [
            CutPosition(
                ((k + 1) * side / 2, height * (1 / 3 if (k + row) % 2 else 2 / 3)), 180.0 if (k + row) % 2 else 0.0
            )
            for k in range(count)
        ]
    if piece.shape == "hexagon":
        return _regular(2 * side / math.sqrt(3), GAP, width, side / 2)
    return _regular(side, GAP if piece.shape == "disc" else 0.0, width, piece.size[-1] / 2)


def _regular(across: float, gap: float, width: float, middle: float) -> list[CutPosition]:
    count = int((width + gap + 1e-9) / (across + gap))
    return [CutPosition((across / 2 + k * (across + gap), middle), 0.0) for k in range(count)]
