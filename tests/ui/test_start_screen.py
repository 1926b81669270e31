"""The start screen: the board where we were, once more, a cover for each game."""

from dataclasses import replace
from datetime import UTC, datetime

import cv2
import numpy as np
import pytest

from companion.registry import GAMES, game_folder, load_game, print_and_play_board
from companion.session.store import Store
from scripts.covers import full_play
from tests.every_game import REFERENCE
from tests.session.evenings import new_session, play_at_random
from ui.menus.home import table_card, told_time
from ui.printed import thumbnails
from ui.printed.thumbnails import MOST_KEPT, SAMPLE, board_thumbnail, drawn_cover, game_cover, has_cover
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.services.text import use_language
from ui.shell.shell import Shell
from ui.simulated_table.players import has_players


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


def test_several_winners_are_told_as_several_and_points_with_their_names(shell):
    card = replace(
        table_card(shell, "begun"), players=(("Anna", "red", 10), ("Bert", "blue", 10)), winners=("Anna", "Bert")
    )
    assert card.points == "Anna: 10 · Bert: 10"
    use_language("de")
    try:
        assert card.won == "Anna, Bert haben gewonnen"
        assert replace(card, winners=("Anna",)).won == "Anna hat gewonnen"
    finally:
        use_language("en")


def test_today_and_yesterday_are_told_by_name():
    now = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)
    assert told_time("2026-11-29T19:30:00+00:00", now).startswith("today, ")
    assert told_time("2026-11-28T19:30:00+00:00", now).startswith("yesterday, ")
    assert told_time("2026-11-20T19:30:00+00:00", now).startswith("20/11/2026")
    assert told_time("2026-11-24T12:30:00+00:00", now).startswith("Tuesday, ")
    assert told_time("2026-11-22T12:30:00+00:00", now).startswith("22/11/2026")


@pytest.mark.parametrize("game", GAMES)
def test_the_sample_of_a_cover_lies_on_the_games_board(game):
    import json

    assert has_cover(game), f"python -m scripts.covers {game}"
    board = print_and_play_board(game)
    spots = {name for sheet in board.sheets for name in sheet.spots}
    look = json.loads((game_folder(game) / SAMPLE).read_bytes())
    assert look
    assert look.keys() <= spots


def test_a_cover_is_played_for_a_game_without_simulated_players():
    assert not has_players(REFERENCE)
    assert load_game(REFERENCE).appearance(full_play(REFERENCE))


@pytest.mark.parametrize("game", GAMES)
def test_the_shipped_cover_is_what_is_drawn_of_the_sample_and_dark_below(game):
    cover = game_cover(game)
    assert cover.shape == (320, 480, 3)
    assert cover[-20:].mean() < 50 < cover[:20].mean()
    assert np.abs(cover.astype(float) - drawn_cover(game)).mean() < 4, f"python -m scripts.covers {game}"


def test_a_thumbnail_shows_what_lies_there():
    board = print_and_play_board("city_of_marble")
    bare = board_thumbnail(board, {}, 300)
    spot = next(name for name in board.spots if name.startswith("ward "))
    laid = board_thumbnail(board, {spot: "blue"}, 300)
    assert bare.shape == laid.shape == (200, 300, 3)
    assert cv2.absdiff(bare, laid).max() > 60


def test_thumbnails_are_kept_the_latest_ones_only(monkeypatch):
    board, drawn = print_and_play_board("city_of_marble"), []
    monkeypatch.setattr(thumbnails, "board_image", lambda *_: drawn.append(0) or np.zeros((20, 30, 3), np.uint8))
    spots = [name for name in board.spots if name.startswith("ward ")][: MOST_KEPT + 1]
    for spot in (*spots, spots[-1]):
        board_thumbnail(board, {spot: "blue"}, 30)
    assert len(drawn) == MOST_KEPT + 1
    board_thumbnail(board, {spots[0]: "blue"}, 30)
    assert len(drawn) == MOST_KEPT + 2


