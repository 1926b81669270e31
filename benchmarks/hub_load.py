"""Two hubs on one PostgreSQL under the load of 2,000 tables, while broker, hub and database are killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.figures import Figure, median
from benchmarks.hub_running import RunningHub, full, wait_for_password
from benchmarks.processes import family, processor_seconds, shared_memory
from companion.publishing.signing import new_code
from companion.session.record import entry_document, header_document
from companion.session.store import Store
from companion.session.viewing import Viewer, ViewerKind, known_to
from firmware_bridge.mqtt.broker import OwnMosquitto
from tests.ui.hub.postgresql import OwnPostgresql
from ui.hub.database import open_database
from ui.hub.storing import Storing
from ui.simulated_table.many_tables import STORE

SECONDS = float(os.environ.get("COMPANION_HUB_SECONDS", "600"))
TABLES, RATE = 2000, 100.0
REGISTERING = 150.0
"""seconds at most in which all tables are registered"""
SAMPLE = 2.0
SETTLING = 60.0
RETURNING = 45
"""seconds for which tables come back that still have something to tell; two of them play on meanwhile"""
FEW_NAMED = 3


def under_load(note: str) -> list[Figure]:
    """What is taken in, lost, doubled and shown, and what it costs."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hub-load-")))
        broker = OwnMosquitto()
        broker.start()
        stack.callback(broker.stop)
        postgresql = OwnPostgresql()
        stack.callback(postgresql.remove)
        postgresql.start()
        storing = Storing(open_database(postgresql.address))
        code = new_code()
        storing.tables.add_code(code)
        hubs = [RunningHub(folder, full(broker), postgresql.address) for _hub in range(2)]
        for hub in hubs:
            hub.start()
            stack.callback(hub.stop)
        tables = _simulated(folder, broker, code)
        stack.callback(tables.kill)
        registered = _registered(storing)
        run = _Run(storing, hubs, broker, postgresql)
        run.endure(hubs[0].cookie(wait_for_password(hubs[0])))
        settled = time.monotonic()
        said = _settled(tables, folder, broker, stack)
        settled = time.monotonic() - settled
        lost, doubled, differing, count = compared(folder / "tables", storing)
        size = _database_bytes(storing)
    what = f"hub: {TABLES} tables, {RATE:g} entries/s, 2 hubs, PostgreSQL, {run.lasted:.0f} s"
    killed = ", ".join(run.faults)
    return [
        Figure(f"{what}: taken in a second", run.taken_in / run.lasted, "entries/s", 0.97 * RATE, at_least=True,
               note=f"{killed}; {said}"),
        Figure(f"{what}: lost", lost, "entries", 0, count=count, note=f"settled {settled:.1f} s after the last entry"),
        Figure(f"{what}: doubled", doubled, "entries", 0, count=count),
        Figure(f"{what}: other than at the table, or out of order", differing, "games", 0, count=count),
        Figure(f"{what}: memory of a hub", max(run.memory), "MB", 150, count=len(run.memory)),
        Figure(f"{what}: a late page, median", 1e3 * median(run.pages), "ms", 1000, count=len(run.pages)),
        Figure(f"{what}: a late page, slowest", 1e3 * max(run.pages), "ms", 1000, count=len(run.pages)),
        *(
            Figure(f"{what}: processor of {part} for a table, before anything is killed",
                   1e6 * seconds / run.quiet_for / TABLES, "us/s", note=note)
            for part, seconds in zip(("a hub", "the broker", "the database"), run.quiet, strict=True)
        ),
        Figure(f"{what}: database for an entry", size / max(1, count), "bytes"),
        Figure(f"{what}: all tables registered", registered, "s"),
    ]  # fmt: skip


def _registered(storing: Storing) -> float:
    """Seconds until all tables are registered."""
    began = time.monotonic()
    while len(storing.tables.registered()) < TABLES and time.monotonic() < began + REGISTERING:
        time.sleep(0.5)
    return time.monotonic() - began


def _settled(tables: subprocess.Popen[str], folder: Path, broker: OwnMosquitto, stack: ExitStack) -> str:
    """End the tables, and let them come back until a hub has everything; what they say at the end."""
    tables.send_signal(signal.SIGTERM)
    said = tables.communicate(timeout=SETTLING + 2 * RETURNING)[0]
    for _again in range(3):
        if "; 0 entries not yet acknowledged" in said:
            break
        again = _simulated(folder, broker, "", rate=1 / RETURNING, seconds=RETURNING + 1)
        stack.callback(again.kill)
        said = again.communicate(timeout=SETTLING + 2 * RETURNING)[0]
    return said.strip().splitlines()[-1] if said.strip() else "the tables said nothing"


