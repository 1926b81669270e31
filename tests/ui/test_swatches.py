"""The colour of what is laid at a touched place is chosen by swatches, what lies on it by a switch."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock
from tests.tables import table_of
from tests.ui.tables import BOARD
from ui.screens.play_primary import held_card, primary_of
from ui.table.picking import Picking
from ui.table.presenter import Presenter
from ui.table.swatches import SWITCH


def touched(*sites: str) -> tuple[Presenter, Picking]:
    """A game of City of Marble at its beginning, with places touched."""
    presenter, picking = Presenter(Session.create(None, table_of("city_of_marble", 2), clock=clock())), Picking()
    for site in sites:
        presenter.on_site(site)
    picking.take(presenter.view().choices)
    return presenter, picking


def ghost(picking: Picking) -> list[tuple[str, str]]:
    return [(piece.spot, piece.label) for piece in picking.ghost()]


def test_a_touched_place_shows_each_colour_once_with_how_many_there_are_and_one_switch() -> None:
    _presenter, picking = touched("E8-F8")
    cards = [card for card in picking.cards_with_reasons_folded() if not card.forbidden]
    assert [card.text for card in cards] == ["1", "1", "1", "1", "Magistrate"]
    assert [[piece.label for piece in card.pieces] for card in cards] == [
        ["red"],
        ["yellow"],
        ["green"],
        ["blue"],
        ["black"],
    ]
    assert [card.selected for card in cards] == [True, False, False, False, False]
    assert ghost(picking) == [("ward E8-F8", "red")]


def test_a_swatch_and_the_switch_change_what_lies_there_and_the_primary_button_lays_it() -> None:
    presenter, picking = touched("E8-F8")
    assert picking.only_looks_at("ward E8-F8 blue")
    picking.look_at("ward E8-F8 blue")
    assert ghost(picking) == [("ward E8-F8", "blue")]
    picking.look_at(SWITCH)
    assert ghost(picking) == [("ward E8-F8", "blue"), ("magistrate E8-F8", "black")]
    picking.look_at(picking.cards_with_reasons_folded()[2].key)
    assert ghost(picking) == [("ward E8-F8", "green"), ("magistrate E8-F8", "black")]
    picking.look_at(SWITCH)
    assert ghost(picking) == [("ward E8-F8", "green")]
    primary = primary_of(presenter.view(), picking, picking.cards(60))
    assert primary is not None
    assert primary.text == "Lay it here"
    held = held_card("ward E8-F8 blue", presenter.view())
    assert held is not None, "a finger that rests on a swatch lays it"
    assert held.text == "Lay it here"


def test_the_colour_stays_when_another_place_is_looked_at() -> None:
    presenter, picking = touched("F7")
    assert picking.place[1] > 1
    blue = next(choice.key for choice in picking.shown if choice.key.endswith("blue"))
    picking.look_at(blue)
    before = picking.chosen
    picking.next_place()
    assert picking.chosen is not None
    assert picking.chosen != before
    assert picking.ghost()[0].label == "blue"
    assert len(picking.other_places(BOARD)) == picking.place[1] - 1
    presenter.on_choice(picking.chosen.key)
    assert [move.action for move in presenter.session.moves] == [picking.chosen.key]


def test_what_lies_there_at_once_is_as_its_player_laid_the_last_one_in_the_colour_laid_least() -> None:
    presenter, picking = touched()
    for action in ("ward E8-F8 red magistrate", "draw red blue", "end", "draw red blue", "draw red yellow", "end"):
        presenter.on_choice(action)
    presenter.on_site("F6-F7")
    picking.take(presenter.view().choices)
    assert [label for _spot, label in ghost(picking)] == ["yellow", "black"]


@pytest.mark.window
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 800)])
def test_no_swatch_records_anything_and_all_of_them_are_there_at_once(start: Any, size: tuple[int, int]) -> None:
    from ui.widgets.tray import FaceCard

    presenter, _picking = touched()
    driver = start(presenter, presenter.on_tick)
    driver.resize(*size)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    screen.touch_site("E8-F8")
    driver.frames(3)
    shown = {card.key: card for card in driver.all(FaceCard)}
    assert {f"ward E8-F8 {colour}" for colour in ("red", "yellow", "green", "blue")} | {SWITCH} <= set(shown)
    driver.tap(shown["ward E8-F8 green"])
    driver.frames(3)
    assert not presenter.session.moves
    assert [piece.label for piece in screen.ids.board.showing.ghost] == ["green"]
    driver.tap(screen.ids.primary)
    driver.frames(3)
    assert [move.action for move in presenter.session.moves][:1] == ["ward E8-F8 green"]
