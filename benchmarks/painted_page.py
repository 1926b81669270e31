"""A real Chromium on a phone's page beside timed clients: when it painted each state, and whether as it was told."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import cv2
import numpy as np

from tests.ui.chromium import CHROMIUM

WIDTH, HEIGHT = 412, 915
OTHER = 16
"""of 255 levels; edges are rounded by up to 3 where a part of a page was exchanged"""
WATCH = """() => {
    window.painted = {};
    const look = () => {
        const at = document.querySelector('#page input[name=at]'), heading = document.querySelector('#page h1');
        if (!at || !heading) return;
        const box = heading.getBoundingClientRect();
        const seen = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
        if (!heading.contains(seen)) return;
        const state = at.value;
        requestAnimationFrame(() => setTimeout(() => { window.painted[state] ??= Date.now(); }, 0));
    };
    new MutationObserver(look).observe(document.body, {childList: true, subtree: true});
    look();
}"""
"""notes when the heading of each state could be seen and its frame was drawn: milliseconds since 1970"""
TEXTS = """html => {
    const text = page => page.textContent.replace(/\\s+/g, ' ').trim();
    const told = new DOMParser().parseFromString(html, 'text/html').querySelector('#page');
    return [text(document.querySelector('#page')), text(told)];
}"""


class PaintedPage:
    """The page of one phone in Chromium."""

    def __init__(self, context: Any, page: Any, address: str) -> None:
        self._context, self._page, self._address = context, page, address

    async def times(self) -> dict[int, float]:
        """Number of entries -> when their page was painted, in seconds since 1970."""
        painted: dict[str, float] = await self._page.evaluate("window.painted")
        return {int(state): milliseconds / 1e3 for state, milliseconds in painted.items()}

    async def difference(self, html: str) -> str:
        """Where the text on the page begins to differ from that of a page that was told; "" where it is the same."""
        shown, told = await self._page.evaluate(TEXTS, html)
        if shown == told:
            return ""
        at = len(os.path.commonprefix([shown, told]))
        return f"{shown[at : at + 40]!r} is painted, {told[at : at + 40]!r} was told"

    async def other_pixels(self) -> int:
        """How many pixels of the page, exchanged part by part so far, have plainly another colour on one that is loaded
        anew.
        """
        fresh = await self._context.new_page()
        await fresh.goto(self._address, wait_until="load")
        await fresh.wait_for_timeout(1500)  # pictures and letters are there, what moves has come to rest
        pictures = [await page.screenshot(animations="disabled") for page in (self._page, fresh)]
        await fresh.close()
        old, new = (cv2.imdecode(np.frombuffer(each, np.uint8), cv2.IMREAD_COLOR).astype(int) for each in pictures)
        return int((np.abs(old - new).max(axis=2) > OTHER).sum())


@asynccontextmanager
async def painted_page(address: str, cookie: str) -> AsyncIterator[PaintedPage | None]:
    """The page of the phone with this cookie, followed; None where there is no Chromium or no Playwright."""
    try:
        from playwright.async_api import async_playwright  # noqa: PLC0415  # only where there is a Chromium
    except ImportError:
        yield None
        return
    if CHROMIUM is None:
        yield None
        return
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        context = await browser.new_context(viewport={"width": WIDTH, "height": HEIGHT}, is_mobile=True)
        name, _equals, value = cookie.partition("=")
        await context.add_cookies([{"name": name, "value": value, "url": f"http://{address}/"}])
        page = await context.new_page()
        await page.goto(f"http://{address}/", wait_until="load")
        await page.evaluate(WATCH)
        await page.wait_for_timeout(1500)
        yield PaintedPage(context, page, f"http://{address}/")
        await browser.close()
