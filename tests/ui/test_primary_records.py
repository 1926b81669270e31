"""The primary button is there only where pressing it records something, and towers show how high they are."""

from dataclasses import replace

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
    driver, screen, _presenter = shown("capitol", "play")
    screen.touch("floor", opens=True)
    driver.frames(2)
    floors = {card.key: card for card in screen.cards if card.key.startswith("floor new")}
    assert {key: [face.storeys for face in card.faces] for key, card in floors.items()} == {
        "floor new new": [1, 1],
        "floor new 1": [2],
    }
    assert {card.text for card in floors.values()} == {""}
    others = [card for card in screen.cards if card.key.startswith("floor") and card.key not in floors]
    assert [card.text for card in others] == ["Play for nothing"]


FACES = ["roof card", "floor card", "white permit", "black permit", "red permit"]


@pytest.mark.parametrize("language", ["en", "it", "de"])
def test_the_faces_of_all_cards_to_play_lie_in_the_tray_at_every_moment(shown, language):
    from ui.services.text import use_language

    use_language(language)
    try:
        driver, screen, presenter = shown("capitol", "play")
        seen = set()
        for size in ((800, 480), (480, 800), (1280, 800), (800, 480), (480, 800), (1280, 800)):
            driver.resize(*size)
            driver.app.refresh()
            driver.frames(2)
            played = screen.ids.cards.cards[:5]
            assert [card.faces[0].component for card in played] == FACES
            assert all(card.opens != card.forbidden for card in played)
            assert screen.primary_text == ""
            seen.add(presenter.session.state_id)
            presenter.act(presenter.legal[0])
        assert len(seen) == 6
    finally:
        use_language("en")


def test_a_card_that_is_touched_shows_what_it_does_and_where_and_records_nothing(shown):
    driver, screen, presenter = shown("capitol", "play")
    entries = len(presenter.session.entries)
    white = next(card for card in screen.ids.cards.buttons if card.faces[0].component == "white permit")
    driver.tap(white)
    driver.frames(2)
    sites = {each for action in presenter.legal if action.text.startswith("white ") for each in action.sites}
    assert screen.ids.board.showing.legal == sites
    assert screen.primary_text == ""
    assert [card.text for card in screen.cards] == ["Play for nothing"]
    driver.tap(screen.ids.leave)
    driver.frames(2)
    driver.tap(next(card for card in screen.ids.cards.buttons if card.faces[0].component == "floor card"))
    driver.frames(2)
    assert {card.key for card in screen.cards} == {
        action.text for action in presenter.legal if action.text.startswith("floor ")
    }
    assert len(presenter.session.entries) == entries


def test_a_card_with_which_nothing_can_be_done_keeps_its_place_and_does_nothing(shown, monkeypatch):
    driver, screen, presenter = shown("capitol", "play")
    view = presenter.view()
    without = replace(view, choices=tuple(each for each in view.choices if each.card != "roof"))
    monkeypatch.setattr(presenter, "view", lambda: without)
    driver.app.refresh()
    driver.frames(2)
    card = screen.ids.cards.buttons[0]
    assert card.faces[0].component == "roof card"
    assert card.forbidden
    screen.touch(card.key, opens=card.opens)
    assert screen.picking.group == ""
    assert not presenter.session.moves
