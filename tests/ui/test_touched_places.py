"""What a touched place shows: what is allowed there in front, what is not behind one button, the town as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from companion.registry import print_and_play_board
from companion.session.session import Session
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.drawing.board_frame import site_outline
from ui.table.picking import Picking
from ui.table.presenter import Presenter
from ui.view_models.play_view import ChipView, ChoiceView


def table(game: str, actions: int = 0) -> Presenter:
    session = Session.create(None, table_of(game, 2), clock=clock())
    play_at_random(session, actions, 1)
    return Presenter(session)


def picking(*choices: ChoiceView) -> Picking:
    found = Picking()
    found.take(choices)
    return found


def forbidden(key: str, text: str, faces: tuple[ChipView, ...] = ()) -> ChoiceView:
    return ChoiceView(key, text, "Not here", (key,), forbidden=True, brief="Lay an aqueduct piece", faces=faces)


def test_forbidden_choices_with_the_same_words_are_told_apart_by_where() -> None:
    tried = [forbidden(place, f"Aqueduct piece on {place}") for place in ("H2-I1", "H2-I2")]
    assert [card.text for card in picking(*tried).cards(9)] == ["H2-I1", "H2-I2"]
    one = ChipView("", "aqueduct", "grey", 1)
    pictured = [forbidden("H2-I1", "Grey on H2-I1", faces=(one,)), forbidden("H2-I2", "Red on H2-I2", faces=(one,))]
    assert [card.text for card in picking(*pictured).cards(9)] == ["Lay an aqueduct piece", ""]


def test_a_touched_town_is_ticked_among_the_others_and_named() -> None:
    presenter = table("thurn_and_taxis")
    towns = [choice.key for choice in presenter.view().choices]
    presenter.on_site("red/Carlsruhe")
    view = presenter.view()
    assert [choice.key for choice in view.choices if not choice.forbidden] == towns
    assert [card.key for card in picking(*view.choices).cards(60) if card.selected] == ["show Carlsruhe"]
    assert view.touched == "red/Carlsruhe"
    presenter.on_site("red/Carlsruhe")
    assert presenter.view().touched == ""
    assert [choice.key for choice in presenter.view().choices] == towns


def test_a_card_alone_is_called_by_its_town() -> None:
    face = (ChipView("Carlsruhe", "city card", "Carlsruhe", 1),)
    alone = ChoiceView("take Carlsruhe", "Take Carlsruhe", "Take a card", ("city/Carlsruhe",), faces=face)
    assert [card.text for card in picking(alone).cards(9)] == ["Take Carlsruhe"]


def test_a_town_is_marked_with_its_name_whichever_of_its_places_is_meant() -> None:
    board = print_and_play_board("thurn_and_taxis")
    town = site_outline(board, "city/Carlsruhe")
    for colour in ("red", "blue", "green", "yellow"):
        assert site_outline(board, f"{colour}/Carlsruhe") == town
    places = [spot for spot in board.spots.values() if spot.site.endswith("/Carlsruhe")]
    (left, top), (right, bottom) = town[0], town[2]
    for spot in places:
        assert all(left < x < right and top < y < bottom for x, y in spot.outline)


@pytest.mark.window
def test_one_button_tells_why_not_and_a_cross_leads_back(start: Any) -> None:
    from ui.widgets.tray import FaceCard

    presenter = table("thurn_and_taxis")
    driver = start(presenter, presenter.on_tick)
    driver.resize(1280, 800)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    screen.touch_site("red/Carlsruhe")
    driver.frames(3)
    assert len([card for card in driver.all(FaceCard) if card.forbidden]) == 1
    assert screen.ids.leave.width > 0
    assert len([card for card in driver.all(FaceCard) if card.selected]) == 1
    assert len([card for card in driver.all(FaceCard) if not card.forbidden]) == 22
    assert screen.ids.primary.text == "Turn over Carlsruhe"
    driver.tap(screen.ids.leave)
    driver.frames(3)
    assert presenter.view().touched == ""
    assert not [card for card in driver.all(FaceCard) if card.forbidden]
    assert screen.ids.leave.width == 0
