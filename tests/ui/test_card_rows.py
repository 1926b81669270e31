"""Cards that lie in rows: what of them the view tells, and where the play screen shows them."""

from dataclasses import replace
from random import Random

import pytest

from companion.registry import print_and_play_board
from companion.session.session import Session
from tests.ui.tables import RecordingPresenter, show
from ui.drawing.board_drawing import drawing_of, told_together
from ui.simulated_table.demo import demo_table, parse
from ui.simulated_table.players import seated
from ui.table.card_rows import beside_rows
from ui.table.presenter import Presenter

GAME = "thurn_and_taxis"


def presenter_at(step: str) -> Presenter:
    """A table at the first moment of a step at which a display, a route and a hand are there."""
    session = Session.create(None, demo_table(parse(["--game", GAME, "--players", "3"])))
    players, random = seated(session.game, session.state, Random(1)), Random(1)
    while True:
        decision = session.game.decide(session.state)
        holding = session.state.turn_holding
        is_there = decision is not None and decision.step == step and len(session.state.display) > 3
        if is_there and holding.route and holding.hand:
            return Presenter(session)
        before, action = session.state, players.choose(session.state, random)
        session.submit(action)
        players = players.after(before, action, session.state)


def test_display_route_and_hand_lie_in_rows_with_the_deck_beside():
    presenter = presenter_at("show")
    state, view = presenter.session.state, presenter.view()
    display, route, hand = view.rows
    assert [card.kind for card in display.cards] == list(state.display)
    assert [card.kind for card in route.cards] == list(state.turn_holding.route)
    assert [chip.count for chip in display.beside] == [state.deck]
    assert [(card.component, card.count) for card in hand.cards] == [("city card back", len(state.turn_holding.hand))]
    assert {chip.component for chip in view.supply_beside_rows}.isdisjoint({"city card", "city card back"})


def test_what_nobody_has_told_lies_in_no_row():
    from tests.tables import start

    game, state = start("city_of_marble")
    assert drawing_of("city_of_marble").rows == {}
    assert beside_rows(game.open_supply(state), "city_of_marble") == tuple(game.open_supply(state))


def test_cards_of_a_province_stand_together():
    board = print_and_play_board(GAME)
    together = told_together(board)
    assert set(together) == {f"city/{city}" for province in board.features.values() for city in province}
    assert together["city/Mannheim"] == together["city/Freiburg"] != together["city/Ulm"]
    choices = presenter_at("show").view().choices
    sorts = [choice.sort for choice in choices]
    assert len(dict.fromkeys(sorts)) == sum(one != other for one, other in zip(["", *sorts], sorts, strict=False))


def test_every_glance_is_of_a_component_that_can_be_chosen():
    begin, end = drawing_of(GAME).glances["city card"]
    assert 0 <= begin < end <= 1


@pytest.mark.window
@pytest.mark.parametrize("size", [(1280, 800), (800, 480), (480, 800), (800, 1280)])
def test_all_cards_to_turn_over_are_in_view_beside_the_display(start, size):
    from ui.widgets.controls import extent
    from ui.widgets.scale import scale

    told = presenter_at("show").view()
    presenter = RecordingPresenter(told)
    presenter.board = print_and_play_board(GAME)
    screen = start(presenter)
    screen.resize(*size)
    show(screen, presenter, replace(told, eyes=told.eyes + " "))
    screen.until(lambda: screen.app.screens.current_screen.ids.board.is_printed)
    ids = screen.app.screens.current_screen.ids
    cards = ids.shelf.buttons
    assert len(cards) == len(told.choices) == 22
    low, high = ids.shelf.to_window(*ids.shelf.pos)[1], ids.shelf.to_window(ids.shelf.x, ids.shelf.top)[1]
    for card in cards:
        bottom, top = card.to_window(*card.pos)[1], card.to_window(card.x, card.top)[1]
        assert low - 1 <= bottom
        assert top <= high + 1
        assert min(card.size) >= 47.5
        if card.label_size:
            assert extent(card.label, card.label_size, True)[0] + 8 * scale.unit <= card.width
    assert ids.rows.height > 0 or ids.rows_beside.width > 0
    shown = ids.rows_beside if ids.rows_beside.width else ids.rows
    assert shown.to_window(shown.right, 0)[0] <= size[0] - screen.app.screens.current_screen.gap + 1
    assert ids.undo.head_height
