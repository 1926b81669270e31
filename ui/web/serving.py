"""uvicorn in a thread of its own, on one local address, while it is wanted; connections bounded as it does not bound
them.
"""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ui.web.guard import App
from ui.web.streams import Streams

LISTENING = 64
"""connections that may wait to be taken"""
MOST_CONNECTIONS, MOST_OF_AN_ADDRESS = 360, 240
SHUT_OUT = 2.0
"""seconds in which no connection is taken from an address that asks without end and without a key"""
MOST_SHUT_OUT = 256
SECONDS_TO_ASK = 8.0
"""in which a connection must have sent the head of its first request"""
LONGEST_HEAD = 16 * 1024
STOPPING = 3.0
_log = logging.getLogger("companion.phones")
logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # whoever sends rubbish must not fill the log

Job = Callable[[], None]


class Served(Protocol):
    """A site that is served, with the pages of it that are open."""

    app: App
    streams: Streams


MakeSite = Callable[[frozenset[str], int, Callable[[str], None]], Served]
"""Makes a site of the names by which it may be addressed, its port, and what shuts an address out for a moment; called
on the server's thread.
"""


class PageServer:
    """Serves a site until `stop`; `name` is its thread's."""

    def __init__(self, make: MakeSite, name: str) -> None:
        self._make, self._name = make, name
        self._thread: threading.Thread | None = None
        self._server: uvicorn.Server | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._streams: Streams | None = None

    def start(self, address: str, port: int) -> int:
        """Listen on a local address; gives the port, a free one where 0 is asked for.

        Raises OSError.
        """
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        listening = socket.socket(family, socket.SOCK_STREAM)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((address, port))
            listening.listen(LISTENING)
        except OSError:
            listening.close()
            raise
        port = listening.getsockname()[1]
        ready = threading.Event()
        self._thread = threading.Thread(
            target=self._serve, args=(listening, address, port, ready), name=self._name, daemon=True
        )
        self._thread.start()
        ready.wait(STOPPING)
        return port

    def stop(self, last_words: str = "") -> None:
        """Close all pages, each told so in these words, and the address."""
        thread, self._thread = self._thread, None
        if thread is None:
            return
        if self._server is not None and self._loop is not None and self._streams is not None:
            self._server.should_exit = True
            self._tell(partial(self._streams.end, last_words))
        thread.join(STOPPING)

    def wake(self) -> None:
        """Every page looks whether it shows something else; may be called from any thread."""
        if self._streams is not None:
            self._tell(self._streams.wake)

    def _tell(self, function: Job) -> None:
        loop = self._loop
        if loop is not None:
            try:
                loop.call_soon_threadsafe(function)
            except RuntimeError:  # the server has stopped meanwhile
                self._loop = None

    def _serve(self, listening: socket.socket, address: str, port: int, ready: threading.Event) -> None:
        try:
            asyncio.run(self._run(listening, address, port, ready))
        except Exception:  # noqa: BLE001  # what the pages show goes on without them
            _log.exception("the pages of the %s have stopped", self._name)
        finally:
            listening.close()
            self._loop = None
            ready.set()

    async def _run(self, listening: socket.socket, address: str, port: int, ready: threading.Event) -> None:
        self._loop = asyncio.get_running_loop()
        name = f"[{address}]" if ":" in address else address
        names = {name, "localhost"} if address in ("127.0.0.1", "::1") else {name}
        hosts = frozenset(f"{each}:{port}" for each in names)
        shut_out: dict[str, float] = {}

        def shut(sender: str) -> None:
            if len(shut_out) >= MOST_SHUT_OUT:
                shut_out.clear()
            shut_out[sender] = time.monotonic() + SHUT_OUT

        site = self._make(hosts, port, shut)
        self._streams = site.streams
        config = uvicorn.Config(
            site.app, loop="asyncio", http=_bounded(shut_out), ws="none", lifespan="off", interface="asgi3",
            log_config=None, access_log=False, proxy_headers=False, server_header=False, timeout_keep_alive=10,
            timeout_graceful_shutdown=1, h11_max_incomplete_event_size=LONGEST_HEAD,
        )  # fmt: skip
        self._server = uvicorn.Server(config)
        ready.set()
        await self._server.serve(sockets=[listening])


def _bounded(shut_out: dict[str, float]) -> type[H11Protocol]:
    """The protocol of a connection, with bounds that uvicorn does not have: how many there are, how long one may say
    nothing, and until when (monotonic seconds) none is taken from an address.
    """
    open_from: Counter[str] = Counter()

    class BoundedConnection(H11Protocol):
        def connection_made(self, transport: Any) -> None:
            peer = transport.get_extra_info("peername")
            self.sender = str(peer[0]) if peer else ""
            open_from[self.sender] += 1
            super().connection_made(transport)
            if shut_out and shut_out.get(self.sender, 0.0) > time.monotonic():
                transport.abort()
                return
            shut_out.pop(self.sender, None)
            if open_from.total() > MOST_CONNECTIONS or open_from[self.sender] > MOST_OF_AN_ADDRESS:
                transport.abort()
                return
            asyncio.get_running_loop().call_later(SECONDS_TO_ASK, self._close_if_silent)

        def connection_lost(self, exc: Exception | None) -> None:
            open_from[self.sender] -= 1
            if not open_from[self.sender]:
                del open_from[self.sender]
            super().connection_lost(exc)

        def _close_if_silent(self) -> None:
            if self.cycle is None:
                self.transport.abort()

    return BoundedConnection
