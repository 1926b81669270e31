"""What this version writes, kept for later ones to open: `python -m scripts.release.fixtures [--out tests/releases]`.

`<version>.zip` holds a user's data folder and records, and `expected.json` what they must be read as. It is made once,
with a release, and never again for that version.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import zipfile
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np

from companion.frozen import FrozenDict
from companion.registry import GAMES, usual_table
from companion.session.intents import Intent, IntentKind
from companion.session.record import record_text
from companion.session.session import Session
from companion.session.store import Store
from companion.session.viewing import Telling
from firmware_bridge.presses.bindings import default_bindings, save_bindings
from firmware_bridge.protocol.gestures import Gesture
from scripts.release.debian_package import project_version
from scripts.release.distributions import ROOT
from ui.commands.teaching import teach
from ui.services.settings import SETTINGS_FILE, Introduction, Settings, save_settings
from ui.web.kept import FILE as PHONES_FILE
from ui.web.kept import KeptPhones
from vision.location.board_pose import CameraModel
from vision.location.camera_file import save_camera

SETTINGS = Settings(
    language="it", text_size=1.3, theme="evening", flipped=True, introduction=Introduction.NONE, announcements="all",
    signal="tone", clock=45, camera="rtsp://camera.local/table", camera_lags=FrozenDict({"A camera 046d:0825": 0.25}),
)  # fmt: skip
LENS = CameraModel(1920, 1080, 1500.0, -0.12, 0.03, (955.0, 547.0))
GRID = """format = 1
id = "own/grid"
game = "own"
name = "A board of our own"
size = [110, 80]
grid = { columns = 3, rows = 2, side = 30, corner = [10, 10], lines = "between" }

[[piece]]
name = "tile"
shape = "square"
size = [26]
height = 0
labels = ["red", "blue"]
lies_on = "cell"
"""
LAID = {"A1": "red", "B1": "blue", "C1": "red", "A2": "blue"}


def written(folder: Path) -> dict[str, Any]:
    """Write everything into a folder; gives what `expected.json` says of it."""
    data = folder / "data"
    for name in ("boards", "profiles"):
        (data / name).mkdir(parents=True)
    (folder / "records").mkdir()
    games = {}
    with Store(data / "games.sqlite3") as store:
        for game_id in GAMES:
            for is_whole in (True, False):
                session = _played(store, game_id, is_whole=is_whole)
                (folder / "records" / f"{session.id}.jsonl").write_text(record_text(session.log), encoding="utf-8")
                games[session.id] = {
                    "game": game_id, "entries": len(session.log.entries), "over": session.is_over,
                    "totals": list(session.scores().totals),
                }  # fmt: skip
    save_settings(data / SETTINGS_FILE, SETTINGS)
    bindings = default_bindings().with_seat("mqtt:blue", 2).with_seat("serial:/dev/ttyACM0", None)
    bindings = bindings.with_intent("mqtt:blue", 1, Gesture.LONG, Intent(IntentKind.UNDO))
    save_bindings(data / "boxes.toml", bindings.with_word("mqtt:lamp", "single", Intent(IntentKind.NEXT)))
    save_camera(LENS, data / "lens.toml", 0.31)
    phones = KeptPhones(data / PHONES_FILE)
    phones.add("a" * 64, 1)
    phones.sit("capitol-part", "a" * 64, 2)
    phones.tell("capitol-part", "a" * 64, Telling(2, 0, ("white-4",)))
    phones.close()
    (data / "boards" / "own.toml").write_text(GRID, encoding="utf-8")
    _teach(data)
    return {"version": project_version(), "games": games, "profile": LAID}


def _played(store: Store, game_id: str, *, is_whole: bool) -> Session:
    """A game of random legal actions, the second half of its undone entries done again; part of one has an override."""
    ticks = count()

    def clock() -> datetime:
        return datetime(2026, 11, 30, 19, 0, tzinfo=UTC) + timedelta(seconds=20 * next(ticks))

    name = f"{game_id.replace('_', '-')}-{'whole' if is_whole else 'part'}"
    session = Session.create(store, usual_table(game_id), clock=clock, game_id=name)
    random = Random(f"release {game_id} {is_whole}")
    while (legal := session.legal_actions()) and (is_whole or len(session.log.entries) < 24):
        session.submit(random.choice(legal))
        if not is_whole and len(session.log.entries) in (6, 12):
            session.undo()
        if not is_whole and len(session.log.entries) == 13:
            session.redo()
    return session


def _teach(data: Path) -> None:
    """Teach the grid from a drawn picture, and put the picture beside the profile for later versions to read."""
    picture = np.full((640, 880, 3), (206, 222, 230), np.uint8)
    for x in range(80, 801, 240):
        cv2.line(picture, (x, 80), (x, 560), (90, 100, 110), 3)
    for y in range(80, 561, 240):
        cv2.line(picture, (80, y), (800, y), (90, 100, 110), 3)
    inks = {"red": (50, 45, 190), "blue": (180, 95, 40)}
    for cell, label in LAID.items():
        x, y = 80 + 240 * (ord(cell[0]) - ord("A")), 80 + 240 * (int(cell[1]) - 1)
        cv2.rectangle(picture, (x + 16, y + 16), (x + 224, y + 224), inks[label], -1)
        cv2.circle(picture, (x + 120, y + 120), 60, (240, 240, 240), 5 if label == "red" else 24)
    cv2.imwrite(str(data / "profiles" / "own.png"), picture)
    labels = "\n".join(f'{cell} = "{label}"' for cell, label in LAID.items())
    text = f'format = 1\n\n[[picture]]\nfile = "own.png"\ncorners = "picture"\n[picture.labels]\n{labels}\n'
    (data / "profiles" / "own.toml").write_text(text, encoding="utf-8")
    paths = [
        data / "profiles" / "own.toml",
        "--board",
        data / "boards" / "own.toml",
        "--out",
        data / "profiles" / "own.zip",
    ]
    if teach([str(word) for word in paths]) != 0:
        raise SystemExit("the profile was not taught")


def main() -> int:
    """Write the archive of this version."""
    parser = argparse.ArgumentParser(prog="scripts.release.fixtures", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=ROOT / "tests" / "releases", metavar="FOLDER")
    target = parser.parse_args().out / f"{project_version()}.zip"
    if target.exists():
        print(f"{target} is there: what a version wrote is never written again", file=sys.stderr)
        return 1
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        expected = json.dumps(written(folder), indent=1, sort_keys=True)
        (folder / "expected.json").write_text(expected, encoding="utf-8")
        with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for path in sorted(folder.rglob("*")):
                if path.is_file():
                    archive.write(path, path.relative_to(folder))
    print(target)
    return 0


if __name__ == "__main__":
    sys.exit(main())
