"""The hub: from an entry at a table to open pages, and two hubs on one PostgreSQL under load while things are killed.

Real mosquitto, real PostgreSQL, the real commands in processes of their own. COMPANION_HUB_SECONDS is the length of
the run under load (600), COMPANION_HUB_LIVE that of the other (60).
"""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.figures import Figure, median, percentile
from companion.publishing.signing import new_code
from companion.session.record import entry_document, header_document
from companion.session.store import Store
from companion.session.viewing import Viewer, ViewerKind, known_to
from firmware_bridge.mqtt.broker import OwnMosquitto
from tests.ui.hub.postgresql import OwnPostgresql
from tests.ui.web.browsing import CHROMIUM
from ui.hub.database import open_database
from ui.hub.storing import Storing
from ui.simulated_table.many_tables import STORE, ManyOptions, ManyTables

SECONDS = float(os.environ.get("COMPANION_HUB_SECONDS", "600"))
LIVE_SECONDS = float(os.environ.get("COMPANION_HUB_LIVE", "60"))
LIVE_TABLES, LIVE_RATE, VISITORS = 200, 10.0, 10
TABLES, RATE = 2000, 100.0
REGISTERING = 90.0
"""seconds at most in which all tables are registered"""
SAMPLE = 2.0
SETTLING = 60.0
RETURNING = 45
"""seconds for which tables come back that still have something to tell; two of them play on meanwhile"""
FEW_NAMED = 3
TICKS = os.sysconf("SC_CLK_TCK")


