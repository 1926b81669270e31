"""An app that is led from scene to scene. Importing this opens the window."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from kivy.base import EventLoop
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.lang import Builder

from companion.board.layout import EMPTY
from companion.session.observation import Observation
from companion.session.session import Session
from scripts.pictures.prepared import Prepared
from ui.application.app import CompanionApp
from ui.services.settings import Settings
from ui.services.text import _, language_in_use
from ui.widgets.board_view import BoardView
from ui.widgets.chips import chip_art
from ui.widgets.pictures import gallery
from ui.widgets.scale import scale

PATIENCE, BETWEEN_LOOKS, SETTLING_FRAMES = 60.0, 0.01, 4
"""seconds until waiting is given up, seconds between two looks, frames in which layouts come to rest"""


def _is_shown_board(widget: Any) -> bool:
    return isinstance(widget, BoardView) and widget.board is not None and min(widget.size) > 1


class Visit:
    """One app that is led from scene to scene."""

    def __init__(self, app: CompanionApp, prepared: Prepared) -> None:
        self.app, self.prepared = app, prepared

    @property
    def screen(self) -> Any:
        """The screen that is shown."""
        return self.app.screens.current_screen

    @property
    def form(self) -> Any:
        """The form model of the screen, if it is a form."""
        return self.screen.form

    def dress(self, language: str, theme: str = "marble") -> None:
        """Show everything in a language and a theme from now on."""
        settings = self.app.shell.settings
        if (language, theme) != (language_in_use(), settings.theme):
            self.app.home()
            self.app.shell.leave_table()
            self.app.shell.change_settings(Settings(language, theme=theme))
            self.app.rebuild()

    def go(self, scene: Callable[[Visit], None]) -> None:
        """Show a scene, beginning at the start screen with no table open."""
        self.app.home()
        self.app.errors.text = ""
        self.app.shell.leave_table()
        self.app.shell.devices.use_camera("")
        scene(self)
        self.lay_out()

    def lay_out(self, frames: int = SETTLING_FRAMES) -> None:
        """Run the layouts to their end without drawing."""
        for _frame in range(frames):
            for step in (Clock.tick, Builder.sync, Clock.tick_draw, Builder.sync):
                step()

    def settle(self, frames: int = SETTLING_FRAMES) -> None:
        """Let layouts come to rest, drawing so many frames."""
        for _frame in range(frames):
            Window.canvas.ask_update()
            EventLoop.idle()
            Window.mainloop()

    def print_boards(self) -> None:
        """Let time pass until every board on the screen is drawn with its printed art."""
        self.until(lambda: all(board.is_printed for board in self.screen.walk() if _is_shown_board(board)))
        self.settle()
        self.until(lambda: not (chip_art.is_busy or gallery.is_busy))

    def until(self, condition: Callable[[], bool]) -> None:
        """Let time pass for processes and threads beside the window.

        Raises TimeoutError.
        """
        deadline = time.monotonic() + PATIENCE
        while not condition():
            if time.monotonic() > deadline:
                raise TimeoutError(f"nothing happened on {self.app.screens.current}")
            self.app.shell.tick()
            self.app.refresh()
            self.lay_out(1)
            Window.mainloop()
            time.sleep(BETWEEN_LOOKS)  # drawing meanwhile would take the processor from what is waited for

    def undo_until(self, session: Session, is_wanted: Callable[[], bool]) -> None:
        """Take entries back until what is wanted has come.

        Raises LookupError where it never does.
        """
        while not is_wanted():
            if session.can_undo() is None:
                raise LookupError(f"no position of {session.table.game} that is wanted on {self.app.screens.current}")
            session.undo()

    def resize(self, size: tuple[int, int], text_size: float) -> None:
        """Another window, other texts. The window never grows beyond the size it was opened with."""
        scale.reader = text_size
        if tuple(Window.size) != size:
            told: list[tuple[int, int]] = []

            def tell(_window: Any, *now: int) -> None:
                told.append(now)

            Window.bind(on_pre_resize=tell)
            Window.size = size
            while len(told) < 2:  # Kivy tells it at once, and again when the window system has done it
                Clock.tick()
                Window.mainloop()
            Window.unbind(on_pre_resize=tell)

    def play(self, game: str) -> Any:
        """Open the unfinished game; gives its presenter."""
        self.app.open_table(self.app.shell.resume(self.prepared.begun[game]))
        return self.app.presenter

    def finish(self, game: str) -> Any:
        """Open the finished game; gives its presenter."""
        self.app.open_table(self.app.shell.resume(self.prepared.over[game]))
        return self.app.presenter

    def see(self, presenter: Any, changes: dict[str, str]) -> None:
        """Have a camera see the table as it is recorded but for `changes`, in three quiet moments."""
        look = dict(presenter.session.game.appearance(presenter.session.state)) | changes
        presenter.devices.tell("camera", _("ready"), ok=True)
        for number in range(3):
            posteriors: dict[str, dict[str, float]] = {
                spot: {look.get(spot, EMPTY): 1.0} for sheet in presenter.board.sheets for spot in sheet.spots
            }
            seen = Observation(presenter.board.id, number, time.monotonic() + number, posteriors)
            presenter.on_observation(seen)
        self.app.refresh()

    def touch(self, *touches: tuple[str, str]) -> None:
        """Touch what the form offers."""
        for key, value in touches:
            self.form.touch(key, value)
        self.screen.update()

    def choose_photograph(self) -> None:
        """Choose a file of the prepared folder."""
        self.touch(("files", "open end.png"))
