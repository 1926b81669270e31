"""The start screen: the board where we were, once more, a cover for each game."""

from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from companion.registry import GAMES, game_folder, print_and_play_board
from companion.session.store import Store
from tests.session.evenings import new_session, play_at_random
from ui.menus.home import table_card, told_time
from ui.printed.thumbnails import SAMPLE, board_thumbnail, game_cover
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell


@pytest.fixture
def shell(tmp_path):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        play_at_random(new_session(store, 2, "begun"), 20, seed=3)
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield shell
        shell.close()


def test_a_stored_game_is_shown_as_it_lies_with_who_is_in_front(shell):
    card = table_card(shell, "begun")
    assert card.look
    points = [points for _name, _colour, points in card.players]
    assert points == sorted(points, reverse=True)
    assert card.won == ""
    assert table_card(shell, "nothing of that name") is None


def test_today_and_yesterday_are_told_by_name():
    now = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)
    assert told_time("2026-11-29T19:30:00+00:00", now).startswith("today, ")
    assert told_time("2026-11-28T19:30:00+00:00", now).startswith("yesterday, ")
    assert told_time("2026-11-20T19:30:00+00:00", now).startswith("20/11/2026")


@pytest.mark.parametrize("game", GAMES)
def test_the_sample_of_a_cover_lies_on_the_games_board(game):
    import json

    board = print_and_play_board(game)
    spots = {name for sheet in board.sheets for name in sheet.spots}
    look = json.loads((game_folder(game) / SAMPLE).read_bytes())
    assert len(look) > 20
    assert look.keys() <= spots


def test_a_cover_has_its_size_is_dark_below_and_is_kept():
    cover = game_cover("capitol", (240, 160))
    assert cover.shape == (160, 240, 3)
    assert cover[-10:].mean() < 50 < cover[:10].mean()
    assert np.array_equal(cover, game_cover("capitol", (240, 160)))


def test_a_thumbnail_shows_what_lies_there():
    board = print_and_play_board("city_of_marble")
    bare = board_thumbnail(board, {}, 300)
    spot = next(name for name in board.spots if name.startswith("ward "))
    laid = board_thumbnail(board, {spot: "blue"}, 300)
    assert bare.shape == laid.shape == (200, 300, 3)
    assert cv2.absdiff(bare, laid).max() > 60


@pytest.mark.window
def test_one_touch_goes_on_and_a_cover_begins_its_game(start, shell):
    from ui.screens.start import GameCover, StandingRow

    screen = start(None, shell.tick, on_close=shell.close, shell=shell)
    ids = screen.app.screens.current_screen.ids
    screen.until(lambda: len(list(screen.all(StandingRow))) == 2)
    screen.tap(ids.hero_picture)
    assert screen.app.screens.current == "play"
    screen.app.home()
    screen.frames(3)
    screen.tap(next(cover for cover in screen.all(GameCover) if cover.key == "new capitol"))
    assert screen.app.screens.current == "setup"
    assert screen.app.screens.current_screen.wizard.draft.game == "capitol"
