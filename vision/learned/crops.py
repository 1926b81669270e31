"""Pictures of single spots as seen from above, beside what is printed beneath them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, Spot, face_turn
from vision.colour.correction import ColourCorrection
from vision.location.board_pose import BoardPose
from vision.pictures import Image, interpolated

Floats = npt.NDArray[np.float32]
Bytes = npt.NDArray[np.uint8]
Flags = npt.NDArray[np.bool_]

SIDE = 32
"""Pixels along each side of a crop."""
CHANNELS = 9
"""Lab at the height of the piece's top, Lab at the height of its foot, printed Lab of what it stands on."""
VIEW = 3
"""Numbers that tell how the camera sees a spot: its lean along the piece's x and y, pixels a millimetre."""
_MARGIN, _PER_HEIGHT = 8.0, 0.4
"""What a crop shows beyond the piece: so many millimetres, and so many for each of its height."""
_STEEPEST = 2.0
"""Largest lean (tangent of the angle from vertical) that is told apart."""
_USUAL_SCALE = 2.5
"""Pixels a millimetre of a usual picture."""
_LEVELS = np.array([2.55, 1.0, 1.0], np.float32)
_ZERO = np.array([0.0, 128.0, 128.0], np.float32)
"""8 bits hold Lab times the first plus the second."""


class PrintedSheet(Protocol):
    """What is printed on a sheet and the tiles on it, as seen from above."""

    def middle(self, places: Floats) -> Floats:
        """The Lab (spots, points, 3) of sheet and tiles at board places (spots, points, 2) in millimetres."""

    def bare(self, places: Floats) -> Floats:
        """The same without tiles."""


@dataclass(frozen=True, slots=True)
class Crops:
    """Crops of some spots of one kind of piece: `pictures` (spots, SIDE, SIDE, CHANNELS) and `views` (spots, VIEW)."""

    spots: tuple[Spot, ...]
    pictures: Bytes
    views: Floats


class CropPlan:
    """Where the crops of all spots of a kind of piece lie on the board."""

    def __init__(self, board: Board, piece: Piece) -> None:
        self.spots = tuple(spot for spot in board.spots.values() if spot.piece == piece.name)
        self._on_tiles = bool(piece.raised_by)
        self._height = piece.height
        reach = max(piece.size) + _PER_HEIGHT * piece.height + _MARGIN
        steps = ((np.arange(SIDE) + 0.5) / SIDE - 0.5) * reach
        self._across, self._down = (each.ravel() for each in np.meshgrid(steps, steps))
        headings = np.radians([face_turn(spot, piece) for spot in self.spots])
        self._cosines, self._sines = np.cos(headings), np.sin(headings)
        self._centres = np.array([spot.centre for spot in self.spots])

    def crops(
        self, image: Image, pose: BoardPose, colours: ColourCorrection, printed: PrintedSheet, which: Flags
    ) -> Crops:
        """The crops of the spots `which` (spots,). Pieces that lie on the sheet
        itself are seen beside the bare sheet.
        """
        rows = np.flatnonzero(which)
        spots = tuple(self.spots[k] for k in rows)
        if not spots:
            return Crops((), np.zeros((0, SIDE, SIDE, CHANNELS), np.uint8), np.zeros((0, VIEW), np.float32))
        places, base = self._places(rows), spots[0].base
        heights = (base + self._height, base)
        layers = [
            _packed(colours.to_lab(interpolated(image, pixels.reshape(places.shape)), places))
            for pixels in pose.project_at(places.reshape(-1, 2), heights)
        ]
        layers.append(_packed(printed.middle(places) if self._on_tiles else printed.bare(places)))
        pictures = np.concatenate(layers, axis=-1).reshape(len(rows), SIDE, SIDE, CHANNELS)
        return Crops(spots, pictures, self._views(pose, rows))

    def _places(self, rows: npt.NDArray[np.intp]) -> Floats:
        """The board millimetres (rows, SIDE * SIDE, 2) of the pixels."""
        cosine, sine, centres = self._cosines[rows, None], self._sines[rows, None], self._centres[rows]
        x = centres[:, :1] + self._across * cosine - self._down * sine
        y = centres[:, 1:] + self._across * sine + self._down * cosine
        return np.stack([x, y], axis=-1).astype(np.float32)

    def _views(self, pose: BoardPose, rows: npt.NDArray[np.intp]) -> Floats:
        centres = np.array([[*self.spots[k].centre, self.spots[k].base] for k in rows])
        eye = pose.eye
        lean = (eye[:2] - centres[:, :2]) / (eye[2] - centres[:, 2:])
        cosine, sine = self._cosines[rows], self._sines[rows]
        along = lean[:, 0] * cosine + lean[:, 1] * sine
        across = lean[:, 1] * cosine - lean[:, 0] * sine
        beside = centres + np.array([1.0, 0.0, 0.0])
        scale = np.linalg.norm(pose.project(beside) - pose.project(centres), axis=1) / _USUAL_SCALE
        limited = np.clip(np.stack([along, across], axis=1), -_STEEPEST, _STEEPEST)
        return np.column_stack([limited, scale]).astype(np.float32)


def _packed(lab: Floats) -> Bytes:
    """Lab (spots, points, 3) in 8 bits, computed along long rows, not along three channels."""
    points = lab.shape[1]
    levels = lab.reshape(len(lab), -1) * np.tile(_LEVELS, points)
    levels += np.tile(_ZERO, points)
    np.clip(levels, 0, 255, out=levels)
    return np.rint(levels, out=levels).astype(np.uint8).reshape(lab.shape)
