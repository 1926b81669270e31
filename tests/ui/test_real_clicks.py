"""Real clicks in a real window: an X server of its own, xdotool's mouse, each game to its final score.

The last actions of a game only, unless COMPANION_WHOLE_GAMES is set: then all of them (some minutes a game).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.engine import scores
from tests.ui.clicked_app import played_actions
from tests.ui.test_demo_games import new_presenter

pytestmark = [
    pytest.mark.display,
    pytest.mark.skipif(not shutil.which("Xvfb") or not shutil.which("xdotool"), reason="needs Xvfb and xdotool"),
]

WHOLE = "COMPANION_WHOLE_GAMES"
LAST_ACTIONS = 3
MOST_CLICKS = 6000
GAMES = ("city_of_marble", "capitol", "aqua_romana", "thurn_and_taxis --set-up modules=both")


@pytest.fixture(scope="module")
def display() -> Iterator[str]:
    """An X server's name."""
    reading, writing = os.pipe()
    with subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp"],
        pass_fds=(writing,), stderr=subprocess.DEVNULL,
    ) as server:  # fmt: skip
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        yield f":{number}"
        server.terminate()


@pytest.mark.parametrize("words", GAMES)
def test_a_game_is_clicked_to_its_final_score(words: str, display: str, tmp_path: Path) -> None:
    remaining = 0 if os.environ.get(WHOLE) else LAST_ACTIONS
    environment = os.environ | {"DISPLAY": display}
    environment.pop("SDL_VIDEODRIVER", None)
    command = [sys.executable, "-m", "tests.ui.clicked_app", words, str(remaining), str(tmp_path)]
    clicks, over = 0, ""
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as app:
        assert app.stdout is not None
        for line in app.stdout:
            if line.startswith("over"):
                over = line.strip()
                break
            x, y, button = line.split()
            subprocess.run(["xdotool", "mousemove", x, y, "click", button], env=environment, check=True)
            clicks += 1
            if clicks > MOST_CLICKS:
                app.terminate()
    assert over == f"over {sorted(totals(words))}"
    assert clicks >= LAST_ACTIONS


def totals(words: str) -> tuple[int, ...]:
    """The points with which the simulated players' game ends."""
    presenter = new_presenter(words)
    for action in played_actions(words):
        presenter.act(action)
    return scores(presenter.session.game, presenter.session.state).totals
