"""Measures a camera's lens from views of a printed chessboard with markers (ChArUco).

Without it the reader estimates the focal length from the board's own markers; with it the positions of tall pieces are
exact. Board frame: millimetres on the printed sheet. Image frame: pixels, x right, y down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from calibration.errors import LensError
from companion.wording.sentences import sentence
from vision.location.board_pose import CameraModel
from vision.pictures import Gray

Floats = npt.NDArray[np.float64]

COLUMNS = 11
"""Squares of the printed sheet along its longer side."""
ROWS = 8
"""Squares along its shorter side."""
SQUARE = 22.0
"""Side (mm) of a square."""
MARKER = 16.0
"""Side (mm) of the marker in a square."""
DICTIONARY = cv2.aruco.DICT_5X5_50
"""Not the boards' dictionary, so that this sheet and boards cannot be confused."""
FEWEST_VIEWS = 8
"""Fewest views of the sheet."""
FEWEST_CORNERS = 20
"""Fewest corners of a view."""
LARGEST_LENS_RMS = 0.8
"""Largest residual (pixels) in pictures 1920 wide; grows in proportion with larger ones."""
LEAST_COVERAGE = 0.7
"""Smallest share of the picture's cells in which corners must have been seen."""
LEAST_TILTED = 3
"""Fewest views from more than `_TILT` off the vertical: from straight above the focal length cannot be measured."""
_CELLS = (4, 3)
"""Cells (across, down) of the picture in which coverage is counted."""
_TILT = 15.0
"""Angle (degrees) from the vertical of a tilted view."""
_BLURRED = 0.025
"""Ratio of the Laplacian's variance to that of the levels below which the sheet shows no sharp edge."""
_SAME = 0.04
"""Movement of the corners, in parts of the picture's width, below which a view adds nothing."""
_OUTLIER = 3.0
"""A view is left out if its error exceeds the median by this factor."""

