"""The demo in a window. Importing this opens it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

from ui.application import bootstrap
from ui.services.folders import cache_folder, state_folder

if TYPE_CHECKING:
    from ui.shell.table_loop import TableLoop
    from ui.simulated_table.demo_pictures import Pictures
    from ui.simulated_table.director import Director

DRAWN = 0.1
"""seconds after which a change of the view has surely been drawn"""
SHOWN = 1.5
"""seconds after the end until the score sheet is surely shown, and photographed"""
PATIENCE = 3.0
"""seconds that the players wait for a picture"""


def show(loop: TableLoop, director: Director, pictures: Pictures, linger: float) -> None:
    """Show the table until the window is closed, or `linger` seconds after the game is over if nobody touches it."""
    bootstrap.prepare(cache_folder() / "kivy")
    from kivy.clock import Clock
    from kivy.core.window import Window

    from ui.application.app import CompanionApp

    ended = False

    def tick() -> None:
        nonlocal ended
        loop.tick()
        if director.done.is_set() and not ended:
            ended = True
            Clock.schedule_once(lambda _elapsed: take_end(), SHOWN)
            stay = linger if bootstrap.is_seen() else 0.0
            leaving = Clock.schedule_once(lambda _elapsed: app.stop(), 2 * SHOWN + stay)
            for sign in ("on_touch_down", "on_key_down"):  # somebody is there: the window is closed by hand
                Window.bind(**{sign: lambda *_event: leaving.cancel()})

    app = CompanionApp(loop.presenter, tick, error_log=state_folder() / "errors.log")

    def take(path: Path, taken: threading.Event) -> None:
        pictures.written.append(app.save_screenshot(path))
        taken.set()

    def take_end() -> None:
        """Photograph the score sheet, with all places at once."""
        if app.screens.current == "score":
            app.screens.current_screen.show_all()
        Clock.schedule_once(lambda _elapsed: take(pictures.score_path, threading.Event()), DRAWN)

    def screenshot(path: Path) -> None:
        """For the players' thread: asks the window's thread, two frames later, and waits."""
        taken = threading.Event()
        loop.post(lambda: Clock.schedule_once(lambda _elapsed: take(path, taken), DRAWN))
        taken.wait(PATIENCE)

    pictures.screenshot = screenshot
    app.run()
