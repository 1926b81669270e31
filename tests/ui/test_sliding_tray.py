"""Cards that neither the tray nor the rail has room for lie in the tray in a row that slides."""

import pytest

from companion.session.session import Session
from ui.simulated_table.demo import demo_table, parse
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window


@pytest.fixture
def shown(start):
    """The play screen of a game that begins, in a window and with texts of a size."""
    from ui.widgets.scale import scale

    def at_size(size, reader, game="city_of_marble"):
        driver = start(Presenter(Session.create(None, demo_table(parse(["--game", game, "--players", "3"])))))
        scale.reader = reader
        driver.resize(*size)
        driver.app.refresh()
        driver.until_printed()
        driver.frames(3)
        return driver, driver.app.screens.current_screen

    yield at_size
    scale.reader = 1.0


def test_with_the_largest_texts_the_choices_stay_in_the_tray(shown):
    from scripts.pictures.faults import faults

    _driver, screen = shown((1280, 800), 1.6)
    row = screen.ids.cards
    assert [card.key for card in row.buttons] == [card.key for card in screen.cards if card is not screen.primary]
    assert len(row.buttons) > 4
    assert not screen.ids.shelf.buttons
    assert not row.ids.scroll.do_scroll_x
    assert faults(screen) == []
    assert all(panel.height > panel.ids.top.height + 20 for panel in screen.ids.players.children)


def test_a_row_of_which_most_is_seen_slides(shown):
    from scripts.pictures.faults import faults

    driver, screen = shown((800, 480), 1.6)
    row, scroll = screen.ids.cards, screen.ids.cards.ids.scroll
    assert not screen.ids.shelf.buttons
    assert screen.ids.undo.head_height
    assert scroll.do_scroll_x
    assert scroll.scroll_x == 0
    assert faults(screen) == []
    last = row.buttons[-1]
    assert last.to_window(last.right, 0)[0] > row.right
    scroll.scroll_x = 1
    driver.frames(2)
    assert last.to_window(last.right, 0)[0] <= row.right + 1


def test_what_the_rail_shows_whole_does_not_slide(shown):
    _driver, screen = shown((1280, 800), 1.0)
    assert not screen.ids.cards.ids.scroll.do_scroll_x
    assert not screen.ids.shelf.buttons
    _driver, screen = shown((480, 800), 1.0)
    assert screen.ids.shelf.buttons
