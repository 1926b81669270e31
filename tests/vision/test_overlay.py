"""What was read is drawn where it lies."""

from __future__ import annotations

import numpy as np

from companion.board.layout import Board
from ui.simulated_table.scene import Scene
from vision.overlay import Caption, draw_overlay, spread


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


def test_names_of_what_stands_on_one_another_stand_below_one_another() -> None:
    captions = [Caption("3", (100.0, 50.0)), Caption("blue", (100.0, 52.0)), Caption("red 60%", (103.0, 48.0))]
    placed = spread([*captions, Caption("far", (300.0, 50.0))], 0.4)
    assert [caption.text for caption in placed] == ["3", "blue", "red 60%", "far"]
    assert not any(one.hides(other, 0.4) for one in placed for other in placed if one is not other)
    assert [caption.middle[0] for caption in placed] == [100.0, 100.0, 103.0, 300.0]
    assert (placed[0].middle, placed[3].middle) == ((100.0, 50.0), (300.0, 50.0))