@pytest.mark.window
def test_one_touch_goes_on_and_a_cover_begins_its_game(start, shell):
    from ui.screens.start import GameCover, StandingRow

    screen = start(None, shell.tick, on_close=shell.close, shell=shell)
    ids = screen.app.screens.current_screen.ids
    assert all(max(screen.pixel(cover.center_x, cover.y + 12)) < 100 for cover in screen.all(GameCover))
    screen.until(lambda: len(list(screen.all(StandingRow))) == 2)
    screen.tap(ids.hero_picture)
    assert screen.app.screens.current == "play"
    screen.app.home()
    screen.frames(3)
    screen.tap(next(cover for cover in screen.all(GameCover) if cover.key == "new capitol"))
    assert screen.app.screens.current == "setup"
    assert screen.app.screens.current_screen.wizard.draft.game == "capitol"


@pytest.mark.window
@pytest.mark.parametrize("games", [5, 6])
def test_with_a_few_games_more_the_other_screens_are_still_in_view(start, shell, monkeypatch, games):
    from ui.screens import start as start_screen
    from ui.screens.start import GameCover, MenuButton
    from ui.widgets.controls import fits
    from ui.widgets.lettering import Lettering

    monkeypatch.setattr(start_screen, "GAMES", [*GAMES, *[REFERENCE] * games][:games])
    screen = start(None, shell.tick, on_close=shell.close, shell=shell)
    screen.frames(5)
    assert len(list(screen.all(GameCover))) == games
    for press in screen.all(MenuButton):
        assert press.to_window(press.x, press.y)[1] > -1, press.text  # pixels
    titles = [each for each in screen.all(Lettering) if isinstance(each.parent, GameCover)]
    for title in titles:
        assert fits(title.text, title.font_size, *title.text_size, bold=title.bold, font=title.family), title.words
    screen.resize(480, 320)
    screen.frames(5)
    assert screen.app.screens.current_screen.ids.covers.cols == 4


@pytest.mark.window
def test_letterings_are_measured_as_they_are_set_and_lines_as_they_are_written(start, shell):
    from ui.screens.start import GameCover
    from ui.widgets.controls import extent, fits, lines_of
    from ui.widgets.lettering import Lettering

    assert lines_of("Anna won\nAnna: 10", 20, 1000, bold=False) == 2
    shell.change_settings(Settings("de", text_size=1.5))
    screen = start(None, shell.tick, on_close=shell.close, shell=shell)
    screen.frames(5)
    titles = [each for each in screen.all(Lettering) if isinstance(each.parent, GameCover)]
    assert len(titles) == len(GAMES)
    for title in titles:
        assert fits(title.text, title.font_size, *title.text_size, bold=title.bold, font=title.family), title.words
        assert extent(title.text.split(" ")[0], title.font_size, title.bold, title.family)[0] <= title.width


@pytest.mark.window
def test_a_game_that_is_finished_meanwhile_leaves_no_gap_in_its_place(start, shell):
    driver = start(None, shell=shell)
    driver.resize(1280, 800)
    screen = driver.app.screens.current_screen
    driver.until(lambda: screen.ids.hero.width > 600)
    shell.resume("begun").session.end_early("time")
    screen.on_pre_enter()
    driver.frames(4)
    assert (screen.has_hero, screen.has_again) == (False, True)
    assert screen.ids.hero.width == 0
    assert screen.ids.again_card.width > 1100


@pytest.mark.window
def test_a_game_that_is_begun_after_a_finished_one_has_its_card_before_that_ones(start, shell):
    shell.resume("begun").session.end_early("time")
    shell.leave_table()
    driver = start(None, shell=shell)
    driver.resize(1280, 800)
    screen = driver.app.screens.current_screen
    driver.until(lambda: screen.ids.again_card.width > 1100)
    play_at_random(new_session(shell.store, 2, "second"), 3, seed=4)
    screen.on_pre_enter()
    driver.frames(4)
    assert (screen.has_hero, screen.has_again) == (True, True)
    assert screen.ids.hero.width > 600
    assert screen.ids.hero.right <= screen.ids.again_card.x
    assert screen.ids.again_card.right <= 1280


