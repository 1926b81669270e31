"""An entry is corrected on the play screen as a turn is played: by places and faces, and by the primary button."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock
from tests.tables import table_of
from ui.table.presenter import Presenter
from ui.table.swatches import SWITCH
from ui.view_models.play_view import PieceState

pytestmark = pytest.mark.window


def card(driver: Any, key: str) -> Any:
    from ui.widgets.tray import FaceCard

    return next(each for each in driver.all(FaceCard) if each.key == key)


def actions(presenter: Presenter) -> list[str | None]:
    return [move.action for move in presenter.session.moves]


def test_a_ward_is_put_right_by_its_colour_and_the_primary_button(start: Any) -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2), clock=clock()))
    presenter.on_choice("ward E8-F8 red")
    driver = start(presenter, presenter.on_tick)
    driver.resize(800, 480)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    assert screen.ids.undo.width > 0
    screen.correct(1)
    driver.frames(3)
    assert screen.ids.undo.width == 0, "it would take back something else"
    assert screen.ids.leave.width > 0
    assert screen.primary_text == "Leave it as it is"
    assert [piece.spot for piece in screen.ids.board.showing.pieces if piece.state is PieceState.CORRECTED] == [
        "ward E8-F8"
    ]
    driver.tap(card(driver, "amend ward E8-F8 green"))
    driver.frames(3)
    assert actions(presenter) == ["ward E8-F8 red"], "a colour is only looked at"
    assert [piece.label for piece in screen.ids.board.showing.ghost] == ["green"]
    assert screen.primary_text == "Put this instead"
    driver.tap(card(driver, SWITCH))
    driver.frames(3)
    assert [piece.label for piece in screen.ids.board.showing.ghost] == ["green", "black"]
    driver.tap(screen.ids.primary)
    driver.frames(3)
    assert actions(presenter) == ["ward E8-F8 green magistrate"]
    assert screen.ids.leave.width == 0


def test_the_cross_leaves_the_entry_as_it_is(start: Any) -> None:
    presenter = Presenter(Session.create(None, table_of("city_of_marble", 2), clock=clock()))
    presenter.on_choice("ward E8-F8 red")
    driver = start(presenter, presenter.on_tick)
    driver.resize(1280, 800)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    screen.correct(1)
    driver.frames(3)
    driver.tap(screen.ids.leave)
    driver.frames(3)
    assert presenter.view().corrected == 0
    assert actions(presenter) == ["ward E8-F8 red"]
