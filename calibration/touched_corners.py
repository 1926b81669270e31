"""Checks board corners touched by a person against the markers in the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.flat_pose import FlatPose, rectangle
from vision.location.location import BoardLocator
from vision.location.marker_poses import find_by_markers
from vision.pictures import Image, gray_of

_FARTHEST = 0.06
"""Largest distance of a corner from its position by the markers, in parts of the sheet's longer side: twice a finger's
error.
"""


def pose_at_corners(
    locator: BoardLocator, image: Image, corners: Sequence[tuple[float, float]], quarters: int | None = None
) -> FlatPose | BoardNotFound:
    """As `BoardLocator.at_corners`, but refused where the picture shows the board's markers elsewhere.

    Unless `quarters` gives the board's orientation, its markers decide where they are visible.
    """
    found = locator.at_corners(image, corners, quarters)
    board = locator.board
    if isinstance(found, BoardNotFound) or not board.markers.centres:
        return found
    marked = find_by_markers(board, gray_of(image))
    if isinstance(marked, BoardNotFound):
        return found
    turned = [found] if quarters is not None else [found.turned(board, quarter) for quarter in range(4)]
    nearest = min(turned, key=lambda pose: _distance(board, pose, marked))
    distance = _distance(board, nearest, marked)
    if distance > _FARTHEST * max(board.size):
        reason = sentence(
            "the board's markers are seen, and these corners lie up to {distance} mm from where they tell; touch those"
            " of this board",
            distance=f"{distance:.0f}",
        )
        return BoardNotFound(reason, marked.markers)
    return nearest


def _distance(board: Board, pose: FlatPose, marked: BoardPose) -> float:
    """The largest distance (mm) between the sheet's corners under two poses."""
    corners = rectangle(0.0, 0.0, *board.size)
    there = marked.to_board(pose.project_flat(corners))
    return float(np.linalg.norm(there - corners, axis=1).max())
