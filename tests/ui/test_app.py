"""The app around the screens: offers, errors, screenshots, its end."""

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from companion.errors import SessionError
from tests.ui.conftest import SIZE
from tests.ui.tables import RecordingPresenter, play_view, state_after

pytestmark = pytest.mark.window


@pytest.fixture
def presenter():
    return RecordingPresenter(play_view(state_after(60, 2)))


def test_an_error_is_logged_once_and_shown_and_everything_goes_on(start, presenter, tmp_path):
    ticks = []

    def tick():
        ticks.append(1)
        raise ValueError("the camera [b]burns[/b]")

    log, now = tmp_path / "logs" / "errors.log", [0.0]
    screen = start(presenter, tick, error_log=log, clock=lambda: now[0])
    screen.until(lambda: len(ticks) >= 4)
    assert screen.app.errors.text == "Something went wrong; the game goes on.\nWhat it was stands in errors.log."
    text = log.read_text()
    assert text.count("Traceback") == 1
    assert "in tick" in text
    assert "the camera [b]burns[/b]" in text
    screen.app.errors.text = ""
    presenter.shown = play_view(state_after(62, 2), prompt="Still here")
    screen.until(lambda: screen.app.screens.current_screen.ids.prompt.text == "Still here")
    assert screen.app.errors.text == ""  # closed, and not opened again by the same error
    now[0] = 11.0
    screen.until(lambda: screen.app.errors.text != "")
    assert log.read_text().count("Traceback") == 2


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a file that is always full")
def test_an_error_that_cannot_be_written_down_is_shown_all_the_same(start, presenter, capfd):
    screen = start(presenter, error_log=Path("/dev/full"))
    screen.app.report_error(ValueError("the disk is full"))
    screen.frames()
    assert screen.app.errors.text.startswith("Something went wrong; the game goes on.")
    assert "Traceback" not in capfd.readouterr().err


def test_never_are_two_screens_in_one_frame(start, presenter):
    screen = start(presenter)
    for go in (partial(screen.app.open, "score"), screen.app.back, partial(screen.app.open, "score"), screen.app.home):
        go()
        screens = screen.app.screens
        assert screens.children == [screens.current_screen]
        assert not screens.transition.is_active
        screen.frames(1)
        assert screens.children == [screens.current_screen]


@pytest.mark.parametrize("part", ["close", "message"])
def test_the_error_panel_is_closed_by_a_touch(part, start, presenter):
    screen = start(presenter)
    screen.app.report_error(ValueError("once"))
    screen.frames()
    screen.tap(next(screen.all(type(screen.app.errors))).ids[part])
    assert screen.app.errors.text == ""
    assert presenter.asked == []


def test_an_error_is_told_in_plain_words_and_not_on_other_screens(start, presenter):
    screen = start(presenter)
    screen.app.report_error(OSError(28, "No space left on device", "/somewhere/games.sqlite3"))
    assert screen.app.errors.text == "Something went wrong; the game goes on.\nNo space left on device"
    screen.app.report_error(SessionError("there is nothing to undo"))
    assert screen.app.errors.text.endswith("\nThere is nothing to undo.")
    screen.app.open("score")
    assert screen.app.errors.text == ""


def test_the_keyboard_on_the_screen_has_the_letters_of_the_language_chosen_last(start, presenter):
    from kivy.core.window import Window
    from kivy.uix.label import Label

    from ui.drawing.fonts import READING, WIDEST
    from ui.services.text import use_language

    screen, layouts = start(presenter), []
    try:
        for language in ("en", "de", "it", "en"):
            use_language(language)
            keyboard = Window.request_keyboard(lambda: None, screen.app.root)
            screen.frames(1)
            assert keyboard.widget.layout in keyboard.widget.available_layouts
            layouts.append(keyboard.widget.layout)
            keys = [each for each in keyboard.widget.children if isinstance(each, Label)]
            assert len(keys) > 30
            assert {each.font_name for each in keys} == {READING, WIDEST}
            keyboard.release()
    finally:
        use_language("en")
    assert layouts == ["en", "de", "it", "en"]


@pytest.mark.parametrize(("low", "is_hidden"), [(0.05, True), (0.9, False)])
def test_the_keyboard_on_the_screen_never_hides_what_is_written_into(low, is_hidden, start, presenter):
    from kivy.core.window import Window
    from kivy.uix.textinput import TextInput

    screen = start(presenter)
    field = TextInput(size_hint=(0.3, 0.08), pos_hint={"x": 0, "y": low}, multiline=False)
    screen.app.screens.current_screen.add_widget(field)
    screen.frames(2)
    keyboard = Window.request_keyboard(lambda: None, field)
    screen.frames(3)
    top = keyboard.widget.height * keyboard.widget.scale
    assert field.to_window(*field.pos)[1] >= top
    assert field.to_window(*field.pos)[1] + field.height <= Window.height
    assert (screen.app.root.y > 0) is is_hidden
    keyboard.release()
    screen.frames(2)
    assert screen.app.root.y == 0


def test_the_error_panel_is_not_in_the_way_while_empty(start, presenter):
    from ui.screens.play_filling import BigButton

    screen = start(presenter)
    for button in list(screen.all(BigButton)):
        screen.tap(button)
    assert len(presenter.asked) == 3


def test_a_screenshot_is_written_where_it_is_asked_for(start, presenter, tmp_path):
    screen = start(presenter)
    path = tmp_path / "new {folder}" / "play.png"
    for _ in range(2):
        assert screen.picture(path) == path
    assert [file.name for file in path.parent.iterdir()] == ["play.png"]
    assert path.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    size = int.from_bytes(path.read_bytes()[16:20]), int.from_bytes(path.read_bytes()[20:24])
    assert size == SIZE


def test_it_closes_once_however_often_kivy_says_so(start, presenter):
    closed = []
    screen = start(presenter, on_close=lambda: closed.append(1))
    for _ in range(3):
        screen.app.dispatch("on_stop")
    assert closed == [1]


SCRIPT = """
from pathlib import Path
import sys
from functools import partial
from ui.application import bootstrap
bootstrap.prepare(Path(sys.argv[1]), size=(800, 480), offscreen=True)
from tests.ui.conftest import SIZE
from tests.ui.tables import RecordingPresenter, play_view, state_after
from ui.application.app import CompanionApp
ticks = []
def tick():
    ticks.append(1)
    if len(ticks) == 2:
        raise LookupError("second tick")
    if len(ticks) == 5:
        app.save_screenshot(Path(sys.argv[1]) / "end.png")
        app.stop()
app = CompanionApp(RecordingPresenter(play_view(state_after(60, 2))), tick, lambda: print("closed"),
                   error_log=Path(sys.argv[1]) / "errors.log")
app.run()
print(len(ticks))
"""


def test_a_whole_run_survives_an_error_and_ends_cleanly(tmp_path):
    root = Path(__file__).resolve().parents[2]
    finished = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(tmp_path)],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert (finished.returncode, finished.stdout.split(), finished.stderr) == (0, ["closed", "5"], "")
    assert "LookupError: second tick" in (tmp_path / "errors.log").read_text()
    assert (tmp_path / "end.png").stat().st_size > 10_000