_TOP, _MIDDLE, _BOTTOM = sentence("the top"), sentence("the middle"), sentence("the bottom")
PICTURE_REGIONS = {
    (0, 0): sentence("the upper left"), (1, 0): _TOP, (2, 0): _TOP, (3, 0): sentence("the upper right"),
    (0, 1): sentence("the left"), (1, 1): _MIDDLE, (2, 1): _MIDDLE, (3, 1): sentence("the right"),
    (0, 2): sentence("the lower left"), (1, 2): _BOTTOM, (2, 2): _BOTTOM, (3, 2): sentence("the lower right"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class LensView:
    """One picture of the sheet: its corners' numbers (n,) and pixels (n, 2)."""

    numbers: npt.NDArray[np.int32]
    pixels: Floats
    size: tuple[int, int]


@dataclass(frozen=True, slots=True)
class Lens:
    """The result: the camera, the root mean square residual in pixels, the residual of each view used, and the number
    of views left out.
    """

    camera: CameraModel
    rms: float
    residuals: tuple[float, ...]
    left_out: int


def charuco() -> cv2.aruco.CharucoBoard:
    """The sheet as an OpenCV ChArUco board, millimetres."""
    dictionary = cv2.aruco.getPredefinedDictionary(DICTIONARY)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, MARKER, dictionary)


class LensMeasurement:
    """Collects views until they suffice, and says what is still missing.

    `size` (width, height) is the size of usable pictures; by default that of the first view.
    """

    def __init__(self, size: tuple[int, int] | None = None) -> None:
        self._board = charuco()
        self._detector = cv2.aruco.CharucoDetector(self._board)
        self._size = size
        self.views: list[LensView] = []

    def add(self, picture: Gray) -> str:
        """Add a picture; returns "" if it was usable, else the reason why not."""
        size = (picture.shape[1], picture.shape[0])
        if self._size is not None and self._size != size:
            own, others = (f"{width} x {height}" for width, height in (size, self._size))
            return sentence("is {size} pixels, the others are {others}", size=own, others=others)
        detected: tuple[Any, ...] = self._detector.detectBoard(picture)
        corners, numbers = detected[:2]  # both are None if nothing is found
        if numbers is None or len(numbers) < FEWEST_CORNERS:
            found = 0 if numbers is None else len(numbers)
            return sentence(
                "corners of the sheet in view: {count}; {least} are needed: come closer, avoid glare",
                count=found, least=FEWEST_CORNERS,
            )  # fmt: skip
        pixels = np.asarray(corners, np.float64).reshape(-1, 2)
        left, top = np.maximum(pixels.min(axis=0).astype(int), 0)
        right, bottom = pixels.max(axis=0).astype(int) + 1
        sheet = picture[top:bottom, left:right]
        if float(cv2.Laplacian(sheet, cv2.CV_64F).var()) < _BLURRED * float(sheet.var()):
            return sentence("is blurred; hold the camera still")
        view = LensView(np.asarray(numbers, np.int32).ravel(), pixels, size)
        if any(_distance(view, other) < _SAME * size[0] for other in self.views):
            return sentence("shows the sheet as another picture does; move it or tilt it")
        self.views.append(view)
        self._size = size
        return ""

    @property
    def coverage(self) -> float:
        """The share of the picture, 0 to 1, in which corners were seen."""
        return len(self._cells()) / (_CELLS[0] * _CELLS[1])

    def advice(self) -> str:
        """What to do next; "" when the views suffice."""
        missing = [cell for cell in PICTURE_REGIONS if cell not in self._cells()]
        if self.views and self._tilted() < LEAST_TILTED:
            return sentence("tilt the sheet: lift one side by a hand's breadth")
        if missing and self.coverage < LEAST_COVERAGE:
            return sentence("bring the sheet to {place} of the picture", place=PICTURE_REGIONS[missing[0]])
        if len(self.views) < FEWEST_VIEWS:
            lacking = FEWEST_VIEWS - len(self.views)
            if lacking == 1:
                return sentence("take one more picture, another way")
            return sentence("take {count} more pictures, each another way", count=lacking)
        return ""

    def measure(self) -> Lens:
        """The lens from all views so far.

        Raises LensError where they do not suffice or do not agree.
        """
        advice = self.advice()
        if advice:
            if len(self.views) == 1:
                raise LensError(sentence("1 usable picture does not suffice; {advice}", advice=advice))
            reason = sentence("{count} usable pictures do not suffice; {advice}", count=len(self.views), advice=advice)
            raise LensError(reason)
        views = list(self.views)
        camera, errors = self._fit(views)
        limit = _OUTLIER * float(np.median(errors))
        kept = [view for view, error in zip(views, errors, strict=True) if error <= limit]
        if FEWEST_VIEWS <= len(kept) < len(views):
            camera, errors = self._fit(kept)
        rms = float(np.sqrt(np.mean(np.square(errors))))
        scale = max(1.0, camera.width / 1920)
        if rms > LARGEST_LENS_RMS * scale:
            reason = sentence(
                "the pictures fit badly ({rms} pixels; at most {limit}); print the sheet at actual size, lay it on"
                " something flat, lock the focus",
                rms=f"{rms:.2f}", limit=f"{LARGEST_LENS_RMS * scale:.1f}",
            )  # fmt: skip
            raise LensError(reason)
        if not 0.4 < camera.focal / camera.width < 4.0:
            focal = f"{camera.focal:.0f}"
            raise LensError(
                sentence("a focal length of {focal} pixels is not believable; tilt the sheet more", focal=focal)
            )
        return Lens(camera, rms, tuple(float(error) for error in errors), len(views) - len(errors))

    def _fit(self, views: Sequence[LensView]) -> tuple[CameraModel, Floats]:
        width, height = views[0].size
        corners = np.asarray(self._board.getChessboardCorners(), np.float32)
        objects = [corners[view.numbers] for view in views]
        images = [view.pixels.astype(np.float32)[:, None] for view in views]
        start = np.array([[0.8 * width, 0, (width - 1) / 2], [0, 0.8 * width, (height - 1) / 2], [0, 0, 1.0]])
        flags = (
            cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO | cv2.CALIB_ZERO_TANGENT_DIST | cv2.CALIB_FIX_K3
        )
        found = cv2.calibrateCameraExtended(objects, images, (width, height), start, np.zeros(5), flags=flags)
        matrix, distortion, errors = found[1], np.asarray(found[2]).ravel(), np.asarray(found[7], np.float64).ravel()
        camera = CameraModel(
            width, height, float(matrix[0, 0]), float(distortion[0]), float(distortion[1]),
            (float(matrix[0, 2]), float(matrix[1, 2])),
        )  # fmt: skip
        return camera, errors

    def _cells(self) -> set[tuple[int, int]]:
        cells = set()
        for view in self.views:
            at = np.floor(view.pixels / np.array(view.size) * np.array(_CELLS)).astype(int)
            cells |= {(int(x), int(y)) for x, y in np.clip(at, 0, np.array(_CELLS) - 1)}
        return cells

    def _tilted(self) -> int:
        """The number of views from the side, judged with the focal length of common cameras."""
        return sum(self._tilt(view) > _TILT for view in self.views)

    def _tilt(self, view: LensView) -> float:
        corners = np.asarray(self._board.getChessboardCorners(), np.float64)[view.numbers]
        guess = CameraModel(view.size[0], view.size[1], 0.8 * view.size[0])
        found, turn, _ = cv2.solvePnP(corners, view.pixels, guess.matrix, guess.distortion)
        if not found:
            return 0.0
        rotation, _ = cv2.Rodrigues(turn)
        return math.degrees(math.acos(min(1.0, abs(float(rotation[2, 2])))))


def _distance(one: LensView, other: LensView) -> float:
    """The mean distance (pixels) of the corners in both views; infinite where they share few."""
    common, first, second = np.intersect1d(one.numbers, other.numbers, return_indices=True)
    if len(common) < FEWEST_CORNERS // 2:
        return math.inf
    return float(np.linalg.norm(one.pixels[first] - other.pixels[second], axis=1).mean())
