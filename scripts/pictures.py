"""Photographs the app's screens offscreen, with games made for it: `python -m scripts.pictures`.

Each shot runs in a process of its own, for Kivy opens one window with one size. The pictures go to docs/pictures/,
reduced to few colours so that they stay small; `python -m scripts.pictures out/pictures all` takes every screen in
every language and size.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

import cv2

ROOT = Path(__file__).parent.parent
SIZES = ((1280, 800), (800, 480), (1920, 1080), (800, 1280))
COLOURS = 64


@dataclass(frozen=True, slots=True)
class Shot:
    """What to photograph: a screen, or a page of the set-up as "setup board"."""

    screen: str
    language: str = "en"
    width: int = 1280
    height: int = 800
    text_size: float = 1.0
    theme: str = "marble"

    @property
    def name(self) -> str:
        """The file's name, without what is as usual."""
        parts = [self.screen.replace(" ", "-"), self.language]
        if (self.width, self.height) != SIZES[0]:
            parts.append(f"{self.width}x{self.height}")
        if self.text_size != 1.0:
            parts.append(f"{round(self.text_size * 100)}")
        return "-".join(parts if self.theme == "marble" else [*parts, self.theme])


SHOWN = (
    Shot("start"),
    Shot("setup players", "it"),
    Shot("setup board", "de"),
    Shot("setup rulings", "de", 800, 480, 1.6),
    Shot("review", "en", 800, 1280),
    Shot("help", "it", theme="evening"),
    Shot("settings", "de", 800, 480),
    Shot("past", "en", 800, 480),
    Shot("play capitol", "it"),
    Shot("play thurn_and_taxis", "de"),
    Shot("photograph", "it", 800, 480),
    Shot("boxes", "de", 800, 480),
)
SCREENS = (
    "start", "setup game", "setup players", "setup options", "setup rulings", "setup board", "past", "review", "help",
    "settings", "photograph", "cameras", "boxes", "rehearse",
    "play city_of_marble", "play capitol", "play aqua_romana", "play thurn_and_taxis",
)  # fmt: skip


def every_shot() -> Iterator[Shot]:
    """All screens in three languages and all sizes, and with the largest texts."""
    for language in ("en", "it", "de"):
        for screen in SCREENS:
            for width, height in SIZES:
                yield Shot(screen, language, width, height)
            yield Shot(screen, language, 800, 480, 1.6)


def main() -> None:
    """Take the pictures that the documents show, or all of them."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures" / "screens"
    folder.mkdir(parents=True, exist_ok=True)
    for shot in every_shot() if "all" in sys.argv else SHOWN:
        path = folder / f"{shot.name}.png"
        subprocess.run(
            [sys.executable, "-m", "scripts.pictures", "--shot", dumps(asdict(shot)), str(path)], cwd=ROOT, check=True
        )
        print(f"{path} {path.stat().st_size // 1000} kB")


def take(shot: Shot, path: Path) -> None:
    """Take one picture, in a process that has no window yet."""
    from ui import bootstrap  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        bootstrap.prepare(home, size=(shot.width, shot.height), offscreen=True)
        from kivy.base import EventLoop, runTouchApp  # noqa: PLC0415
        from kivy.core.window import Window  # noqa: PLC0415

        from companion.session.store import Store  # noqa: PLC0415
        from ui.app import CompanionApp  # noqa: PLC0415
        from ui.settings import SETTINGS_FILE, Settings, save_settings  # noqa: PLC0415
        from ui.shell import Shell  # noqa: PLC0415

        save_settings(home / SETTINGS_FILE, Settings(shot.language, shot.text_size, shot.theme))
        with Store(home / "games.sqlite3") as store:
            games = make_games(store, home)
            shell = Shell(store, home)
            app = CompanionApp(None, shell.tick, shell.close, shell=shell)
            app._run_prepare()
            runTouchApp(embedded=True)
            go_to(app, shot.screen, games)
            for _frame in range(8):
                Window.canvas.ask_update()
                EventLoop.idle()
                Window.mainloop()
            app.save_screenshot(path)
            app.dispatch("on_stop")
    reduce_colours(path)


def go_to(app: Any, screen: str, games: dict[str, str]) -> None:
    """Open what a shot names."""
    kind, _space, detail = screen.partition(" ")
    if kind == "play":
        app.open_table(app.shell.resume(games[detail]))
    elif kind == "setup":
        app.open("setup")
        app.screens.current_screen.change("go_to", detail)
    elif kind == "review":
        app.open("review", game=games["city_of_marble"])
    elif kind != "start":
        app.open(kind)


def make_games(store: Any, folder: Path) -> dict[str, str]:
    """A game of each kind in the store, some way on: game -> its id there."""
    from companion.session.session import Session  # noqa: PLC0415
    from ui.wizard import Wizard  # noqa: PLC0415

    random, found = Random(7), {}
    wizard = Wizard(store, folder / "boards", random=random)
    for game, names, actions in (
        ("thurn_and_taxis", ("Dario", "Emma", "Flavia", "Gino"), 40),
        ("aqua_romana", ("Anna", "Bruno"), 45),
        ("capitol", ("Anna", "Bruno", "Clelia"), 60),
        ("city_of_marble", ("Anna", "Bruno", "Clelia"), 130),
    ):
        wizard.choose_game(game)
        while len(wizard.draft.names) < len(names):
            wizard.add_seat()
        for seat, name in enumerate(names, 1):
            wizard.choose_seat(seat)
            wizard.rename(name)
        session = Session.create(store, wizard.table())
        for _action in range(actions):
            legal = session.legal_actions()
            if legal:
                builds = [action for action in legal if type(action).__name__ in ("PlayWard", "Lay", "PlayPermit")]
                session.submit(random.choice(builds or legal))
        found[game] = session.id
    return found


def reduce_colours(path: Path) -> None:
    """Write the picture anew with fewer shades, which PNG packs far better."""
    picture = cv2.imread(str(path))
    step = 256 // COLOURS
    cv2.imwrite(str(path), picture // step * step + step // 2, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    if sys.argv[1:2] == ["--shot"]:
        take(Shot(**loads(sys.argv[2])), Path(sys.argv[3]))
    else:
        main()
