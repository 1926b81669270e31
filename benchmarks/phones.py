"""Phones at the table: from a tap to everybody being told, what a page weighs, a flood of requests, memory."""

from __future__ import annotations

import gzip
import http.client
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2

from benchmarks.figures import Figure, median, percentile
from benchmarks.processes import shared_memory
from companion.engine import actor_of, apply_unchecked
from companion.registry import usual_table
from companion.session.intents import Intent, IntentKind
from companion.session.session import Session
from companion.session.store import Store
from ui.shell.table_loop import TableLoop
from ui.simulated_table.players import seated
from ui.simulated_table.scene import Scene
from ui.simulated_table.view import CameraView
from ui.table.presenter import Presenter
from ui.web.service import PhoneService

PHONES, SEATS, SPECTATORS, ACTIONS = 8, 4, 30, 60
FLOOD_SECONDS = float(os.environ.get("COMPANION_FLOOD", "60"))
EVENING_SECONDS = float(os.environ.get("COMPANION_EVENING", "30"))
"""of games at an action a tick: more entries than an evening of three hours has"""
CROWD, CROWD_SECONDS = 1000, 3.0
"""streams asked for at once, and for how long those that open are held"""
TICKS = 30
"""a second, as the app's"""
GAME = "city_of_marble"


class Table:
    """A table whose thread ticks as often as the app's."""

    def __init__(self, folder: Path, store: Store) -> None:
        self.store, self.chance, self.played = store, random.Random(3), 0
        self.begin()
        self.service = PhoneService(folder)
        self.touches: list[float] = []

    def begin(self) -> None:
        """Another game of the same people."""
        self.loop = TableLoop(Presenter(Session.create(self.store, usual_table(GAME, SEATS))))
        session = self.loop.presenter.session
        self.players = seated(session.game, session.state, self.chance)

    def next_actions(self, count: int) -> list[tuple[int, str]]:
        """The seats and actions of the simulated players from here on, without doing anything."""
        session, chance, players, found = self.loop.presenter.session, random.Random(1), self.players, []
        game, state = session.game, session.state
        while len(found) < count and (decision := game.decide(state)) is not None:
            action = players.choose(state, chance)
            after = apply_unchecked(game, state, action).state
            found.append((actor_of(game, state, action, decision.actors), action.text))
            players, state = players.after(state, action, after), after
        return found

    def play(self) -> None:
        """One action of the simulated players, and another game after the last."""
        session = self.loop.presenter.session
        if session.is_over:
            self.begin()
            return
        before = session.state
        action = self.players.choose(before, self.chance)
        self.loop.presenter.act(action)
        self.players = self.players.after(before, action, session.state)
        self.played += 1

    def run(self, work: dict[str, Any], touch: bool = False, play: bool = False) -> dict[str, Any]:
        """Let visitors do their work in a process of their own while the table goes on."""
        command = [sys.executable, "-m", "benchmarks.phone_visitors"]
        visitors = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert visitors.stdin is not None
        visitors.stdin.write(json.dumps(work))
        visitors.stdin.close()
        due, chance = time.perf_counter(), random.Random(2)
        while visitors.poll() is None:
            due = max(due + 1 / TICKS, time.perf_counter() - 1.0)
            time.sleep(max(0.0, due - time.perf_counter()))
            if play:
                self.play()
            if touch and chance.random() < 0.2:
                self.loop.presenter.on_intent(Intent(IntentKind.HELP))
                self.tick()
                self.touches.append(time.perf_counter() - due)
            else:
                self.tick()
        assert visitors.stdout is not None
        answer: dict[str, Any] = json.loads(visitors.stdout.read())
        return answer

    def tick(self) -> None:
        self.loop.tick()
        self.service.tick(self.loop)

    def admit(self, seat: int = 0) -> str:
        """The cookie of a phone that came in, at a seat."""
        phones = self.service._phones
        assert phones is not None
        key = phones.roster.admit(phones.roster.token)
        assert key is not None
        self.tick()
        phone = phones.roster.phone_of(key)
        if seat and phone is not None:
            phones._seat_answer(phone, seat, frozenset())("yes")
            self.tick()
        return f"table-{self.service.address.rpartition(':')[2]}={key}"


def measure() -> Iterator[Figure]:
    """All figures of phones."""
    with tempfile.TemporaryDirectory() as name, Store(Path(name) / "games.sqlite3") as store:
        table = Table(Path(name), store)
        before = shared_memory()
        table.service.open("127.0.0.1", 0)
        cookies = [table.admit(seat if seat <= SEATS else 0) for seat in range(1, PHONES + 1)]
        spectators = [table.admit() for _spectator in range(SPECTATORS)]
        address = table.service.address
        work = {
            "do": "rounds", "address": address, "phones": cookies, "spectators": spectators,
            "actions": table.next_actions(ACTIONS), "painted": table.admit(),
        }  # fmt: skip
        told = table.run(work)
        note = f"{SPECTATORS} spectators watch; {GAME}, accepted on the disk; clients post and read the event stream"
        yield Figure(
            f"tap to told on {PHONES} phones, median", 1000 * median(told["phones"]), "ms", 100,
            count=len(told["phones"]), note=note,
        )  # fmt: skip
        count = len(told["phones"])
        yield Figure("the same, 95th percentile", 1000 * percentile(told["phones"], 0.95), "ms", count=count)
        yield Figure("tap to told on the spectators too, median", 1000 * median(told["spectators"]), "ms", count=count)
        yield from _painted(told)
        yield Figure("memory that phones take", shared_memory() - before, "MB", 40, note="38 open pages")
        yield from _weights(table, cookies[0])
        yield from _evenings(table, [*cookies, *spectators])
        yield _snapshot(Table(Path(name), store))
        yield from _crowd(table, spectators)
        work = {"do": "flood", "address": address, "source": "127.0.0.9", "seconds": FLOOD_SECONDS}
        flooded = table.run(work, touch=True)
        rate = flooded["sent"] / FLOOD_SECONDS
        yield Figure("requests a second of one generator", rate, "1/s", note=f"answers: {flooded['statuses']}")
        yield Figure(
            "touch at the table meanwhile, 95th percentile", 1000 * percentile(table.touches, 0.95), "ms", 100,
            count=len(table.touches), note="until the view is made anew",
        )  # fmt: skip
        seated = len(table.service.seated())
        yield Figure("phones that kept their seats", seated, "of 4", SEATS, at_least=True)
        table.service.close()


