"""A phone at a seat of the evening: a browser without script that keeps its key in a file."""

from __future__ import annotations

import http.client
import re
import time
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from ui.shell.table_loop import TableLoop

PATIENCE = 20.0
"""seconds"""


class EveningPhone:
    """Comes to the table at `address`; its key outlives the program in `kept`, as in a browser."""

    def __init__(self, kept: Path, seat: int) -> None:
        self._kept, self.seat = kept, seat
        self.address = ""
        self.posts = 0

    def come(self, url: str, loop: TableLoop) -> None:
        """Open the page, by the code to scan where this phone has no key yet, and sit down where it does not sit.

        Raises TimeoutError where the table gives no seat.
        """
        self.address = url.split("/")[2]
        if not self._kept.is_file():
            self._ask("GET", f"/join/{url.rpartition('/')[2]}")
        until = time.monotonic() + PATIENCE
        while 'name="button"' not in self._page():
            if 'name="seat"' in self._page():
                self._post({"seat": str(self.seat)})
                loop.post(lambda: _say_yes(loop))
            if time.monotonic() > until:
                raise TimeoutError("the phone came to no seat")
            time.sleep(0.2)

    def choose(self, text: str) -> None:
        """Tap an action, given as the record writes it."""
        self._post({"choose": text})

    def press(self, name: str) -> None:
        """Tap one of the four big buttons: done, no, next or help."""
        offered = re.search(rf'name="button" value="({name}\b[^"]*)"', self._page())
        self._post({"button": unescape(offered[1]) if offered is not None else name})

    def _page(self) -> str:
        return self._ask("GET", "/")

    def _post(self, fields: dict[str, str]) -> None:
        page = self._page()
        known = {name: _field(name, page) for name in ("number", "at")}
        self._ask("POST", "/do", urlencode(known | fields))
        self.posts += 1

    def _ask(self, method: str, path: str, body: str = "") -> str:
        host, _, port = self.address.rpartition(":")
        headers = {"Host": self.address, "Origin": f"http://{self.address}"}
        if self._kept.is_file():
            headers["Cookie"] = self._kept.read_text(encoding="ascii")
        if body:
            headers |= {"Content-Type": "application/x-www-form-urlencoded", "HX-Request": "true"}
        connection = http.client.HTTPConnection(host, int(port), timeout=PATIENCE)
        try:
            connection.request(method, path, body or None, headers)
            answer = connection.getresponse()
            given = answer.getheader("set-cookie")
            if given:
                self._kept.write_text(given.partition(";")[0], encoding="ascii")
            return answer.read().decode(errors="replace")
        finally:
            connection.close()


def _field(name: str, page: str) -> str:
    found = re.search(rf'name="{name}" value="([^"]*)"', page)
    return unescape(found[1]) if found is not None else ""


def _say_yes(loop: TableLoop) -> None:
    for question in tuple(loop.presenter.questions):
        loop.presenter.on_choice(f"asked yes {question}")
