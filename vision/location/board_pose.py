"""A camera's view of a sheet: maps board millimetres to pixels and back.

Board frame: millimetres, x right, y down, z up from the sheet. Image frame: pixels, x right, y down.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from vision.location.relief import Relief

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

_ROUNDS_ON_RELIEF = 4
"""Iterations of intersecting a sight line with an uneven sheet; each reduces the error about tenfold on slopes of 1 in
10.
"""
_SAME_PART = 1.5
"""Pixels by which a picture's height may differ from the ratio of the measured camera."""


@dataclass(frozen=True, slots=True)
class CameraModel:
    """A pinhole camera with square pixels and radial distortion.

    `focal` is in pixels; `radial` and `radial2` are OpenCV's k1 and k2; `centre` is the principal point (pixels), None
    for the middle of the picture.
    """

    width: int
    height: int
    focal: float
    radial: float = 0.0
    radial2: float = 0.0
    centre: tuple[float, float] | None = None

    @property
    def matrix(self) -> Floats:
        """The 3 x 3 camera matrix."""
        x, y = self.centre or ((self.width - 1) / 2, (self.height - 1) / 2)
        return np.array([[self.focal, 0, x], [0, self.focal, y], [0, 0, 1.0]])

    @property
    def distortion(self) -> Floats:
        """OpenCV's distortion coefficients."""
        return np.array([self.radial, self.radial2, 0.0, 0.0])

    def shows(self, width: int, height: int) -> bool:
        """Whether pictures of this size show the same part of the sensor as the measured ones: their sides have the
        same ratio.
        """
        return abs(height - self.height * width / self.width) <= _SAME_PART

    def scaled(self, width: int, height: int) -> CameraModel:
        """The same camera with pictures of another size and the same ratio of sides.

        Raises ValueError where the ratio differs, as another part of the sensor would be shown.
        """
        factor = width / self.width
        if not self.shows(width, height):
            raise ValueError(f"{width} x {height} pixels show another part than {self.width} x {self.height} do")
        x, y = self.centre or ((self.width - 1) / 2, (self.height - 1) / 2)
        centre = ((x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5)
        return replace(self, width=width, height=height, focal=self.focal * factor, centre=centre)


@dataclass(frozen=True, slots=True)
class BoardPose:
    """The position of the camera over the sheet.

    `rotation` (3 x 3) and `translation` (mm) take board to camera coordinates, with y and z flipped so that the board's
    z points up to the camera. For a sheared or stretched picture both include shear and stretch, and `rotation` is not
    a pure rotation. `rms` is the markers' residual in pixels. `bleed` is the distance (pixels) by which the markers'
    sides appear farther in than printed: a blurred edge between dark and light looks lighter.
    """

    camera: CameraModel
    rotation: Floats
    translation: Floats
    rms: float
    markers: frozenset[int]
    bleed: float = 0.0
    relief: Relief | None = None
    """the shape of a sheet that is not flat or not in one piece; heights are then measured from the sheet where
    it lies
    """

    @property
    def size(self) -> tuple[int, int]:
        """The picture's width and height in pixels."""
        return self.camera.width, self.camera.height

    @property
    def eye(self) -> Floats:
        """The camera's centre in board millimetres (3,), z up."""
        return cast(Floats, (-np.linalg.inv(self.rotation) @ self.translation) * np.array([1.0, 1.0, -1.0]))

    def project(self, points: npt.ArrayLike) -> Points:
        """Pixels (n, 2) of board points (n, 3) in millimetres; in single precision where the points are."""
        board = np.asarray(points)
        kind = np.float32 if board.dtype == np.float32 else np.float64
        places = cast(Floats, board.astype(kind, copy=False).reshape(-1, 3))
        return self._seen(self._matrix(kind) @ places.T, self._lifted(places[:, :2]))

    def project_at(self, places: npt.NDArray[np.floating], heights: Iterable[float]) -> Iterator[Points]:
        """Pixels (n, 2) of board places (n, 2) in millimetres, raised to one height after another: as `project`, but
        the shape of the sheet is computed once.
        """
        lifted = self._lifted(places)
        for height in heights:
            raised = np.column_stack([places, np.full(len(places), height, places.dtype)])
            yield self._seen(self._matrix(places.dtype.type) @ raised.T, lifted)

    def _matrix(self, kind: type[np.floating]) -> npt.NDArray[np.floating]:
        return cast(Floats, (self.rotation * np.array([1.0, 1.0, -1.0])).astype(kind))

    def _lifted(self, places: npt.NDArray[np.floating]) -> npt.NDArray[np.floating] | None:
        """By how much (3, n) the sheet's shape moves what lies at places (n, 2); None where it is flat."""
        if self.relief is None:
            return None
        right, low = self.relief.shifted(places).T
        kind = places.dtype.type
        return self._matrix(kind) @ np.stack([right, low, self.relief.heights(places)]).astype(kind)

    def _seen(self, turned: npt.NDArray[np.floating], lifted: npt.NDArray[np.floating] | None) -> Points:
        """Pixels (n, 2) of points (3, n) turned to the camera, and of how the sheet moves them."""
        kind = turned.dtype.type
        across, down, away = turned + self.translation.astype(kind)[:, None]
        if lifted is not None:
            across, down, away = across + lifted[0], down + lifted[1], away + lifted[2]
        x, y = across / away, down / away
        square = x * x + y * y
        scale = (1.0 + (self.camera.radial + self.camera.radial2 * square) * square) * self.camera.focal
        middle = self.camera.matrix[:2, 2].astype(kind)
        pixels = np.empty((len(x), 2), np.float32)
        pixels[:, 0], pixels[:, 1] = x * scale + middle[0], y * scale + middle[1]
        return pixels

    def to_board(self, pixels: npt.ArrayLike, height: float = 0.0) -> Points:
        """Board points (n, 2) in millimetres that pixels (n, 2) show at `height` mm above the sheet."""
        distorted = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not distorted.size:
            return np.zeros((0, 2), np.float32)
        plane = cv2.undistortPoints(distorted[:, None], self.camera.matrix, self.camera.distortion).reshape(-1, 2)
        result = cv2.perspectiveTransform(plane[:, None], np.linalg.inv(self.homography(height))).reshape(-1, 2)
        if self.relief is not None:
            result = self._on_relief(np.asarray(plane, np.float64), np.asarray(result, np.float64), height)
        return np.asarray(result, np.float32)

    def _on_relief(self, plane: Floats, places: Floats, height: float) -> Floats:
        """Where sight lines (directions n, 2 at unit distance), which would meet a flat sheet at places (n, 2), meet
        the uneven one.
        """
        assert self.relief is not None
        inverse = np.linalg.inv(self.rotation)
        ways = np.column_stack([plane, np.ones(len(plane))]) @ inverse.T
        eye = -inverse @ self.translation
        for _ in range(_ROUNDS_ON_RELIEF):
            depth = (-height - self.relief.heights(places) - eye[2]) / ways[:, 2]
            places = eye[:2] + ways[:, :2] * depth[:, None] - self.relief.shifted(places)
        return places

    def homography(self, height: float = 0.0) -> Floats:
        """The 3 x 3 map from board x, y (mm) at a height (mm) to the undistorted plane at unit distance."""
        return np.column_stack(
            [self.rotation[:, 0], self.rotation[:, 1], self.translation - height * self.rotation[:, 2]]
        )


@dataclass(frozen=True, slots=True)
class BoardNotFound:
    """Why a picture gives no pose; `seen` are the ids of the sheet's markers that were found."""

    reason: str
    seen: frozenset[int]
