"""An entry that damage has cost is told where people see it."""

import sqlite3
from contextlib import closing

import pytest

from companion.session.game_names import local_hour
from companion.session.salvage import open_store
from companion.session.store import Store
from tests.session.evenings import clock, new_session, play, play_at_random
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.mark.parametrize("entry", ["[[[[", "[1]"])
def test_an_entry_that_is_lost_is_told_at_the_start_and_where_the_game_is_gone_on_with(start, tmp_path, entry):
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        play_at_random(new_session(store, 2, "begun"), 9, seed=1)
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE entries SET entry = ? WHERE game = 'begun' AND number = 4", (entry,))
    game = f"Rome: City of Marble (Player 1, Player 2; {local_hour(clock()().isoformat())})"
    told = f"Entry 4 of {game} is lost: the database was damaged. Hands and stocks"
    store, notices = open_store(path)
    with store:
        shell = Shell(store, tmp_path, speaker=Speaker(None), notices=notices)
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        screen.until(lambda: screen.app.errors.text)
        assert screen.app.errors.text.count(told) == 1
        screen.app.errors.text = ""
        screen.app.open("settings")
        screen.app.back()
        screen.until(lambda: screen.app.screens.current == "start")
        screen.frames(3)
        assert screen.app.errors.text == ""
        screen.app.screens.current_screen.choose("continue begun")
        screen.until(lambda: screen.app.screens.current == "play")
        screen.until(lambda: told in str(screen.app.presenter.view().verdict))
        screen.app.dispatch("on_stop")


def test_a_game_beyond_repair_is_told_of_and_offered_no_more(start, tmp_path):
    path = tmp_path / "games.sqlite3"
    with Store(path) as store:
        play_at_random(new_session(store, 2, "other"), 9, seed=1)
        play(new_session(store, 2, "beyond"), "draw red blue", "draw red yellow", "end")
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("UPDATE games SET header = '{', created = '9' WHERE id = 'beyond'")
    store, notices = open_store(path)
    with store:
        shell = Shell(store, tmp_path, speaker=Speaker(None), notices=notices)
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        screen.until(lambda: screen.app.errors.text)
        assert "It is kept in games-damaged-" in screen.app.errors.text
        go_on = screen.app.screens.current_screen.ids.go_on
        screen.until(lambda: go_on.key == "continue other")
        screen.app.dispatch("on_stop")
