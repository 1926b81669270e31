"""What stands out on the play screen: where the board is to be touched, and the big button that comes next."""

from __future__ import annotations

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.every_game import EVERY_GAME, at_most, fewest_seats
from tests.session.evenings import clock, play_at_random
from tests.tables import sight, table_of
from ui.table.presenter import Presenter
from ui.view_models.play_view import ButtonView, PlayView


def table(game: str, actions: int = 0) -> Presenter:
    session = Session.create(None, table_of(game, fewest_seats(game)), clock=clock())
    play_at_random(session, actions, 1)
    return Presenter(session)


def strong(view: PlayView) -> list[str]:
    return [button.intent for button in view.buttons if button.strong]


def button(view: PlayView, intent: str) -> ButtonView:
    return next(button for button in view.buttons if button.intent == intent)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_whoever_looks_finds_something_to_touch_and_loses_nothing_by_the_button_that_stands_out(game: str) -> None:
    presenter = table(game)
    for _ in range(60):
        view, session = presenter.view(), presenter.session
        if session.is_over:
            break
        assert view.choices or view.legal_sites or strong(view) == ["done"]
        legal = session.legal_actions()
        closing = session.game.closing_action(session.state, session.actors[0])
        info = session.game.info
        ends_turn = info.turn_end is not None and isinstance(closing, info.turn_end)
        seldom = info.seldom_before_end if ends_turn else ()
        others = [action for action in legal if action != closing and not isinstance(action, seldom)]
        assert strong(view) == (["done"] if closing in legal and not others else ["help"])
        play_at_random(session, 1, len(session.moves))
        presenter = Presenter(session)


@pytest.mark.parametrize("game", EVERY_GAME)
def test_what_can_be_done_on_the_board_is_marked_until_a_camera_watches(game: str) -> None:
    presenter = table(game, at_most(game, 30))
    session = presenter.session
    while not presenter.view().legal_sites:
        play_at_random(session, 1, len(session.moves))
        presenter = Presenter(session)
    site = sorted(presenter.view().legal_sites)[0]
    presenter.on_site(site)
    assert presenter.view().legal_sites == {site}
    presenter.on_site(site)
    assert len(presenter.view().legal_sites) >= 1
    presenter.on_observation(sight(presenter.board, session.game.appearance(session.state)))
    assert presenter.view().legal_sites == frozenset()


def test_in_capitol_done_passes_and_does_not_stand_out() -> None:
    presenter = table("capitol")
    for words, boxes in (("Pass", ()), ("Done: Pass", ("red box",))):
        for box in boxes:
            presenter.devices.tell(box, "ready", ok=True)
        done = button(presenter.view(), "done")
        assert (done.text, done.does, done.enabled, done.needed) == (words, "pass", True, True)
        assert strong(presenter.view()) == ["help"]
    presenter.on_intent(Intent(IntentKind.DONE))
    assert [move.entry.action for move in presenter.session.moves] == ["pass"]


def test_a_suggestion_is_what_done_records_next() -> None:
    presenter = table("city_of_marble")
    presenter.on_intent(Intent(IntentKind.NEXT))
    view = presenter.view()
    assert (strong(view), view.legal_sites) == (["done"], frozenset())


def test_no_and_next_rest_while_there_is_nothing_to_undo_or_to_leaf_in() -> None:
    view = table("aqua_romana").view()
    assert not button(view, "no").enabled
    assert not button(view, "next").enabled
    begun = table("aqua_romana", 1).view()
    assert (button(begun, "no").enabled, button(begun, "no").text) == (True, "No: undo")
    assert button(table("city_of_marble").view(), "next").enabled


def test_nothing_stands_out_while_a_refusal_is_to_be_answered() -> None:
    presenter = table("city_of_marble")
    presenter.act(presenter.session.game.parse_action("end", presenter.session.state))
    view = presenter.view()
    assert (strong(view), view.legal_sites) == ([], frozenset())
    assert (button(view, "no").enabled, button(view, "no").text) == (True, "No")


def test_what_was_undone_and_what_can_be_done_again_are_named() -> None:
    presenter = table("aqua_romana", 1)
    done = presenter.view().undone
    assert done
    presenter.on_intent(Intent(IntentKind.UNDO))
    view = presenter.view()
    assert view.verdict is not None
    assert view.verdict.headline == f"Undone: Player 1: {done}."
    assert view.redone == done
    assert presenter.view().undone != done
