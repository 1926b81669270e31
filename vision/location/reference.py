"""Finds a board by another photograph of it: features matched between both, and the correlation of two views of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board
from vision.location.flat_pose import FlatPose, bend, normalised, rectangle, unbend
from vision.pictures import Gray, Image, gray_of, interpolated

Floats = npt.NDArray[np.float64]

WORKING_SIDE = 1400
"""Longer side (pixels) of a picture for a thorough search of features."""
GLANCE = 900
"""Longer side (pixels) for a quick one, in a third of the time."""
_MOST_FEATURES = 4000
"""Most features of a picture."""
_RATIO = 0.8
"""Lowe's ratio test (2004): distance of the best match over that of the second best."""
_TOLERANCE = 3.0
"""Distance (pixels at the working size) by which a matched feature may miss."""
FEWEST_MATCHES = 25
"""Fewest matches that give a pose."""
PLENTY = 4 * FEWEST_MATCHES
"""Matches from which a thorough search adds nothing."""
_LEAST_SPREAD = 0.15
"""Share of the board's width and height that the matches must span."""
_VIEW = 160
"""Longer side (pixels) of the views that are correlated."""


@dataclass(frozen=True, slots=True)
class Features:
    """Distinctive points of a picture: `points` (n, 2) in pixels and their descriptors `marks` (n, 128)."""

    points: Floats
    marks: npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Found:
    """A pose and the number of matches that support it."""

    pose: FlatPose
    matches: int


class Reference:
    """A photograph of a board whose pose is known. `without` is a mask (255) of pixels that do not show the board, such
    as pieces.
    """

    def __init__(self, board: Board, image: Image, pose: FlatPose, without: Gray | None = None) -> None:
        self.board, self.image, self.pose = board, image, pose
        mask = np.zeros(image.shape[:2], np.uint8)
        outline = pose.project_flat(rectangle(0.0, 0.0, *board.size))
        cv2.fillConvexPoly(mask, outline.round().astype(np.int32), 255)
        if without is not None:
            mask[without > 0] = 0
        self.features = features_of(image, mask)
        self.view = board_view(image, pose, board)
        self.shown = np.ones(self.view.shape, bool) if without is None else ~_hidden(without, pose, board)
        """which pixels of `view`, the board from above, show it"""

    def find(self, image: Image) -> Found | None:
        """The board's pose in another picture; None where too few features match."""
        return self.find_among(features_of(image), (image.shape[1], image.shape[0]))

    def find_among(self, seen: Features, size: tuple[int, int]) -> Found | None:
        """The same from a picture's features and size (width, height)."""
        if min(len(self.features.points), len(seen.points)) < FEWEST_MATCHES:
            return None
        pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(self.features.marks, seen.marks, k=2)
        good = [first for first, second in pairs if first.distance < _RATIO * second.distance]
        if len(good) < FEWEST_MATCHES:
            return None
        # Assumes one lens for both pictures, or negligible distortion in both.
        same_lens = sorted(size) == sorted(self.pose.size)
        radial = self.pose.radial if same_lens else 0.0
        here = unbend(self.features.points[[match.queryIdx for match in good]], self.pose.size, self.pose.radial)
        there = unbend(seen.points[[match.trainIdx for match in good]], size, radial)
        scale = max(1.0, max(size) / WORKING_SIDE)
        motion, mask = cv2.findHomography(here, there, cv2.USAC_MAGSAC, _TOLERANCE * scale, maxIters=5000)
        if motion is None:
            return None
        trusted = mask.ravel() > 0
        if trusted.sum() < FEWEST_MATCHES or not self._is_spread(here[trusted]):
            return None
        off = cv2.perspectiveTransform(here[trusted][:, None], motion)[:, 0] - there[trusted]
        pose = FlatPose(
            size,
            normalised(np.asarray(motion, np.float64) @ self.pose.homography),
            radial,
            float(np.sqrt((off**2).sum(axis=1).mean())),
        )
        return Found(pose, int(trusted.sum())) if _is_upright(pose, self.board) else None

    def _is_spread(self, straight: Floats) -> bool:
        places = self.pose.to_board(bend(straight, self.pose.size, self.pose.radial))
        low, high = np.quantile(places, [0.05, 0.95], axis=0)
        return bool((high - low > _LEAST_SPREAD * np.array(self.board.size)).all())


