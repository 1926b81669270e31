"""The messages between a box and its host on any wire; docs/hardware.md describes them.

Numbers of buttons and LEDs are 1-based. Sequence numbers are 16 bits and wrap. `boot` is a number that a box draws at
each start, so that (boot, seq) names one button edge for good.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, fields
from enum import IntEnum, StrEnum
from types import MappingProxyType

PROTOCOL_VERSIONS = (1, 1)
"""The oldest and the newest protocol version spoken here."""

HIGHEST_NUMBER = 16
"""The most buttons, and the most LEDs, of a box: the button mask of a beat has 16 bits."""

UNACKNOWLEDGED_EDGES = 16
"""Unacknowledged edges (8 presses) that a box keeps before it drops the oldest."""

ORDER_WINDOW = 256
"""Numbers from the oldest edge that a box keeps up to the newest are fewer than this; the box drops old ones for it."""

EVERY_BOX = 0
"""The box number that a host uses to speak to all boxes behind one serial port; boxes have 1 to 254."""

BOX_NUMBERS = range(1, 255)


class LinkState(StrEnum):
    """How a box is connected; `lost` is a box that was there, or whose port or broker cannot be opened."""

    CLOSED = "closed"
    OPENING = "opening"
    HELLO = "hello"
    READY = "ready"
    LOST = "lost"


class NakReason(IntEnum):
    """Why a message was understood as a frame but not obeyed."""

    VERSION = 1
    TYPE = 2
    CONTENT = 3
    REFUSED = 4


@dataclass(frozen=True, slots=True)
class Hello:
    """Box: who I am. Sent at its start and as the answer to HostHello; `oldest` is the oldest edge it still keeps.

    `firmware` is major x 256 + minor, `uid` stays with the hardware, `uptime_ms` wraps at 2**32.
    """

    protocol_min: int
    protocol_max: int
    firmware: int
    buttons: int
    leds: int
    capabilities: int
    reset_cause: int
    boot: int
    oldest: int
    uptime_ms: int
    uid: bytes

    def __post_init__(self) -> None:
        _check(self.buttons, 0, HIGHEST_NUMBER)
        _check(self.leds, 0, HIGHEST_NUMBER)
        _check(self.protocol_max, self.protocol_min, 255)
        if len(self.uid) != 8:
            raise ValueError("a uid has 8 bytes")


@dataclass(frozen=True, slots=True)
class HostHello:
    """Host: who is there? With a new `session` the numbering of commands starts again."""

    protocol_min: int
    protocol_max: int
    session: int


@dataclass(frozen=True, slots=True)
class Button:
    """Box: a debounced edge, resent until acknowledged. Edges before `oldest` will never come again.

    `t_ms` is the box's own time of the edge, which a resend keeps.
    """

    seq: int
    boot: int
    oldest: int
    button: int
    pressed: bool
    t_ms: int

    def __post_init__(self) -> None:
        _check(self.button, 1, HIGHEST_NUMBER)
        _check((self.seq - self.oldest) % 2**16, 0, ORDER_WINDOW - 1)


@dataclass(frozen=True, slots=True)
class Beat:
    """Box: alive, once a second. `pressed` and `lit` are masks of buttons held down and LEDs on (bit 0 is number 1).

    `pending` edges from `oldest` on are unacknowledged; `overruns` counts what the box could not keep or read.
    """

    boot: int
    uptime_ms: int
    pressed: int
    lit: int
    oldest: int
    pending: int
    overruns: int

    def __post_init__(self) -> None:
        _check(self.pending, 0, UNACKNOWLEDGED_EDGES)


@dataclass(frozen=True, slots=True)
class HostBeat:
    """Host: alive, once a second. A box that hears no host for three seconds shows so."""


@dataclass(frozen=True, slots=True)
class Led:
    """Host: light an LED or put it out."""

    seq: int
    led: int
    on: bool

    def __post_init__(self) -> None:
        _check(self.led, 1, HIGHEST_NUMBER)


@dataclass(frozen=True, slots=True)
class Buzz:
    """Host: sound the buzzer for `duration_ms` at `hertz`."""

    seq: int
    hertz: int
    duration_ms: int

    def __post_init__(self) -> None:
        _check(self.hertz, 20, 20_000)
        _check(self.duration_ms, 1, 5_000)


@dataclass(frozen=True, slots=True)
class Ack:
    """Either: the numbered message of the other side was taken; `boot` is always the box's."""

    seq: int
    boot: int


@dataclass(frozen=True, slots=True)
class Nak:
    """Either: the numbered message of the other side was read and cannot be obeyed; resending is no use."""

    seq: int
    boot: int
    problem: NakReason


Message = Hello | HostHello | Button | Beat | HostBeat | Led | Buzz | Ack | Nak


@dataclass(frozen=True, slots=True)
class Foreign:
    """A sound frame that is not understood; the answer to it is a Nak, unless it was one itself."""

    seq: int
    problem: NakReason


@dataclass(frozen=True, slots=True)
class TextButton:
    """An edge in plain text from a home-made box: without number, time or acknowledgement."""

    button: int
    pressed: bool

    def __post_init__(self) -> None:
        _check(self.button, 1, HIGHEST_NUMBER)


@dataclass(frozen=True, slots=True)
class TextHello:
    """A home-made box says at its start, in plain text, how many buttons it has; it need not."""

    buttons: int

    def __post_init__(self) -> None:
        _check(self.buttons, 1, HIGHEST_NUMBER)


@dataclass(frozen=True, slots=True)
class Availability:
    """A transport's own knowledge that a box came or went, such as a broker has of its clients."""

    online: bool


Incoming = Message | Foreign | TextButton | TextHello | Availability


class Layout:
    """How a message type lies on a serial wire: its number and its fields in order, little-endian."""

    __slots__ = ("names", "numbered", "structure", "type_number")

    def __init__(self, type_number: int, message_type: type[Message], format_: str) -> None:
        names = tuple(field.name for field in fields(message_type))
        self.type_number = type_number
        self.numbered = names[:1] == ("seq",)
        self.names = names[1:] if self.numbered else names
        self.structure = struct.Struct("<" + format_)


LAYOUTS: MappingProxyType[type[Message], Layout] = MappingProxyType(
    {
        message_type: Layout(type_number, message_type, format_)
        for type_number, message_type, format_ in (
            (1, Hello, "BBHBBHBHHI8s"),
            (2, HostHello, "BBH"),
            (3, Button, "HHB?I"),
            (4, Beat, "HIHHHBH"),
            (5, HostBeat, ""),
            (6, Led, "B?"),
            (7, Buzz, "HH"),
            (8, Ack, "H"),
            (9, Nak, "HB"),
        )
    }
)
"""The one table of message types on the serial wire."""

TYPES: MappingProxyType[int, type[Message]] = MappingProxyType(
    {layout.type_number: message_type for message_type, layout in LAYOUTS.items()}
)


def _check(value: int, low: int, high: int) -> None:
    if not low <= value <= high:
        raise ValueError(f"{value} is not from {low} to {high}")
