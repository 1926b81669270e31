"""Wishes that were meant for a state of the record that has passed are not acted on, whatever they are."""

from __future__ import annotations

import pytest

from companion.session.intents import Intent, IntentKind, IntentResult
from tests.ui.test_presenter import WatchedTable

TURN = ("ward E8-F8 red", "draw red blue", "end")


def after_a_turn() -> WatchedTable:
    """The first player has ended a turn."""
    table = WatchedTable()
    for text in TURN:
        table.presenter.on_choice(text)
    assert table.actions == list(TURN)
    return table


@pytest.mark.parametrize("kind", [kind for kind in IntentKind if kind is not IntentKind.CHOOSE])
def test_a_wish_meant_for_the_turn_before_does_nothing(kind: IntentKind) -> None:
    table = after_a_turn()
    view = table.view
    assert table.presenter.on_intent(Intent(kind, state=len(TURN) - 1)) is IntentResult.LATE
    assert table.actions == list(TURN)
    assert not table.presenter.is_camera_held
    assert table.view.choices == view.choices


def test_a_choice_belongs_to_the_list_that_its_presser_saw() -> None:
    table = WatchedTable()
    seen = table.view.state
    table.presenter.on_choice(TURN[0])
    before = list(table.actions)
    assert table.presenter.on_intent(Intent(IntentKind.CHOOSE, choice=1, state=seen)) is IntentResult.LATE
    assert table.presenter.on_intent(Intent(IntentKind.UNDO, state=seen)) is IntentResult.LATE
    assert table.actions == before
    assert table.presenter.on_intent(Intent(IntentKind.UNDO, state=table.view.state)) is IntentResult.ACCEPTED


def test_no_undoes_nothing_that_its_presser_has_not_seen_but_answers_what_is_asked() -> None:
    table = WatchedTable()
    table.presenter.on_choice(TURN[0])
    seen = table.view.state
    table.presenter.on_choice(TURN[1])
    assert table.presenter.on_intent(Intent(IntentKind.NO, 1, state=seen)) is IntentResult.LATE
    assert table.actions == list(TURN[:2])
    table.presenter.on_correct()
    assert table.presenter.on_intent(Intent(IntentKind.NO, 1, state=seen)) is IntentResult.ACCEPTED
    assert table.actions == list(TURN[:2])
    assert table.presenter.on_intent(Intent(IntentKind.NO, 1, state=table.view.state)) is IntentResult.ACCEPTED
    assert [move.action for move in table.session.moves] == list(TURN[:1])


def test_done_of_the_same_turn_is_not_late() -> None:
    table = WatchedTable()
    seen = table.view.state
    for text in TURN[:2]:
        table.presenter.on_choice(text)
    assert table.presenter.on_intent(Intent(IntentKind.DONE, 1, state=seen)) is IntentResult.ACCEPTED
    assert table.actions == list(TURN)


def test_a_seat_that_was_to_move_before_the_others_had_done_is_not_late() -> None:
    table = WatchedTable("capitol")
    for text in ("pass", "pass"):
        table.presenter.on_choice(text)
    both, seen = table.session.actors, table.session.state_id
    assert len(both) == 2
    table.presenter.on_intent(Intent(IntentKind.DONE, both[0]))
    assert table.session.actors == both[1:]
    assert table.presenter.on_intent(Intent(IntentKind.DONE, both[1], state=seen)) is IntentResult.ACCEPTED
