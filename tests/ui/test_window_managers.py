"""The app opens where window managers do as they like: maximised as it maps, on small screens, on the whole screen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from threading import Timer

import pytest

from tests.ui.clicking import x_server
from ui.services.settings import SETTINGS_FILE, Settings, save_settings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
OPENBOX_MAXIMISED = """<?xml version="1.0" encoding="UTF-8"?>
<openbox_config xmlns="http://openbox.org/3.4/rc"><applications>
<application class="*"><maximized>yes</maximized></application>
</applications></openbox_config>
"""

pytestmark = [
    pytest.mark.display,
    pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb"),
]


def manager(name: str, folder: Path) -> list[str]:
    """The command of a window manager that fills the screen with each window as it maps."""
    if not shutil.which(name):
        pytest.skip(f"needs {name}")
    if name == "openbox":
        (folder / "rc.xml").write_text(OPENBOX_MAXIMISED)
        return [name, "--config-file", str(folder / "rc.xml")]
    return [name, "-use_titlebar", "no"]


@pytest.mark.parametrize(
    ("screen", "with_manager", "words", "window", "busy"),
    [
        ((1920, 1080), "matchbox-window-manager", (), (1920, 1080), 3),
        ((800, 480), "matchbox-window-manager", (), (800, 480), 0),
        ((480, 800), "openbox", (), (480, 800), 0),
        ((1024, 600), "", (), (1024, 600), 0),
        ((1920, 1080), "", (), (1280, 800), 0),
        ((1920, 1080), "", ("--fullscreen",), (1920, 1080), 0),
        ((1280, 800), "openbox", ("--fullscreen",), (1280, 800), 0),
        ((1920, 1080), "", ("play", "--game", "capitol"), (1920, 1080), 0),
    ],
)
def test_the_app_opens_and_fits_the_screen(
    screen: tuple[int, int],
    with_manager: str,
    words: tuple[str, ...],
    window: tuple[int, int],
    busy: int,
    tmp_path: Path,
) -> None:
    data = tmp_path / "roman-table-companion"
    data.mkdir()
    save_settings(data / SETTINGS_FILE, Settings("en", full_screen="play" in words))
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(busy)]
    try:
        with x_server(screen) as display:
            environment = os.environ | {
                "DISPLAY": display, "XDG_DATA_HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path / "state"),
            }  # fmt: skip
            environment.pop("SDL_VIDEODRIVER", None)
            managing = subprocess.Popen(manager(with_manager, tmp_path), env=environment) if with_manager else None
            time.sleep(0.5)  # a window manager that is not there yet would not resize the window as it maps
            command = [sys.executable, "-m", "tests.ui.opened_app", *words]
            with subprocess.Popen(
                command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
            ) as app:
                assert app.stdout is not None
                limit = Timer(PATIENCE, app.kill)
                limit.start()
                seen = next((line for line in app.stdout if line.split() == [str(side) for side in window]), "")
                limit.cancel()
                app.terminate()
                _, complaint = app.communicate(timeout=PATIENCE)
            if managing is not None:
                managing.terminate()
                managing.wait()
        assert seen, f"the window never had {window}; exit code {app.returncode}: {complaint}"
        assert (app.returncode, complaint) == (0, "")
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
