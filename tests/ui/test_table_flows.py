"""In a window, touched: a game under way is joined, somebody leaves, and it is ended early; for every game."""

import pytest

from companion.position import position_text
from companion.registry import load_game
from companion.session.store import Store
from tests.every_game import EVERY_GAME, FOR_THREE, fewest_seats, seats_for_leaving
from tests.session.test_joining import under_way
from tests.tables import table_of
from ui.services import file_list, text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def screen(start, tmp_path, monkeypatch):
    """The app at its start screen; files are looked for in a folder with a position."""
    monkeypatch.setattr(file_list, "usual_folder", lambda: tmp_path)
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        yield start(None, shell.tick, on_close=shell.close, shell=shell)
    text.use_language("en")


def current(screen):
    return screen.app.screens.current_screen


def presses(screen):
    """What can be touched on the current screen, by its words; a sign by what it says."""
    from kivy.uix.behaviors import ButtonBehavior

    shown = {}
    for widget in current(screen).walk():
        if isinstance(widget, ButtonBehavior) and not widget.disabled and widget.opacity and min(widget.size) > 1:
            named = (getattr(widget, name, "") for name in ("says", "heading", "text", "key"))
            shown[next(filter(None, named), "")] = widget
    return shown


def press(screen, words):
    """Touch the press with these words, scrolled to where it can be touched."""
    screen.frames(2)
    widget = presses(screen)[words]
    form = current(screen).ids.get("form")
    if form is not None and widget in form.walk():
        form.scroll_to(widget, animate=False)
        screen.frames(2)
    released = []
    widget.bind(on_release=released.append)
    screen.tap(widget)
    screen.until(lambda: released)
    screen.frames(1)


def set_up(screen, game):
    """The wizard up to its last page."""
    press(screen, "new")
    press(screen, load_game(game).info.title)
    while "It is under way: join it" not in presses(screen) or current(screen).step != "board":
        press(screen, "Next" if "Next" in presses(screen) else "Let chance decide")


def join_by_touch(screen, game, seats):
    """A game joined at its set-up with the usual answers; its session."""
    screen.app.open("join", table=table_of(game, seats))
    for words in ("I show it by touch", "Next", "Next", "Go on from here"):
        press(screen, words)
    assert screen.app.screens.current == "play"
    session = screen.app.presenter.session
    assert session.record_status.joined
    assert session.table.game == game
    return session


def end_early(screen, session):
    press(screen, "Menu")
    press(screen, "End early")
    press(screen, "Time is up")
    assert session.record_status.ended
    screen.until(lambda: screen.app.screens.current == "score")
    if current(screen).is_event:  # there are points, and so an end with places in front of the lines
        page = current(screen).ids.event
        screen.tap(page)
        assert not page.is_revealing
        assert page.ids.heading.words.startswith("ENDED EARLY")
        assert "nobody has won" in page.told
        assert not any(step.is_first for step in page.ids.podium.children)
        press(screen, "All lines")
    assert current(screen).ids.heading.text.startswith("Ended early")
    assert not any(widget.strong for widget in current(screen).ids.ranking.children)
    assert "nobody has won" in current(screen).ids.notes.text


@pytest.mark.parametrize("game", EVERY_GAME)
def test_a_game_is_joined_by_touch_ended_early_and_gone_on_with(screen, game):
    session = join_by_touch(screen, game, fewest_seats(game))
    end_early(screen, session)
    press(screen, "Back to the board")
    screen.frames(2)
    assert current(screen).ids.undo.below == "ended early (Time is up)"
    press(screen, "Undo")
    assert not session.is_over


@pytest.mark.parametrize("game", FOR_THREE)
def test_who_leaves_a_table_has_no_place_in_its_score(screen, game):
    session = join_by_touch(screen, game, seats_for_leaving(game))
    press(screen, "Menu")
    press(screen, "A player leaves")
    press(screen, session.table.players[1].name)
    assert session.record_status.left == {2}
    assert screen.app.screens.current == "play"
    end_early(screen, session)
    ranks = {widget.name: widget.rank for widget in current(screen).ids.ranking.children}
    assert ranks[session.table.players[1].name] == "has left"


def test_a_spot_is_set_right_by_touch_before_one_goes_on(screen):
    from ui.drawing.board_frame import site_centre

    set_up(screen, "city_of_marble")
    press(screen, "It is under way: join it")
    assert screen.app.screens.current == "join"
    press(screen, "I show it by touch")
    board = screen.board
    screen.frames(2)
    screen.touch(*board.frame.pixel(site_centre(board.board, "E8-F8")))
    press(screen, "Red")
    assert ("ward E8-F8", "red") in {(piece.spot, piece.label) for piece in current(screen).form.board().pieces}
    for words in ("Next", "Next", "Go on from here"):
        press(screen, words)
    assert screen.app.presenter.session.state.wards["E8-F8"].colour == "red"


def test_a_game_goes_on_from_a_file_by_touch(screen, tmp_path):
    real = under_way("capitol", 12, 2, seats=2)
    (tmp_path / "position.toml").write_text(position_text(real.game, real.state), encoding="utf-8")
    screen.app.open("join", table=real.table)
    press(screen, "From a position or record file")
    press(screen, "position.toml")
    press(screen, "Go on from here")
    session = screen.app.presenter.session
    assert session.game.appearance(session.state) == real.game.appearance(real.state)
