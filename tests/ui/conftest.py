"""One offscreen window for all tests of screens; an app in it that is advanced frame by frame; the command line."""

import gc
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from tests.ui.chromium import Chromium
from tests.ui.tables import RecordingPresenter
from ui.application import bootstrap
from ui.command_line import main
from ui.screens import settling

Run = Callable[..., tuple[int, str, str]]
QUESTION = 'game = "city_of_marble"\nwards = ["E8-F8 red 1"]\n'
SIZE = (960, 600)
"""of the window as a test begins: as wide for its height as a tablet, and fast to draw"""


@pytest.fixture(scope="session")
def prepared() -> None:
    """Kivy as the program prepares it, in the sandbox of the tests."""
    # An offscreen window never grows beyond the size it was opened with.
    bootstrap.prepare(Path(os.environ["KIVY_HOME"]), size=(1920, 1280), offscreen=True)
    import ui.application.app  # noqa: F401  # and Kivy
    from tests.ui.kept_pictures import keep_pictures

    keep_pictures()
    gc.freeze()  # modules stay to the end: nobody looks for rings of widgets in them


FORGOTTEN_TOGETHER = 12
"""windows of tests after which what is left of them is forgotten"""
_windows = count(1)


def _let_go_since(before: set[int]) -> None:
    """Take the layouts' rules off all widgets that came since, shown or not, as `let_go` does, the oldest first.

    Kivy looks for each rule from the oldest on: of tens of thousands, widgets that are collected have theirs anywhere.
    """
    from kivy.lang import Builder
    from kivy.lang.builder import _handlers
    from kivy.uix.recycleview.views import _view_base_cache
    from kivy.uix.widget import _widget_destructors

    rows = [row for _, row in _widget_destructors.values() if row.__class__ in _view_base_cache]
    kept = before.union(widget.uid for row in rows for widget in row.walk(restrict=True))
    for uid in [each for each in _handlers if each not in kept]:
        Builder.unbind_widget(uid)


@pytest.fixture
def start(prepared: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Any]]:
    """Starts an app over a presenter without blocking; it is stopped after the test.

    Taps of a test follow one another faster than those of a hand, so that the tray takes them at once.
    """
    monkeypatch.setattr(settling, "SETTLING", 0.0)
    from kivy.base import EventLoop, runTouchApp
    from kivy.core.window import Window
    from kivy.lang.builder import _handlers

    from tests.ui.window import Driver
    from ui.application.app import CompanionApp

    drivers, before = [], set(_handlers)

    def begin(presenter: RecordingPresenter | None, tick: Callable[[], None] = lambda: None, **options: Any) -> Driver:
        app = CompanionApp(presenter, tick, **options)
        driver = Driver(app)
        if EventLoop.status != "started":
            runTouchApp(embedded=True)
        driver.resize(*SIZE)  # while nothing is there that would be laid out for the size before
        app._run_prepare()
        drivers.append(driver)
        driver.frames()
        return driver

    yield begin
    for driver in drivers:
        driver.draw()
        driver.app.dispatch("on_stop")
        Window.remove_widget(driver.app.root)
    drivers.clear()
    _let_go_since(before)
    if next(_windows) % FORGOTTEN_TOGETHER == 0:
        gc.collect()  # rings of widgets that nobody shows are still laid out anew with every size of the window


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A browser for all tests of a module."""
    chromium = Chromium()
    yield chromium
    chromium.close()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs the command in this process: exit code, standard output, standard error."""

    def call(*words: object) -> tuple[int, str, str]:
        code = main([str(word) for word in words])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return call


@pytest.fixture
def question(tmp_path: Path) -> Path:
    path = tmp_path / "question.toml"
    path.write_text(QUESTION)
    return path


def is_one_line(text: str) -> bool:
    """Whether this is all that a mistake may print."""
    return text.startswith("companion: ") and text.count("\n") == 1 and text.endswith("\n")
