"""A printed edition in one size: a part of the sheet, and one picture of all faces. No Kivy."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from companion.board.layout import Board
from ui.drawing.board_frame import Box
from ui.printed.edition import SCALES, Picture, at_work, packed, printed_chips, printed_edition
from ui.printed.extent import Cell, Extent, HeldCells
from vision.free_memory import give_back

DIM, DIM_SHARE = (8, 13, 18), 0.32
"""what a sheet is dimmed with on a dark screen (blue, green, red), and how much"""


WIDEST_CHIP = 1.7


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoardPictures(Extent):
    """These pictures (red, green, blue, opacity): of the part of the sheet, and of all faces."""

    sheet: Picture
    atlas: Picture

    @property
    def extent(self) -> Extent:
        """What they show, without the pictures themselves."""
        return Extent(self.scale, self.part, self.size, self.atlas_size, self.cells)


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which pictures: `scale` in pixels per millimetre, `part` of the sheet (mm: left, top, right, bottom)."""

    scale: float
    part: Box
    dimmed: bool = False


def board_pictures(board: Board, wanted: Wanted) -> BoardPictures:
    """The pictures of a board's sheet. Takes a moment, seconds for an edition that was never drawn.

    Raises CompanionError.
    """
    with at_work:
        made = _made(board, wanted)
    give_back()
    return made


def _made(board: Board, wanted: Wanted) -> BoardPictures:
    edition = printed_edition(board, min(wanted.scale, SCALES[-1]))
    shown = min(wanted.scale, edition.scale)
    left, top, right, bottom = (round(side * edition.scale) for side in wanted.part)
    sheet = edition.sheet[max(0, top) : max(1, bottom), max(0, left) : max(1, right)]
    size = (round((wanted.part[2] - wanted.part[0]) * shown), round((wanted.part[3] - wanted.part[1]) * shown))
    sheet = resized(sheet, (max(1, size[0]), max(1, size[1])))
    factor = shown / edition.scale
    faces = {face: _smaller(picture, factor) for face, picture in edition.faces.items()}
    atlas, places = packed(faces)
    if wanted.dimmed:
        sheet, atlas = dimmed_picture(sheet), dimmed_picture(atlas)
    height, width = atlas.shape[:2]
    cells = {
        face: Cell(x / width, y / height, (x + w) / width, (y + h) / height, w, h)
        for face, (x, y, w, h) in places.items()
    }
    opaque = np.full(sheet.shape[:2], 255, np.uint8)
    return BoardPictures(
        shown,
        wanted.part,
        (sheet.shape[1], sheet.shape[0]),
        (width, height),
        cells,
        np.ascontiguousarray(np.dstack([sheet[:, :, ::-1], opaque])),
        np.ascontiguousarray(atlas[:, :, [2, 1, 0, 3]]),
    )


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ChipPictures(HeldCells):
    """The faces of what players hold in one picture (red, green, blue, opacity), and where each of them is."""

    atlas: Picture


def chip_pictures(board: Board, height: int) -> ChipPictures:
    """The faces of what players hold, each as large as fits into `height` pixels, somewhat more across.

    Raises CompanionError.
    """
    with at_work:
        chips = printed_chips(board)
        factors = {
            face: min(height / picture.shape[0], WIDEST_CHIP * height / picture.shape[1], 1.0)
            for face, picture in chips.items()
        }
        atlas, places = packed({face: _smaller(picture, factors[face]) for face, picture in chips.items()})
        del chips
    give_back()
    rows, columns = atlas.shape[:2]
    cells = {
        face: Cell(x / columns, y / rows, (x + w) / columns, (y + h) / rows, w, h)
        for face, (x, y, w, h) in places.items()
    }
    return ChipPictures((columns, rows), cells, np.ascontiguousarray(atlas[:, :, [2, 1, 0, 3]]))


def resized(picture: Picture, size: tuple[int, int]) -> Picture:
    """A picture at another size (width, height), each pixel the mean of what it covers."""
    if (picture.shape[1], picture.shape[0]) == size:
        return picture
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)


def _smaller(picture: Picture, factor: float) -> Picture:
    """A picture with opacity made smaller; what is clear does not colour its edges."""
    if factor == 1.0:
        return picture
    size = tuple(max(1, round(length * factor)) for length in picture.shape[1::-1])
    opaque = picture[:, :, 3:].astype(np.float32)
    weighted = np.dstack([picture[:, :, :3] * (opaque / 255), opaque]).astype(np.float32)
    small = np.asarray(cv2.resize(weighted, (size[0], size[1]), interpolation=cv2.INTER_AREA), np.float32)
    clear = small[:, :, :3] / (np.maximum(small[:, :, 3:], 1e-3) / 255)
    return np.asarray(np.clip(np.dstack([clear, small[:, :, 3:]]), 0, 255).round(), np.uint8)


def dimmed_picture(picture: Picture) -> Picture:
    """A picture under a dark glass; how opaque it is does not change."""
    dim = picture.copy()
    dim[:, :, :3] = (picture[:, :, :3] * (1 - DIM_SHARE) + np.array(DIM) * DIM_SHARE).round()
    return dim
