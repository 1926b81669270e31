"""The Kivy app: it changes screens, passes keys on, shows errors and ticks. Table and devices are built elsewhere.

Importing this module opens the window: call `ui.application.bootstrap.prepare` first.
"""

from __future__ import annotations

import logging
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.base import ExceptionHandler, ExceptionManager
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.graphics.opengl import glFinish
from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.screenmanager import ScreenManager, TransitionBase

from companion.errors import CompanionError
from companion.files.whole_files import write_whole
from ui.application.bootstrap import limit_size
from ui.application.navigation import Navigation, Visit
from ui.drawing import theme
from ui.screens.registry import screen_class
from ui.services.graphics import has_graphics_processor
from ui.services.settings import Settings
from ui.services.text import _, error_sentence
from ui.shell.phones import PhoneSwitch
from ui.shell.presentation import TablePresenter
from ui.shell.publishing import TablePublishing
from ui.shell.shell import Shell
from ui.widgets.controls import load_layout
from ui.widgets.focus import KeyboardFocus
from ui.widgets.ground import Ground
from ui.widgets.lighter_kivy import let_go
from ui.widgets.scale import scale
from ui.widgets.screen_keyboard import ScreenKeyboard

ICON = Path(theme.__file__).parent / "icon" / "companion.png"
TICKS = 30
"""how often a second the app drains the queues and updates the screen"""

QUIET_SECONDS = 10.0
"""seconds after which a repeated error is shown again"""

ESCAPE = 27
F11 = 292
"""key codes, as Kivy has them"""

_log = logging.getLogger("companion.screen")


class AtOnce(TransitionBase):
    """Puts the next screen in the place of the one before. Kivy's own shows both in a frame, which lasts where the next
    screen takes long to draw.
    """

    def start(self, manager: ScreenManager) -> None:
        """Change the screens, and tell both of it as any transition does."""
        self.manager = manager
        self.add_screen(self.screen_in)
        self.screen_in.dispatch("on_pre_enter")
        self.screen_out.dispatch("on_pre_leave")
        self.screen_in.pos = self.screen_out.pos = manager.pos
        self.dispatch("on_complete")
        self.screen_in.dispatch("on_enter")
        self.screen_out.dispatch("on_leave")


class ErrorPanel(FloatLayout):
    """A message over a screen that something failed; it goes when touched or when the screen is left, and blocks
    nothing else.
    """

    text = StringProperty()

    def on_touch_down(self, touch: Any) -> bool:
        """Close the message when it is touched anywhere; without one, touches go to what lies below."""
        if self.text and self.ids.panel.collide_point(*touch.pos):
            self.text = ""
            return True
        return False


class _KeepsRunning(ExceptionHandler):
    """Passes exceptions of Kivy callbacks to the app, which goes on; requests to end the program are not caught."""

    def __init__(self, report: Callable[[Exception], None]) -> None:
        super().__init__()
        self._report = report

    def handle_exception(self, exception: BaseException) -> int:
        """Report an error and go on."""
        if not isinstance(exception, Exception):
            return int(ExceptionManager.RAISE)
        self._report(exception)
        return int(ExceptionManager.PASS)


class _ErrorLog(RotatingFileHandler):
    """A log file that never reports its own failures: with a full disk the message on the screen must do."""

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802  as logging calls it
        """Leave the record out."""

    def close(self) -> None:
        """Drop records that could not be written before."""
        with suppress(OSError):
            super().close()


