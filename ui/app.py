"""The Kivy app: screens over one presenter. Who builds camera, boxes and session is elsewhere; this only shows them.

Importing this module opens the window: call `ui.bootstrap.prepare` first.
"""

from __future__ import annotations

import logging
import shutil
import tempfile
import time
from collections.abc import Callable
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import NoTransition, ScreenManager

from companion.session.intents import IntentKind
from ui.presentation import TablePresenter
from ui.screens.play import PlayScreen
from ui.screens.score import ScoreScreen
from ui.screens.start import StartScreen
from ui.text import _
from ui.theme import MARBLE
from ui.viewmodels import OfferView
from ui.widgets.controls import load_layout
from ui.widgets.scale import scale

TICKS = 20
"""times a second that the queues are drained and the screen is brought up to date"""

QUIET_SECONDS = 10.0
"""after which an error that comes again is told again"""

ENTER, NUMPAD_ENTER, SPACE, TAB, ESCAPE, F1 = 13, 271, 32, 9, 27, 282
KEYS = {
    ENTER: IntentKind.DONE,
    NUMPAD_ENTER: IntentKind.DONE,
    SPACE: IntentKind.DONE,
    ord("n"): IntentKind.NO,
    TAB: IntentKind.NEXT,
    ord("h"): IntentKind.HELP,
    F1: IntentKind.HELP,
}
CONTROL_KEYS = {ord("z"): IntentKind.UNDO, ord("y"): IntentKind.REDO}

_log = logging.getLogger("companion.screen")


class ErrorPanel(FloatLayout):
    """Says over everything else that something failed, until it is closed; it blocks nothing beside it."""

    text = StringProperty()


class _KeepsRunning(ExceptionHandler):
    """Hands an error to the app instead of ending it; a wish to end the program is none."""

    def __init__(self, report: Callable[[Exception], None]) -> None:
        super().__init__()
        self._report = report

    def handle_exception(self, exception: BaseException) -> int:
        """Report an error and go on."""
        if not isinstance(exception, Exception):
            return int(ExceptionManager.RAISE)
        self._report(exception)
        return int(ExceptionManager.PASS)


