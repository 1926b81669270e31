"""A picture's box is drawn whatever size the layout gives it on the way."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.ui.test_demo_games import new_presenter

pytestmark = pytest.mark.window


@pytest.mark.parametrize("size", [(-4, -2.5), (0, 0), (3, 60), (60, 60)])
def test_corners_are_never_larger_than_half_of_the_box(start: Any, size: tuple[float, float]) -> None:
    from ui.widgets.pictures import PictureBox

    driver = start(new_presenter("capitol"))
    box = PictureBox(radius=[9, 9, 0, 0], size_hint=(None, None), size=size)
    driver.app.root.add_widget(box)
    driver.frames(2)
    xs, ys = box._drawn.vertices[::4], box._drawn.vertices[1::4]
    assert box.x <= min(xs) < max(xs) <= box.x + max(1, box.width)
    assert box.y <= min(ys) < max(ys) <= box.y + max(1, box.height)
    driver.app.root.remove_widget(box)


@pytest.mark.parametrize("radius", [[0], [9, 9, 0, 0], [9, 0, 0, 9]])
def test_a_picture_of_which_a_part_is_shown_is_not_pulled_awry(start: Any, radius: list[float]) -> None:
    from ui.widgets.pictures import PictureBox, gallery

    rows = np.repeat(np.linspace(0, 255, 213).astype(np.uint8)[:, None], 320, axis=1)
    source = ("rows", tuple(radius)), lambda: np.dstack([rows] * 3)
    driver = start(new_presenter("capitol"))
    gallery.make_now(*source)
    box = PictureBox(radius=radius, source=source, size_hint=(None, None), size=(450, 98), pos=(100, 100))
    driver.app.root.add_widget(box)
    driver.frames(4)
    for y in (110, 149, 190):
        shades = [driver.pixel(x, y)[0] for x in (112, 220, 325, 430, 538)]
        assert max(shades) - min(shades) <= 2
    assert driver.pixel(325, 190)[0] < 110
    assert driver.pixel(325, 110)[0] > 145
    driver.app.root.remove_widget(box)
