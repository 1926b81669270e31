"""A picture's box is drawn whatever size the layout gives it on the way."""

from __future__ import annotations

from typing import Any

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
    drawn = box._drawn
    assert min(drawn.size) >= 1
    assert max(max(corner) for corner in drawn.radius) <= min(drawn.size) / 2
    driver.app.root.remove_widget(box)
