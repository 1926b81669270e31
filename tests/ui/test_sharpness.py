"""What the screens show is whole and sharp: cards, what scrolls, the latest entries."""

import pytest

from companion.session.store import Store
from tests.ui.tables import RecordingPresenter, play_view, state_after
from ui.services import text
from ui.services.settings import SETTINGS_FILE, Settings, save_settings
from ui.services.speech import Speaker
from ui.shell.shell import Shell

pytestmark = pytest.mark.window


@pytest.fixture
def screen(start, tmp_path):
    """The start screen of somebody who has not played yet."""
    save_settings(tmp_path / SETTINGS_FILE, Settings("en"))
    with Store(tmp_path / "games.sqlite3") as store:
        shell = Shell(store, tmp_path, speaker=Speaker(None))
        shown = start(None, shell.tick, on_close=shell.close, shell=shell)
        yield shown
        shown.app.dispatch("on_stop")
        shell.close()
    text.use_language("en")


def test_the_covers_are_as_wide_as_the_menu_below_them(screen):
    ids = screen.app.screens.current_screen.ids
    assert (ids.covers.x, ids.covers.right) == pytest.approx((ids.menu.x, ids.menu.right))
    assert (ids.hero.height, ids.tables.height) == (0, 0)  # nothing has been played yet


@pytest.mark.parametrize("size", [(1280, 800), (800, 480)])
def test_both_lines_of_a_card_stay_clear_of_its_frame(size, screen):
    from ui.widgets.controls import extent
    from ui.widgets.scale import scale

    screen.resize(*size)
    screen.app.open("setup")
    screen.frames(3)
    ids = screen.app.screens.current_screen.ids
    for card in (*ids.games.children, *ids.editions.children):
        detail = card.ids.detail
        assert card.detail
        assert detail.valign == "top"
        assert detail.top - extent(detail.text, detail.font_size, False)[1] - card.y >= scale.unit * 9


def test_what_is_missing_is_said_once(screen):
    screen.app.open("setup")
    setup = screen.app.screens.current_screen
    setup.go_on()
    setup.go_on()
    screen.frames(3)
    (question,) = setup.ids.questions.children
    assert question.why == "3 more to choose"
    assert setup.ids.explanation.text != question.why
    assert setup.ids.go_on.disabled


def test_what_scrolls_lies_on_whole_pixels_and_is_touched_where_it_is_seen(screen):
    screen.app.open("settings")
    screen.frames(3)
    shown = screen.app.screens.current_screen
    (scrolled,) = [each for each in shown.walk() if hasattr(each, "scroll_y")]
    first = scrolled.children[0]
    for share in (1.0, 0.61803, 0.41421, 0.0):
        scrolled.scroll_y = share
        screen.frames(2)
        x, y = first.to_window(0, 0)
        assert (x % 1, y % 1) == (0, 0)
        assert scrolled.to_local(*scrolled.to_parent(7, 9)) == (7, 9)


def test_an_app_without_a_shell_is_dressed_as_the_settings_say(start):
    from kivy.core.window import Window

    from ui.drawing import theme
    from ui.widgets.scale import scale

    try:
        shown = start(RecordingPresenter(play_view(state_after(60, 2))), settings=Settings("en", 1.4, "evening", True))
        assert (theme.is_dark, scale.reader, Window.rotation) == (True, 1.4, 180)
        assert shown.app.settings.theme == "evening"
    finally:
        theme.use_theme("marble")
        scale.reader = 1.0
        Window.rotation = 0


def test_a_board_laid_out_behind_another_screen_is_drawn_when_it_is_come_back_to(start):
    shown = start(RecordingPresenter(play_view(state_after(60, 2))))
    shown.app.open("score")
    board = shown.app.screens.get_screen("play").ids.board
    shown.frames(3)
    board._on_moved()
    shown.frames(3)
    assert board._is_stale
    shown.app.back()
    shown.frames(5)
    assert not board._is_stale


def test_a_sign_is_drawn_once_a_frame_however_often_it_is_moved(screen):
    from ui.widgets.icons import Icon

    drawn = []

    class CountedIcon(Icon):
        def _draw(self, *arguments):
            drawn.append(tuple(self.pos))
            super()._draw(*arguments)

    sign = CountedIcon(name="undo")
    for place in range(5):
        sign.pos, sign.size = (place, place), (40 + place, 40 + place)
    screen.frames(1)
    assert drawn == [(4, 4)]