class RunningHub:
    """`companion hub` in a process of its own."""

    def __init__(self, folder: Path, broker: str, database: str, port: int = 0) -> None:
        self._folder, self._broker, self._database = folder, broker, database
        self.port, self.passwords = port, {}
        self.process: subprocess.Popen[str] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        words = ["hub", "--address", "127.0.0.1", "--port", str(self.port), "--broker", self._broker]
        words += ["--database", self._database, "--language", "en"]
        environment = os.environ | {"XDG_DATA_HOME": str(self._folder)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ui.command_line", *words], stdout=subprocess.PIPE, text=True, env=environment
        )  # fmt: skip
        for line in self.process.stdout:
            if found := re.match(r"pages:  http://[^:]+:(\d+)/", line):
                self.port = int(found[1])
                break
        threading.Thread(target=self._read_more, args=(self.process.stdout,), daemon=True).start()

    def _read_more(self, lines: Iterator[str]) -> None:
        for line in lines:
            if found := re.match(r"password to (\w+): (\S+)", line):
                self.passwords[found[1]] = found[2]

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def stop(self) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
            self.process.wait(30)

    def cookie(self, password: str) -> str:
        connection = http.client.HTTPConnection(self.address, timeout=20)
        headers = {"Origin": f"http://{self.address}", "Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", "/enter", urlencode({"password": password}), headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.headers["set-cookie"].partition(";")[0]

    def page(self, path: str, cookie: str) -> tuple[str, float]:
        began = time.monotonic()
        connection = http.client.HTTPConnection(self.address, timeout=30)
        connection.request("GET", path, headers={"Cookie": cookie})
        text = connection.getresponse().read().decode()
        connection.close()
        return text, time.monotonic() - began


def measure() -> list[Figure]:
    load = os.getloadavg()[0]
    note = f"{os.cpu_count()} cores, load {load:.1f} before, the tables simulated on the same ones"
    return [*live(note), *under_load(note)]


def live(note: str) -> list[Figure]:
    """From an entry at a table to the pages that follow."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hub-live-")))
        broker = OwnMosquitto()
        broker.start()
        stack.callback(broker.stop)
        hub = RunningHub(folder, full(broker), str(folder / "hub.sqlite"))
        hub.start()
        stack.callback(hub.stop)
        tables, shown = stack.enter_context(_playing(folder, broker, hub))
        cookie = hub.cookie(wait_for_password(hub))
        with _following(hub, cookie) as told, _chromium(hub, cookie) as painted:
            began = time.monotonic()
            tables.run(LIVE_SECONDS, threading.Event())
            time.sleep(1.5)
    times = {at: when for at, when in shown.items() if when >= began + 2.0}
    taken = [1e3 * (each["told"][at] - when) for each in told for at, when in times.items() if at in each["told"]]
    missed = sum(at not in each["told"] for each in told for at in times)
    seen = [1e3 * (painted[at] - when) for at, when in times.items() if at in painted]
    what = f"hub: {LIVE_TABLES} tables, {LIVE_RATE:g} entries/s"
    figures = [
        Figure(f"{what}: entry to page, median", median(taken), "ms", 300, count=len(taken), note=note),
        Figure(f"{what}: entry to page, p99", percentile(taken, 0.99), "ms", 1000, count=len(taken)),
        Figure(f"{what}: told by a later state only", missed, "entries", count=len(times) * len(told)),
    ]
    if seen:
        figures.append(Figure(f"{what}: entry to Chromium's page, median", median(seen), "ms", 300, count=len(seen)))
    return figures


@contextmanager
def _playing(folder: Path, broker: OwnMosquitto, hub: RunningHub) -> Iterator[tuple[ManyTables, dict[str, float]]]:
    """Tables in this process, registered, with the moments at which they showed each number of entries."""
    storing = Storing(open_database(str(folder / "hub.sqlite")))
    code = new_code()
    storing.add_code(code)
    options = ManyOptions(
        LIVE_TABLES, broker.address, code, None, LIVE_RATE, 0, 0, False, True, 77, folder / "tables"
    )  # fmt: skip
    shown: dict[str, float] = {}
    with ExitStack() as stack:
        tables = ManyTables(options, stack)
        for table in tables.tables:
            _note(table, shown)
        until = time.monotonic() + REGISTERING
        while len(storing.registered()) < LIVE_TABLES and time.monotonic() < until:
            time.sleep(0.2)
        yield tables, shown


def _note(table: object, shown: dict[str, float]) -> None:
    show = table.published.show

    def noted(what: object) -> None:
        shown.setdefault(f"{what.log.header.id}:{len(what.log.entries)}", time.monotonic())
        show(what)

    table.published.show = noted


@contextmanager
def _following(hub: RunningHub, cookie: str) -> Iterator[list[dict[str, object]]]:
    """Visitors; what they were told is in the list at the end."""
    told: list[dict[str, object]] = []
    given = {
        "address": hub.address, "cookie": cookie, "visitors": VISITORS,
        "follow": {"follow": "overview", "size": "row", "have": ""},
    }  # fmt: skip
    command = [sys.executable, "-m", "benchmarks.hub_visitors"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as visitors:
        visitors.stdin.write(json.dumps(given) + "\n")
        visitors.stdin.flush()
        time.sleep(2.0)
        yield told
        told.extend(json.loads(visitors.communicate("\n")[0]))


@contextmanager
def _chromium(hub: RunningHub, cookie: str) -> Iterator[dict[str, float]]:
    """A real browser on the overview; when its page had each `game:entries` is in the map at the end."""
    painted: dict[str, float] = {}
    if CHROMIUM is None:
        yield painted
        return
    stop, ready = threading.Event(), threading.Event()

    def watch() -> None:
        from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only where there is a Chromium

        with sync_playwright() as driver:
            browser = driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            context = browser.new_context(viewport={"width": 1440, "height": 900})
            name, _equals, value = cookie.partition("=")
            context.add_cookies([{"name": name, "value": value, "url": f"http://{hub.address}/"}])
            page = context.new_page()
            page.goto(f"http://{hub.address}/")
            page.evaluate(
                "() => { window.at = {}; new MutationObserver(() => { const now = Date.now();"
                "document.querySelectorAll('[data-at]').forEach(e => { window.at[e.dataset.at] ??= now; }); })"
                ".observe(document.body, {childList: true, subtree: true}); }"
            )
            offset = time.time() - time.monotonic()
            ready.set()
            stop.wait()
            painted.update({at: when / 1e3 - offset for at, when in page.evaluate("window.at").items()})
            browser.close()

    thread = threading.Thread(target=watch)
    thread.start()
    ready.wait(60)
    try:
        yield painted
    finally:
        stop.set()
        thread.join(60)


def under_load(note: str) -> list[Figure]:
    """Two hubs on one PostgreSQL while broker, hub and database are killed."""
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
        storing.add_code(code)
        hubs = [RunningHub(folder, full(broker), postgresql.address) for _hub in range(2)]
        for hub in hubs:
            hub.start()
            stack.callback(hub.stop)
        cookie = hubs[0].cookie(wait_for_password(hubs[0]))
        tables = _simulated(folder, broker, code)
        stack.callback(tables.kill)
        began = time.monotonic()
        while len(storing.registered()) < TABLES and time.monotonic() < began + REGISTERING:
            time.sleep(0.5)
        registered = time.monotonic() - began
        spent = [_processor_seconds(hub.process.pid) for hub in hubs], _processor_seconds(broker.process.pid)

        def burdens() -> list[float]:
            """Processor seconds of a hub, the broker and the database."""
            return [
                _processor_seconds(hubs[0].process.pid), _processor_seconds(broker.process.pid),
                _family_seconds(postgresql.process.pid),
            ]  # fmt: skip

        begun_at, run_from = stored(storing), time.monotonic()
        sampled, quiet, quiet_for, before_run = _Sampled(), [], 0.0, burdens()
        faults = _faults(broker, hubs, postgresql)
        while time.monotonic() < run_from + SECONDS:
            time.sleep(SAMPLE)
            if faults and time.monotonic() - run_from >= faults[0][0] * SECONDS:
                quiet = quiet or [after - before for after, before in zip(burdens(), before_run, strict=True)]
                quiet_for = quiet_for or time.monotonic() - run_from
                sampled.faults.append(faults.pop(0)[1]())
                continue
            sampled.look(hubs, cookie)
        lasted = time.monotonic() - run_from
        taken_in = stored(storing) - begun_at
        hub_cpu = _processor_seconds(hubs[0].process.pid) - spent[0][0]
        tables.send_signal(signal.SIGTERM)
        settled = time.monotonic()
        said = tables.communicate(timeout=SETTLING + 2 * RETURNING)[0]
        for _again in range(3):
            if "; 0 entries not yet acknowledged" in said:
                break
            again = _simulated(folder, broker, "", rate=1 / RETURNING, seconds=RETURNING + 1)
            stack.callback(again.kill)
            said = again.communicate(timeout=SETTLING + 2 * RETURNING)[0]
        settled = time.monotonic() - settled
        lost, doubled, differing, count = compared(folder / "tables", storing)
        size = _database_bytes(storing)
    what = f"hub: {TABLES} tables, {RATE:g} entries/s, 2 hubs, PostgreSQL, {lasted:.0f} s"
    killed = ", ".join(sampled.faults)
    return [
        Figure(f"{what}: taken in a second", taken_in / lasted, "entries/s", 0.97 * RATE, at_least=True,
               note=f"{killed}; {said.strip().splitlines()[-1]}"),
        Figure(f"{what}: lost", lost, "entries", 0, count=count, note=f"settled {settled:.1f} s after the last entry"),
        Figure(f"{what}: doubled", doubled, "entries", 0, count=count),
        Figure(f"{what}: other than at the table, or out of order", differing, "games", 0, count=count),
        Figure(f"{what}: memory of a hub", max(sampled.memory), "MB", 150, count=len(sampled.memory)),
        Figure(f"{what}: a late page, median", 1e3 * median(sampled.pages), "ms", 1000, count=len(sampled.pages)),
        Figure(f"{what}: a late page, slowest", 1e3 * max(sampled.pages), "ms", 1000, count=len(sampled.pages)),
        Figure(f"{what}: processor of a hub for a table", 1e6 * hub_cpu / lasted / TABLES, "us/s", note=note),
        *(
            Figure(f"{what}: processor of {part} for a table before anything is killed",
                   1e6 * seconds / quiet_for / TABLES, "us/s")
            for part, seconds in zip(("a hub", "the broker", "the database"), quiet, strict=True)
        ),
        Figure(f"{what}: database for an entry", size / max(1, count), "bytes"),
        Figure(f"{what}: all tables registered", registered, "s"),
    ]  # fmt: skip


class _Sampled:
    """What was looked at during the run."""

    def __init__(self) -> None:
        self.memory: list[float] = []
        self.pages: list[float] = []
        self.faults: list[str] = []

    def look(self, hubs: list[RunningHub], cookie: str) -> None:
        self.memory += [_memory(hub.process.pid) for hub in hubs]
        try:
            text, seconds = hubs[0].page("/", cookie)
        except OSError:
            return
        if text.count("data-at=") >= 100:
            self.pages.append(seconds)


def _faults(broker: OwnMosquitto, hubs: list[RunningHub], postgresql: OwnPostgresql) -> list[tuple[float, object]]:
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


def full(broker: OwnMosquitto) -> str:
    """The broker's address with user and password."""
    return f"{broker.address.username}:{broker.address.password}@{broker.address}"


def wait_for_password(hub: RunningHub) -> str:
    until = time.monotonic() + 10
    while "organise" not in hub.passwords and time.monotonic() < until:
        time.sleep(0.05)
    return hub.passwords["organise"]


def stored(storing: Storing) -> int:
    with storing.database.engine.connect() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM entries").scalar_one())


def compared(folder: Path, storing: Storing) -> tuple[int, int, int, int]:
    """Entries lost and doubled, games that differ, and entries in all: the tables' own store beside the hubs'."""
    lost = doubled = differing = count = 0
    known = set(storing.registered())
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


def _memory(pid: int) -> float:
    """What a process holds in memory, its part of what it shares included (MB)."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return int(re.search(r"Pss:\s+(\d+)", text)[1]) / 1024


def _family_seconds(pid: int) -> float:
    """Processor seconds of a process and those it has started."""
    children = [
        int(path.name) for path in Path("/proc").glob("[0-9]*")
        if _field(path / "stat", 1) == str(pid)
    ]  # fmt: skip
    return _processor_seconds(pid) + sum(map(_processor_seconds, children))


def _field(path: Path, number: int) -> str:
    try:
        return path.read_text(encoding="utf-8").rpartition(")")[2].split()[number]
    except OSError:
        return ""


def _processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS
