"""The primary button is there only where pressing it records something, and towers show how high they are."""

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.tables import table_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window


@pytest.fixture
def shown(start):
    def at_step(game, step):
        session = Session.create(None, table_of(game, 2))
        while session.game.decide(session.state).step != step:
            session.submit(session.legal_actions()[0])
        presenter = Presenter(session)
        driver = start(presenter)
        driver.resize(800, 480)
        driver.app.refresh()
        driver.frames(3)
        return driver, driver.app.screens.current_screen, presenter

    return at_step


@pytest.mark.parametrize(("game", "step"), [("capitol", "play"), ("city_of_marble", "act")])
def test_the_primary_button_is_not_there_where_it_would_only_open_a_group(shown, game, step):
    driver, screen, presenter = shown(game, step)
    presenter.on_intent(Intent(IntentKind.HELP))
    seen = set()
    for width in (480, 800, 1280):
        driver.resize(width, 800)
        driver.app.refresh()
        driver.frames(3)
        seen.add(any(card.opens for card in screen.cards))
        assert screen.ids.primary.text == ""
        assert screen.ids.primary.width == 0
    assert True in seen
    entries = len(presenter.session.entries)
    group = next(card for card in screen.ids.cards.cards + screen.ids.shelf.cards if card.opens)
    screen.touch(group.key, opens=True)
    driver.frames(3)
    assert screen.picking.group == group.key
    assert len(presenter.session.entries) == entries


def test_floors_to_choose_are_towers_without_figures(shown):
    _driver, screen, _presenter = shown("capitol", "play")
    floors = {card.key: card for card in screen.cards if card.key.startswith("floor new")}
    assert {key: [face.storeys for face in card.faces] for key, card in floors.items()} == {
        "floor new new": [1, 1],
        "floor new 1": [2],
    }
    assert {card.text for card in floors.values()} == {""}
