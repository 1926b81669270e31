"""Who visits a hub's pages over real connections."""

from __future__ import annotations

import http.client
import re
from urllib.parse import urlencode

from ui.hub.entrance_page import COOKIE


def entered(page, hub, password: str, path: str = "/"):
    """A page of a real browser whose user has given the password, and came from `path`."""
    page.goto(f"http://{hub.address}{path}")
    page.fill("#password", password)
    page.click("form button")
    return page


class Visitor:
    """A browser without script: one cookie, no following of redirects."""

    def __init__(self, address: str, password: str = "") -> None:
        self.address, self.cookie = address, ""
        if password:
            answer = self.post("/enter", password=password)
            self.cookie = re.search(rf"{COOKIE}=([^;]+)", answer.headers["set-cookie"])[1]

    def get(self, path: str, **headers: str):
        return self._ask("GET", path, None, headers)

    def post(self, path: str, *, came_from: str = "", **fields: str):
        headers = {"Origin": f"http://{self.address}", "Content-Type": "application/x-www-form-urlencoded"}
        if came_from:
            headers["Referer"] = came_from if "://" in came_from else f"http://{self.address}{came_from}"
        return self._ask("POST", path, urlencode(fields), headers)

    def text(self, path: str) -> str:
        answer = self.get(path)
        assert answer.status == 200, (path, answer.status)
        return answer.text

    def events(self, path: str):
        """The connection and the open answer of a stream of events."""
        connection = http.client.HTTPConnection(self.address, timeout=20)
        connection.request("GET", path, headers=self._headers({}))
        return connection, connection.getresponse()

    def _ask(self, method: str, path: str, body: str | None, headers: dict[str, str]):
        connection = http.client.HTTPConnection(self.address, timeout=20)
        try:
            connection.request(method, path, body, self._headers(headers))
            answer = connection.getresponse()
            answer.text = answer.read().decode()
            return answer
        finally:
            connection.close()

    def _headers(self, more: dict[str, str]) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}={self.cookie}", **more} if self.cookie else more


def next_event(answer, containing: str) -> str:
    """The first event that contains a text."""
    told = ""
    while line := answer.readline().decode():
        told += line
        if line == "\n":
            if containing in told:
                return told
            told = ""
    raise AssertionError(f"the stream ended without {containing!r}")
