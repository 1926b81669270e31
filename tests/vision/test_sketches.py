"""Sketches of spots: what they show, at any size of the picture."""

from __future__ import annotations

import numpy as np
import pytest

from vision.location.flat_pose import FlatPose
from vision.spots.sketches import CELLS, Halvings, Sketcher

SQUARES = np.array([[[20.0, 20, 0], [140, 20, 0], [140, 140, 0], [20, 140, 0]]])


def picture(scale: int) -> np.ndarray:
    """Dark left of 80 mm, light right of it, at so many pixels a millimetre."""
    image = np.full((160 * scale, 160 * scale, 3), 40, np.uint8)
    image[:, 80 * scale :] = (200, 180, 160)
    return image


def pose(scale: int) -> FlatPose:
    return FlatPose((160 * scale, 160 * scale), np.array([[scale, 0, -0.5], [0, scale, -0.5], [0, 0, 1.0]]))


@pytest.mark.parametrize("scale", [1, 2, 7])
def test_a_sketch_shows_the_colours_of_each_part(scale: int) -> None:
    sketch = Sketcher(SQUARES).sketch(Halvings(picture(scale)), pose(scale))
    assert sketch.shape == (1, CELLS, CELLS, 3)
    assert sketch[0, :, :2] == pytest.approx(40, abs=1)
    assert sketch[0, :, 4:] == pytest.approx(np.broadcast_to((200, 180, 160), (CELLS, 2, 3)), abs=1)


def test_what_lies_around_a_piece_does_not_count() -> None:
    outside = np.zeros((36, 36), bool)
    outside[:, :20] = True
    sketch = Sketcher(SQUARES, outside).sketch(Halvings(picture(2)), pose(2))
    assert sketch[0] == pytest.approx(np.broadcast_to((200, 180, 160), (CELLS, CELLS, 3)), abs=1)


def test_a_sketch_follows_the_pose() -> None:
    sketcher, image = Sketcher(SQUARES), Halvings(picture(2))
    before = sketcher.sketch(image, pose(2))
    moved = FlatPose((320, 320), np.array([[2, 0, 79.5], [0, 2, -0.5], [0, 0, 1.0]]))
    assert before[0, :, 1] == pytest.approx(40, abs=1)
    assert sketcher.sketch(image, moved)[0, :, 4:].min() > 150


def test_a_picture_is_halved_down_to_one_pixel() -> None:
    assert Halvings(picture(1)[:3, :5]).reduced(5).shape == (1, 1, 3)