@pytest.mark.window
def test_a_finished_game_alone_begins_at_the_left_with_its_picture_beside_its_words(start, tmp_path):
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        new_session(store, 2, "ended").end_early("time")
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        ids = screen.app.screens.current_screen.ids
        screen.until(lambda: ids.again_told.text == "Player 1: 0 · Player 2: 0")
        screen.frames(3)
        assert ids.again_card.x == ids.tables.x
        assert ids.again_picture.right <= ids.again_told.x
        assert ids.again_picture.width > ids.again_picture.height


@pytest.mark.window
def test_large_text_leaves_the_cards_whole_and_the_covers_in_view(start, shell, monkeypatch):
    from ui.screens import start as start_screen
    from ui.screens.start import GameCover
    from ui.widgets.scale import scale

    monkeypatch.setattr(start_screen, "GAMES", list(GAMES)[:4])
    new_session(shell.store, 2, "ended").end_early("time")
    driver = start(None, shell.tick, on_close=shell.close, shell=shell)
    ids = driver.app.screens.current_screen.ids
    scale.reader = 1.6
    for size in ((1280, 800), (800, 480)):
        driver.resize(*size)
        driver.until(lambda: ids.again_title.words and ids.hero_title.words)
        driver.frames(4)
        told = ids.again_told
        assert not told.text or told.texture_size[1] <= told.height + 1, size
        assert ids.laurel.width or told.x == ids.again_title.x, size
        assert ids.again_picture.width <= ids.again_card.width, size
        assert ids.again_picture.y >= ids.again_title.top or not ids.again_picture.opacity, size
    driver.resize(1280, 800)
    driver.frames(4)
    assert all(cover.to_window(cover.x, cover.y)[1] >= 0 for cover in driver.all(GameCover))


@pytest.fixture
def full_shell(tmp_path):
    """Games that are under way, and one that was finished."""
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        new_session(store, 2, "ended").end_early("time")
        for name in ("older", "begun"):
            play_at_random(new_session(store, 2, name), 5, seed=3)
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield shell
        shell.close()


@pytest.mark.window
def test_what_else_is_under_way_stands_above_new_games(start, full_shell):
    play_at_random(new_session(full_shell.store, 2, "third"), 5, seed=3)
    driver = start(None, full_shell.tick, on_close=full_shell.close, shell=full_shell)
    screen = driver.app.screens.current_screen
    driver.frames(4)
    assert [press.text for press in screen.ids.others.children[::-1]] == [
        "Go on: Rome: City of Marble",
        "1 more under way",
    ]
    for size in ((1280, 800), (480, 800)):
        driver.resize(*size)
        driver.frames(4)
        assert screen.ids.again_card.y > screen.ids.others.top > screen.ids.others.y >= screen.ids.heading.top
    driver.tap(screen.ids.others.children[0])
    assert driver.app.screens.current == "past"


@pytest.mark.window
def test_the_second_of_two_unfinished_games_is_gone_on_with_not_begun_again(start, shell):
    play_at_random(new_session(shell.store, 2, "second"), 5, seed=3)
    driver = start(None, shell.tick, on_close=shell.close, shell=shell)
    ids = driver.app.screens.current_screen.ids
    driver.frames(4)
    assert not ids.others.children
    keys = {ids.go_on.key, ids.again.key}
    assert keys == {"continue begun", "continue second"}
    assert ids.again.text == "Go on"
    chosen = ids.again.key.partition(" ")[2]
    driver.tap(ids.again)
    assert driver.app.screens.current == "play"
    assert shell.table_loop.presenter.session.id == chosen


