"""The pose of a board without markers: found by its taught look, lines or corners, then followed by anchors."""

from __future__ import annotations

from dataclasses import dataclass, replace

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.anchors import Anchors
from vision.location.board_pose import BoardNotFound
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator, Corners, TaughtSheet
from vision.location.reference import Reference, agreement, board_view
from vision.pictures import Gray, Image

_STEADY = 0.5
"""Pixels (at 1920 across) by which the anchors may deviate (median) before the pose is estimated anew."""
_ALIKE = 0.5
"""Correlation with its earlier view from which the board counts as the same after the camera has moved."""
_WORN = 0.6
"""Share of the anchors found on a quiet table below which new ones are chosen, as pieces lie on them."""
_SEARCH_AGAIN = 0.5
"""Seconds between searches of the whole picture while the board is not found."""
_LOST = sentence("the board is not where it was; looking for it")


@dataclass(frozen=True, slots=True, eq=False)
class _Key:
    """A frame whose pose is known, and its anchors."""

    image: Image
    pose: FlatPose
    anchors: Anchors
    locator: BoardLocator | None = None
    """finds the board as it looks in this frame"""


class SheetPoses:
    """Follows one board by its look. `reason` says why the pose cannot be trusted now, else it is empty.

    `sheet` is its taught look; `corners` are where a person saw the board's corners in the camera's first picture.
    """

    def __init__(self, board: Board, sheet: TaughtSheet | None, corners: Corners = ()) -> None:
        self.reason = ""
        self._board, self._corners = board, tuple(corners)
        self._locator = BoardLocator(board, sheet)
        self._pose: FlatPose | None = None
        self._key: _Key | None = None
        self._is_worn = False
        self._searched = float("-inf")

    def find(self, image: Image) -> FlatPose | BoardNotFound:
        """The pose in a single picture."""
        return self._locator.at_corners(image, self._corners) if self._corners else self._locator.by_looks(image)

    def follow(self, image: Image, gray: Gray, time: float) -> FlatPose | None:
        """The last good pose: the same object while the board stays where it puts it, else a new one."""
        key, pose, size = self._key, self._pose, (gray.shape[1], gray.shape[0])
        if key is not None and pose is not None and pose.size == size:
            seen = key.anchors.follow(gray)
            if seen is not None:
                self._is_worn = seen.share < _WORN
                if seen.stray < _STEADY * max(1.0, size[0] / 1920):
                    self.reason = ""
                    return pose
                if seen.pose is not None and self._is_the_same(key, image, seen.pose):
                    key.anchors.accept(seen.pose)
                    self._pose, self.reason = seen.pose, ""
                    return seen.pose
            if not self.reason:  # reported at once, as the search takes longer
                self.reason = _LOST
                return pose
        if time - self._searched >= _SEARCH_AGAIN:
            self._search(image, gray)
            self._searched = time
        return self._pose

    def rest(self, image: Image, gray: Gray) -> None:
        """Choose new anchors if pieces lie on too many; called while the table is quiet."""
        if self._is_worn and self._pose is not None and not self.reason:
            self._remember(image, gray, self._pose)

    def _search(self, image: Image, gray: Gray) -> None:
        """Search the whole picture for the board: as it lay last, or as it was taught."""
        key = self._key
        if key is None:
            found = self.find(image)
        else:
            locator = key.locator or self._locator.beside(Reference(self._board, key.image, key.pose))
            self._key = replace(key, locator=locator)
            found = locator.by_looks(image)
        if isinstance(found, BoardNotFound):
            self.reason = found.reason
            return
        self.reason = ""
        self._remember(image, gray, found)

    def _remember(self, image: Image, gray: Gray, pose: FlatPose) -> None:
        self._pose, self._is_worn = pose, False
        self._key = _Key(image, pose, Anchors(self._board, gray, pose))

    def _is_the_same(self, key: _Key, image: Image, pose: FlatPose) -> bool:
        before = board_view(key.image, key.pose, self._board)
        return agreement(before, board_view(image, pose, self._board)) > _ALIKE
