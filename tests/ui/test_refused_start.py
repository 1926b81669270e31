"""An app that cannot start says why in a window, until that is closed."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from companion.session.file_check import SCHEMA_VERSION
from companion.session.store import Store
from tests.ui.clicking import x_server
from ui.services.settings import SETTINGS_FILE, Settings, save_settings

ROOT = Path(__file__).resolve().parents[2]
PATIENCE = 120.0
APP = """
import sys
from ui.application import bootstrap, play
prepare = bootstrap.prepare
def prepare_and_look(home):
    prepare(home)
    from kivy.app import App
    from kivy.clock import Clock
    def look(_seconds):
        app = App.get_running_app()
        if app is not None and app.root is not None:
            told = app.root.children[0]
            if told.width > 200 and told.ids.close.width > 1:
                print(told.reason, flush=True)
                told.ids.close.dispatch("on_release")
    Clock.schedule_interval(look, 0.2)
bootstrap.prepare = prepare_and_look
sys.exit(play.main())
"""

pytestmark = [
    pytest.mark.display,
    pytest.mark.skipif(not shutil.which("Xvfb"), reason="needs Xvfb"),
]


def test_a_database_of_a_later_version_is_told_in_a_window(tmp_path: Path) -> None:
    data = tmp_path / "roman-table-companion"
    data.mkdir()
    save_settings(data / SETTINGS_FILE, Settings("it"))
    Store(data / "games.sqlite3").close()
    with closing(sqlite3.connect(data / "games.sqlite3")) as connection:
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    with x_server((800, 480)) as display:
        environment = os.environ | {
            "DISPLAY": display, "XDG_DATA_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"),
            "XDG_STATE_HOME": str(tmp_path / "state"),
        }  # fmt: skip
        environment.pop("SDL_VIDEODRIVER", None)
        done = subprocess.run(
            [sys.executable, "-m", "ui.command_line"], cwd=ROOT, env=environment | {"SDL_VIDEODRIVER": "offscreen"},
            capture_output=True, text=True, timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 3, "offscreen nobody could close a window"
        assert "made by a newer program" in done.stderr
        shown = subprocess.run(
            [sys.executable, "-c", APP], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE,
            check=False,
        )  # fmt: skip
    assert "games.sqlite3" in shown.stdout, shown.stderr
    assert (shown.returncode, shown.stderr.count("\n")) == (3, 1), shown.stderr
