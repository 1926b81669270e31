"""The app under measurement, a process for each: `python -m benchmarks.app_window NAME FOLDER` prints JSON."""

from __future__ import annotations

import gc
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from benchmarks.figures import median
from benchmarks.processes import family, shared_memory
from ui.application import bootstrap
from vision.free_memory import give_back

SIZE, SMALL = (1280, 800), (800, 480)
WIDE = (1720, 800)
"""size of a window in which the camera screen shows its preview unscaled"""
TOUCHES = 60
CHANGES = 500
WARM_UP, WATCHED = 5, 8.0
"""pictures of the preview before it is measured, seconds while it is"""
PATIENCE = 150.0
"""seconds after which a camera that shows nothing is given up"""
LOOKS, BETWEEN_LOOKS = 11, 0.37
"""looks at the memory, and seconds between them"""
PHONES, SETTLING = 38, 6.0
"""pages that are open, and seconds after which their memory is measured"""


def start(folder: Path) -> None:
    """Start the program as users do; return the time at which the start screen is on the display."""
    bootstrap.prepare(folder, size=SIZE)
    from kivy.core.window import Window

    from companion.session.store import Store
    from ui.application.app import CompanionApp
    from ui.shell.shell import Shell

    with Store(folder / "games.sqlite3") as store:
        shell = Shell(store, folder)
        app = CompanionApp(None, shell.tick, shell.close, shell=shell)

        def flipped(_window: Any) -> None:
            if app.root is not None and app.root.width > 1:
                print("drawn", flush=True)
                app.stop()

        Window.bind(on_flip=flipped)
        app.run()


