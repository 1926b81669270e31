"""The serial wire without a port: bytes to messages and back.

A frame is `00 COBS(version|type, box, seq, payload, crc16) 00`, little-endian, its CRC the one known as
CRC-16/CCITT-FALSE. Plain text lines (`BTN 1 DOWN`) are read too, until the first sound frame.
"""

from __future__ import annotations

import binascii
import re
import struct
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum

from firmware_bridge.protocol.messages import (
    EVERY_BOX,
    HIGHEST_NUMBER,
    LAYOUTS,
    PROTOCOL_VERSIONS,
    TYPES,
    Buzz,
    Foreign,
    Hello,
    HostHello,
    Incoming,
    Led,
    Message,
    Nak,
    NakReason,
    TextButton,
    TextHello,
)

DELIMITER = b"\0"
MAXIMUM_PAYLOAD = 60
_HEADER = struct.Struct("<BBH")
_CRC = struct.Struct("<H")
_SMALLEST = _HEADER.size + _CRC.size
_LARGEST_ENCODED = _SMALLEST + MAXIMUM_PAYLOAD + 1
_LONGEST_LINE = 32
_TEXT_BUTTON = re.compile(rb"BTN (\d{1,2}) (DOWN|UP)\r?")
_TEXT_HELLO = re.compile(rb"HELLO (\d{1,2})\r?")
_GREETING_VERSION = 0
"""The greetings carry the range of versions, so their own layout never changes and they have a version of their own."""


@dataclass(frozen=True, slots=True)
class SerialFrame:
    """A message with the number of the box that it comes from or goes to."""

    box: int
    message: Incoming


class Damage(StrEnum):
    """Why bytes between two delimiters are no frame."""

    LENGTH = "length"
    STUFFING = "stuffing"
    CRC = "crc"


@dataclass(slots=True)
class FrameCounts:
    """What a decoder has met: sound frames, those of them not understood, lines of text, and damaged frames."""

    frames: int = 0
    foreign: int = 0
    lines: int = 0
    damaged: Counter[Damage] = field(default_factory=Counter)


def encode(box: int, message: Message) -> bytes:
    """One frame with a delimiter on both sides, so that it is read even after noise."""
    layout = LAYOUTS[type(message)]
    version = _GREETING_VERSION if isinstance(message, Hello | HostHello) else PROTOCOL_VERSIONS[1]
    body = _HEADER.pack(version << 4 | layout.type_number, box, getattr(message, "seq", 0))
    body += layout.structure.pack(*(getattr(message, name) for name in layout.names))
    return DELIMITER + cobs_encode(body + _CRC.pack(crc16(body))) + DELIMITER


def encode_text(message: Message) -> bytes:
    """The line a plain text box may read for this message; empty for messages that it has no use for."""
    match message:
        case Led(led=led, on=on):
            return f"LED {led} {'ON' if on else 'OFF'}\n".encode()
        case Buzz(hertz=hertz, duration_ms=duration_ms):
            return f"BUZZ {hertz} {duration_ms}\n".encode()
        case _:
            return b""


class Decoder:
    """Bytes in pieces of any size to frames; never raises, and reads the first sound frame after any damage.

    What is heard before the first delimiter is the rest of a frame that began before we listened; it counts as nothing.
    """

    def __init__(self) -> None:
        self.counts = FrameCounts()
        self.plain_text = False
        self._frame = bytearray()
        self._line = bytearray()
        self._joined = False
        self._binary = False

    def feed(self, data: bytes) -> list[SerialFrame]:
        """The frames that these bytes complete, in order."""
        frames: list[SerialFrame] = []
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            self._collect(piece, frames)
            self._end_frame(frames)
        self._collect(rest, frames)
        return frames

    def _collect(self, piece: bytes, frames: list[SerialFrame]) -> None:
        self._frame += piece[: _LARGEST_ENCODED + 1 - len(self._frame)]
        if self._binary:
            return
        *lines, rest = piece.split(b"\n")
        for line in lines:
            self._line += line[: _LONGEST_LINE + 1 - len(self._line)]
            self._end_line(frames)
        self._line += rest[: _LONGEST_LINE + 1 - len(self._line)]

    def _end_line(self, frames: list[SerialFrame]) -> None:
        said = _read_line(bytes(self._line))
        self._line.clear()
        if said is not None:
            self.counts.lines += 1
            self.plain_text = True
            self._frame.clear()
            frames.append(SerialFrame(EVERY_BOX, said))

    def _end_frame(self, frames: list[SerialFrame]) -> None:
        encoded = bytes(self._frame)
        self._frame.clear()
        self._line.clear()
        joined, self._joined = self._joined, True
        if not encoded:
            return
        match _decode(encoded):
            case SerialFrame() as frame:
                self._binary, self.plain_text = True, False
                self.counts.frames += 1
                self.counts.foreign += isinstance(frame.message, Foreign)
                frames.append(frame)
            case damage if joined:
                self.counts.damaged[damage] += 1


def _read_line(line: bytes) -> TextButton | TextHello | None:
    if (match := _TEXT_BUTTON.fullmatch(line)) and 1 <= int(match[1]) <= HIGHEST_NUMBER:
        return TextButton(int(match[1]), match[2] == b"DOWN")
    if (match := _TEXT_HELLO.fullmatch(line)) and 1 <= int(match[1]) <= HIGHEST_NUMBER:
        return TextHello(int(match[1]))
    return None


def _decode(encoded: bytes) -> SerialFrame | Damage:
    if len(encoded) > _LARGEST_ENCODED:
        return Damage.LENGTH
    body = cobs_decode(encoded)
    if body is None:
        return Damage.STUFFING
    if len(body) < _SMALLEST:
        return Damage.LENGTH
    if crc16(body[:-2]) != _CRC.unpack(body[-2:])[0]:
        return Damage.CRC
    kind, box, seq = _HEADER.unpack_from(body)
    return SerialFrame(box, _message(kind, seq, body[_HEADER.size : -_CRC.size]))


def _message(kind: int, seq: int, payload: bytes) -> Message | Foreign:
    version, message_type = kind >> 4, TYPES.get(kind & 0x0F)
    if message_type is None:
        return Foreign(seq, NakReason.TYPE)
    oldest, newest = PROTOCOL_VERSIONS
    if message_type in (Hello, HostHello):
        oldest = newest = _GREETING_VERSION
    if not oldest <= version <= newest:
        return Foreign(seq, NakReason.VERSION)
    layout = LAYOUTS[message_type]
    build: Callable[..., Message] = message_type
    try:
        values = layout.structure.unpack(payload)
        if message_type is Nak:
            return Nak(seq, values[0], NakReason(values[1]))
        return build(seq, *values) if layout.numbered else build(*values)
    except (struct.error, ValueError):
        return Foreign(seq, NakReason.CONTENT)


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF; 0x29B1 for b"123456789"."""
    return binascii.crc_hqx(data, 0xFFFF)


def cobs_encode(data: bytes) -> bytes:
    """Consistent overhead byte stuffing (Cheshire and Baker 1999) of fewer than 254 bytes: the same without a zero."""
    return b"".join(bytes([len(run) + 1]) + run for run in data.split(DELIMITER))


def cobs_decode(encoded: bytes) -> bytes | None:
    """The bytes behind `cobs_encode`, or None where `encoded` is not its result."""
    data = bytearray()
    at = 0
    while at < len(encoded):
        code = encoded[at]
        end = at + code
        if code == 0 or end > len(encoded):
            return None
        data += encoded[at + 1 : end]
        if end < len(encoded):
            data.append(0)
        at = end
    return bytes(data)
