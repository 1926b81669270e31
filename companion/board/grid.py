"""The square grid: cells named by column letter and row number, as `C4`, with their neighbours and outlines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from companion.board.lattice import Point

SIDES = ("N", "E", "S", "W")
LINES = ("between", "through", "none")
_STEP = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}
_CELL = re.compile(r"([A-Za-z])([1-9][0-9]?)")


@dataclass(frozen=True)
class SquareGrid:
    """`columns` x `rows` cells of `side` mm; `corner` is the top-left corner of A1 in millimetres."""

    columns: int
    rows: int
    side: float
    corner: Point
    cells: Mapping[str, Point]
    """cell -> its centre, row by row"""
    neighbours: Mapping[str, Mapping[str, str]]
    """cell -> side (N, E, S, W) -> the cell beyond it"""
    lines: str = "between"
    """whether printed lines run between the cells, through their middles (as on a go board), or there are none"""

    def canonical(self, text: str) -> str | None:
        """The name of the cell meant by `text`; None where there is none."""
        found = _CELL.fullmatch(text.strip())
        name = f"{found[1].upper()}{int(found[2])}" if found else ""
        return name if name in self.cells else None

    def outline(self, cell: str) -> tuple[Point, ...]:
        """The four corners of a cell, top left first, clockwise."""
        x, y = self.cells[cell]
        half = self.side / 2
        return (x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half)

    def side_places(self, radius: float) -> dict[str, Point]:
        """Cell and side, such as `C4/N` -> the centre (mm) of a piece of this radius (mm) that touches that side of the
        cell.
        """
        reach = self.side / 2 - radius
        return {
            f"{cell}/{name}": (x + _STEP[name][0] * reach, y + _STEP[name][1] * reach)
            for cell, (x, y) in self.cells.items()
            for name in SIDES
        }


def square_grid(columns: int, rows: int, side: float, corner: Point, lines: str = "between") -> SquareGrid:
    """A grid of `columns` (at most 26) by `rows` cells."""

    def name(column: int, row: int) -> str:
        return f"{chr(65 + column)}{row + 1}"

    cells: dict[str, Point] = {}
    neighbours: dict[str, Mapping[str, str]] = {}
    for row in range(rows):
        for column in range(columns):
            cells[name(column, row)] = (corner[0] + (column + 0.5) * side, corner[1] + (row + 0.5) * side)
            beyond = {side_name: (column + dx, row + dy) for side_name, (dx, dy) in _STEP.items()}
            neighbours[name(column, row)] = MappingProxyType(
                {at: name(*to) for at, to in beyond.items() if 0 <= to[0] < columns and 0 <= to[1] < rows}
            )
    return SquareGrid(columns, rows, side, corner, MappingProxyType(cells), MappingProxyType(neighbours), lines)
