"""What was read is drawn where it lies; the board is seen from above where it is wanted."""

from __future__ import annotations

import numpy as np

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
from vision.location.rectify import rectified
from vision.overlay import draw_overlay


def changed_at(board: Board, scene: Scene, spot: str, before: np.ndarray, after: np.ndarray) -> bool:
    place = board.spots[spot]
    corners = scene.pose.project([[x, y, place.base + place.height] for x, y in place.outline])
    left, top = corners.min(axis=0).astype(int)
    right, bottom = corners.max(axis=0).astype(int) + 1
    return bool((before[top:bottom, left:right] != after[top:bottom, left:right]).any())


def test_the_overlay_marks_what_is_taken_unsure_or_covered_and_nothing_else(board: Board, plain_scene: Scene) -> None:
    picture = plain_scene.still({})
    posteriors = {
        "ward G7-H7": {"": 0.01, "red": 0.97, "yellow": 0.01, "green": 0.005, "blue": 0.005},
        "ward J3-J4": {"": 0.5, "red": 0.5},
        "ward D10-E10": {"": 0.99, "red": 0.01},
    }
    drawn = draw_overlay(picture, board, plain_scene.pose, posteriors, frozenset({"ward D5-E5"}))
    wards = [spot for spot in board.spots if spot.startswith("ward")]
    marked = {ward for ward in wards if changed_at(board, plain_scene, ward, picture, drawn)}
    assert {"ward G7-H7", "ward J3-J4", "ward D5-E5"} <= marked
    assert "ward D10-E10" not in marked
    assert picture is not drawn


def test_a_rectified_part_shows_the_board_to_scale(board: Board, plain_scene: Scene) -> None:
    patch = next(patch for patch in board.patches if patch.name == "red")
    x, y = patch.centre
    part = rectified(plain_scene.still({}), plain_scene.pose, (x - 20, y - 20, x + 20, y + 20), 4.0)
    assert part.shape == (160, 160, 3)
    red = (part[:, :, 2].astype(int) - part[:, :, 1]) > 60
    rows, columns = np.flatnonzero(red[:, 80]), np.flatnonzero(red[80])
    for side in (rows, columns):
        assert abs(len(side) - patch.side * 4) <= 4
        assert abs(side.mean() - 79.5) < 2


def test_outside_the_picture_is_black(board: Board, plain_scene: Scene) -> None:
    part = rectified(plain_scene.still({}), plain_scene.pose, (-2000.0, 0.0, -1900.0, 50.0), 1.0)
    assert not part.any()