def touches(folder: Path) -> None:
    """From a touch in the event loop to the flip that shows its answer."""
    app, _presenter_of_it = _game(folder)
    from kivy.clock import Clock
    from kivy.core.window import Window
    from kivy.tests.common import UnitTestTouch

    found: list[float] = []
    busy: list[float] = []
    since, worked = 0.0, 0.0

    def touch(_elapsed: float) -> None:
        nonlocal since, worked
        button = app.screens.current_screen.ids.help
        since, worked = time.perf_counter(), time.process_time()
        finger = UnitTestTouch(*button.to_window(*button.center))
        finger.touch_down()
        finger.touch_up()

    def flipped(_window: Any) -> None:
        nonlocal since
        if since:
            found.append((time.perf_counter() - since) * 1e3)
            busy.append((time.process_time() - worked) * 1e3)
            since = 0.0
            if len(found) == TOUCHES:
                app.stop()
            else:
                Clock.schedule_once(touch, 0.11)

    Window.bind(on_flip=flipped)
    Clock.schedule_once(touch, 1.0)
    app.run()
    ordered = sorted(found)
    _tell(
        median=ordered[len(ordered) // 2],
        busy=sorted(busy)[len(busy) // 2],
        late=ordered[int(len(ordered) * 0.95)],
        count=len(ordered),
    )


def preview(folder: Path) -> None:
    """Pictures of the camera's screen presented a second while the camera's process reads the whole board."""
    from benchmarks.app import VIDEO_SECONDS

    film = folder / "table.avi"
    subprocess.run([sys.executable, "-m", "benchmarks.film", str(film), str(VIDEO_SECONDS)], check=True)
    bootstrap.prepare(folder, size=WIDE)
    from kivy.clock import Clock
    from kivy.core.window import Window

    from companion.session.store import Store
    from ui.application.app import CompanionApp
    from ui.commands.table_options import new_table
    from ui.services.settings import SETTINGS_FILE, Settings, save_settings
    from ui.shell.shell import Shell

    save_settings(folder / SETTINGS_FILE, Settings(camera=str(film)))
    numbers: set[int] = set()
    measured: dict[str, float] = {}

    def flipped(_window: Any) -> None:
        form = getattr(app.screens.current_screen, "form", None)
        picture = form.picture() if form is not None else None
        if picture is None or picture.number in numbers:
            return
        numbers.add(picture.number)
        if len(numbers) == WARM_UP:
            measured.update(wall=time.perf_counter(), processor=time.process_time())
            Clock.schedule_once(end, WATCHED)

    def end(_elapsed: float) -> None:
        wall = time.perf_counter() - measured["wall"]
        measured.update(
            rate=(len(numbers) - WARM_UP) / wall,
            core=(time.process_time() - measured["processor"]) / wall,
            width=app.screens.current_screen.ids.picture.width,
        )
        _usual_memory(come)

    def come(memory: float) -> None:
        measured.update(memory=memory)
        _phones_come(shell, folder, leave)

    def leave(memory: float, pages: int) -> None:
        measured.update(with_phones=memory, pages=pages)
        app.stop()

    def begin(_app: Any) -> None:
        app.open_table(shell.begin(new_table("city_of_marble", ["Anna", "Bruno"], {}, {}, seed=1)))
        app.open("cameras")

    with Store(folder / "games.sqlite3") as store:
        shell = Shell(store, folder)
        app = CompanionApp(None, shell.tick, shell.close, shell=shell)
        app.bind(on_start=begin)
        Window.bind(on_flip=flipped)
        Clock.schedule_once(lambda _elapsed: app.stop(), PATIENCE)
        app.run()
    if "rate" not in measured:
        raise RuntimeError("the camera's process showed no pictures")
    _tell(**{name: measured[name] for name in ("rate", "core", "memory", "width", "with_phones", "pages")})


def _phones_come(shell: Any, folder: Path, leave: Callable[[float, int], None]) -> None:
    """Switch phones on, let visitors open pages, and hand on the memory with them and how many pages are open."""
    from kivy.clock import Clock

    from ui.web.service import PhoneService

    shell.phones = service = PhoneService(folder)
    service.open("127.0.0.1", 0)

    def visit(_elapsed: float) -> None:
        roster = service._phones.roster
        cookies = [
            f"table-{service.address.rpartition(':')[2]}={roster.admit(roster.token)}" for _phone in range(PHONES)
        ]
        work = {"do": "watch", "address": service.address, "phones": cookies, "seconds": PATIENCE}
        command = [sys.executable, "-m", "benchmarks.phone_visitors"]
        visitors = subprocess.Popen(command, stdin=subprocess.PIPE, text=True)
        visitors.stdin.write(json.dumps(work))
        visitors.stdin.close()

        def measure(_elapsed: float) -> None:
            _usual_memory(told, without=visitors.pid)

        def told(memory: float) -> None:
            leave(memory, len(service._server._streams))
            visitors.kill()
            visitors.wait()

        Clock.schedule_once(measure, SETTLING)

    Clock.schedule_once(visit, SETTLING)


def changes(folder: Path) -> None:
    """Memory after many changes of the screen, and after another whole game shown action by action.

    What the first two games leave behind, pictures of faces and boards, is made once.
    """
    app, presenter = _game(folder, SMALL)
    step = _stepper(app)
    for _ in range(CHANGES // 5):
        _change(app, step)
    before = _resident()
    for _ in range(CHANGES // 2):
        _change(app, step)
    gained = _resident() - before
    after_games = []
    for _ in range(3):
        _play(app, presenter, step)
        after_games.append(_resident())
        actions = len(presenter.session.entries)
        presenter = _presenter()
        app.open_table(presenter)
    _tell(gained=gained, count=CHANGES, by_game=after_games[-1] - after_games[-2], actions=actions)


def _change(app: Any, step: Callable[[], None]) -> None:
    app.open("score")
    step()
    app.back()
    step()


def _play(app: Any, presenter: Any, step: Callable[[], None]) -> None:
    """A game by the simulated players, every action of it drawn."""
    from ui.simulated_table.players import seated

    session = presenter.session
    players = seated(session.game, session.state, Random(1))
    number = 0
    while session.game.decide(session.state) is not None:
        before, number = session.state, number + 1
        action = players.choose(before, Random(number))
        presenter.act(action)
        players = players.after(before, action, session.state)
        step()
    app.home()
    step()


def _stepper(app: Any) -> Callable[[], None]:
    """What draws one frame of an app that is run from here."""
    from kivy.base import EventLoop, runTouchApp
    from kivy.core.window import Window

    app._run_prepare()
    runTouchApp(embedded=True)

    def step() -> None:
        app.refresh()
        Window.canvas.ask_update()
        EventLoop.idle()

    return step


def _game(folder: Path, size: tuple[int, int] = SIZE) -> tuple[Any, Any]:
    """An app that shows a game of City of Marble, kept in memory only."""
    bootstrap.prepare(folder, size=size)
    from ui.application.app import CompanionApp

    presenter = _presenter()
    return CompanionApp(presenter, lambda: None), presenter


def _presenter() -> Any:
    from companion.session.session import Session
    from ui.commands.table_options import new_table
    from ui.table.presenter import Presenter

    return Presenter(Session.create(None, new_table("city_of_marble", ["Anna", "Bruno"], {}, {}, seed=1)))


def _resident() -> float:
    """Resident memory of this process (MB) after garbage collection, without what the C library keeps for later."""
    gc.collect()
    give_back()
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * 4096 / 1e6


def _usual_memory(told: Callable[[float], None], without: int = 0) -> None:
    """Hand on the memory (MB) of this process and its children but one, between reads and in them: the median of some
    looks while the app goes on.
    """
    from kivy.clock import Clock

    found: list[float] = []

    def look(_elapsed: float) -> bool:
        found.append(_memory_of_all(without))
        if len(found) == LOOKS:
            told(median(found))
        return len(found) < LOOKS

    Clock.schedule_interval(look, BETWEEN_LOOKS)


def _memory_of_all(without: int = 0) -> float:
    """Memory (MB) of this process and its children but one; shared memory counts once."""
    return sum(map(shared_memory, family(os.getpid()) - {without}))


def _tell(**values: float) -> None:
    print(json.dumps(values), flush=True)


MEASUREMENTS = {"start": start, "touches": touches, "preview": preview, "changes": changes}

if __name__ == "__main__":
    MEASUREMENTS[sys.argv[1]](Path(sys.argv[2]))
