"""The usual turns of every game by the keyboard alone, in a window."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.every_game import at_most, own
from tests.ui.test_demo_games import new_presenter
from ui.simulated_table.demo import playable
from ui.simulated_table.players import seated
from ui.table.swatches import SWITCH

pytestmark = pytest.mark.window

ENTER, SPACE, ESCAPE = 13, 32, 27
ACTIONS = 14
USUAL_TABLES = [own(game_id, "demo", "SET_UPS", (game_id,))[0] for game_id in playable()]


class Typist:
    """Does actions by pressing keys."""

    def __init__(self, driver: Any, presenter: Any) -> None:
        self.driver, self.presenter = driver, presenter

    def do(self, action: Any) -> None:
        """Press *done*, or find the action among the choices and press its number."""
        game, state = self.presenter.session.game, self.presenter.session.state
        if game.closing_action(state, game.decide(state).actors[0]) == action:
            self.driver.key(SPACE)
            return
        if not self.is_offered(action):
            self.find_spot(action)
        self.press_number(action)

    def is_offered(self, action: Any) -> bool:
        return action.text in [choice.key for choice in self.presenter.view().choices]

    def find_spot(self, action: Any) -> None:
        """Go from spot to spot until one of those comes that the action is about."""
        board = self.driver.board
        for _sheet in board.board.sheets:
            for _spot in range(200):
                self.driver.key(ord("."))
                if self.is_offered(action):
                    return
            self.driver.key(ord("b"))
        raise AssertionError(f"{action.text} is at no spot")

    def press_number(self, action: Any) -> None:
        """Leaf until the choice has a number, then press that; of what is only looked at *done* as well."""
        screen = self.driver.app.screens.current_screen
        for _leaf in range(50):
            keys = [card.key for card in screen.keys.numbered if not card.opens]
            is_shown = any(each.key == action.text for each in screen.picking.shown)
            if action.text not in keys and SWITCH in keys and is_shown:
                self.driver.key(ord("1") + keys.index(SWITCH))
                keys = [card.key for card in screen.keys.numbered if not card.opens]
            if action.text in keys:
                before = self.presenter.session.moves
                self.driver.key(ord("1") + keys.index(action.text))
                if self.presenter.session.moves == before:
                    assert screen.picking.chosen.key == action.text
                    self.driver.key(ENTER)
                return
            self.driver.key(ord("g"))
        raise AssertionError(f"{action.text} has no number")


@pytest.mark.parametrize("words", USUAL_TABLES)
def test_usual_turns_are_played_by_key(start, words):
    presenter = new_presenter(words)
    session = presenter.session
    typist = Typist(start(presenter), presenter)
    players = seated(session.game, session.state, Random(1))
    for number in range(at_most(session.game.info.id, ACTIONS)):
        before = session.state
        action = players.choose(before, Random(number))
        typist.do(action)
        assert action.text in [move.action for move in session.moves[-2:]], "the turn may have been ended with it"
        players = players.after(before, action, session.state)


def test_keys_take_back_do_again_correct_and_turn_the_sheet(start):
    presenter = new_presenter("thurn_and_taxis --set-up modules=audience")
    driver = start(presenter)
    typist, session = Typist(driver, presenter), presenter.session
    first = session.legal_actions()[0]
    typist.do(first)
    driver.key(ord("z"), "ctrl")
    assert session.moves == ()
    driver.key(ord("y"), "ctrl")
    assert [move.action for move in session.moves] == [first.text]
    driver.key(ord("c"))
    assert presenter.view().choices[-1].key == "keep the record"
    driver.key(ord("c"))
    driver.key(ord("b"))
    assert driver.board.sheet == 1
    driver.key(ord("n"))
    assert session.moves == ()


def test_escape_puts_away_what_is_looked_at_before_it_leaves_the_table(start: Any) -> None:
    presenter = new_presenter("city_of_marble")
    driver = start(presenter)
    screen = driver.app.screens.current_screen
    driver.frames(2)
    presenter.on_site("E8-F8")
    driver.app.refresh()
    driver.frames(2)
    assert screen.is_picking
    assert screen.ids.leave.children[0].center == pytest.approx(screen.ids.leave.center)
    assert screen.on_key(ESCAPE, [])
    assert not screen.is_picking
    assert not screen.on_key(ESCAPE, [])