class CompanionApp(App):
    """Shows a presenter's table, or first the offers of games to play if there is none yet.

    `tick` is called TICKS times a second on the main thread, `on_close` once as the app ends. `on_offer` gives the
    presenter for the key of a chosen offer. Errors in callbacks are written to `error_log` and shown; the app goes on.
    """

    def __init__(
        self,
        presenter: TablePresenter | None,
        tick: Callable[[], None],
        on_close: Callable[[], None] | None = None,
        *,
        title: str = "Roman Table Companion",
        offers: tuple[OfferView, ...] = (),
        on_offer: Callable[[str], TablePresenter] | None = None,
        error_log: Path | None = None,
    ) -> None:
        super().__init__(title=title)
        self.presenter = presenter
        self._tick, self._on_close = tick, on_close
        self._offers, self._on_offer = offers, on_offer
        self._error_log = error_log
        self._keeps_running = _KeepsRunning(self.report_error)
        self._log_file: logging.Handler | None = None
        self._ticking: Any = None
        self._latest_error = ("", 0.0)
        self._was_final = False
        self._held_keys: set[int] = set()

    def build(self) -> FloatLayout:
        """The widget tree: the screens, and over them a place for errors."""
        Window.clearcolor = (*MARBLE, 1)
        scale.follow(Window)
        self.screens = ScreenManager(transition=NoTransition())
        self.errors = ErrorPanel()
        root = FloatLayout()
        root.add_widget(self.screens)
        root.add_widget(self.errors)
        if self.presenter is not None:
            self.open_table(self.presenter)
        else:
            self.screens.add_widget(StartScreen(self.title, self._offers, self._choose_offer, name="start"))
        return root

    def open_table(self, presenter: TablePresenter) -> None:
        """Show another table from now on."""
        self.presenter = presenter
        self.screens.clear_widgets()
        self._was_final = False
        play = PlayScreen(presenter, self.refresh, name="play")
        play.ids.score.bind(on_release=lambda _press: self.show_screen("score"))
        self.screens.add_widget(play)
        self.refresh()

    def show_screen(self, name: str) -> None:
        """Switch to the screen "play" or "score" of the open table."""
        self._switch_to(name)
        self.refresh()

    def refresh(self) -> None:
        """Bring the screen up to date with the presenter; the score screen appears once the score is final."""
        if self.presenter is None:
            return
        view = self.presenter.view()
        is_final = view.score is not None and view.score.final
        if is_final and not self._was_final:
            self._switch_to("score")
        self._was_final = is_final
        self.screens.current_screen.show(view)

    def report_error(self, error: Exception) -> None:
        """Write an error to the log file and show it; one that keeps repeating only the first time."""
        text, now = f"{type(error).__name__}: {error}", time.monotonic()
        is_new = text != self._latest_error[0] or now - self._latest_error[1] > QUIET_SECONDS
        self._latest_error = text, now
        if is_new:
            _log.error("%s", text, exc_info=error)
            where = f"\n{self._error_log}" if self._error_log is not None else ""
            self.errors.text = _("Something went wrong; the game goes on.") + f"\n{text}{where}"

    def save_screenshot(self, path: Path) -> Path:
        """Write what the window shows to a PNG file, replacing one that is there."""
        with tempfile.TemporaryDirectory() as folder:
            taken = Window.screenshot(name=str(Path(folder) / "window.png"))
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.move(taken, path)
        return path

    def on_start(self) -> None:
        """Begin to listen and to tick."""
        if self._error_log is not None:
            self._error_log.parent.mkdir(parents=True, exist_ok=True)
            self._log_file = RotatingFileHandler(
                self._error_log, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True
            )
            self._log_file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
            _log.addHandler(self._log_file)
        ExceptionManager.add_handler(self._keeps_running)
        Window.bind(on_key_down=self._on_key_down, on_key_up=self._on_key_up)
        self._ticking = Clock.schedule_interval(self._on_tick, 1 / TICKS)

    def on_stop(self) -> None:
        """Stop listening and ticking. Kivy may call this more than once."""
        if self._ticking is None:
            return
        self._ticking.cancel()
        self._ticking = None
        Window.unbind(on_key_down=self._on_key_down, on_key_up=self._on_key_up)
        ExceptionManager.remove_handler(self._keeps_running)
        if self._log_file is not None:
            _log.removeHandler(self._log_file)
            self._log_file.close()
        if self._on_close is not None:
            self._on_close()

    def open_settings(self, *_arguments: Any) -> bool:
        """Keep F1 for help: Kivy's own settings are not for players."""
        return True

    def _switch_to(self, name: str) -> None:
        if name == "score" and self.presenter is not None and not self.screens.has_screen(name):
            back = partial(self.show_screen, "play")
            self.screens.add_widget(ScoreScreen(self.presenter, self.refresh, back, name=name))
        self.screens.current = name

    def _choose_offer(self, key: str) -> None:
        if self._on_offer is not None:
            self.open_table(self._on_offer(key))

    def _on_tick(self, _elapsed: float) -> None:
        for step in (self._tick, self.refresh):
            try:
                step()
            except Exception as error:  # noqa: BLE001  # Kivy never again calls an interval that raised
                self.report_error(error)

    def _on_key_down(self, _window: Any, key: int, _scancode: int, _text: str | None, modifiers: list[str]) -> bool:
        """A key is one press, however long it is held."""
        if key in self._held_keys:
            return key in KEYS
        self._held_keys.add(key)
        screen = self.screens.current
        if screen == "score" and key in (ESCAPE, ENTER, SPACE):
            self.show_screen("play")
            return True
        kind = (CONTROL_KEYS if "ctrl" in modifiers else KEYS).get(key)
        if screen != "play" or kind is None or "alt" in modifiers:
            return False
        self.screens.current_screen.wish(kind.value)
        return True

    def _on_key_up(self, _window: Any, key: int, *_rest: Any) -> None:
        self._held_keys.discard(key)


load_layout(__file__)
