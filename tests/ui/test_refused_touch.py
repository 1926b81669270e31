"""A touch that was refused: why is told in full, a cross puts it away, and all that may be done else is in sight."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window

SHAPES = [((480, 800), 1.6), ((800, 480), 1.6), ((800, 480), 1.0), ((1280, 800), 1.6)]


@pytest.fixture
def refused(start: Any) -> Any:
    """A table of City of Marble with something to redo, at which a place was touched where no ward may lie."""
    from ui.widgets.scale import scale

    session = Session.create(None, table_of("city_of_marble", 3), clock=clock())
    play_at_random(session, 60, 1)
    while not any(action.text.startswith("ward ") for action in session.legal_actions()) or not session.can_redo():
        session.undo()
    presenter = Presenter(session)
    driver = start(presenter)
    may, taken = {site for action in presenter.legal for site in action.sites}, session.game.appearance(session.state)
    free = [spot.site for spot in presenter.board.spots.values() if spot.piece == "ward" and spot.name not in taken]
    site = next(site for site in free if site not in may)

    def lay_out(size: tuple[int, int], text_size: float) -> Any:
        scale.reader = text_size
        driver.resize(*size)
        driver.app.refresh()
        driver.frames(4)
        return driver.app.screens.current_screen

    def touch() -> None:
        presenter.on_site(site)
        driver.app.refresh()
        driver.frames(3)

    touch()
    yield driver, presenter, lay_out, touch
    scale.reader = 1.0


@pytest.mark.parametrize(("size", "text_size"), SHAPES)
def test_a_cross_in_the_place_of_undo_puts_a_refused_touch_away(refused: Any, size: Any, text_size: float) -> None:
    driver, presenter, lay_out, _touch = refused
    screen = lay_out(size, text_size)
    assert presenter.view().verdict.barred
    assert (screen.ids.leave.width > 0, screen.ids.undo.width, screen.ids.redo.width) == (True, 0, 0)
    entries = len(presenter.session.entries)
    driver.tap(screen.ids.leave)
    driver.frames(3)
    assert presenter.view().verdict is None
    assert screen.ids.undo.width > 0
    assert len(presenter.session.entries) == entries


def test_a_cross_puts_a_refused_choice_away(refused: Any) -> None:
    driver, presenter, lay_out, _touch = refused
    screen = lay_out((800, 480), 1.0)
    presenter.on_choice(next(choice.key for choice in presenter.view().choices if choice.forbidden))
    driver.app.refresh()
    driver.frames(3)
    assert presenter.view().is_refusal
    assert (screen.ids.leave.width > 0, screen.ids.undo.width) == (True, 0)
    entries = len(presenter.session.entries)
    driver.tap(screen.ids.leave)
    driver.frames(3)
    assert not presenter.view().is_refusal
    assert presenter.refused is None
    assert len(presenter.session.entries) == entries


@pytest.mark.parametrize(("size", "text_size"), SHAPES)
def test_why_a_touch_was_refused_is_told_in_full(refused: Any, size: Any, text_size: float) -> None:
    _driver, _presenter, lay_out, _touch = refused
    screen = lay_out(size, text_size)
    verdict = screen.ids.verdict
    assert verdict.text
    assert verdict.height >= verdict.ids.content.texture_size[1] - 1
    assert verdict.y >= screen.ids.tray.top


@pytest.mark.parametrize(("size", "text_size"), [((480, 800), 1.0), ((480, 800), 1.6)])
def test_all_choices_are_seen_where_the_rail_has_room_for_them(refused: Any, size: Any, text_size: float) -> None:
    _driver, presenter, lay_out, touch = refused
    touch()
    assert presenter.view().verdict is None
    screen = lay_out(size, text_size)
    from scripts.pictures.faults import faults

    shelf = screen.ids.shelf
    assert len(shelf.buttons) > 4
    assert shelf.ids.grid.height <= shelf.height + 1
    assert all(card.height >= 48 and card.label_size for card in shelf.buttons)
    assert not faults(screen)
