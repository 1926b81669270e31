"""Names that look like markup are shown as they are written, on every screen of a table."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from tests.ui.test_demo_games import options
from ui.simulated_table.demo import demo_table
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window

NAMES = ("[b]Anna[/b]", "[color=ff0000]Bruno", "&amp; [size=90]Clelia")


def table(words: str) -> Presenter:
    plain = demo_table(options(words))
    names = zip(plain.players, NAMES, strict=False)
    players = tuple(replace(player, name=name) for player, name in names)
    return Presenter(Session.create(None, replace(plain, players=players)))


def shown(driver: Any) -> str:
    """All that the labels of the window show."""
    from kivy.uix.label import Label

    from ui.widgets.controls import plain_words

    labels = [each for each in driver.app.root.walk() if isinstance(each, Label) and each.text]
    return "\n".join(plain_words(each.text) if each.markup else each.text for each in labels)


@pytest.mark.parametrize("words", ["city_of_marble --players 3", "capitol --players 3"])
def test_names_that_look_like_markup_are_text(words: str, start: Any) -> None:
    presenter = table(words)
    driver = start(presenter)
    acting = presenter.session.table.players[presenter.session.actors[0] - 1].name
    driver.app.refresh()
    driver.frames()
    assert all(name in shown(driver) for name in NAMES)
    assert driver.app.screens.current_screen.ids.prompt.text.startswith(f"{acting} · ")
    assert not driver.app.screens.current_screen.ids.prompt.markup
    presenter.act(presenter.legal[0])
    presenter.on_correct()
    presenter.on_choice("take the entry out")
    driver.app.refresh()
    driver.frames()
    assert acting in shown(driver)
    presenter.on_intent(Intent(IntentKind.NO))
    leaving = presenter.session.actors[0]
    presenter.on_leave(leaving)
    driver.app.refresh()
    driver.frames()
    assert f"{presenter.session.table.players[leaving - 1].name} leaves" in shown(driver)
    driver.app.open("score")
    driver.frames()
    assert all(name in shown(driver) for name in NAMES)
    driver.app.open("table")
    for page in ("open", "history", "leave"):
        driver.app.screens.current_screen.form.touch("page", page)
        driver.app.screens.current_screen.update()
        driver.frames()
        assert acting in shown(driver)
