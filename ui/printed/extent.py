"""What the pictures of a printed edition show and where each face is in them, without any picture. No Kivy."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ui.drawing.board_frame import Box
from ui.drawing.faces import Face


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a face is in the picture of all faces: its corners as shares of it, first the upper left; its pixels."""

    left: float
    top: float
    right: float
    bottom: float
    width: int
    height: int


def cut(cell: Cell, begin: float, end: float) -> Cell:
    """The part of a face between two shares of its height from the top."""
    high = cell.bottom - cell.top
    top, bottom = cell.top + begin * high, cell.top + end * high
    return Cell(cell.left, top, cell.right, bottom, cell.width, max(1, round(cell.height * (end - begin))))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Extent:
    """What the pictures of a board show: `part` of the sheet (mm: left, top, right, bottom) in `scale` pixels a mm, as
    a picture of a `size` (width, height), and where each face is in the picture of all of them, of an `atlas_size`.
    """

    scale: float
    part: Box
    size: tuple[int, int]
    atlas_size: tuple[int, int]
    cells: Mapping[Face, Cell]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldCells:
    """Where the faces of what players hold are in one picture of a size (width, height)."""

    atlas_size: tuple[int, int]
    cells: Mapping[Face, Cell]

    def cell_of(self, component: str, kind: str, colour: str) -> Cell | None:
        """The face of a component of a kind, or in its owner's colour; the first where no kind is asked for.

        None where it has none.
        """
        for label in (kind, f"{kind} 0", colour):
            if label and (cell := self.cells.get(Face(component, label))) is not None:
                return cell
        own = [cell for face, cell in self.cells.items() if face.piece == component]
        return own[0] if len(own) == 1 or (own and not kind) else None
