"""What was read is drawn where it lies."""

from __future__ import annotations

import numpy as np

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
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
