"""A card that is taken and the one turned up for it, told by one gesture: from its card to a place of the board."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from tests.ui.test_demo_games import new_presenter
from ui.drawing.board_frame import site_centre
from ui.table.presenter import Presenter
from ui.table.turned_up import actions_of, turned_up_after
from ui.view_models.play_view import ChoiceView

DISPLAY = ("Ulm", "Linz", "Basel", "Lodz", "Pilsen", "Augsburg")


def at_the_display() -> Presenter:
    presenter = new_presenter("thurn_and_taxis")
    for city in DISPLAY:
        presenter.on_choice(f"show {city}")
    return presenter


def turned_up(presenter: Presenter, key: str) -> tuple[ChoiceView, ...]:
    return turned_up_after(presenter.session, presenter.legal, key, presenter.texts)


def moves(presenter: Presenter) -> list[str | None]:
    return [move.action for move in presenter.session.moves][len(DISPLAY) :]


def test_with_a_card_of_the_display_any_card_may_be_turned_up_with_one_of_the_deck_none():
    presenter = at_the_display()
    both = turned_up(presenter, "take Ulm")
    assert len(both) == 22
    assert {actions_of(each.key)[0] for each in both} == {"take Ulm"}
    linz = next(each for each in both if each.sites == ("city/Linz",))
    assert linz.text == "Take Ulm, turned up: Linz"
    presenter.on_choice(linz.key)
    assert moves(presenter) == ["take Ulm", "show Linz"]
    assert not turned_up(presenter, "take deck")
    assert not turned_up(presenter, "take Ulm"), "it lies in the display no more"


def test_each_of_both_is_taken_back_by_itself():
    presenter = at_the_display()
    presenter.on_choice(turned_up(presenter, "take Ulm")[0].key)
    presenter.on_intent(Intent(IntentKind.UNDO))
    assert moves(presenter) == ["take Ulm"]


def test_where_the_first_is_refused_nothing_is_turned_up():
    presenter = at_the_display()
    key = turned_up(presenter, "take Ulm")[0].key
    presenter.on_choice("take Ulm")
    presenter.on_choice("show Basel")
    presenter.on_choice(key)
    assert moves(presenter) == ["take Ulm", "show Basel"]
    assert presenter.refused is not None


@pytest.mark.parametrize("game_id", ["city_of_marble", "capitol", "aqua_romana"])
def test_in_games_that_turn_nothing_up_nothing_is_told_with_an_action(game_id: str) -> None:
    presenter = new_presenter(game_id)
    assert not any(turned_up(presenter, action.text) for action in presenter.legal)


@pytest.fixture
def slide(start: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., tuple[Presenter, Any, list[str]]]:
    """Press the card of Ulm, rest there, and slide to places of the window; gives what the primary button said."""
    from kivy.tests.common import UnitTestTouch

    from ui.widgets.tray import FaceCard

    monkeypatch.setattr("ui.screens.settling.SETTLING", 0.01)
    presenter = at_the_display()
    driver = start(presenter)
    driver.app.refresh()
    driver.frames(3)
    screen = driver.app.screens.current_screen

    def slid(*cities: str) -> tuple[Presenter, Any, list[str]]:
        driver.until(lambda: screen.takes("take Ulm"))
        card = next(each for each in driver.all(FaceCard) if each.key == "take Ulm")
        finger = UnitTestTouch(*card.to_window(*card.center))
        finger.touch_down()
        driver.until(lambda: screen.primary_text.startswith("Let go"))
        said = [screen.primary_text]
        assert len(screen.ids.board.showing.legal) == 22
        for city in cities:
            where = driver.board.frame.pixel(site_centre(driver.board.shown, city)) if city else (1, 1)
            finger.touch_move(*where)
            driver.frames(2)
            said.append(screen.primary_text)
        finger.touch_up()
        driver.frames(3)
        return presenter, screen, said

    return slid


@pytest.mark.window
def test_a_finger_slides_from_the_card_that_is_taken_to_the_one_turned_up(slide):
    presenter, screen, said = slide("city/Basel", "city/Linz")
    assert said == [
        "Let go: Take Ulm; or slide to the card turned up",
        "Let go: Take Ulm, turned up: Basel",
        "Let go: Take Ulm, turned up: Linz",
    ]
    assert moves(presenter) == ["take Ulm", "show Linz"]
    assert not screen.ids.board.showing.legal


@pytest.mark.window
def test_a_finger_that_slides_elsewhere_does_nothing(slide):
    presenter, screen, said = slide("city/Basel", "")
    assert said[-1] == said[0]
    assert moves(presenter) == []
    assert not screen.primary_text.startswith("Let go")


@pytest.mark.window
def test_a_finger_that_rests_on_the_card_takes_it_alone(slide):
    presenter, _screen, _said = slide()
    assert moves(presenter) == ["take Ulm"]
