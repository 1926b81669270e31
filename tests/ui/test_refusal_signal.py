"""What draws attention to a refusal."""

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.tables import table_of
from tests.ui.test_demo_games import new_presenter
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def refuse(start, tmp_path):
    """Opens a game with a setting and has an illegal action refused there; gives the screen."""
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, table_of("city_of_marble", 2))

        def begin(signal, sounds=False):
            save_settings(tmp_path / SETTINGS_FILE, Settings("en", signal=signal, sounds=sounds))
            shell = Shell(store, tmp_path, speaker=Speaker(None))
            screen = start(None, shell.tick, on_close=shell.close, shell=shell)
            screen.app.open_table(shell.resume(session.id))
            screen.frames(2)
            screen.app.presenter.act(session.game.parse_action("draw red red", session.state))
            screen.app.refresh()
            return screen

        yield begin


def test_a_flash_is_drawn_along_the_edge_and_fades(refuse):
    screen = refuse("flash")
    flash = screen.app.screens.current_screen.ids.flash
    assert flash.strength > 0.9
    screen.frames(1)
    red, green, blue = screen.pixel(3, 300)
    assert red > green + 30
    assert red > blue + 30
    screen.until(lambda: flash.strength == 0)
    ids = screen.app.screens.current_screen.ids
    assert bool(ids.verdict.text) != ids.callout.is_shown


def test_nothing_flashes_where_it_is_not_wanted(refuse):
    assert refuse("off").app.screens.current_screen.ids.flash.strength == 0


@pytest.mark.parametrize("sounds", [True, False])
def test_who_wants_a_tone_hears_it_or_sees_the_flash(refuse, monkeypatch, sounds):
    from ui.screens import play_liveliness

    heard = []
    monkeypatch.setattr(play_liveliness, "play", lambda cue: heard.append(cue) or False)
    monkeypatch.setattr(play_liveliness, "play_all", lambda cues: heard.extend(cues) or False)
    screen = refuse("tone", sounds=sounds)
    assert heard == ["refused"]
    assert screen.app.screens.current_screen.ids.flash.strength > 0.9


@pytest.mark.parametrize("words", ["thurn_and_taxis", "city_of_marble", "capitol"])
@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080)])
def test_what_is_said_of_a_refusal_never_covers_the_players(words, size, start):
    presenter = new_presenter(words)
    driver = start(presenter)
    driver.resize(*size)
    game, state = presenter.session.game, presenter.session.state
    action = {"thurn_and_taxis": "close each", "city_of_marble": "end", "capitol": "senator"}[words]
    presenter.act(game.parse_action(action, state))
    driver.app.refresh()
    driver.frames(4)
    ids = driver.app.screens.current_screen.ids
    assert presenter.refused is not None
    assert ids.callout.is_shown or ids.verdict.text
    if ids.callout.is_shown:
        assert ids.callout.ids.verdict.right <= ids.board.right < ids.side.x