def _painted(told: dict[str, Any]) -> Iterator[Figure]:
    """What a Chromium painted that watched beside the timed clients."""
    if "painted" not in told:
        note = "not measured: there is no Chromium, or the Python package playwright is not installed"
        yield Figure("pages that a Chromium painted", 0, "", note=note)
        return
    times, count = told["painted"], len(told["phones"])
    yield Figure("tap to painted in a Chromium beside them, median", 1000 * median(times), "ms", count=len(times))
    yield Figure("the same in Chromium, 95th percentile", 1000 * percentile(times, 0.95), "ms", count=len(times))
    yield Figure("taps after which it painted nothing new", count - len(times), f"of {count}", 0)
    note = "; ".join(told["differences"])[:200]
    yield Figure("states whose text it painted otherwise", len(told["differences"]), f"of {count}", 0, note=note)
    note = "of the page as it was followed against one loaded anew, at the end"
    yield Figure("pixels of it that are others", told["other_pixels"], "", 0, note=note)


def _evenings(table: Table, cookies: list[str]) -> Iterator[Figure]:
    """Games played as fast as the table ticks, everybody following: does memory grow, does a page stop?"""
    work = {"do": "watch", "address": table.service.address, "phones": cookies, "seconds": EVENING_SECONDS}
    table.run(work, play=True)
    before, table.played = shared_memory(), 0
    followed = table.run(work, play=True)
    note = f"{table.played} actions, each page told {min(followed['pages'])} to {max(followed['pages'])} times"
    yield Figure("memory gained by more games of everybody", shared_memory() - before, "MB", 8, note=note)
    yield Figure("open pages that ended meanwhile", followed["ended"], f"of {len(cookies)}", 0)


def _crowd(table: Table, cookies: list[str]) -> Iterator[Figure]:
    """A thousand streams asked for at once from five addresses, by phones that have come in and by strangers."""
    sources = [f"127.0.0.{number}" for number in range(2, 7)]
    work = {
        "do": "crowd", "address": table.service.address, "phones": [*cookies, "x=y"], "sources": sources,
        "streams": CROWD, "seconds": CROWD_SECONDS,
    }  # fmt: skip
    table.touches.clear()
    found = table.run(work, touch=True)
    note = f"answers: {found['statuses']}; {found['open']} open at the end"
    yield Figure("streams asked for at once", sum(found["statuses"].values()), "", count=CROWD, note=note)
    yield Figure(
        "touch at the table beside them, 95th percentile", 1000 * percentile(table.touches, 0.95), "ms", 100,
        count=len(table.touches),
    )  # fmt: skip
    table.touches.clear()


def _snapshot(table: Table) -> Figure:
    """From a photograph of 12 megapixels that has come in to the proposal, its process started anew."""
    table.service.open("127.0.0.1", 0)
    table.admit(1)
    phones, presenter = table.service._phones, table.loop.presenter
    assert phones is not None
    game, state = presenter.session.game, presenter.session.state
    laid = next(each for each in presenter.legal if not isinstance(each, game.info.unseen))
    after = apply_unchecked(game, state, laid).state
    scene = Scene(presenter.board, CameraView(width=4000, height=3000, tilt=25, distance=800))
    picture = bytes(cv2.imencode(".jpg", scene.frame(game.appearance(after)))[1])
    began = time.perf_counter()
    phones.photograph(phones.seated()[0][0], picture)
    while phones._photographs.is_reading:
        table.tick()
        time.sleep(0.01)
    taken = time.perf_counter() - began
    found = "proposed" if presenter.tracker.proposal.candidates else "nothing proposed"
    table.service.close()
    return Figure("photograph of 12 megapixels to proposal", taken, "s", 3, note=found)


def _weights(table: Table, cookie: str) -> Iterator[Figure]:
    """What a page weighs: the HTML that paints, and all of it compressed."""
    host, _colon, port = table.service.address.rpartition(":")

    def read(path: str) -> bytes:
        answer: list[bytes] = []

        def ask() -> None:
            connection = http.client.HTTPConnection(host, int(port), timeout=20)
            connection.request("GET", path, headers={"Cookie": cookie, "Accept-Encoding": "gzip"})
            answer.append(connection.getresponse().read())
            connection.close()

        thread = threading.Thread(target=ask)
        thread.start()
        while thread.is_alive():
            table.tick()
            thread.join(0.02)
        return answer[0]

    page = read("/")
    others = sorted(set(re.findall(r'(?:(?:src|href)="|url\()(/(?:static|art)/[^")]+)', page.decode())))
    total = len(gzip.compress(page)) + sum(len(read(path)) for path in others)
    yield Figure("HTML with its style", len(page) / 1000, "kB", 40)
    yield Figure("page and all that it loads, compressed", total / 1000, "kB", 150, note=f"{1 + len(others)} files")
