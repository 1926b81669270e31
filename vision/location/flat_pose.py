"""The pose of a flat board without markers: a homography and the lens's bend.

Frames as in `vision.location.board_pose`: board millimetres, x right, y down, z up from the sheet; pixels, x right, y
down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.board_pose import BoardNotFound, Points

Floats = npt.NDArray[np.float64]

USUAL_FOCAL = 0.8
"""Focal length over the picture's longer side of common cameras; only used for how far tall pieces lean outwards."""
_FOCALS = np.geomspace(0.5, 2.0, 41)
"""Focal lengths that are tried."""
_SPREAD = 0.25
"""Standard deviation of the natural logarithm of common focal lengths."""
_SKEW = 0.01
"""Standard deviation of how unequal and oblique the board's sides seem under the right one, as parts of them."""
_LEAST_SHARE = 0.01
"""Smallest share of the picture that a board may take."""
_LONGISH = 1.25
"""Ratio of its sides from which a board's shape shows which side is which."""


class Projection(Protocol):
    """Maps board points to pixels and back."""

    @property
    def size(self) -> tuple[int, int]:
        """The picture's width and height in pixels."""

    def project(self, points: npt.ArrayLike) -> Points:
        """Pixels (n, 2) of board points (n, 3) in millimetres."""

    def to_board(self, pixels: npt.ArrayLike) -> Points:
        """Board points (n, 2) in millimetres on the sheet that pixels (n, 2) show."""


@dataclass(frozen=True, slots=True)
class FlatPose:
    """`homography` (3 x 3) takes board millimetres to the pixels of a lens without distortion, in a picture of `size`
    (width, height). `radial` is the distance by which the lens moves a point at half the picture's diagonal outwards,
    over that half diagonal; `rms` is the residual in pixels of the fit.
    """

    size: tuple[int, int]
    homography: Floats
    radial: float = 0.0
    rms: float = 0.0

    def project(self, points: npt.ArrayLike) -> Points:
        """Pixels (n, 2) of board points (n, 3) in millimetres; heights assume a common focal length."""
        board = np.asarray(points, np.float64).reshape(-1, 3)
        pixels = board[:, :2] @ self.homography[:, :2].T + self.homography[:, 2]
        if board[:, 2].any():
            pixels += board[:, 2:] * self._upwards()
        return bend(pixels[:, :2] / pixels[:, 2:], self.size, self.radial).astype(np.float32)

    def project_flat(self, places: Floats) -> Floats:
        """Pixels (n, 2) of places (n, 2) on the sheet, in double precision."""
        pixels = places @ self.homography[:, :2].T + self.homography[:, 2]
        return bend(pixels[:, :2] / pixels[:, 2:], self.size, self.radial)

    def to_board(self, pixels: npt.ArrayLike) -> Points:
        """Board points (n, 2) in millimetres on the sheet that pixels (n, 2) show."""
        straight = unbend(np.asarray(pixels, np.float64).reshape(-1, 2), self.size, self.radial)
        found = np.column_stack([straight, np.ones(len(straight))]) @ np.linalg.inv(self.homography).T
        return np.asarray(found[:, :2] / found[:, 2:], np.float32)

    def turned(self, board: Board, quarters: int) -> FlatPose:
        """The pose of the same board turned by quarters, clockwise as seen."""
        corners = corner_places(board)
        turn = cv2.getPerspectiveTransform(
            corners.astype(np.float32), np.roll(corners, -quarters, axis=0).astype(np.float32)
        )
        return FlatPose(self.size, normalised(self.homography @ turn), self.radial, self.rms)

    def _upwards(self) -> Floats:
        """The change of a point's homogeneous pixels (3,) for one millimetre of height."""
        focal = self._focal()
        camera = np.array([[focal, 0, (self.size[0] - 1) / 2], [0, focal, (self.size[1] - 1) / 2], [0, 0, 1.0]])
        first, second, _ = (np.linalg.inv(camera) @ self.homography).T
        scale = np.sqrt(np.linalg.norm(first) * np.linalg.norm(second))
        away = np.cross(first, second) / max(float(np.linalg.norm(np.cross(first, second))), 1e-12)
        return np.asarray(-scale * (camera @ away), np.float64)

    def _focal(self) -> float:
        """The likeliest focal length (pixels): that under which the board's sides are most nearly equal in scale and at
        right angles, or about the usual one where the view from above does not tell.
        """
        across, down = self.homography[:, :2].T
        middle = (np.array(self.size) - 1) / 2
        (ax, ay), (dx, dy) = across[:2] - middle * across[2], down[:2] - middle * down[2]
        closer = 1 / (_FOCALS * max(self.size)) ** 2
        lengths = (ax**2 + ay**2) * closer + across[2] ** 2, (dx**2 + dy**2) * closer + down[2] ** 2
        scale = np.sqrt(lengths[0] * lengths[1])
        oblique = ((ax * dx + ay * dy) * closer + across[2] * down[2]) / scale
        unequal = (lengths[0] - lengths[1]) / (2 * scale)
        cost = (oblique**2 + unequal**2) / _SKEW**2 + (np.log(_FOCALS / USUAL_FOCAL) / _SPREAD) ** 2
        return float(_FOCALS[np.argmin(cost)]) * max(self.size)


