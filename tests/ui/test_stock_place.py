"""What lies before everybody is always shown at the same place."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock
from tests.tables import table_of
from ui.table.presenter import Presenter


@pytest.mark.window
@pytest.mark.parametrize("size", [(1280, 800), (480, 800)])
def test_the_stock_stays_at_the_rails_foot_whatever_is_said_or_done(start: Any, size: tuple[int, int]) -> None:
    session = Session.create(None, table_of("city_of_marble", 2), clock=clock())
    presenter = Presenter(session)
    driver = start(presenter, presenter.on_tick)
    driver.resize(*size)
    ids = driver.app.screens.current_screen.ids
    seen = set()
    for step in range(12):
        if step == 6:
            presenter.say("The camera sees the board again.")
        elif step:
            presenter.act(presenter.legal[7 * step % len(presenter.legal)])
        driver.app.refresh()
        driver.frames(3)
        assert ids.supply.width == 0
        strip = ids.supply_beside
        if strip.height:
            seen.add((round(strip.y), round(strip.height)))
    assert len(seen) == 1
