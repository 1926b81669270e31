"""What the rules need to know of an Aqua Romana board at one table, worked out once.

A *gate* is a side of a cell seen from within, `C4/N`. Water runs from gate to gate: through a cell by the channels of
its tile, and into the next cell by the gate that touches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from companion.board.grid import SIDES, SquareGrid
from companion.board.layout import Board
from companion.board.once import once_a_board
from companion.errors import InvalidDocument
from companion.frozen import FrozenDict
from companion.games.aqua_romana.drawings import DRAWINGS_OF, JOINS, KIND_OF, KINDS, OPPOSITE
from companion.games.aqua_romana.field import Outlet, check_field, outlets_at, reservoirs_at
from companion.table import Table


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile on a cell, in one of its rotations; `channels` lead from gate to gate of the cell, both ways."""

    cell: str
    drawing: str
    kind: str
    channels: Mapping[str, str]


@dataclass(frozen=True)
class Geometry:
    """A board with the reservoirs of one table on it."""

    squares: tuple[str, ...]
    """the cells on which tiles may be laid, row by row"""
    free: frozenset[str]
    """the same, for asking whether a cell is one"""
    gates: Mapping[str, tuple[str, ...]]
    """cell -> its four gates"""
    cell_of: Mapping[str, str]
    beyond: Mapping[str, str]
    """gate -> the touching gate of the next cell; none at the field's edge"""
    tiles: Mapping[str, Tile]
    """notation, as `C4 curve 90` -> tile, for every cell and drawing"""
    entered: Mapping[tuple[str, str], tuple[str, ...]]
    """gate and kind -> the notations of the tiles of this kind with a channel at this gate"""
    entering: Mapping[str, frozenset[str]]
    """gate -> the notations of all tiles with a channel at this gate"""
    tiles_on: Mapping[str, frozenset[str]]
    """cell -> the notations of all tiles on it"""
    through: Mapping[str, Mapping[str, str]]
    """drawing -> for every gate at which it has a channel, on any cell, the gate where the channel ends"""
    sight: Mapping[str, tuple[int, int, int, int]]
    """cell -> the spaces of the path at the ends of its column and its row, clockwise from above"""
    spaces: range
    corners: frozenset[int]
    """the spaces after which the path turns a corner, over a fountain"""
    printed: FrozenDict[str, str]
    """cell -> the drawing of the curve printed there"""
    reservoirs: Mapping[str, str]
    """colour -> the site of its reservoir"""
    outlets: Mapping[int, tuple[Outlet, ...]]
    """seat -> the outlets of its reservoirs"""


def geometry(table: Table) -> Geometry:
    """The geometry of a table's board, checked.

    Raises InvalidDocument where Aqua Romana cannot be played on it by these players.
    """
    return _geometry(table.board, tuple(player.colour for player in table.players))


@once_a_board
def _geometry(board: Board, colours: tuple[str, ...]) -> Geometry:
    grid = check_field(board)
    check_path(board, grid)
    reservoirs = reservoirs_at(board, grid, colours)
    covered = {cell for reservoir in reservoirs.values() for cell in reservoir.cells}
    curves = set(board.features["curve"].values())
    squares = tuple(cell for cell in grid.cells if cell not in covered and cell not in curves)
    tiles = {f"{tile.cell} {tile.drawing}": tile for tile in _tiles(grid)}
    return Geometry(
        squares=squares,
        free=frozenset(squares),
        gates={cell: tuple(f"{cell}/{side}" for side in SIDES) for cell in grid.cells},
        cell_of={f"{cell}/{side}": cell for cell in grid.cells for side in SIDES},
        beyond={
            f"{cell}/{side}": f"{near}/{OPPOSITE[side]}"
            for cell, around in grid.neighbours.items()
            for side, near in around.items()
        },
        tiles=tiles,
        entered={
            (f"{cell}/{side}", kind): tuple(
                f"{cell} {drawing}" for drawing in DRAWINGS_OF[kind] if side in JOINS[drawing]
            )
            for cell in grid.cells
            for side in SIDES
            for kind in KINDS
        },
        entering={
            f"{cell}/{side}": frozenset(f"{cell} {drawing}" for drawing in JOINS if side in JOINS[drawing])
            for cell in grid.cells
            for side in SIDES
        },
        tiles_on={cell: frozenset(f"{cell} {drawing}" for drawing in JOINS) for cell in grid.cells},
        through={
            drawing: {
                gate: tile.channels[gate]
                for tile in tiles.values()
                if tile.drawing == drawing
                for gate in tile.channels
            }
            for drawing in JOINS
        },
        sight=_sight(grid),
        spaces=range(1, 2 * (grid.columns + grid.rows) + 1),
        corners=frozenset(
            (grid.columns, grid.columns + grid.rows, 2 * grid.columns + grid.rows, 2 * (grid.columns + grid.rows))
        ),
        printed=_printed(grid, curves),
        reservoirs={colour: reservoir.site for colour, reservoir in reservoirs.items()},
        outlets=outlets_at(grid, reservoirs, colours),
    )


def _tiles(grid: SquareGrid) -> Iterator[Tile]:
    for cell in grid.cells:
        for drawing, joins in JOINS.items():
            channels = {f"{cell}/{side}": f"{cell}/{other}" for side, other in joins.items()}
            yield Tile(cell, drawing, KIND_OF[drawing], channels)


def _printed(grid: SquareGrid, curves: set[str]) -> FrozenDict[str, str]:
    """The drawings of the printed curves: each joins its cell's two inward sides."""
    return FrozenDict(
        {
            cell: next(drawing for drawing in DRAWINGS_OF["curve"] if set(JOINS[drawing]) == set(grid.neighbours[cell]))
            for cell in sorted(curves)
        }
    )


def _sight(grid: SquareGrid) -> dict[str, tuple[int, int, int, int]]:
    columns, rows = grid.columns, grid.rows
    return {
        cell: (column, columns + row, 2 * columns + rows + 1 - column, 2 * (columns + rows) + 1 - row)
        for cell, (column, row) in zip(
            grid.cells, ((c, r) for r in range(1, rows + 1) for c in range(1, columns + 1)), strict=True
        )
    }


def check_path(board: Board, grid: SquareGrid) -> None:
    """Refuse a path without exactly one space at each end of every row and column, numbered clockwise.

    Raises InvalidDocument.
    """
    path = board.groups["path"].places
    expected: dict[str, str] = {}
    for cell, (above, right, below, left) in _sight(grid).items():
        for side, space in zip(SIDES, (above, right, below, left), strict=True):
            if side not in grid.neighbours[cell]:
                expected[str(space)] = f"{cell}/{side}"
    if set(path) != set(expected):
        raise InvalidDocument(board.id, "group.path.place", f"must name the spaces 1 to {len(expected)}")
    for place, gate in expected.items():
        cell, _, side = gate.partition("/")
        (x, y), (cx, cy) = path[place], grid.cells[cell]
        across, away = (x - cx, y - cy) if side in "NS" else (y - cy, x - cx)
        outward = away if side in "SE" else -away
        if abs(across) > grid.side / 2 or outward < grid.side / 2:
            raise InvalidDocument(board.id, f"group.path.place.{place}", f"must lie beyond {cell}, on its side {side}")