@dataclass(slots=True)
class _Run:
    """The run itself, and what was looked at."""

    storing: Storing
    hubs: list[RunningHub]
    broker: OwnMosquitto
    postgresql: OwnPostgresql
    memory: list[float] = field(default_factory=list)
    pages: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    quiet: list[float] = field(default_factory=list)
    """processor seconds of a hub, the broker and the database in `quiet_for` seconds before the first fault"""
    quiet_for: float = 1.0
    lasted: float = 1.0
    taken_in: int = 0

    def endure(self, cookie: str) -> None:
        """Look at hubs and pages for SECONDS, with faults in between."""
        begun_at, began, before = stored(self.storing), time.monotonic(), self._burdens()
        faults = _faults(self.broker, self.hubs, self.postgresql)
        while time.monotonic() < began + SECONDS:
            time.sleep(SAMPLE)
            if faults and time.monotonic() - began >= faults[0][0] * SECONDS:
                if not self.quiet:
                    self.quiet = [now - then for now, then in zip(self._burdens(), before, strict=True)]
                    self.quiet_for = time.monotonic() - began
                self.faults.append(faults.pop(0)[1]())
            else:
                self._look(cookie)
        self.lasted, self.taken_in = time.monotonic() - began, stored(self.storing) - begun_at

    def _burdens(self) -> list[float]:
        hub, broker = self.hubs[0].process.pid, self.broker.process.pid
        return [
            processor_seconds(hub),
            processor_seconds(broker),
            sum(map(processor_seconds, family(self.postgresql.process.pid))),
        ]

    def _look(self, cookie: str) -> None:
        self.memory += [shared_memory(hub.process.pid) for hub in self.hubs]
        try:
            text, seconds = self.hubs[0].page("/", cookie)
        except OSError:
            return
        if text.count("data-at=") >= 100:
            self.pages.append(seconds)


def _faults(
    broker: OwnMosquitto, hubs: list[RunningHub], postgresql: OwnPostgresql
) -> list[tuple[float, Callable[[], str]]]:
    """When (as a share of the run) what is killed, each started again some seconds later."""

    def kill_broker() -> str:
        os.killpg(broker.process.pid, signal.SIGKILL)
        time.sleep(2.0)
        broker.start()
        return "broker killed"

    def kill_hub() -> str:
        hubs[1].kill()
        time.sleep(3.0)
        hubs[1].start()
        return "hub killed"

    def restart_database() -> str:
        postgresql.stop(signal.SIGQUIT)
        time.sleep(2.0)
        postgresql.start()
        return "PostgreSQL killed and restarted"

    deeds = (kill_broker, kill_hub, restart_database, kill_broker, kill_hub, kill_broker, kill_hub)
    return [((number + 1) / (len(deeds) + 2), deed) for number, deed in enumerate(deeds)]


def _simulated(
    folder: Path, broker: OwnMosquitto, code: str, rate: float = RATE, seconds: int = 0
) -> subprocess.Popen[str]:
    words = ["demo", "--tables", str(TABLES), "--broker", full(broker), "--rate", f"{rate:g}"]
    words += ["--show-names", "--out", str(folder / "tables"), *(["--code", code] if code else [])]
    words += ["--seconds", str(seconds)]
    return subprocess.Popen([sys.executable, "-m", "ui.command_line", *words], stdout=subprocess.PIPE, text=True)


def stored(storing: Storing) -> int:
    with storing.database.engine.connect() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM entries").scalar_one())


def compared(folder: Path, storing: Storing) -> tuple[int, int, int, int]:
    """Entries lost and doubled, games that differ, and entries in all: the tables' own store beside the hubs'."""
    lost = doubled = differing = count = 0
    known = set(storing.tables.registered())
    with Store(folder / STORE) as store:
        for game in store.games():
            table_id = game.id.rpartition("-")[0]
            if table_id not in known:
                continue
            log = known_to(Viewer(ViewerKind.BROKER), store.read(game.id), {})
            lines = [header_document(log.header, 0), *map(entry_document, log.entries)]
            kept = [json.loads(line) for line in storing.lines(table_id, game.id, most=100_000)]
            count += len(lines)
            lost += max(0, len(lines) - len(kept))
            doubled += max(0, len(kept) - len(lines))
            if json.loads(json.dumps(lines)) != kept:
                differing += 1
                if differing <= FEW_NAMED:
                    print(f"{game.id}: {len(lines)} lines at the table, {len(kept)} here", file=sys.stderr)
    return lost, doubled, differing, count


def _database_bytes(storing: Storing) -> int:
    with storing.database.engine.connect() as connection:
        return int(connection.exec_driver_sql("SELECT pg_database_size(current_database())").scalar_one())
