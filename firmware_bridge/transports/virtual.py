"""A wire in memory with a transport at each end, for tests and for boxes that live in the same program."""

from __future__ import annotations

from companion.wording.sentences import sentence
from firmware_bridge.errors import TransportLost, TransportUnavailable
from firmware_bridge.protocol.messages import Hello, Message
from firmware_bridge.transports.transport import Dropped, Inbox, Received


def virtual_wire(name: str = "virtual") -> tuple[VirtualTransport, VirtualTransport]:
    """The two ends of a wire: the host's and the boxes'. The host's end opens only while the boxes' end is open."""
    host, boxes = VirtualTransport(name), VirtualTransport(f"{name} boxes")
    host.connect(boxes, follows=True)
    boxes.connect(host, follows=False)
    return host, boxes


class VirtualTransport:
    """One end of a wire in memory."""

    retry_after = 0.05
    is_shared = False

    def __init__(self, name: str) -> None:
        self.name = name
        self.dropped = Dropped()
        self._inbox: Inbox[Received] | None = None
        self._other: VirtualTransport | None = None
        self._follows = False

    def connect(self, other: VirtualTransport, follows: bool) -> None:
        """Say what the other end is; the end that `follows` exists only while the other is open."""
        self._other, self._follows = other, follows

    def open(self) -> None:
        """Begin to listen."""
        if self._follows and (self._other is None or self._other._inbox is None):
            raise TransportUnavailable(self.name, sentence("nothing is at the other end"))
        self._inbox = Inbox[Received](self.name, self.dropped)

    def send(self, box: str, message: Message) -> None:
        """Give a message to the other end; lost where nobody listens there."""
        if self._inbox is None:
            raise TransportLost(self.name, sentence("is not open"))
        self._inbox.check()
        other = self._other._inbox if self._other else None
        if other is not None:
            other.put(Received(box, message))

    def receive(self, timeout: float) -> Received | None:
        """The next message from the other end."""
        if self._inbox is None:
            raise TransportLost(self.name, sentence("is not open"))
        return self._inbox.get(timeout)

    def introduce(self, box: str, hello: Hello) -> None:
        """Nobody else hears this wire."""

    def close(self) -> None:
        """Stop listening; the end that follows this one is lost with it."""
        self._inbox = None
        other = self._other
        if other is not None and other._follows and other._inbox is not None:
            other._inbox.end(sentence("the other end is gone"))
