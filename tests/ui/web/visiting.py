"""A table with phones, and phones that visit its pages over real connections to this machine."""

from __future__ import annotations

import http.client
import re
import socket
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from html import unescape
from pathlib import Path
from urllib.parse import urlencode

from companion.session.session import Session
from tests.tables import table_of
from ui.shell.table_loop import TableLoop
from ui.table.presenter import Presenter
from ui.web.board_art import BoardArts
from ui.web.service import PhoneService

PATIENCE = 20.0


class PhoneTable:
    """A table of a game with phones switched on; the test's thread is the table's."""

    def __init__(
        self, folder: Path, game_id: str = "capitol", seats=3, *, session=None, plain=False, live=False, art=False,
        waits_for_art=True,
    ):  # fmt: skip
        noon = datetime(2026, 1, 1, 12, tzinfo=UTC)
        self.session = session or Session.create(None, table_of(game_id, seats), clock=lambda: noon, game_id="game")
        clock = time.monotonic if live else lambda: 0.0
        self.loop = TableLoop(Presenter(self.session, clock=clock))
        fixed = {"nonce": lambda: "nonce", "run": "run"} if plain else {}
        self.seconds = 0.0
        """what the clock shows by which a phone counts as gone"""
        arts = BoardArts() if art else BoardArts(None)
        self.service = PhoneService(folder, **fixed, clock=lambda: self.seconds, arts=arts)
        self.service.open("127.0.0.1", 0)
        self.port = int(self.service.address.rpartition(":")[2])
        self._pool = ThreadPoolExecutor(8)
        self.tick()
        until = time.monotonic() + 5 * PATIENCE
        while art and waits_for_art and self.service._phones.roster.art is None and time.monotonic() < until:
            time.sleep(0.01)
            self.tick()

    @property
    def presenter(self) -> Presenter:
        return self.loop.presenter

    def tick(self) -> None:
        self.loop.tick()
        self.service.tick(self.loop)

    def during(self, function, *arguments):
        """What a function gives that needs the table to go on meanwhile."""
        future = self._pool.submit(function, *arguments)
        while not future.done():
            self.tick()
            try:
                future.result(0.01)
            except TimeoutError:
                continue
        return future.result()

    def touch(self, text: str) -> None:
        """Touch the first choice on the tablet that begins so."""
        choice = next(each for each in self.presenter.view().choices if each.text.startswith(text))
        self.presenter.on_choice(choice.key)
        self.tick()

    def phone(self, seat: int = 0) -> Phone:
        """A phone that has scanned the code, at a seat to which the table said yes."""
        phone = Phone(self)
        phone.get(self.service.url.partition(self.service.address)[2])
        self.tick()
        if seat:
            phone.post(seat=str(seat))
            self.touch("Yes")
        return phone

    def close(self) -> None:
        self.service.close()
        self._pool.shutdown()


class Answer:
    """What came back: `text` is what a person can read of it."""

    def __init__(self, status: int, headers, body: str) -> None:
        self.status, self.headers, self.body = status, headers, body
        visible = re.sub(r"<(style|title)[^>]*>.*?</\1>", "", body, flags=re.DOTALL)
        self.text = unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", visible)))

    def field(self, name: str) -> str:
        return re.search(rf'name="{name}" value="([^"]*)"', self.body)[1]

    def values(self, name: str) -> list[str]:
        return [unescape(value) for value in re.findall(rf'name="{name}" value="([^"]*)"', self.body)]


class Phone:
    """A browser without script, with its cookie."""

    def __init__(self, table: PhoneTable, cookie: str = "") -> None:
        self.table, self.cookie = table, cookie

    def request(self, method: str, path: str, body: str | bytes | None = None, **headers: str) -> Answer:
        """One request and its answer; an empty header is left out, `source` is the address it comes from."""
        source = (headers.pop("source"), 0) if "source" in headers else None
        given = {"Host": self.table.service.address, "Cookie": self.cookie} | {
            name.replace("_", "-"): value for name, value in headers.items()
        }

        def ask() -> Answer:
            connection = http.client.HTTPConnection(
                "127.0.0.1", self.table.port, timeout=PATIENCE, source_address=source
            )
            try:
                connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
                for name, value in given.items():
                    if value:
                        connection.putheader(name, value)
                connection.endheaders(body.encode() if isinstance(body, str) else body)
                response = connection.getresponse()
                return Answer(response.status, dict(response.headers), response.read().decode(errors="replace"))
            finally:
                connection.close()

        answer = self.table.during(ask)
        if "set-cookie" in answer.headers:
            self.cookie = answer.headers["set-cookie"].partition(";")[0]
        return answer

    def get(self, path: str = "/", **headers: str) -> Answer:
        return self.request("GET", path.partition("#")[0], **headers)

    def post(self, *, number: str | None = None, at: str | None = None, page: Answer | None = None, **fields) -> Answer:
        """Send the form of the page as it is now, or of an earlier one; gives the page after it."""
        page = page or self.get()
        sent = {"number": number or page.field("number"), "at": at or page.field("at")} | fields
        answer = self.send(urlencode(sent, doseq=True))
        return self.get(answer.headers["location"]) if answer.status == 303 else answer

    def send(self, body: str, **headers: str) -> Answer:
        given = {
            "Content_Type": "application/x-www-form-urlencoded", "Content_Length": str(len(body)),
            "Origin": f"http://{self.table.service.address}",
        }  # fmt: skip
        return self.request("POST", "/do", body, **(given | headers))

    def stream(self, path: str = "/events", **headers: str) -> Stream:
        return self.table.during(Stream, self, path, headers)


class Stream:
    """An open stream of events."""

    def __init__(self, phone: Phone, path: str, headers) -> None:
        self._table = phone.table
        self._socket = socket.create_connection(("127.0.0.1", phone.table.port), PATIENCE)
        lines = [f"GET {path} HTTP/1.1", f"Host: {phone.table.service.address}", f"Cookie: {phone.cookie}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        self._socket.sendall("\r\n".join([*lines, "", ""]).encode())
        self._file = self._socket.makefile("rb")
        self.status = int(self._file.readline().split()[1])
        while self._file.readline().strip():
            pass

    def event(self) -> tuple[str, str]:
        """The next event: its id and its data."""
        return self._table.during(self._read)

    def _read(self) -> tuple[str, str]:
        number, data = "", []
        while True:
            line = self._file.readline()
            if not line:
                raise EOFError
            text = line.decode().rstrip("\r\n")
            if text.startswith("id: "):
                number = text[4:]
            elif text.startswith("data: "):
                data.append(text[6:])
            elif not text and data:
                return number, "\n".join(data)

    def close(self) -> None:
        self._file.close()
        self._socket.close()
