"""In every game that lays pieces a touch of a card shows them on the board first, and a second touch lays them."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window
GAMES = [("city_of_marble", "ward ", 60), ("capitol", "", 0), ("aqua_romana", "build ", 40)]


def at_two_choices(game: str, kind: str, actions: int) -> tuple[Presenter, str]:
    """A table, and a place of it at which one of several pieces may be laid."""
    session = Session.create(None, table_of(game, 2), clock=clock())
    play_at_random(session, actions, 1)
    while True:
        presenter = Presenter(session)
        for site in sorted({each.sites[0] for each in presenter.legal if each.sites and each.text.startswith(kind)}):
            presenter.on_site(site)
            here = [choice for choice in presenter.view().choices if choice.ghost and not choice.forbidden]
            pieces = {choice.ghost[0].label for choice in here}
            if len(pieces) > 1 and len({choice.ghost[0].spot for choice in here}) == 1:
                return presenter, site
            presenter.on_site(site)
        session.undo() if actions else play_at_random(session, 1, 1)


@pytest.fixture(params=GAMES, ids=[game for game, _kind, _actions in GAMES])
def looked_at(start: Any, request: Any) -> Any:
    presenter, _site = at_two_choices(*request.param)
    driver = start(presenter)
    driver.resize(1280, 800)
    driver.app.refresh()
    driver.frames(3)
    screen = driver.app.screens.current_screen
    group = next(choice.group for choice in screen.picking.shown if choice.ghost and not choice.forbidden)
    if not any(card.key == screen.picking.chosen.key for card in screen.cards):
        screen.touch(group, opens=True)
        driver.frames(3)
    return driver, presenter, screen


def other_card(screen: Any) -> Any:
    laid = {choice.key for choice in screen.picking.shown if choice.ghost and not choice.forbidden}
    chosen = screen.picking.chosen.key
    return next(each for each in shown(screen) if each.key in laid and each.key != chosen)


def shown(screen: Any) -> list[Any]:
    return [*screen.ids.cards.buttons, *screen.ids.shelf.buttons]


def test_the_first_touch_of_a_card_shows_it_on_the_board_and_the_second_lays_it(looked_at: Any) -> None:
    driver, presenter, screen = looked_at
    moves, card = len(presenter.session.moves), other_card(screen)
    key = card.key
    driver.tap(card)
    driver.frames(3)
    assert len(presenter.session.moves) == moves
    assert screen.picking.chosen.key == key
    assert [each.key for each in shown(screen) if each.selected] == [key]
    assert {piece.spot for piece in screen.ids.board.showing.ghost}
    driver.tap(next(each for each in shown(screen) if each.key == key))
    driver.frames(3)
    assert [move.action for move in presenter.session.moves[moves:]][:1] == [key]


def test_the_primary_button_lays_what_a_touch_of_a_card_has_shown(looked_at: Any) -> None:
    driver, presenter, screen = looked_at
    moves, card = len(presenter.session.moves), other_card(screen)
    key = card.key
    driver.tap(card)
    driver.frames(3)
    driver.tap(screen.ids.primary)
    driver.frames(3)
    assert [move.action for move in presenter.session.moves[moves:]][:1] == [key]