@pytest.mark.window
def test_an_upright_phone_shows_covers_below_the_game_to_go_on_with(start, shell):
    driver = start(None, shell.tick, on_close=shell.close, shell=shell)
    driver.resize(480, 800)
    ids = driver.app.screens.current_screen.ids
    driver.until(lambda: ids.hero_points.text)
    driver.frames(4)
    assert ids.hero.height < 800 / 4
    assert ids.hero_picture.right <= ids.hero_points.x
    assert ids.covers.to_window(0, ids.covers.y)[1] > 0


SIZES = ((1280, 800), (480, 800), (480, 320), (800, 480), (480, 480), (800, 1280))


def one_after_another(sizes):
    """A tour of sizes in which each comes once directly after each other one."""
    first, *others = sizes
    yield first
    for number, other in enumerate(others):
        yield from one_after_another(others) if number == 0 else (other,)
        yield first


@pytest.mark.window
def test_cards_lie_alike_whatever_size_the_window_had_before(start, full_shell):
    driver = start(None, full_shell.tick, on_close=full_shell.close, shell=full_shell)
    ids = driver.app.screens.current_screen.ids
    driver.until(lambda: ids.again_title.words and ids.hero_title.words)
    found, before = {}, None
    for size in one_after_another(SIZES):
        driver.resize(*size)
        driver.frames(4)
        names = ("hero", "hero_picture", "again_card", "tables", "others", "covers")
        lies = [tuple(round(part) for part in (*ids[name].pos, *ids[name].size)) for name in names]
        assert found.setdefault(size, lies) == lies, (before, size)
        hero, again = ids.hero, ids.again_card
        assert hero.right <= again.x or again.top <= hero.y, (before, size)
        assert 0 <= hero.x <= hero.right <= size[0], (before, size)
        assert again.right <= size[0], (before, size)
        before = size
    assert len(found) == len(SIZES)


@pytest.mark.window
def test_titles_are_neither_broken_within_a_word_nor_cut(start, full_shell):
    from ui.widgets.controls import extent
    from ui.widgets.lettering import Lettering

    driver = start(None, full_shell.tick, on_close=full_shell.close, shell=full_shell)
    ids = driver.app.screens.current_screen.ids
    driver.until(lambda: ids.again_title.words and ids.hero_title.words)
    for size in SIZES:
        driver.resize(*size)
        driver.frames(4)
        for title in driver.all(Lettering):
            widest = max(extent(word, title.font_size, title.bold, title.family)[0] for word in title.text.split(" "))
            assert widest <= title.width, (size, title.words)
            room = tuple(title.text_size)
            title.text_size = title.text_size[0], None
            title.texture_update()
            assert title.texture_size[1] <= title.height + 1, (size, title.words)
            assert not title.shorten, (size, title.words)
            title.text_size = room


@pytest.mark.window
def test_before_the_first_game_the_steps_to_it_are_told_and_no_past_games(start, tmp_path):
    from ui.screens.start import FirstStep, GameCover, MenuButton, OfferButton

    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        screen = start(None, shell.tick, on_close=shell.close, shell=shell)
        try:
            assert [step.number for step in screen.all(FirstStep)] == ["1", "2", "3"]
            assert "past" not in {press.screen for press in screen.all(MenuButton)}
            screen.resize(1280, 800)
            screen.frames(3)
            assert min(cover.height for cover in screen.all(GameCover)) > 250
            screen.tap(next(press for press in screen.all(OfferButton) if press.key == "language it"))
            assert next(iter(screen.all(FirstStep))).heading == "Prepara il gioco"
            play_at_random(new_session(store, 2, "begun"), 3, seed=3)
            screen.app.screens.current_screen.on_pre_enter()
            assert not list(screen.all(FirstStep))
            assert "past" in {press.screen for press in screen.all(MenuButton)}
        finally:
            use_language("en")
