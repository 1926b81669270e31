"""Anchors: points of a board that are tracked from frame to frame, a cheap test of whether the camera has moved.

All positions refer to one key frame, so that errors do not add up. Frames are compared by local contrast, which a
change of light leaves as it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.location.flat_pose import FlatPose, bend, normalised, rectangle, unbend
from vision.pictures import Gray

Floats = npt.NDArray[np.float64]
Points = npt.NDArray[np.float32]

_WIDTH = 960
"""Width (pixels) at which frames are compared: the working size."""
_MOST = 160
"""Most anchors to choose."""
_APART = 14
"""Smallest distance (working pixels) between anchors."""
FEWEST_ANCHORS = 16
"""Fewest anchors that must be found and agree."""
_WINDOW = 19
"""Side (working pixels) of the window that is tracked around an anchor."""
_LEVELS = 4
"""Pyramid levels of the tracker."""
_AROUND = 31
"""Side (working pixels) of the surroundings to which contrast is relative."""
_FAINT = 6.0
"""Contrast (standard deviation, grey levels) up to which it is taken for noise."""
_BACK = 0.7
"""Distance (working pixels) by which an anchor may miss its start when tracked back again."""
_TOLERANCE = 1.0
"""Distance (working pixels) by which an anchor may deviate from the common motion of the board."""
_AGREEING = 0.6
"""Share of the anchors found that must follow one common motion."""
_LEAST_SPREAD = 0.3
"""Share of the board's width and of its height that these must span."""


@dataclass(frozen=True, slots=True)
class AnchorView:
    """Where a frame shows the anchors: the median distance (pixels) from their last accepted positions, the share of
    them that is found, and the pose of the board if enough agree, else None.
    """

    stray: float
    share: float
    pose: FlatPose | None


class Anchors:
    """Points of the board in a key frame (grey) whose pose is known."""

    def __init__(self, board: Board, gray: Gray, pose: FlatPose) -> None:
        self._key, self._scale = _contrast(gray)
        self.pose, self._board = pose, board
        mask = np.zeros(self._key.shape, np.uint8)
        outline = (pose.project_flat(rectangle(0.0, 0.0, *board.size)) + 0.5) * self._scale - 0.5
        limit = 8.0 * _WIDTH
        cv2.fillConvexPoly(mask, np.clip(outline, -limit, limit).round().astype(np.int32), 255)
        found = cv2.goodFeaturesToTrack(self._key, _MOST, 0.02, _APART, mask=mask, blockSize=7)
        # OpenCV returns None where it finds nothing, which its type stubs leave out.
        self._points: Points = np.asarray(found if np.ndim(found) else [], np.float32).reshape(-1, 2)
        self._expected = self._points.copy()

    @property
    def count(self) -> int:
        """How many points there are."""
        return len(self._points)

    def follow(self, gray: Gray) -> AnchorView | None:
        """Where the anchors are in another frame of the same size; None where too few are found."""
        if self.count < FEWEST_ANCHORS:
            return None
        look, _ = _contrast(gray)
        now, good = self._tracked(look)
        if good.sum() < FEWEST_ANCHORS:
            return None
        stray = float(np.median(np.linalg.norm(now[good] - self._expected[good], axis=1))) / self._scale
        return AnchorView(stray, float(good.mean()), self._motion(self._points[good], now[good]))

    def accept(self, pose: FlatPose) -> None:
        """Expect the anchors where this new pose of the board puts them: the camera has moved."""
        straight = unbend(self._full(self._points), self.pose.size, self.pose.radial)
        there = cv2.perspectiveTransform(straight[:, None], pose.homography @ np.linalg.inv(self.pose.homography))
        pixels = bend(np.asarray(there[:, 0], np.float64), pose.size, pose.radial)
        self._expected = ((pixels + 0.5) * self._scale - 0.5).astype(np.float32)

    def _tracked(self, look: Gray) -> tuple[Points, npt.NDArray[np.bool_]]:
        """The anchors (n, 2) in another frame, and which of them (n,) are found reliably.

        Pyramidal Lucas-Kanade tracking, forwards and backwards.
        """
        size = (_WINDOW, _WINDOW)
        start = self._expected.copy()
        flags = cv2.OPTFLOW_USE_INITIAL_FLOW
        now, forth, _ = cv2.calcOpticalFlowPyrLK(
            self._key, look, self._points, start, winSize=size, maxLevel=_LEVELS, flags=flags
        )
        again, back, _ = cv2.calcOpticalFlowPyrLK(
            look, self._key, now, self._points.copy(), winSize=size, maxLevel=1, flags=flags
        )
        off = np.linalg.norm(again - self._points, axis=1)
        good = (forth.ravel() > 0) & (back.ravel() > 0) & (off < _BACK)
        good &= ((now > 0) & (now < np.array(look.shape[::-1]))).all(axis=1)
        return np.asarray(now, np.float32), np.asarray(good)

    def _motion(self, before: Points, now: Points) -> FlatPose | None:
        size, radial = self.pose.size, self.pose.radial
        here, there = (unbend(self._full(points), size, radial) for points in (before, now))
        motion, mask = cv2.findHomography(here, there, cv2.USAC_MAGSAC, _TOLERANCE / self._scale, maxIters=2000)
        if motion is None:
            return None
        trusted = mask.ravel() > 0
        if trusted.sum() < max(FEWEST_ANCHORS, _AGREEING * len(before)) or not self._is_spread(before[trusted]):
            return None
        off = cv2.perspectiveTransform(here[trusted][:, None], motion)[:, 0] - there[trusted]
        rms = float(np.sqrt((off**2).sum(axis=1).mean()))
        return FlatPose(size, normalised(np.asarray(motion, np.float64) @ self.pose.homography), radial, rms)

    def _full(self, points: Points) -> Floats:
        """Working pixels converted to pixels of the frame."""
        return np.asarray((points + 0.5) / self._scale - 0.5, np.float64)

    def _is_spread(self, points: Points) -> bool:
        places = self.pose.to_board(self._full(points))
        low, high = np.quantile(places, [0.05, 0.95], axis=0)
        return bool((high - low > _LEAST_SPREAD * np.array(self._board.size)).all())


def _contrast(gray: Gray) -> tuple[Gray, float]:
    """A frame at the working width with each pixel relative to its surroundings, and the scale (working pixels per
    pixel).
    """
    scale = min(1.0, _WIDTH / gray.shape[1])
    size = (round(gray.shape[1] * scale), round(gray.shape[0] * scale))
    small = cv2.resize(gray, size, interpolation=cv2.INTER_AREA) if scale < 1.0 else gray
    values = np.asarray(small, np.float32)
    around = (_AROUND, _AROUND)
    mean = cv2.boxFilter(values, -1, around)
    square = cv2.sqrBoxFilter(values, cv2.CV_32F, around)
    spread = cv2.sqrt(np.maximum(square - mean * mean, _FAINT**2))
    return np.asarray(np.clip(128.0 + 48.0 * (values - mean) / spread, 0, 255), np.uint8), scale
