"""The app itself, opened as `companion` opens it; prints the size of its window in pixels whenever a frame was drawn.

A program of its own: `python -m tests.ui.opened_app [--fullscreen]`.
"""

from __future__ import annotations

import sys
from typing import Any

from ui.application import play
from ui.command_line import main

run = play._run


def run_and_tell(app: Any) -> None:
    from kivy.core.window import Window

    Window.bind(on_flip=lambda window: sys.stdout.write("{} {}\n".format(*window.system_size)) and sys.stdout.flush())
    run(app)


if __name__ == "__main__":
    play._run = run_and_tell
    sys.exit(main(sys.argv[1:]))
