"""The interface of what carries messages between a host and its boxes: serial port, broker or memory."""

from __future__ import annotations

import queue
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from companion.wording.sentences import sentence
from firmware_bridge.errors import TransportLost
from firmware_bridge.protocol.messages import Hello, Incoming, Message

T = TypeVar("T")

INBOX_SIZE = 1000
"""Messages that may wait: far more than boxes send while a program is busy. Further ones are counted and dropped."""

SENDER_RATE, SENDER_BURST = 1000.0, 1000.0
"""Messages a second, and at once, of one sender: more than fit on a serial line, too few to keep out the others."""


@dataclass(frozen=True, slots=True)
class Received:
    """What a box said; `box` is its address on this transport: a number on a serial port, a name on a broker.

    `host` is the name of the other table that beats for the box, empty where a box spoke.
    """

    box: str
    content: Incoming
    host: str = ""


@dataclass(slots=True)
class Dropped:
    """How much was not taken because it did not hold, and why the newest of it."""

    count: int = 0
    reason: str = ""

    def add(self, reason: str) -> None:
        """One more."""
        self.count += 1
        self.reason = reason


class Transport(Protocol):
    """A serial port, a broker connection or a wire in memory. `open`, `close`, `send` and `receive` are for one thread.

    May be opened again after `close`. Damage and hostile input is dropped and counted, never raised.
    """

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def retry_after(self) -> float:
        """After how many seconds without an answer a message is likely lost."""

    @property
    def is_shared(self) -> bool:
        """Whether other programs may speak with the same boxes."""

    @property
    def dropped(self) -> Dropped:
        """What was not taken, over all openings."""

    def open(self) -> None:
        """Connect, in a few seconds at most.

        Raises TransportUnavailable, or NotAuthorised where trying again is no use.
        """

    def send(self, box: str, message: Message) -> None:
        """Hand a message to the wire, which may still lose it.

        Raises TransportLost.
        """

    def receive(self, timeout: float) -> Received | None:
        """The next message, None after `timeout` seconds without one.

        Raises TransportLost, when all that came before has been given.
        """

    def introduce(self, box: str, hello: Hello) -> None:
        """A box that belongs to the table has greeted; announce it to others where the wire allows that.

        Raises TransportLost.
        """

    def close(self) -> None:
        """Disconnect and release everything; safe to call twice and before `open`."""


class Inbox(Generic[T]):
    """Between the thread that hears a wire and the one that uses it; bounded, and ends with the reason of its end."""

    def __init__(self, source: str, dropped: Dropped, size: int = INBOX_SIZE) -> None:
        self._source, self._dropped = source, dropped
        self._queue: queue.Queue[T | None] = queue.Queue(size)
        self._end: str | None = None

    def put(self, received: T) -> None:
        """Add a message; dropped where too many wait."""
        try:
            self._queue.put_nowait(received)
        except queue.Full:
            self._dropped.add(sentence("more messages than can be looked at"))

    def end(self, reason: str) -> None:
        """Nothing more will come; the first reason stays."""
        if self._end is None:
            self._end = reason
            if not self._queue.full():
                self._queue.put_nowait(None)

    def check(self) -> None:
        """Raise TransportLost if the wire has ended."""
        if self._end is not None:
            raise TransportLost(self._source, self._end)

    def get(self, timeout: float) -> T | None:
        """The next message, None after `timeout` seconds without one.

        Raises TransportLost.
        """
        try:
            received = self._queue.get(timeout=timeout)
        except queue.Empty:
            received = None
        if received is None:
            self.check()
        return received
