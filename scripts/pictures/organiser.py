"""The hub's pages with simulated tables and an event, photographed by a real Chromium."""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.publishing.signing import new_code
from firmware_bridge.mqtt.broker import OwnMosquitto
from scripts.pictures.shots import Shot
from ui.hub.database import open_database
from ui.hub.passwords import Role
from ui.hub.service import Hub, WantedService
from ui.services.text import use_language
from ui.simulated_table.many_tables import ManyOptions, ManyTables

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
GUESTS = (
    "Adriano", "Bruna", "Claudia", "Dario", "Emilia", "Flavia", "Giulia", "Marco", "Ottavia", "Silvia", "Tiberio",
    "Ugo",
)  # fmt: skip
FREE, SEATED = 8, 4
"""tables that play what they like, and those of the event"""
RATE_FREE, RATE_SEATED = 12.0, 60.0
"""entries a second"""
PLAYED = 25.0
"""seconds for which the free tables play"""
MIDST = 3.0
"""seconds of the third round that the tables of the event play"""
PATIENCE = 180.0
ROUNDS = 3


@dataclass(slots=True)
class _Evening:
    """A hub with tables, its event and the pages of its organiser."""

    hub: Hub
    free: ManyTables
    page: Any
    event: str = ""

    def go(self, path: str) -> None:
        self.page.goto(f"http://{self.hub.address}{path}")


def take_pages(shots: Sequence[Shot], folder: Path, chromium: str, reduce: Callable[[Path], None]) -> None:
    """Photograph pages of the hub; `reduce` makes a picture's file small."""
    with _evening(chromium) as evening:
        addresses = _addresses(evening)
        for shot in shots:
            use_language(shot.language)
            evening.page.set_viewport_size({"width": shot.size[0], "height": shot.size[1]})
            evening.go(addresses[shot.scene])
            evening.page.wait_for_timeout(1500)
            path = folder / f"{shot.name}.png"
            evening.page.screenshot(path=path)
            reduce(path)
            print(f"{path.name} {path.stat().st_size // 1000} kB", flush=True)
        use_language("en")


def _addresses(evening: _Evening) -> dict[str, str]:
    """Scene -> where it is. A table with a picture of its board that is still played is looked at, and calls."""
    looked_at = next(each for each in evening.free.tables if each.session is not None and not each.session.is_over)
    looked_at.published.call_help(asked=True)
    _wait(lambda: getattr(evening.hub.overview.table(looked_at.published.name), "wants_help", False))
    return {
        "hub-overview": "/",
        "hub-table": f"/table/{looked_at.published.name}",
        "hub-judge": "/judge",
        "hub-event": evening.event,
        "hub-places": f"{evening.event}/seats",
        "hub-standings": f"{evening.event}/standings",
    }


@contextmanager
def _evening(chromium: str) -> Iterator[_Evening]:
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  # only where pages are photographed

    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = OwnMosquitto()
        broker.start()
        stack.callback(broker.stop)
        database = open_database(str(folder / "hub.sqlite"))
        stack.callback(database.close)
        hub = Hub(database, WantedService("127.0.0.1", 0, broker.address))
        hub.start()
        stack.callback(hub.stop)
        code, stops = new_code(), (threading.Event(), threading.Event())
        hub.storing.tables.add_code(code)
        seated = _tables(hub, code, SEATED, RATE_SEATED, folder / "seated", stack, assigned=True)
        free = _tables(hub, code, FREE, RATE_FREE, folder / "free", stack, assigned=False)
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        stack.callback(browser.close)
        evening = _Evening(hub, free, browser.new_context(viewport={"width": 1280, "height": 800}).new_page())
        playing = [
            threading.Thread(target=seated.run, args=(0.0, stops[0])),
            threading.Thread(target=free.run, args=(PLAYED, stops[1])),
        ]
        for thread in playing:
            thread.start()
        try:
            _hold_event(evening)
            stops[0].wait(MIDST)
            stops[0].set()
            playing[1].join()
            yield evening
        finally:
            for stop in stops:
                stop.set()
            for thread in playing:
                thread.join()


def _tables(hub: Hub, code: str, count: int, rate: float, out: Path, stack: ExitStack, *, assigned: bool) -> ManyTables:
    assert hub.broker_address is not None
    before = len(hub.overview)
    options = ManyOptions(count, hub.broker_address, code, None, rate, 0, 0, assigned, True, 77, out)
    tables = ManyTables(options, stack)
    _wait(lambda: len(hub.overview) == before + count)
    return tables


def _hold_event(evening: _Evening) -> None:
    """Two rounds of an event that the tables have played, and a third that they are at."""
    use_language("en")  # whatever language the pictures before were taken in
    page = evening.page
    evening.go("/")
    page.fill("#password", evening.hub.first_passwords[Role.ORGANISE])
    page.click("button")
    evening.go("/event")
    page.fill("input[name=name]", "Ides of March")
    page.select_option("select[name=game]", "capitol")
    page.fill("input[name=tables]", str(SEATED))
    page.click("button:has-text('Create')")
    evening.event = re.sub(r"^https?://[^/]+", "", page.url)
    page.fill("textarea[name=names]", "\n".join(GUESTS))
    page.click("button:has-text('Add players')")
    for number in range(1, ROUNDS + 1):
        draw = page.locator(f"button:has-text('Draw round {number}')")
        draw.wait_for(timeout=1000 * PATIENCE)
        draw.click()
        page.locator("h2", has_text=f"Round {number}").wait_for()
    page.locator(".seated .playing .pill").first.wait_for(timeout=1000 * PATIENCE)


def _wait(is_so: Callable[[], object]) -> None:
    until = time.monotonic() + PATIENCE
    while not is_so():
        if time.monotonic() > until:
            raise TimeoutError("the hub or its tables do not come to what is to be photographed")
        time.sleep(0.05)
