"""A place at which nothing is allowed: one outline and a cross, the reason, the nearest place that is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from companion.registry import print_and_play_board
from companion.session.session import Session
from tests.session.evenings import clock
from tests.tables import table_of
from ui.drawing import marks
from ui.drawing.board_frame import BoardFrame
from ui.printed.scene import Line, Looks, Shown, Word, compose_scene
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind, VerdictView


def touched(game: str, site: str) -> tuple[Presenter, VerdictView]:
    presenter = Presenter(Session.create(None, table_of(game, 2), clock=clock()))
    presenter.on_site(site)
    verdict = presenter.view().verdict
    assert verdict is not None
    return presenter, verdict


def test_the_place_of_the_piece_is_barred_and_the_nearest_is_told_where_the_same_is_allowed() -> None:
    presenter, verdict = touched("city_of_marble", "B7-B8")
    assert (verdict.kind, verdict.looks) == (VerdictKind.NOTE, VerdictKind.REFUSED)
    assert (verdict.brief, verdict.barred) == ("Not here", "B7-B8")
    allowed = {action.sites[0] for action in presenter.legal if action.text.startswith("ward ")}
    assert verdict.nearest in allowed
    _presenter, elsewhere = touched("city_of_marble", "B11")
    assert elsewhere.barred == "B11-C11", "the ward that is meant, not the point under the finger"
    assert elsewhere.nearest == "C10-C11"
    presenter.on_site(verdict.nearest)
    assert presenter.view().verdict is None
    assert presenter.view().touched == verdict.nearest


def test_where_nothing_of_the_kind_is_allowed_now_no_place_is_the_nearest() -> None:
    _presenter, verdict = touched("aqua_romana", "E4")
    assert (verdict.brief, verdict.barred, verdict.nearest) == ("Not now", "E4", "")
    assert verdict.sites == ("E4",), "of several reasons the first one alone has signs"


def test_one_outline_is_red_and_one_green_and_reasons_have_but_a_sign() -> None:
    board = print_and_play_board("city_of_marble")
    sites = ("B7-B8", "B8", "C8")
    verdict = VerdictView(VerdictKind.NOTE, "No", sites=sites, barred="B7-B8", nearest="D8-E7")
    scene = compose_scene(board, Looks(BoardFrame(2.0, (0.0, 800.0)), None), Shown(verdict=verdict))
    lines = [each for each in scene if isinstance(each, Line)]
    wide = [each.colour for each in lines if each.width in (marks.REFUSED.width, marks.LEGAL.width)]
    assert sorted(wide) == sorted([marks.WRONG_RED, marks.LEGAL_GREEN])
    assert sorted(each.text for each in scene if isinstance(each, Word) and each.text) == ["!", "!", marks.CROSS]


@pytest.mark.window
def test_once_all_broken_rules_are_told_the_reasons_of_all_have_signs(start: Any) -> None:
    presenter = Presenter(Session.create(None, table_of("aqua_romana", 2), clock=clock()))
    driver = start(presenter, presenter.on_tick)
    driver.resize(800, 480)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    screen.touch_site("B1")
    driver.frames(3)
    verdict = presenter.view().verdict
    assert verdict is not None
    assert (verdict.sites, verdict.behind) == (("B1",), ("path/1",))
    assert screen.ids.board.showing.verdict.sites == ("B1",)
    for told in (("B1", "path/1"), ("B1",)):
        screen.ids.verdict.tell_more()
        driver.frames(3)
        assert screen.ids.board.showing.verdict.sites == told


@pytest.mark.window
def test_on_the_screen_what_is_forbidden_lies_behind_one_card_and_nothing_else_is_outlined(start: Any) -> None:
    from ui.widgets.tray import FaceCard

    presenter = Presenter(Session.create(None, table_of("aqua_romana", 2), clock=clock()))
    driver = start(presenter, presenter.on_tick)
    driver.resize(480, 800)
    driver.frames(3)
    screen = driver.app.screens.current_screen
    screen.touch_site("E4")
    driver.frames(3)
    forbidden = [card for card in driver.all(FaceCard) if card.forbidden]
    assert [card.opens for card in forbidden] == [True]
    assert not screen.ids.board.showing.legal
    driver.tap(forbidden[0])
    driver.frames(3)
    assert len([card for card in driver.all(FaceCard) if card.forbidden]) > 1
