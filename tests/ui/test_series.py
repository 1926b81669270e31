"""Pieces put in series, each where the board is touched; and a choice with which the turn is ended as well."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from tests.ui.test_demo_games import new_presenter
from ui.drawing.board_frame import site_centre
from ui.drawing.marks import MOST_MARKED
from ui.table.legal_choices import END_TOO, IN_SERIES, ON_BOARD
from ui.table.presenter import Presenter


def moves(presenter: Presenter) -> list[str | None]:
    return [move.action for move in presenter.session.moves]


def put(presenter: Presenter, site: str) -> None:
    presenter.on_choice(f"{IN_SERIES}{site}")


def test_a_builder_is_put_where_the_path_is_touched_and_the_next_sort_follows_when_one_is_used_up():
    presenter = new_presenter("aqua_romana")
    assert presenter.view().series == f"{ON_BOARD}Place a builder curve"
    for space in range(1, 5):
        put(presenter, f"path/{space}")
    assert moves(presenter) == ["place curve 1", "place curve 2", "place curve 3", "place straight 4"]
    assert presenter.view().series == f"{ON_BOARD}Place a builder straight"


def test_another_sort_is_put_once_its_card_was_touched_and_undo_takes_one_back():
    presenter = new_presenter("aqua_romana")
    cards = {each.text: each for each in presenter.view().on_board}
    assert list(cards) == ["curve", "straight", "bridge", "double curve"]
    assert all(each.faces[0].component == "builder" for each in cards.values())
    presenter.on_choice(cards["bridge"].key)
    put(presenter, "path/7")
    put(presenter, "path/8")
    presenter.on_intent(Intent(IntentKind.UNDO))
    assert moves(presenter) == ["place bridge 7"]
    assert presenter.view().series == cards["bridge"].key


def test_where_nothing_can_be_put_it_is_said_why():
    presenter = new_presenter("aqua_romana")
    put(presenter, "path/1")
    put(presenter, "path/1")
    assert moves(presenter) == ["place curve 1"]
    verdict = presenter.view().verdict
    assert verdict is not None
    assert verdict.sentences[0][1].rule == "AR-SETUP-3"


def after_set_up() -> Presenter:
    presenter = new_presenter("aqua_romana")
    for space in range(1, 37, 3):
        put(presenter, f"path/{space}")
    assert not presenter.view().series
    return presenter


def test_after_a_tile_the_turn_is_usually_ended_and_one_touch_does_both():
    presenter = after_set_up()
    presenter.on_site(presenter.legal[0].sites[0])
    tile = next(each for each in presenter.view().choices if not each.forbidden)
    assert tile.is_last
    (seat,) = presenter.session.actors
    presenter.on_choice(f"{END_TOO}{tile.key}")
    assert moves(presenter)[-2:] == [tile.key, "end"]
    assert presenter.session.actors != (seat,)


def test_a_first_action_of_two_is_not_the_last():
    presenter = new_presenter("city_of_marble")
    ward = next(each for each in presenter.legal if each.text.startswith("ward"))
    presenter.on_site(ward.sites[0])
    assert not any(each.is_last for each in presenter.view().choices)
    presenter.act(ward)
    again = next(each for each in presenter.legal if each.text.startswith("ward"))
    presenter.on_site(again.sites[0])
    assert any(each.is_last for each in presenter.view().choices)


def test_an_illegal_action_does_not_end_the_turn():
    presenter = after_set_up()
    presenter.on_choice(f"{END_TOO}build A1 bridge 0 by 1")
    assert presenter.refused is not None
    assert len(moves(presenter)) == 12


def started(start: Any, presenter: Presenter) -> tuple[Any, Any]:
    driver = start(presenter)
    driver.app.refresh()
    driver.frames()
    return driver, driver.app.screens.current_screen


@pytest.mark.window
def test_on_the_screen_a_touch_of_the_path_puts_a_builder_and_a_card_chooses_its_sort(start):
    presenter = new_presenter("aqua_romana")
    driver, screen = started(start, presenter)
    cards = {card.text: card for card in screen.cards}
    assert [card.selected for card in screen.cards[:4]] == [True, False, False, False]
    assert not screen.ids.board.showing.legal, "many places are not marked before a card is touched"
    screen.touch_site("path/5")
    driver.frames()
    screen.touch(cards["straight"].key, opens=False)
    driver.frames()
    assert len(screen.ids.board.showing.legal) > MOST_MARKED
    screen.touch_site("path/6")
    driver.frames()
    assert not screen.ids.board.showing.legal
    assert moves(presenter) == ["place curve 5", "place straight 6"]


@pytest.mark.window
def test_a_place_that_is_held_shows_what_is_done_when_the_finger_lets_go(start, monkeypatch):
    from kivy.tests.common import UnitTestTouch

    monkeypatch.setattr("ui.screens.settling.SETTLING", 0.01)
    presenter = after_set_up()
    driver, screen = started(start, presenter)
    count = len(moves(presenter))

    def place() -> tuple[float, float]:
        centre = site_centre(driver.board.shown, presenter.legal[0].sites[0])
        assert centre is not None
        return driver.board.frame.pixel(centre)

    def hold(stray: int) -> None:
        x, y = place()
        finger = UnitTestTouch(x, y)
        finger.touch_down()
        driver.until(lambda: screen.primary_text == "Let go: Lay a tile, end the turn")
        driver.until(lambda: screen._settling.takes("nothing"))
        finger.touch_move(x + stray, y)
        finger.touch_up()
        driver.frames()

    hold(stray=200)
    assert len(moves(presenter)) == count
    assert screen.picking.chosen is None
    for _touch in range(2):
        driver.touch(*place())
        driver.until(lambda: screen._settling.takes("nothing"))
    assert moves(presenter)[count:] == [moves(presenter)[count], "end"]
    assert presenter.session.actors == (2,)
    hold(stray=0)
    assert moves(presenter)[count + 2 :] == [moves(presenter)[count + 2], "end"]
    driver.touch(*place())
    assert len(moves(presenter)) == count + 4


@pytest.mark.window
def test_a_card_that_is_held_ends_the_turn_as_well_when_the_finger_lets_go(start, monkeypatch):
    from kivy.tests.common import UnitTestTouch

    from ui.widgets.tray import FaceCard

    monkeypatch.setattr("ui.screens.settling.SETTLING", 0.01)
    presenter = after_set_up()
    driver, screen = started(start, presenter)
    count = len(moves(presenter))
    driver.touch(*driver.board.frame.pixel(site_centre(driver.board.shown, presenter.legal[0].sites[0])))
    driver.frames(3)
    card = next(each for each in driver.all(FaceCard) if not each.forbidden and not each.selected)
    card_key, position = card.key, card.to_window(*card.center)

    def hold(left_at: tuple[float, float]) -> None:
        finger = UnitTestTouch(*position)
        finger.touch_down()
        driver.until(lambda: screen.primary_text == "Let go: Lay a tile, end the turn")
        finger.touch_move(*left_at)
        finger.touch_up()
        driver.frames(3)

    hold(driver.board.center)
    assert len(moves(presenter)) == count
    assert not screen.primary_text.startswith("Let go")
    hold(position)
    assert moves(presenter)[count:] == [card_key, "end"]
    presenter.on_intent(Intent(IntentKind.UNDO))
    assert moves(presenter)[count:] == [card_key]


@pytest.mark.window
def test_the_primary_button_lays_the_ghost_and_ends_the_turn_unless_a_box_is_there(start):
    presenter = after_set_up()
    driver, screen = started(start, presenter)
    site = presenter.legal[0].sites[0]
    screen.touch_site(site)
    driver.frames()
    assert screen.primary_text == "Lay a tile, end the turn"
    presenter.devices.tell("box 1", "box 1: Titus", ok=True)
    driver.app.refresh()
    driver.frames()
    assert screen.primary_text == "Lay a tile"
