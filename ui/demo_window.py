"""The demo in a window. Importing this opens it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ui import bootstrap
from ui.folders import cache_folder, state_folder

if TYPE_CHECKING:
    from ui.demo import Pictures
    from ui.evening import Evening
    from ui.simulated_table.director import Director

LINGER = 3.0
"""seconds the score sheet stays before the demo ends by itself"""


def show(evening: Evening, director: Director, pictures: Pictures) -> None:
    """Show the evening until the game is over and its score was seen, or the window is closed."""
    bootstrap.prepare(cache_folder() / "kivy")
    from kivy.clock import Clock

    from ui.app import CompanionApp

    ended = False

    def tick() -> None:
        nonlocal ended
        evening.tick()
        if director.done.is_set() and not ended:
            ended = True
            Clock.schedule_once(lambda _elapsed: pictures.ended(), LINGER / 2)
            Clock.schedule_once(lambda _elapsed: app.stop(), LINGER)

    app = CompanionApp(evening.presenter, tick, error_log=state_folder() / "errors.log")

    def take(path: Path) -> None:
        pictures.written.append(app.save_screenshot(path))

    def screenshot(path: Path) -> None:
        evening.post(lambda: Clock.schedule_once(lambda _elapsed: take(path), 0))

    pictures.screenshot = screenshot
    app.run()
