"""Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


class Chromium:
    """A Chromium, and the one thread that may drive it; `words` are more of its command line."""

    def __init__(self, *words: str) -> None:
        self._words = words
        self._thread = ThreadPoolExecutor(1, "chromium")
        self._thread.submit(self._start).result()

    def run(self, visit: Callable[[Any], Any]) -> Any:
        """What a visit gives, to which the browser is handed on its thread; it leaves neither pages nor cookies."""
        return self._thread.submit(self._run, visit).result()

    def close(self) -> None:
        """End it."""
        self._thread.submit(self._stop).result()
        self._thread.shutdown()

    def _start(self) -> None:
        from playwright.sync_api import sync_playwright

        self._driver = sync_playwright().start()
        self._browser = self._driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *self._words])

    def _run(self, visit: Callable[[Any], Any]) -> Any:
        try:
            return visit(self._browser)
        finally:
            for context in self._browser.contexts:
                context.close()

    def _stop(self) -> None:
        self._browser.close()
        self._driver.stop()
