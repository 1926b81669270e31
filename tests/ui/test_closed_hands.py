"""The curtain before a closed hand: it is held up by a finger, and falls with it."""

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.tables import table_of
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def curtain(start, tmp_path):
    """The app at the closed hands of a game, and the first player's curtain."""
    from ui.widgets.form import HiddenRow

    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        session = Session.create(store, table_of("capitol", 2))
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        screen.app.open_table(shell.resume(session.id))
        screen.app.open("table")
        screen.app.screens.current_screen.form.touch("page", "secrets")
        screen.app.refresh()
        screen.frames(3)
        yield screen, next(screen.all(HiddenRow))


def hold(screen, row):
    from kivy.tests.common import UnitTestTouch

    finger = UnitTestTouch(*row.to_window(*row.center))
    finger.touch_down()
    screen.until(lambda: row.state == "down")
    return finger


def test_a_hand_shows_while_its_name_is_held(curtain):
    screen, row = curtain
    assert row.text == "Player 1"
    finger = hold(screen, row)
    assert row.text == row.secret != "Player 1"
    finger.touch_up()
    screen.until(lambda: row.state == "normal")
    assert row.text == "Player 1"


def test_the_others_stay_hidden(curtain):
    from ui.widgets.form import HiddenRow

    screen, row = curtain
    hold(screen, row)
    assert [other.text for other in screen.all(HiddenRow) if other is not row] == ["Player 2"]


@pytest.mark.parametrize("event", ["on_pause", "on_minimize", "on_hide"])
def test_a_hand_is_hidden_when_the_app_sleeps_though_a_finger_is_on_it(curtain, event):
    from kivy.core.window import Window

    screen, row = curtain
    hold(screen, row)
    (screen.app if event == "on_pause" else Window).dispatch(event)
    assert row.state == "down"
    assert row.text == "Player 1"


def test_a_hand_is_hidden_when_the_screen_is_left(curtain):
    screen, row = curtain
    hold(screen, row)
    screen.app.home()
    screen.app.open("table")
    assert all(other.text != row.secret for other in screen.all(type(row)))
