"""A game clicked in a real window: an X server of its own, a mouse of xdotool, from the first screen to the last."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from companion.session.session import Session
from companion.session.store import Store
from tests.ui.clicked_app import STORE

MARKS = [
    pytest.mark.display,
    pytest.mark.skipif(not shutil.which("Xvfb") or not shutil.which("xdotool"), reason="needs Xvfb and xdotool"),
]
"""of the modules that click"""
MOST_CLICKS = 3000
MOST_TAPS = 3
"""to do any one action"""
NOT_LOOKED_AT = {"LP_NO_RAST": "true", "SDL_MOUSE_FOCUS_CLICKTHROUGH": "1"}
"""Everything is drawn, but Mesa's software works out no pixels, a third of a game's time. The first click comes sooner,
perhaps with the window's focus: SDL would keep it to itself."""
LARGE, SMALL = (1280, 800), (800, 480)
"""pixels of a tablet's screen, and of the smallest that is sold with a touch panel"""


@contextmanager
def x_server(size: tuple[int, int] = LARGE) -> Iterator[str]:
    """The name of an X server with a screen of `size` pixels."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", f"{size[0]}x{size[1]}x24", "-nolisten", "tcp", "-noreset"],
        pass_fds=(writing,), stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        try:
            yield f":{number}"
        finally:
            server.terminate()


def check_clicked_game(words: str, folder: Path, size: tuple[int, int]) -> None:
    """Click a game of these options of the demo to its end: no touch is idle, and the store has what was played."""
    with x_server(size) as display:
        played = clicked(words, display, folder, size)
    assert not played["idle"], played["idle"]
    with Store(folder / STORE) as store:
        session = Session.open(store, played["game"])
        assert session.is_over
        assert len(session.moves) == played["actions"]
        assert list(session.scores().totals) == played["totals"]
    assert played["scrolls"] == 0
    assert played["most_taps"] <= MOST_TAPS, played["most_taps_for"]


def clicked(words: str, display: str, folder: Path, size: tuple[int, int]) -> dict[str, Any]:
    """What came of a game that is clicked as the app itself tells."""
    environment = os.environ | NOT_LOOKED_AT | {"DISPLAY": display}
    environment.pop("SDL_VIDEODRIVER", None)
    command = [sys.executable, "-m", "tests.ui.clicked_app", words, *map(str, size), str(folder)]
    with (
        subprocess.Popen(["xdotool", "-"], env=environment, stdin=subprocess.PIPE, text=True) as mouse,
        subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as app,
    ):
        assert app.stdout is not None
        assert mouse.stdin is not None
        for line, _count in zip(app.stdout, range(MOST_CLICKS), strict=False):
            if line.startswith("over"):
                break
            x, y, button = line.split()
            mouse.stdin.write(f"mousemove {x} {y} click {button}\n")
            mouse.stdin.flush()
        else:
            app.terminate()
            raise AssertionError("the game did not come to its end")
        mouse.stdin.close()
    return json.loads(line.removeprefix("over "))