def bend(pixels: Floats, size: tuple[int, int], radial: float) -> Floats:
    """Pixels (n, 2) of an undistorted picture as the lens shows them."""
    if not radial:
        return pixels
    middle, reach = _lens(size)
    off = (pixels - middle) / reach
    return np.asarray(middle + reach * off * (1.0 + radial * (off**2).sum(axis=1, keepdims=True)), np.float64)


def unbend(pixels: Floats, size: tuple[int, int], radial: float) -> Floats:
    """The inverse of `bend`."""
    middle, reach = _lens(size)
    seen = (pixels - middle) / reach
    off = seen.copy()
    for _ in range(8 if radial else 0):
        off = seen / (1.0 + radial * (off**2).sum(axis=1, keepdims=True))
    return np.asarray(middle + reach * off, np.float64)


def corner_places(board: Board) -> Floats:
    """The four places (4, 2) in millimetres that a person points at, clockwise from the top left.

    The outermost crossings of a grid's printed lines; without a grid the sheet's corners.
    """
    if board.grid is None:
        return rectangle(0.0, 0.0, *board.size)
    grid = board.grid
    inset = grid.side / 2 if grid.lines == "through" else 0.0
    x, y = grid.corner
    return rectangle(x + inset, y + inset, x + grid.columns * grid.side - inset, y + grid.rows * grid.side - inset)


def rectangle(left: float, top: float, right: float, bottom: float) -> Floats:
    """The corners (4, 2) of a rectangle from the top left, clockwise."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def pose_from_corners(
    board: Board, corners: Sequence[tuple[float, float]], size: tuple[int, int], places: Floats | None = None
) -> FlatPose | BoardNotFound:
    """The pose that puts `places` (by default `corner_places`) at four corners, given in pixels in any order.

    The board is assumed as upright as the corners allow; `FlatPose.turned` gives the other orientations.
    """
    places = corner_places(board) if places is None else places
    seen = np.asarray(corners, np.float64).reshape(-1, 2)
    if len(seen) != 4 or not np.isfinite(seen).all() or np.abs(seen).max() > 10 * max(size):
        return BoardNotFound(sentence("four corners are needed, each x,y in pixels of the picture"), frozenset())
    around = np.arctan2(*(seen - seen.mean(axis=0)).T[::-1])
    seen = seen[np.argsort(around)]
    sides = np.roll(seen, -1, axis=0) - seen
    bends = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    area = abs(cv2.contourArea(seen.astype(np.float32)))
    if (bends <= 0).any() or area < _LEAST_SHARE * size[0] * size[1]:
        return BoardNotFound(sentence("the four corners do not enclose a board, or one too small to read"), frozenset())
    first = max(range(4), key=lambda k: _uprightness(np.roll(seen, -k, axis=0), places))
    seen = np.roll(seen, -first, axis=0)
    matrix = cv2.getPerspectiveTransform(places.astype(np.float32), seen.astype(np.float32))
    return FlatPose(size, normalised(np.asarray(matrix, np.float64)))


def normalised(homography: Floats) -> Floats:
    """The same homography scaled to a last element of one."""
    return np.asarray(homography / homography[2, 2], np.float64)


def _uprightness(seen: Floats, places: Floats) -> float:
    """A score: how far the top side points right, and whether the longer sides match the board's."""
    top, side = seen[1] - seen[0] + seen[2] - seen[3], seen[3] - seen[0] + seen[2] - seen[1]
    wide, high = (float(np.linalg.norm(places[k] - places[0])) for k in (1, 3))
    fits = 0.0
    if max(wide / high, high / wide) > _LONGISH:
        fits = 4.0 * float((wide > high) == (np.linalg.norm(top) > np.linalg.norm(side)))
    return fits + float(top[0] / np.linalg.norm(top))


def _lens(size: tuple[int, int]) -> tuple[Floats, float]:
    """The picture's middle and half its diagonal, pixels."""
    return np.array([(size[0] - 1) / 2, (size[1] - 1) / 2]), 0.5 * float(np.hypot(*size))
