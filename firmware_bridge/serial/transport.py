"""Boxes behind a serial port, one or several.

pyserial says in four ways that a port is gone: SerialException, OSError, termios.error and, where it was closed under
a thread that reads, TypeError. So one thread reads, each of the four means lost, and closing waits for the reader.
"""

from __future__ import annotations

import errno
import sys
import threading
import time

import serial

from companion.wording.sentences import sentence
from firmware_bridge.errors import TransportLost, TransportUnavailable
from firmware_bridge.protocol.messages import BOX_NUMBERS, Hello, Message, TextButton, TextHello
from firmware_bridge.serial.codec import Decoder, FrameCounts, SerialFrame, encode, encode_text
from firmware_bridge.transports.rate_limit import RateLimit
from firmware_bridge.transports.transport import SENDER_BURST, SENDER_RATE, Dropped, Inbox, Received

BAUD_RATE = 115_200
READ_TIMEOUT = 0.1
WRITE_TIMEOUT = 0.5

_GONE: tuple[type[Exception], ...] = (serial.SerialException, OSError, TypeError, ValueError)
if sys.platform != "win32":
    import termios

    _GONE += (termios.error,)

_REASONS = {
    errno.ENOENT: sentence("is not there"),
    errno.EACCES: sentence("may not be opened by this user (on Debian and Ubuntu: the group dialout)"),
    errno.EAGAIN: sentence("is in use by another program"),
    errno.EBUSY: sentence("is in use by another program"),
    errno.ENOTTY: sentence("is no serial port"),
    errno.EISDIR: sentence("is no serial port"),
}


class SerialTransport:
    """A serial port by its path, used by nobody else at the same time."""

    retry_after = 0.1
    is_shared = False

    def __init__(self, path: str, baud_rate: int = BAUD_RATE) -> None:
        self.name = f"serial:{path}"
        self.dropped = Dropped()
        self._path, self._baud_rate = path, baud_rate
        self._decoder = Decoder()
        self._rate_limit = RateLimit(SENDER_RATE, SENDER_BURST)
        self._inbox = Inbox[Received](self.name, self.dropped)
        self._port: serial.Serial | None = None
        self._reader: threading.Thread | None = None
        self._closing = threading.Event()

    @property
    def counts(self) -> FrameCounts:
        """Sound and damaged frames since the port was opened."""
        return self._decoder.counts

    def open(self) -> None:
        """Open the port, which resets an Arduino."""
        try:
            port = serial.Serial(
                self._path, self._baud_rate, timeout=READ_TIMEOUT, write_timeout=WRITE_TIMEOUT, exclusive=True
            )
        except _GONE as error:
            raise TransportUnavailable(self.name, _reason(error)) from error
        self._port = port
        self._decoder = Decoder()
        self._inbox = Inbox[Received](self.name, self.dropped)
        self._closing = threading.Event()
        self._reader = threading.Thread(
            target=self._read, args=(port, self._decoder, self._inbox, self._closing), name=self.name, daemon=True
        )
        self._reader.start()

    def send(self, box: str, message: Message) -> None:
        """Write a frame, or a line to a box that speaks plain text."""
        if self._port is None:
            raise TransportLost(self.name, sentence("is not open"))
        self._inbox.check()
        data = encode_text(message) if self._decoder.plain_text else encode(int(box), message)
        if not data:
            return
        try:
            self._port.write(data)
        except serial.SerialTimeoutException as error:
            raise TransportLost(self.name, sentence("takes no more bytes")) from error
        except _GONE as error:
            raise TransportLost(self.name, sentence("was unplugged")) from error

    def receive(self, timeout: float) -> Received | None:
        """The next frame or line."""
        if self._port is None:
            raise TransportLost(self.name, sentence("is not open"))
        return self._inbox.get(timeout)

    def introduce(self, box: str, hello: Hello) -> None:
        """Nobody else hears this wire."""

    def close(self) -> None:
        """Wake the reading thread, wait for it and close the port."""
        port, reader = self._port, self._reader
        self._port = self._reader = None
        if port is None or reader is None:
            return
        self._closing.set()
        port.cancel_read()
        reader.join()
        port.close()

    def _read(self, port: serial.Serial, decoder: Decoder, inbox: Inbox[Received], closing: threading.Event) -> None:
        try:
            while not closing.is_set():
                try:
                    data = port.read(port.in_waiting or 1)
                except _GONE:
                    inbox.end(sentence("was unplugged"))
                    return
                for frame in decoder.feed(data):
                    self._hear(frame, inbox)
        finally:
            inbox.end(sentence("is no longer read"))

    def _hear(self, frame: SerialFrame, inbox: Inbox[Received]) -> None:
        box = str(frame.box)
        if frame.box not in BOX_NUMBERS and not isinstance(frame.message, TextButton | TextHello):
            self.dropped.add(sentence("a frame from box {box}; boxes have numbers from 1 to 254", box=box))
        elif not self._rate_limit.take(box, time.monotonic()):
            self.dropped.add(sentence("more messages from box {box} than a box can have to say", box=box))
        else:
            inbox.put(Received(box, frame.message))


def _reason(error: Exception) -> str:
    """Why a port cannot be opened; what it cannot do at all stands in the error beneath pyserial's own."""
    beneath = error.__context__
    numbers = (getattr(error, "errno", None), *(beneath.args[:1] if beneath is not None else ()))
    known = next((_REASONS[number] for number in numbers if number in _REASONS), None)
    return known or (str(error).splitlines()[0] if str(error) else sentence("no reason is given"))
