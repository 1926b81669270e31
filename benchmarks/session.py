"""How safe and fast the record is: time to sync an entry and open a game, losses when a process is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

from benchmarks.figures import Figure, median, percentile
from companion.engine import random_game
from companion.errors import StoreError
from companion.registry import usual_table
from companion.session.session import Session
from companion.session.store import Store

GAME = "city_of_marble"
KILLS = int(os.environ.get("COMPANION_KILLS", "1000"))
WRITER = """
import sys
from random import Random
from pathlib import Path
from companion.engine import legal_actions
from companion.session.session import Session
from companion.session.store import Store
with Store(Path(sys.argv[1])) as store:
    session = Session.open(store, sys.argv[2])
    random = Random(int(sys.argv[3]))
    while session.can_undo() is not None or legal_actions(session.game, session.state):
        actions = session.legal_actions()
        if actions:
            session.submit(random.choice(actions))
        else:
            session.undo()
        print(len(session.entries), flush=True)
"""


def measure() -> Iterator[Figure]:
    """The figures of the store and the session."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _writing(Path(folder))
        yield from _locking(Path(folder))
        yield from _killing(Path(folder))


def _start(store: Store) -> Session:
    return Session.create(store, usual_table(GAME, 2))


def _writing(folder: Path) -> Iterator[Figure]:
    durations = []
    with Store(folder / "writing.sqlite3") as store:
        session = _start(store)
        for _, action, _ in random_game(session.game, session.state, Random(1)):
            begin = time.perf_counter()
            session.submit(action)
            durations.append((time.perf_counter() - begin) * 1e3)
        entries = len(session.entries)
        begin = time.perf_counter()
        Session.open(store, session.id)
        opened = (time.perf_counter() - begin) * 1e3
    note = f"median {median(durations):.2g} ms"
    yield Figure(
        "entry judged, synced and acknowledged (p99)", percentile(durations, 0.99), "ms", count=entries, note=note
    )
    yield Figure("a whole game opened from the store", opened, "ms", 250, count=1, note=f"{entries} entries")


def _killing(folder: Path) -> Iterator[Figure]:
    """Kill a writing process at random moments; count lost entries, games that do not open, and false loss reports."""
    random, lost, alarms, acknowledged = Random(7), 0, 0, 0
    path = folder / "killing.sqlite3"
    with Store(path) as store:
        game_id = _start(store).id
    for kill in range(KILLS):
        child = subprocess.Popen(
            [sys.executable, "-c", WRITER, str(path), game_id, str(kill)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        first = child.stdout.readline()
        time.sleep(random.random() * 0.05)
        child.send_signal(signal.SIGKILL)
        whole_lines = (first + child.stdout.read()).split("\n")[:-1]
        child.wait()
        acknowledged = max([acknowledged, *map(int, whole_lines)])
        with Store(path) as store:
            alarms += bool(store.shortfalls)
            session = Session.open(store, game_id)
            if len(session.entries) < acknowledged:
                lost += 1
        if len(session.entries) > 400:
            with Store(path) as store:
                game_id, acknowledged = _start(store).id, 0
    yield Figure("kills after which an acknowledged entry was missing", lost, "", 0, count=KILLS)
    yield Figure("kills after which a loss was reported that was none", alarms, "", 0, count=KILLS)


def _locking(folder: Path) -> Iterator[Figure]:
    """How long it takes until people are told that another program has the database locked."""
    path, waits = folder / "locked.sqlite3", []
    with Store(path) as store, closing(sqlite3.connect(path, isolation_level=None)) as other:
        session = _start(store)

        def enter() -> None:
            session.submit(session.legal_actions()[0])

        def begin_another() -> None:
            _start(store)

        def open_again() -> None:
            Store(path).close()

        for lock, asked in (("BEGIN IMMEDIATE", (enter, begin_another)), ("BEGIN EXCLUSIVE", (enter, begin_another))):
            other.execute(lock)
            waits += [_told_after(each) for each in asked]
            other.execute("ROLLBACK")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        waits.append(_told_after(open_again))
    yield Figure(
        "a locked database told",
        max(waits),
        "ms",
        1000,
        count=len(waits),
        note="slowest of entering, beginning, opening",
    )


def _told_after(asked: Callable[[], None]) -> float:
    """Milliseconds until a request is refused because the database is in use elsewhere."""
    begin = time.perf_counter()
    try:
        asked()
    except StoreError as error:
        if "in use by another program" in str(error):
            return (time.perf_counter() - begin) * 1e3
        raise
    raise RuntimeError("a locked database was written or opened")
