"""What could not be checked: told once a game, then marked by a sign; why is told of any entry that is touched."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.legality import Status
from companion.session.session import Session
from tests.session.evenings import clock
from tests.tables import table_of
from ui.table.presenter import Presenter
from ui.view_models.play_view import VerdictKind

CLOSED = "Hands are closed: whether the player held this card cannot be checked."


@pytest.fixture
def presenter() -> Presenter:
    presenter = Presenter(Session.create(None, table_of("capitol", 2), clock=clock()))
    for text in ("floor-3 nothing", "floor-4 nothing"):
        action = presenter.session.game.parse_action(text, presenter.session.state)
        assert presenter.session.judge(action).status is Status.NOT_CHECKABLE
        presenter.act(action)
    return presenter


def test_it_is_told_of_the_first_move_alone_and_known_of_the_next() -> None:
    presenter = Presenter(Session.create(None, table_of("capitol", 2), clock=clock()))
    told = []
    for text in ("floor-3 nothing", "floor-4 nothing"):
        presenter.act(presenter.session.game.parse_action(text, presenter.session.state))
        told.append(presenter.view().verdict)
    assert [each.kind for each in told if each is not None] == [VerdictKind.NOT_CHECKABLE] * 2
    assert [each.is_known for each in told if each is not None] == [False, True]
    assert [[sentence for sentence, _source in each.sentences] for each in told if each is not None] == [[CLOSED]] * 2
    assert told[1] is not None
    assert told[1].sparing.sentences == ()


def test_every_entry_and_latest_move_bears_the_sign(presenter: Presenter) -> None:
    view = presenter.view()
    assert [line.is_unchecked for line in view.log] == [True, True]
    assert all(line.told.endswith(" ~") for line in view.log)
    assert [move.is_unchecked for move in view.moves] == [True, True]
    assert not replace(view.log[0], is_unchecked=False).told.endswith("~")


def test_a_touched_entry_tells_why(presenter: Presenter) -> None:
    presenter.on_correct(presenter.session.moves[0].number)
    verdict = presenter.view().verdict
    assert verdict is not None
    assert [sentence for sentence, _source in verdict.sentences] == [CLOSED]


@pytest.mark.window
def test_the_rail_shows_the_moves_once_it_was_told(start: Any, presenter: Presenter) -> None:
    from ui.widgets.moves import MoveRow

    driver = start(presenter, presenter.on_tick)
    driver.resize(1280, 800)
    driver.frames(3)
    assert driver.app.screens.current_screen.ids.verdict.text == ""
    assert [row.sign for row in driver.all(MoveRow)] == ["~", "~"]
