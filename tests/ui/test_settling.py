"""The second of two quick taps presses nothing that came under the finger with the first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tests.ui.tables import RecordingPresenter, play_view, state_after
from tests.ui.test_demo_games import new_presenter
from ui.screens import settling
from ui.screens.settling import SETTLING, Settling
from ui.table.presenter import Presenter
from ui.table.table_questions import TableQuestion
from ui.view_models.form_view import FormModel, Picks, Row
from ui.view_models.setup_view import PickView

REAL = SETTLING


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def at_once(call: Callable[[], None]) -> None:
    """A frame that is drawn in no time."""
    call()


def test_a_touch_counts_again_once_the_tray_has_settled() -> None:
    clock = Clock()
    guard = Settling(clock, at_once)
    assert guard.takes("draw red blue")
    guard.changed()
    clock.now += REAL - 0.01
    assert not guard.takes("draw red blue")
    assert not guard.takes("primary")
    clock.now += 0.02
    assert guard.takes("draw red blue")


def test_on_a_busy_machine_nothing_is_taken_before_the_change_was_seen() -> None:
    clock, frames = Clock(), list[Callable[[], None]]()
    guard = Settling(clock, frames.append)
    guard.changed()
    clock.now += 2.0
    assert not guard.takes("a card")
    for drawn in frames:
        drawn()
    assert not guard.takes("a card")
    clock.now += REAL + 0.01
    assert guard.takes("a card")


def test_a_place_takes_no_second_touch_before_what_came_there_was_seen_and_others_do() -> None:
    clock = Clock()
    guard = Settling(clock, at_once)
    assert guard.takes_site("B1")
    guard.changed()
    assert not guard.takes_site("B1")
    assert guard.takes_site("B2")
    assert guard.takes_site("B1")
    clock.now += REAL + 0.01
    assert guard.takes_site("B1")


def test_undo_is_pressed_several_times_in_a_row_but_not_in_place_of_something_else() -> None:
    clock = Clock()
    guard = Settling(clock, at_once)
    assert guard.takes("undo")
    guard.changed()
    assert guard.takes("undo")
    clock.now += 1
    assert guard.takes("a card")
    guard.changed()
    assert not guard.takes("undo")


def test_a_record_a_question_and_a_refusal_change_the_tray_and_nothing_else_does() -> None:
    clock = Clock()
    view = play_view(state_after(12))
    for changes, is_taken in (
        ({"prompt": "Wait."}, True),
        ({"log": ()}, False),
        ({"verdict": None}, True),
    ):
        guard = Settling(clock, at_once)
        guard.follow(view, replace(view, **changes))
        assert guard.takes("primary") is is_taken, changes


def opened(start: Any, presenter: Presenter | RecordingPresenter) -> tuple[Any, Any]:
    driver = start(presenter)
    driver.resize(1280, 800)
    driver.app.refresh()
    driver.frames()
    return driver, driver.app.screens.current_screen


@pytest.mark.window
def test_two_quick_taps_on_a_card_record_one_action(start, monkeypatch):
    presenter = new_presenter("city_of_marble")
    driver, screen = opened(start, presenter)
    monkeypatch.setattr(settling, "SETTLING", 5.0)
    draw = next(each for each in (*screen.ids.cards.buttons, *screen.ids.shelf.buttons) if each.key.startswith("draw"))
    screen.touch_card(draw)
    driver.frames()
    assert len(presenter.session.moves) == 1
    again = next(iter((*screen.ids.cards.buttons, *screen.ids.shelf.buttons)))
    screen.touch_card(again)
    screen.press("primary")
    screen.press("undo")
    assert len(presenter.session.moves) == 1


class Questions(FormModel):
    """Asks one thing after the other, each answered in the same place."""

    def __init__(self, *asked: str) -> None:
        self.open = list(asked)

    def heading(self) -> str:
        return "Phones"

    def rows(self) -> tuple[Row, ...]:
        return tuple(Picks("answer", (PickView(asked, "Yes"),)) for asked in self.open[:1])

    def touch(self, key: str, value: str) -> None:
        self.open.remove(value)


@pytest.mark.window
def test_two_quick_taps_on_an_answer_in_a_form_answer_one_question(start, monkeypatch):
    from ui.screens.form import FormScreen

    driver, questions = start(new_presenter("city_of_marble")), Questions("first", "second")
    screen = FormScreen(driver.app, questions)
    monkeypatch.setattr(settling, "SETTLING", 0.2)
    screen._touched("answer", "first")
    screen._touched("answer", "second")
    assert questions.open == ["second"]
    driver.until(lambda: screen._settling.takes(""))
    screen._touched("answer", "second")
    assert questions.open == []


class Switch(FormModel):
    """One button, which calls and takes the call back in turn."""

    def __init__(self) -> None:
        self.is_on = False

    def heading(self) -> str:
        return "The table"

    def rows(self) -> tuple[Row, ...]:
        return (Picks("judge", (PickView("", "Take the call back" if self.is_on else "Call the judge"),)),)

    def touch(self, key: str, value: str) -> None:
        self.is_on = not self.is_on


@pytest.mark.window
def test_two_quick_taps_on_what_becomes_its_own_opposite_do_it_once(start, monkeypatch):
    from ui.screens.form import FormScreen

    driver, switch = start(new_presenter("city_of_marble")), Switch()
    screen = FormScreen(driver.app, switch)
    monkeypatch.setattr(settling, "SETTLING", 0.2)
    screen._touched("judge", "")
    screen._touched("judge", "")
    assert switch.is_on
    driver.until(lambda: screen._settling.takes("wait"))
    screen._touched("judge", "")
    assert not switch.is_on


@pytest.mark.window
def test_a_question_waits_for_the_end_of_a_refusal_and_of_a_move_that_was_begun(start):
    presenter = new_presenter("city_of_marble")
    driver, screen = opened(start, presenter)
    answers: list[str] = []
    question = TableQuestion("May it sit there?", (("yes", "Yes"), ("no", "No")), answers.append, seat=2)

    def shown() -> list[str]:
        driver.app.refresh()
        driver.frames()
        return [card.text for card in screen.cards]

    presenter.on_choice("end")
    assert presenter.refused is not None
    presenter.ask("join 1", question)
    assert "Yes" not in shown()
    assert screen.prompt != question.text
    presenter.on_choice("put back")
    assert shown()[:2] == ["Yes", "No"]
    assert screen.prompt == question.text
    ward = next(action for action in presenter.legal if action.text.startswith("ward"))
    screen.touch_site(ward.sites[0])
    assert "Yes" not in shown()
    assert shown()[-1] == question.text, "it waits, and can be answered"
    assert screen.primary_text != "Yes"
    screen.touch(question.text, opens=True)
    assert shown()[:2] == ["Yes", "No"]
    assert screen.prompt == question.text
    screen.do_primary()
    assert answers == []


@pytest.mark.window
def test_questions_stay_in_view_where_a_place_was_touched_at_which_nothing_may_be_done(start):
    presenter = new_presenter("city_of_marble")
    driver, screen = opened(start, presenter)
    answers: list[str] = []

    def shown() -> list[str]:
        driver.app.refresh()
        driver.frames()
        return [card.text for card in screen.cards]

    first, second = (
        TableQuestion(f"May phone {number} sit there?", (("yes", "Yes"), ("no", "No")), answers.append)
        for number in (1, 2)
    )
    presenter.ask("join 1", first)
    presenter.ask("join 2", second)
    assert shown() == ["Yes", "No"]
    assert screen.prompt == first.text
    screen.touch_site("K4-L4")
    assert presenter.view().is_refused_touch
    assert shown() == ["Yes", "No"]
    assert screen.prompt == first.text
    screen.touch("asked yes join 1", opens=False)
    assert shown() == ["Yes", "No"]
    assert screen.prompt == second.text
    screen.touch("asked no join 2", opens=False)
    assert answers == ["yes", "no"]
    assert "Yes" not in shown()


def test_what_was_looked_at_is_forgotten_with_a_refusal_that_is_put_back() -> None:
    presenter = new_presenter("city_of_marble")
    ward = next(action for action in presenter.legal if action.text.startswith("ward"))
    presenter.on_site(ward.sites[0])
    presenter.on_choice("end")
    presenter.on_choice("put back")
    assert not any(choice.ghost for choice in presenter.view().choices)
    assert len(presenter.view().legal_sites) != 1


def test_done_of_a_seat_whose_turn_it_is_answers_no_question_about_phones() -> None:
    presenter = new_presenter("city_of_marble")
    (seat,) = presenter.session.actors
    answers: list[str] = []
    asked = TableQuestion("May it sit there?", (("yes", "Yes"), ("no", "No")), answers.append, seat=seat)
    presenter.ask("join 1", asked)
    assert not presenter.on_box_answer(seat, agrees=True)
    presenter.on_choice("end")
    assert presenter.refused is not None
    assert not presenter.on_box_answer(seat, agrees=False)
    presenter.on_choice("put back")
    assert presenter.on_box_answer(seat, agrees=False)
    assert answers == ["no"]
    other = 3 - seat
    presenter.ask("join 2", replace(asked, seat=other))
    assert presenter.on_box_answer(other, agrees=True)
    assert answers == ["no", "yes"]
