"""*Done* on a box, on a phone or by key does what the screen's primary button says."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind, IntentResult, Source
from companion.session.viewing import ClosedPieces
from tests.ui.test_demo_games import new_presenter
from ui.table.offering import OfferKind
from ui.table.phone_views import PhoneState, PhoneViews
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window

ENTER, SPACE = 13, 32
CITY = "city_of_marble"


def begin(start: Any, words: str = CITY) -> tuple[Any, Any, Presenter]:
    presenter = new_presenter(words)
    driver = start(presenter)
    driver.app.refresh()
    driver.frames()
    return driver, driver.app.screens.current_screen, presenter


def started(start: Any) -> tuple[Any, Any, Presenter]:
    """A place was touched where several things may be done: the likeliest lies there as a ghost."""
    driver, screen, presenter = begin(start)
    site = next(action for action in presenter.legal if action.text.startswith("ward")).sites[0]
    screen.touch_site(site)
    driver.frames()
    return driver, screen, presenter


def done(presenter: Presenter, seat: int | None) -> IntentResult:
    return presenter.on_intent(Intent(IntentKind.DONE, seat))


def moves(presenter: Presenter) -> list[str | None]:
    return [move.action for move in presenter.session.moves]


def test_done_of_the_box_whose_turn_it_is_lays_what_lies_there_as_a_ghost(start):
    _driver, screen, presenter = started(start)
    key = screen.picking.chosen.key
    assert presenter.offer is not None
    assert presenter.offer.kind is OfferKind.STARTED
    other = next(seat for seat in presenter.session.table.seats if seat not in presenter.session.actors)
    assert done(presenter, other) is IntentResult.NOT_THIS_SEAT
    assert moves(presenter) == []
    wish = Intent(IntentKind.DONE, presenter.session.actors[0], source=Source.BOX)
    assert presenter.on_intent(wish) is IntentResult.ACCEPTED
    assert moves(presenter) == [key]
    assert presenter.session.entries[0].source == "box"


def test_a_press_that_was_meant_for_an_earlier_entry_takes_nothing_that_is_offered(start):
    _driver, screen, presenter = started(start)
    (seat,) = presenter.session.actors
    screen.do_primary()
    late = presenter.on_intent(Intent(IntentKind.UNDO, seat, state=0))
    assert late is IntentResult.LATE
    assert len(moves(presenter)) == 1


def test_enter_and_the_space_bar_take_the_ghost_too(start):
    for key in (ENTER, SPACE):
        driver, screen, presenter = started(start)
        chosen = screen.picking.chosen.key
        driver.key(key)
        assert moves(presenter) == [chosen]
        assert presenter.session.entries[0].source == "touch"


def test_the_primary_button_and_a_key_end_the_turn_as_touches_of_the_screen(start):
    for press in ("button", "key"):
        driver, screen, presenter = begin(start)
        for _draw in range(2):
            presenter.act(next(each for each in presenter.legal if each.text.startswith("draw")))
        driver.app.refresh()
        driver.frames()
        if press == "button":
            screen.do_primary()
        else:
            driver.key(ENTER)
        entry = presenter.session.entries[-1]
        assert (entry.action, entry.source) == ("end", "touch")


def test_done_opens_the_group_that_the_primary_button_opens_and_says_what_is_still_to_be_chosen(start):
    driver, screen, presenter = begin(start)
    presenter.on_intent(Intent(IntentKind.HELP))
    driver.app.refresh()
    driver.frames()
    assert presenter.offer is not None
    assert presenter.offer.kind is OfferKind.OPENS
    group = presenter.offer.key
    assert done(presenter, presenter.session.actors[0]) is IntentResult.ACCEPTED
    driver.frames()
    assert screen.picking.group == group
    assert done(presenter, presenter.session.actors[0]) is IntentResult.REFUSED
    told = presenter.view().verdict
    assert told is not None
    assert told.headline == f"Still to be chosen: {group}."
    assert moves(presenter) == []


def test_done_puts_a_refused_action_back_as_the_primary_button_does(start):
    driver, screen, presenter = begin(start)
    presenter.on_choice("end")
    driver.app.refresh()
    driver.frames()
    assert presenter.refused is not None
    assert screen.primary_text == "Put it back"
    assert done(presenter, presenter.session.actors[0]) is IntentResult.ACCEPTED
    assert presenter.refused is None
    assert moves(presenter) == []


def test_done_ends_the_turn_as_its_face_says_while_nothing_was_started(start):
    driver, _screen, presenter = begin(start, "thurn_and_taxis")
    while presenter.session.game.closing_action(presenter.session.state, presenter.session.actors[0]) is None:
        presenter.act(presenter.legal[0])
    driver.app.refresh()
    driver.frames()
    (seat,) = presenter.session.actors
    closing = presenter.session.game.closing_action(presenter.session.state, seat)
    assert done(presenter, seat) is IntentResult.ACCEPTED
    assert moves(presenter)[-1] == closing.text


def test_nothing_is_offered_while_another_screen_is_shown(start):
    driver, screen, presenter = started(start)
    driver.app.open("table")
    driver.frames()
    assert presenter.offer is None
    screen.refresh()  # as when a picture of the board was drawn in the meantime
    assert presenter.offer is None
    driver.app.open("play")
    driver.frames()
    assert presenter.offer is not None


def test_a_phone_of_the_seat_reads_and_does_what_is_offered_unless_something_else_is_by_then(start):
    _driver, screen, presenter = started(start)
    (seat,) = presenter.session.actors
    views = PhoneViews(presenter, ClosedPieces(presenter.session, []))
    button = next(each for each in views.view(PhoneState(seat), {}).buttons if each.intent == "done")
    assert button.text == screen.primary_text
    assert button.offered == screen.picking.chosen.key
    gone = presenter.on_intent(Intent(IntentKind.DONE, seat, offered="ward nowhere"))
    assert gone is IntentResult.LATE
    presenter.on_intent(Intent(IntentKind.DONE, seat, offered=button.offered))
    assert moves(presenter) == [button.offered]
