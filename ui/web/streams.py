"""Server-sent events: each open page is told what it shows now, as often as that changes and it can take it in.

Every event holds the whole page, so a page that slept, or changed the network, misses nothing. A slow one is sent only
what is newest; one that takes nothing for a while is closed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, Protocol

from ui.web.guard import Receive, Scope, Send

STREAMS_OF_A_PHONE, MOST_STREAMS = 3, 160
HEARTBEAT = 15.0
"""seconds after which something is sent though nothing has changed, so that a lost phone is noticed"""
PATIENCE = 10.0
"""seconds in which a page must take in what is sent"""
CLOSED = "closed"
"""the event by which a page is told that the server stops on purpose"""
_HEADERS = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"connection", b"close"),
]


class Stream:
    """One open page; it is told to look again, or to end."""

    def __init__(self, phone: str) -> None:
        self.phone = phone
        self.news = asyncio.Event()
        self.is_over = False
        self.last_words = ""
        """what the page is told before it is closed; "" for nothing"""

    def end(self, last_words: str = "") -> None:
        """Let the stream close."""
        self.is_over, self.last_words = True, last_words
        self.news.set()


class Pages(Protocol):
    """Who is told which pages are open."""

    def open_page(self, phone: str) -> None:
        """A page has been opened."""

    def close_page(self, phone: str) -> None:
        """It is closed."""


class Streams:
    """The open pages of all phones, on the server's thread; `presence` is told of each. `most` of one phone at once."""

    def __init__(self, presence: Pages, most: int = STREAMS_OF_A_PHONE) -> None:
        self._presence, self._most = presence, most
        self._of: dict[str, list[Stream]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._of.values()))

    def opened(self, phone: str) -> Stream | None:
        """A stream for a phone, in place of its oldest where it has several; None where the table has too many."""
        own = self._of.get(phone, [])
        if len(own) >= self._most:
            own.pop(0).end()
        elif len(self) >= MOST_STREAMS:
            return None
        stream = Stream(phone)
        self._of.setdefault(phone, own).append(stream)
        self._presence.open_page(phone)
        return stream

    def closed(self, stream: Stream) -> None:
        """A stream has ended."""
        self._presence.close_page(stream.phone)
        own = self._of.get(stream.phone, [])
        if stream in own:
            own.remove(stream)
        if not own:
            self._of.pop(stream.phone, None)

    def wake(self) -> None:
        """Something else is shown: every page looks again."""
        for own in self._of.values():
            for stream in own:
                stream.news.set()

    def end(self, last_words: str = "") -> None:
        """The server stops, and tells every page so in these words."""
        for own in self._of.values():
            for stream in own:
                stream.end(last_words)


ShownStream = tuple[str, str] | None
"""the number and the HTML of what a page shows; None to close it"""
Current = Callable[[], ShownStream | Awaitable[ShownStream]]


class EventStream:
    """The answer that keeps one stream open. `current` gives what the page shows now.

    `last` is the number of the page that the phone has got already.
    """

    def __init__(self, streams: Streams, stream: Stream, current: Current, last: str) -> None:
        self._streams, self._stream, self._current, self._last = streams, stream, current, last

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events until the phone is gone."""
        gone = asyncio.create_task(self._wait_until_gone(receive))
        try:
            with suppress(TimeoutError, OSError):  # one that takes nothing in, or is gone, is told no more
                await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
                await self._tell(send)
        finally:
            self._streams.closed(self._stream)
            gone.cancel()
            with suppress(asyncio.CancelledError):
                await gone
        with suppress(TimeoutError, OSError):
            await asyncio.wait_for(send({"type": "http.response.body", "body": b""}), 1.0)

    async def _tell(self, send: Send) -> None:
        stream, last = self._stream, self._last
        while not stream.is_over:
            stream.news.clear()
            shown = self._current()
            if isinstance(shown, Awaitable):
                shown = await shown
            if shown is None:
                return
            if shown[0] != last:
                last = shown[0]
                await _send(send, event(last, shown[1]))
            try:
                await asyncio.wait_for(stream.news.wait(), HEARTBEAT)
            except TimeoutError:
                await _send(send, b": still there\n\n")
        if stream.last_words:
            await _send(send, f"event: {CLOSED}\ndata: {stream.last_words}\n\n".encode())

    async def _wait_until_gone(self, receive: Receive) -> None:
        while True:
            message: Any = await receive()
            if message["type"] == "http.disconnect":
                self._stream.end()
                return


async def _send(send: Send, data: bytes) -> None:
    await asyncio.wait_for(send({"type": "http.response.body", "body": data, "more_body": True}), PATIENCE)


def event(number: str, html: str) -> bytes:
    """One event: the number of the page and its HTML."""
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or [""])
    return f"id: {number}\nevent: page\n{lines}\n".encode()
