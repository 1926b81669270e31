"""The pose of a sheet with printed markers: found in one picture, followed from frame to frame."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.board_pose import BoardNotFound, BoardPose, CameraModel
from vision.location.fiducials import Fiducial, FiducialFinder, MarkerCorners
from vision.location.registration import marker_corners, register
from vision.pictures import Gray, Image, gray_of

MIRRORED = sentence("the picture is mirrored; switch mirroring off in the camera or the program that sends it")
TWO_SHEETS = sentence("two of these sheets are in view; cover one of them, or move it away")
_STEADY = 0.5
"""Pixels (at 1920 across) by which the markers may deviate from the pose before it is estimated anew."""
_SEARCH_AGAIN = 0.25
"""Seconds between searches of the whole picture while the board is not found."""


def find_by_markers(
    board: Board, gray: Gray, camera: CameraModel | None = None, finder: FiducialFinder | None = None
) -> BoardPose | BoardNotFound:
    """The pose of a board in one grey picture; a mirrored picture gets a reason of its own."""
    finder = finder or FiducialFinder(board.markers)
    size = (gray.shape[1], gray.shape[0])
    sheets = finder.find_sheets(gray)
    if len(sheets) > 1:
        return BoardNotFound(TWO_SHEETS, frozenset().union(*sheets))
    found = register(board, sheets[0] if sheets else {}, size, camera)
    if isinstance(found, BoardNotFound):
        other_way = np.asarray(cv2.flip(gray, 1), np.uint8)
        if isinstance(register(board, finder.find(other_way), size), BoardPose):
            return BoardNotFound(MIRRORED, frozenset())
    return found


class MarkerPoses:
    """Follows the markers of one sheet. `reason` says why the pose cannot be trusted now, else it is empty."""

    def __init__(self, board: Board, camera: CameraModel | None = None) -> None:
        self.reason = ""
        self._board, self._camera = board, camera
        self._finder = FiducialFinder(board.markers)
        self._pose: BoardPose | None = None
        self._offsets: dict[int, MarkerCorners] = {}
        self._searched = float("-inf")

    def find(self, image: Image) -> BoardPose | BoardNotFound:
        """The pose in a single picture."""
        return find_by_markers(self._board, gray_of(image), self._camera, self._finder)

    def follow(self, image: Image, gray: Gray, time: float) -> BoardPose | None:
        """The last good pose: the same object while the markers stay where it puts them, else a new one."""
        size = (gray.shape[1], gray.shape[0])
        pose = self._pose
        if pose is not None and pose.size == size:
            expected = self._expected(pose)
            seen = self._finder.follow(gray, expected)
            strays = _strays(_offsets(seen, expected), self._offsets)
            if strays is not None and strays < _STEADY * max(1.0, size[0] / 1920):
                self.reason = ""
                return pose
            if strays is not None and self._take(register(self._board, seen, size, pose.camera), gray):
                return self._pose
        if not self.reason or time - self._searched >= _SEARCH_AGAIN:
            self._searched = time
            self._take(find_by_markers(self._board, gray, self._camera, self._finder), gray)
        return self._pose

    def rest(self, image: Image, gray: Gray) -> None:
        """Does nothing: markers look the same on every table."""

    def _take(self, found: BoardPose | BoardNotFound, gray: Gray) -> bool:
        if isinstance(found, BoardNotFound):
            self.reason = found.reason
            return False
        self._pose, self.reason = found, ""
        expected = self._expected(found)
        self._offsets = _offsets(self._finder.follow(gray, expected), expected)
        return True

    def _expected(self, pose: BoardPose) -> dict[int, MarkerCorners]:
        """Where the pose puts each marker's corners."""
        return {
            marker: pose.project(np.column_stack([marker_corners(self._board, marker), np.zeros(4)]))
            for marker in self._board.markers.centres
        }


def _offsets(seen: Mapping[int, Fiducial], expected: Mapping[int, MarkerCorners]) -> dict[int, MarkerCorners]:
    """The offset of each marker's corners from the expected ones, which blurred edges cause for all of them."""
    return {marker: np.asarray(fiducial.corners - expected[marker]) for marker, fiducial in seen.items()}


def _strays(now: Mapping[int, MarkerCorners], before: Mapping[int, MarkerCorners]) -> float | None:
    """The median distance (pixels) by which corners have moved since the pose was estimated; None if no marker is
    seen.
    """
    if not now:
        return None
    moved = [np.linalg.norm(off - before.get(marker, 0.0), axis=1) for marker, off in now.items()]
    return float(np.median(np.concatenate(moved)))
