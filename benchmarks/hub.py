"""The hub: from an entry at a table to open pages, and two hubs on one PostgreSQL under load while things are killed.

Real mosquitto, real PostgreSQL, the real commands in processes of their own. COMPANION_HUB_LIVE is the length of this
run (60 s), COMPANION_HUB_SECONDS that of the run under load (600, `benchmarks.hub_load`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from benchmarks.figures import Figure, median, percentile
from benchmarks.hub_load import REGISTERING, under_load
from benchmarks.hub_running import RunningHub, full, wait_for_password
from companion.publishing.signing import new_code
from firmware_bridge.mqtt.broker import OwnMosquitto
from tests.ui.chromium import CHROMIUM
from ui.hub.database import open_database
from ui.hub.storing import Storing
from ui.simulated_table.many_tables import ManyOptions, ManyTables

LIVE_SECONDS = float(os.environ.get("COMPANION_HUB_LIVE", "60"))
LIVE_TABLES, LIVE_RATE, VISITORS = 200, 10.0, 10


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
    storing.tables.add_code(code)
    options = ManyOptions(
        LIVE_TABLES, broker.address, code, None, LIVE_RATE, 0, 0, False, True, 77, folder / "tables"
    )  # fmt: skip
    shown: dict[str, float] = {}
    with ExitStack() as stack:
        tables = ManyTables(options, stack)
        for table in tables.tables:
            _note(table, shown)
        until = time.monotonic() + REGISTERING
        while len(storing.tables.registered()) < LIVE_TABLES and time.monotonic() < until:
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