class CompanionApp(App):
    """Shows a presenter's table, or the shell's screens from the start screen on.

    `tick` is called TICKS times a second on the main thread, `on_close` once as the app ends. Errors in callbacks are
    written to `error_log` and shown; the app goes on. `settings` are for an app without a shell, which has its own;
    `clock` gives monotonic seconds.
    """

    def __init__(
        self,
        presenter: TablePresenter | None,
        tick: Callable[[], None],
        on_close: Callable[[], None] | None = None,
        *,
        title: str = "Roman Table Companion",
        shell: Shell | None = None,
        settings: Settings | None = None,
        error_log: Path | None = None,
        phones: PhoneSwitch | None = None,
        publishing: TablePublishing | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(title=title)
        self.icon = str(ICON)
        self._presenter, self._shell, self._phones = presenter, shell, phones
        self._publishing = publishing
        self._settings = settings
        self._tick, self._on_close = tick, on_close
        self._error_log, self._clock = error_log, clock
        self._keeps_running = _KeepsRunning(self.report_error)
        self._log_file: logging.Handler | None = None
        self._ticking: Any = None
        self._latest_error = ("", 0.0)
        self._was_final = False
        self._held_keys: set[int] = set()
        self._built: dict[Visit, Any] = {}
        self.navigation = Navigation("start" if presenter is None else "play")

    @property
    def presenter(self) -> TablePresenter:
        """The table that is open.

        Raises LookupError if none is open.
        """
        if self._presenter is None:
            raise LookupError("no table is open")
        return self._presenter

    @property
    def shell(self) -> Shell:
        """The shell: store, settings and devices.

        Raises LookupError if the app shows only one table.
        """
        if self._shell is None:
            raise LookupError("there is one table and nothing around it")
        return self._shell

    @property
    def settings(self) -> Settings:
        """The settings in use."""
        return self._shell.settings if self._shell is not None else self._settings or Settings()

    @property
    def has_shell(self) -> bool:
        """Whether there is more than one table."""
        return self._shell is not None

    @property
    def phones(self) -> PhoneSwitch | None:
        """What lets phones come to the table; None where nothing does."""
        return self._shell.phones if self._shell is not None else self._phones

    @property
    def publishing(self) -> TablePublishing | None:
        """What tells an organiser about the table; None where nothing does."""
        return self._shell.publishing if self._shell is not None else self._publishing

    def build(self) -> FloatLayout:
        """The widget tree: the screens, and over them a place for errors."""
        scale.follow(Window)
        Window.set_vkeyboard_class(ScreenKeyboard)
        self._root = FloatLayout()
        self.focus = KeyboardFocus()
        self._dress()
        if self._shell is not None and self._shell.notice:
            self.errors.text = self._shell.notice
        return self._root

    def open_table(self, presenter: TablePresenter) -> None:
        """Show another table from now on."""
        self._presenter = presenter
        self._was_final = False
        self.navigation.home()
        self.open("play", game=presenter)

    def open(self, screen: str, **arguments: Any) -> None:
        """Go to a screen of the registry; it is built with these arguments."""
        self.navigation.open(screen, **arguments)
        self._arrive()

    def back(self) -> None:
        """Go where the user came from."""
        self.navigation.back()
        self._arrive()

    def home(self) -> None:
        """Go to the first screen."""
        self.navigation.home()
        self._arrive()

    def rebuild(self) -> None:
        """Build all screens anew after the language or the theme changed."""
        self._leave(self._built)
        self._dress()

    def refresh(self) -> None:
        """Bring the current screen up to date; the score screen appears once the score is final."""
        if self._presenter is not None and self.screens.current == "play":
            score = self._presenter.view().score
            is_final = score is not None and score.final
            is_new, self._was_final = is_final and not self._was_final, is_final
            if is_new:
                self.open("score", reveal=True)
                return
        self.screens.current_screen.refresh()

    def report_error(self, error: Exception) -> None:
        """Write an error to the log file and show it; of a repeating error only the first occurrence."""
        text = str(error) if isinstance(error, CompanionError | OSError) else f"{type(error).__name__}: {error}"
        now = self._clock()
        is_new = text != self._latest_error[0] or now - self._latest_error[1] > QUIET_SECONDS
        self._latest_error = text, now
        if is_new:
            _log.error("%s", text, exc_info=error)
            reason = error_sentence(error) if isinstance(error, CompanionError) else getattr(error, "strerror", None)
            lines = [_("Something went wrong; the game goes on."), reason or ""]
            if not reason and self._error_log is not None:
                lines[1] = _("What it was stands in {file}.").format(file=self._error_log.name)
            self.errors.text = "\n".join(filter(None, lines))

    def save_screenshot(self, path: Path) -> Path:
        """Write what the window shows to a PNG file, replacing one that is there."""
        with tempfile.TemporaryDirectory() as folder:
            taken = Window.screenshot(name=str(Path(folder) / "window.png"))
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, Path(taken).read_bytes())
        return path

    def on_start(self) -> None:
        """Begin to listen and to tick."""
        if self._error_log is not None:
            self._error_log.parent.mkdir(parents=True, exist_ok=True)
            self._log_file = _ErrorLog(self._error_log, maxBytes=1_000_000, backupCount=1, encoding="utf-8", delay=True)
            self._log_file.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
            _log.addHandler(self._log_file)
        ExceptionManager.add_handler(self._keeps_running)
        Window.bind(on_key_down=self._on_key_down, on_key_up=self._on_key_up, on_flip=self._on_first_flip)
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
        for screen in self._built.values():
            screen.close()
        if self._on_close is not None:
            self._on_close()

    def open_settings(self, *_arguments: Any) -> bool:
        """Keep F1 for help: Kivy's own settings are not for players."""
        return True

    def _dress(self) -> None:
        """Build the parts around all screens in the current language and theme."""
        if self._shell is not None or self._settings is not None:
            theme.use_theme(self.settings.theme)
            scale.reader = self.settings.text_size
            Window.rotation = 180 if self.settings.flipped else 0
            Window.update_viewport()  # Kivy turns what is drawn only where the size changes, too
        Window.clearcolor = (*theme.TABLE, 1)
        self.screens = ScreenManager(transition=AtOnce(), pos_hint={"x": 0, "y": 0})
        self.errors = ErrorPanel()
        self._root.clear_widgets()
        for layer in (Ground(), self.screens, self.errors, self.focus):
            self._root.add_widget(layer)
        self._arrive()

    def _arrive(self) -> None:
        """Show the current screen and close those that are no longer on the navigation stack."""
        place = self.navigation.current
        stack = self.navigation.stack
        self._leave([left for left in self._built if left not in stack])
        if place not in self._built:
            screen = screen_class(place.screen)(self, name=place.screen, **place.arguments)
            self._built[place] = screen
            self.screens.add_widget(screen)
        self.screens.current = place.screen
        self.errors.text = ""
        self.focus.watch(self.screens.current_screen)
        self.refresh()

    def _leave(self, places: Iterable[Visit]) -> None:
        for place in list(places):
            screen = self._built.pop(place)
            screen.close()
            self.screens.remove_widget(screen)
            let_go(screen)

    def _on_tick(self, _elapsed: float) -> None:
        for step in (self._tick, self.refresh):
            try:
                step()
            except Exception as error:  # noqa: BLE001  # Kivy never again calls an interval that raised
                self.report_error(error)

    def _on_key_down(self, _window: Any, key: int, _scancode: int, _text: str | None, modifiers: list[str]) -> bool:
        """A held key counts as one press. The screen gets the key first, then the keyboard focus."""
        if self.focus.is_writing:
            return False
        if key in self._held_keys:
            return True
        self._held_keys.add(key)
        if key == F11:
            self.show_full_screen(full=not Window.fullscreen)
            return True
        if "alt" in modifiers:
            return False
        asked = (self.screens.current_screen.on_key, self.focus.on_key)
        if any(answers(key, modifiers) for answers in (reversed(asked) if self.focus.presses(key) else asked)):
            return True
        if key == ESCAPE and self.navigation.can_go_back:
            self.back()
            return True
        return False

    def _on_first_flip(self, _window: Any) -> None:
        Window.unbind(on_flip=self._on_first_flip)
        limit_size(Window)

    def show_full_screen(self, *, full: bool) -> None:
        """Fill the screen, or show a window again."""
        Window.fullscreen = "auto" if full else False

    def _on_key_up(self, _window: Any, key: int, *_rest: Any) -> None:
        self._held_keys.discard(key)


load_layout(__file__)

if not has_graphics_processor():
    # Nothing shows what is drawn offscreen, so nothing waits for it: frames would pile up in memory, 5 MB each.
    Window.bind(on_flip=lambda _window: glFinish())
