"""What may be done at a place that is looked at: every piece in sight, the one on the board ticked, reasons beside."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from companion.session.session import Session
from tests.session.evenings import clock, play_at_random
from tests.tables import table_of
from ui.table.presenter import Presenter

pytestmark = pytest.mark.window


@pytest.fixture
def looked_at(start: Any) -> Any:
    """A table at which the place is touched where most tiles may be laid, or where a town is turned over."""
    from ui.widgets.scale import scale

    def show(game: str, kind: str, size: tuple[int, int], text_size: float) -> Any:
        session = Session.create(None, table_of(game, 2), clock=clock())
        play_at_random(session, 30 if game == "aqua_romana" else 0, 1)
        while max(tiles_at(session, kind).values(), default=0) < (2 if game == "aqua_romana" else 1):
            session.undo()
        presenter = Presenter(session)
        driver = start(presenter)
        scale.reader = text_size
        driver.resize(*size)
        site = "red/Carlsruhe" if game == "thurn_and_taxis" else tiles_at(session, kind).most_common(1)[0][0]
        driver.app.screens.current_screen.touch_site(site)
        driver.until_printed()
        driver.frames(3)
        return presenter, driver.app.screens.current_screen

    yield show
    scale.reader = 1.0


def tiles_at(session: Session, kind: str) -> Counter[str]:
    return Counter(action.sites[0] for action in session.legal_actions() if action.text.startswith(kind))


@pytest.mark.parametrize(("size", "text_size"), [((800, 480), 1.0), ((800, 480), 1.6), ((480, 800), 1.6)])
def test_every_tile_that_may_be_laid_at_a_place_is_seen(looked_at: Any, size: Any, text_size: float) -> None:
    from scripts.pictures.faults import faults

    presenter, screen = looked_at("aqua_romana", "build", size, text_size)
    here = {choice.key for choice in presenter.view().choices if not choice.forbidden}
    assert len(here) > 1
    shown = [*screen.ids.cards.buttons, *screen.ids.shelf.buttons]
    assert here <= {card.key for card in shown}
    assert [card.key for card in shown if card.selected] == [screen.picking.chosen.key]
    assert not any(card.label for card in shown if card.key in here)
    assert faults(screen) == []


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
def test_reasons_why_not_keep_no_card_from_sight(looked_at: Any, size: Any) -> None:
    _presenter, screen = looked_at("thurn_and_taxis", "show", size, 1.0)
    assert [card.forbidden for card in screen.ids.cards.buttons] == [True]
    shelf = screen.ids.shelf
    assert len(shelf.buttons) > 20
    assert shelf.ids.grid.height <= shelf.height + 1
