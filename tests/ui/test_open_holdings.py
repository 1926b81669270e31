"""What lies openly before the players, read in full where a small window has no room for it."""

import pytest

from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window

ESCAPE = 27


@pytest.fixture
def screen(start, tmp_path):
    """A game under way, with the largest texts."""
    from ui.widgets.scale import scale

    save_settings(tmp_path / SETTINGS_FILE, Settings("en", text_size=1.6))
    with Store(tmp_path / "games.sqlite3") as store:
        session = new_session(store, 4, "open")
        play_at_random(session, 40, seed=3)
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        screen.app.open_table(shell.resume(session.id))
        yield screen
    scale.reader = 1.0


def test_a_touched_player_shows_all_that_the_panels_shorten(screen):
    from ui.widgets.panels import PlayerPanel

    screen.resize(480, 800)
    panels = list(screen.all(PlayerPanel))
    assert any("…" in panel.holdings for panel in panels)
    released = []
    panels[0].bind(on_release=released.append)
    screen.tap(panels[0])
    screen.until(lambda: released)
    assert screen.app.screens.current == "table"
    assert_all_is_told(screen)


@pytest.mark.parametrize("size", [(480, 800), (800, 480)])
def test_a_key_shows_it_and_another_leads_back_to_the_board(screen, size):
    screen.resize(*size)
    screen.key(ord("o"))
    screen.frames(2)
    assert screen.app.screens.current == "table"
    assert_all_is_told(screen)
    screen.key(ESCAPE)
    assert screen.app.screens.current == "play"


def assert_all_is_told(screen):
    from ui.widgets.controls import Text

    shown = "\n".join(widget.text for widget in screen.app.screens.current_screen.walk() if isinstance(widget, Text))
    view = screen.app.presenter.view()
    assert view.open_supply
    for player in view.players:
        assert f"{player.name}: {player.points}" in shown
    for held in (view.open_supply, *(player.holdings for player in view.players)):
        assert all(f"{name}: {amount}" in shown for name, amount in held)
