"""The checker of layouts reports what cannot be slid into sight, and scenes that are not come to end with an error."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window


@pytest.fixture
def row(start: Any) -> Any:
    """A row of ten buttons of 100 pixels in a window of 800, in a view that slides."""
    from kivy.uix.boxlayout import BoxLayout
    from kivy.uix.scrollview import ScrollView

    from ui.widgets.controls import PushButton

    driver = start(Presenter(Session.create(None, table_of("city_of_marble", 2))))
    driver.resize(800, 480)
    buttons = [PushButton(text=str(number), size_hint=(None, None), size=(100, 60)) for number in range(10)]
    inside = BoxLayout(size_hint=(None, None), size=(1000, 60))
    view = ScrollView(size_hint=(None, None), size=(700, 60), do_scroll_y=False)
    for button in buttons:
        inside.add_widget(button)
    view.add_widget(inside)
    driver.app.root.add_widget(view)
    driver.frames(3)
    yield driver, view, inside, buttons
    driver.app.root.remove_widget(view)


def outside(view: Any) -> list[str]:
    from scripts.pictures.faults import faults

    return [fault for fault in faults(view) if fault.startswith("outside")]


def test_what_a_row_can_be_slid_to_is_no_fault(row: Any) -> None:
    driver, view, _inside, _buttons = row
    for place in (0.0, 0.5, 1.0):
        view.scroll_x = place
        driver.frames(2)
        assert outside(view) == []


def test_what_stands_outside_of_its_sliding_row_is_a_fault(row: Any) -> None:
    driver, view, inside, buttons = row
    inside.width = 850
    driver.frames(3)
    for place in (0.0, 1.0):
        view.scroll_x = place
        driver.frames(2)
        assert outside(view) == [f"outside: {button.text!r}" for button in buttons if button.right > inside.right + 2]
    assert buttons[-1].right > inside.right


def test_a_row_that_itself_hangs_out_of_the_window_is_a_fault(row: Any) -> None:
    driver, view, _inside, buttons = row
    view.width = 900
    driver.frames(3)
    view.scroll_x = 1.0
    driver.frames(2)
    assert f"outside: {buttons[-1].text!r}" in outside(view)


def test_a_position_that_never_comes_ends_a_scene_with_an_error(start: Any) -> None:
    from scripts.pictures.visit import Visit

    session = Session.create(None, table_of("city_of_marble", 2), clock=clock())
    play_at_random(session, 5, 1)
    visit = Visit(start(Presenter(session)).app, None)
    visit.undo_until(session, lambda: len(session.moves) == 2)
    assert len(session.moves) == 2
    with pytest.raises(LookupError, match="city_of_marble"):
        visit.undo_until(session, lambda: False)
    assert not session.moves
