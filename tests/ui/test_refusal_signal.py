"""What draws attention to a refusal."""

import wave

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

        def begin(signal):
            save_settings(tmp_path / SETTINGS_FILE, Settings("en", signal=signal))
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
    screen.until(lambda: flash.strength == 0, frames=400)
    ids = screen.app.screens.current_screen.ids
    assert bool(ids.verdict.text) != ids.callout.is_shown


def test_nothing_flashes_where_it_is_not_wanted(refuse):
    assert refuse("off").app.screens.current_screen.ids.flash.strength == 0


def test_who_wants_a_tone_hears_it_or_sees_the_flash(refuse, monkeypatch):
    from ui.screens import play

    monkeypatch.setattr(play, "sound_refusal", lambda: False)
    assert refuse("tone").app.screens.current_screen.ids.flash.strength > 0.9


def test_the_tone_is_short_and_not_too_loud(prepared, tmp_path):
    from ui.widgets.signal import LOUDNESS, RATE, write_tone

    write_tone(tmp_path / "tone.wav")
    with wave.open(str(tmp_path / "tone.wav")) as sound:
        assert (sound.getframerate(), sound.getnchannels(), sound.getsampwidth()) == (RATE, 1, 2)
        assert 0.1 < sound.getnframes() / RATE < 0.5
        data = sound.readframes(sound.getnframes())
    loudest = max(abs(int.from_bytes(data[at : at + 2], "little", signed=True)) for at in range(0, len(data), 2))
    assert 0 < loudest <= 32767 * LOUDNESS + 1


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
