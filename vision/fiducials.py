"""Finding a sheet's printed markers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Markers
from vision.frames import Image

Corners = npt.NDArray[np.float32]
Gray = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Fiducial:
    """A marker in a picture: its four corners (pixels, from the top left as printed, clockwise) and how well it shows.

    `contrast` is the grey-level difference between its white and its black, 0 to 255.
    """

    id: int
    corners: Corners
    contrast: float

    @property
    def side(self) -> float:
        """The mean length of its sides in pixels."""
        return float(np.linalg.norm(self.corners - np.roll(self.corners, 1, axis=0), axis=1).mean())


class FiducialFinder:
    """Finds the markers of one sheet; other ids in view are ignored."""

    def __init__(self, markers: Markers) -> None:
        parameters = cv2.aruco.DetectorParameters()
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
        # Half a module: the default of 0.3 leaves a window of one or two pixels on a webcam's markers, twice as noisy.
        parameters.relativeCornerRefinmentWinSize = 0.5
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
        self._ids = frozenset(markers.centres)
        self._detector = cv2.aruco.ArucoDetector(dictionary, parameters)

    def find(self, gray: Gray) -> dict[int, Fiducial]:
        """All markers of the sheet in a grey picture. An id that shows twice is left out: one of them is not ours."""
        corners, ids, _ = self._detector.detectMarkers(gray)
        found: dict[int, Fiducial] = {}
        doubled: set[int] = set()
        for marker, quad in zip(np.asarray(ids if ids is not None else []).ravel().tolist(), corners, strict=True):
            if marker not in self._ids:
                continue
            if marker in found:
                doubled.add(marker)
            points = np.asarray(quad, np.float32).reshape(4, 2)
            found[marker] = Fiducial(marker, points, _contrast(gray, points))
        return {marker: fiducial for marker, fiducial in found.items() if marker not in doubled}

    def follow(self, gray: Gray, expected: Mapping[int, Corners]) -> dict[int, Fiducial]:
        """The markers near their expected corners, looked for only there: several times faster than `find`."""
        height, width = gray.shape
        found: dict[int, Fiducial] = {}
        for marker, quad in expected.items():
            low, high = quad.min(axis=0), quad.max(axis=0)
            margin = 0.4 * float((high - low).max())
            left, top = (max(0, int(v)) for v in low - margin)
            right, bottom = min(width, int(high[0] + margin) + 1), min(height, int(high[1] + margin) + 1)
            if right - left < 16 or bottom - top < 16:
                continue
            here = self.find(np.ascontiguousarray(gray[top:bottom, left:right])).get(marker)
            if here is not None:
                offset = np.array([left, top], np.float32)
                found[marker] = Fiducial(marker, here.corners + offset, here.contrast)
        return found


def gray_of(image: Image) -> Gray:
    """A BGR picture in grey."""
    return cast(Gray, cv2.cvtColor(image, cv2.COLOR_BGR2GRAY))


def _contrast(gray: Gray, corners: Corners) -> float:
    left, top = np.maximum(corners.min(axis=0).astype(int), 0)
    right, bottom = corners.max(axis=0).astype(int) + 1
    dark, light = np.percentile(gray[top:bottom:2, left:right:2], (10, 90))
    return float(light - dark)