def features_of(image: Image, mask: Gray | None = None, side: int = WORKING_SIDE) -> Features:
    """The distinctive points of a picture where the mask is not 0, searched at a longer side of at most `side`
    pixels.
    """
    factor = min(1.0, side / max(image.shape[:2]))
    gray = gray_of(image)
    if factor < 1.0:
        gray = np.asarray(cv2.resize(gray, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8)
        if mask is not None:
            mask = np.asarray(
                cv2.resize(mask, (gray.shape[1], gray.shape[0]), interpolation=cv2.INTER_NEAREST), np.uint8
            )
    points, marks = cv2.SIFT.create(_MOST_FEATURES, contrastThreshold=0.02).detectAndCompute(gray, mask)
    if not len(points):  # OpenCV then gives no marks, which its type stubs leave out
        return Features(np.zeros((0, 2)), np.zeros((0, 128), np.float32))
    # RootSIFT: R. Arandjelovic, A. Zisserman, Three things everyone should know to improve object retrieval, 2012.
    marks = np.sqrt(marks / np.maximum(marks.sum(axis=1, keepdims=True), 1e-6))
    places = (np.array([point.pt for point in points], np.float64) + 0.5) / factor - 0.5
    return Features(places, marks.astype(np.float32))


def board_view(image: Image, pose: FlatPose, board: Board) -> npt.NDArray[np.float32]:
    """The sheet seen from above, small and grey, each pixel relative to its surroundings."""
    x, y, scale = _places(board)
    finer = 0.5 / scale * np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    gray = gray_of(image)
    views = []
    for dx, dy in finer:
        pixels = pose.project_flat(np.column_stack([x.ravel() + dx, y.ravel() + dy]))
        views.append(interpolated(gray, pixels.reshape(*x.shape, 2).astype(np.float32)).astype(np.float32))
    view = np.mean(views, axis=0)
    local = cv2.GaussianBlur(view, (0, 0), 6.0)
    spread = np.sqrt(np.maximum(cv2.GaussianBlur((view - local) ** 2, (0, 0), 6.0), 4.0))
    return cast(npt.NDArray[np.float32], (view - local) / spread)


def _places(board: Board) -> tuple[Floats, Floats, float]:
    """The board x and y (mm) of the pixels (rows, columns) of a view, and its pixels per millimetre."""
    width, height = board.size
    scale = _VIEW / max(width, height)
    x, y = np.meshgrid(
        (np.arange(round(width * scale)) + 0.5) / scale, (np.arange(round(height * scale)) + 0.5) / scale
    )
    return x, y, scale


def _hidden(without: Gray, pose: FlatPose, board: Board) -> npt.NDArray[np.bool_]:
    """Which pixels of a view do not show the board."""
    x, y, _ = _places(board)
    pixels = pose.project_flat(np.column_stack([x.ravel(), y.ravel()])).reshape(*x.shape, 2)
    return np.asarray(interpolated(without, pixels.astype(np.float32)) > 0)


def agreement(
    one: npt.NDArray[np.float32], other: npt.NDArray[np.float32], mask: npt.NDArray[np.bool_] | None = None
) -> float:
    """The correlation (-1 to 1) of two views of a board, within the mask."""
    a, b = (one, other) if mask is None else (one[mask], other[mask])
    if a.size < 100:
        return 0.0
    a, b = a - a.mean(), b - b.mean()
    return float((a * b).sum() / max(float(np.sqrt((a * a).sum() * (b * b).sum())), 1e-6))


def _is_upright(pose: FlatPose, board: Board) -> bool:
    """Whether the board shows its face, as a convex quadrangle of sensible size."""
    corners = pose.project_flat(rectangle(0.0, 0.0, *board.size)).astype(np.float32)
    sides = np.roll(corners, -1, axis=0) - corners
    bends = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
    area = cv2.contourArea(corners)
    return bool((bends > 0).all()) and 0.005 < area / (pose.size[0] * pose.size[1]) < 4.0
