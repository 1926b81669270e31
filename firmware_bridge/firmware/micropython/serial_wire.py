"""Frames on the line of the board's USB socket: 00 COBS(version << 4 | type, box, seq, payload, crc) 00."""

import select
import struct
import sys

import micropython
from box import CONTENT, TYPE, VERSION

LAYOUTS = {
    "hello": (1, "<BBHBBHBHHI8s"),
    "host hello": (2, "<BBH"),
    "button": (3, "<HHBBI"),
    "beat": (4, "<HIHHHBH"),
    "host beat": (5, "<"),
    "led": (6, "<BB"),
    "buzz": (7, "<HH"),
    "ack": (8, "<H"),
    "nak": (9, "<HB"),
}
NAMES = {number: name for name, (number, _) in LAYOUTS.items()}
FROM_HOST = ("host hello", "host beat", "led", "buzz", "ack", "nak")
LONGEST_ENCODED = 67
MOST_AT_ONCE = 256
EVERY_BOX = 0
CRC_TABLE = tuple(
    ((nibble << 12) ^ (nibble << 5) ^ nibble) & 0xFFFF for nibble in range(16)
)  # polynomial 1021, half a byte at a time


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE."""
    crc = 0xFFFF
    for byte in data:
        crc = (crc << 4 ^ CRC_TABLE[crc >> 12 ^ byte >> 4]) & 0xFFFF
        crc = (crc << 4 ^ CRC_TABLE[crc >> 12 ^ byte & 15]) & 0xFFFF
    return crc


def unstuffed(encoded: bytes):
    """The bytes behind a COBS encoding, None for what is none."""
    data = bytearray()
    at = 0
    while at < len(encoded):
        end = at + encoded[at]
        if end == at or end > len(encoded):
            return None
        data.extend(encoded[at + 1 : end])
        if end < len(encoded):
            data.append(0)
        at = end
    return bytes(data)


class SerialWire:
    """The line that the interactive prompt would use; Ctrl-C is a byte like any other on it."""

    retry_ms = 50

    def __init__(self, settings: dict) -> None:
        self.number = settings.get("box", 1)
        self.incoming = bytearray()
        self.line = sys.stdin.buffer, sys.stdout.buffer
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)
        micropython.kbd_intr(-1)

    def is_new(self) -> bool:
        """Whether somebody has just been connected, to whom the box has to introduce itself."""
        return False

    def wait(self, milliseconds: int) -> None:
        """Rest until something comes, at most so long."""
        self.poll.poll(milliseconds)

    def send(self, name: str, seq: int, values: tuple) -> bool:
        """Write a frame; false if the line does not take it now."""
        number, layout = LAYOUTS[name]
        version = 0 if name == "hello" else 1
        body = struct.pack("<BBH", version << 4 | number, self.number, seq) + struct.pack(layout, *values)
        body += struct.pack("<H", crc16(body))
        stuffed = b"".join([bytes([len(run) + 1]) + run for run in body.split(b"\0")])
        try:
            self.line[1].write(b"\0" + stuffed + b"\0")
        except OSError:
            return False
        return True

    def receive(self) -> list:
        """What the host has said to this box: (name, seq, values), or ("foreign", seq, (problem,))."""
        messages = []
        for _ in range(MOST_AT_ONCE):
            byte = self.line[0].read(1) if self.poll.poll(0) else None
            if not byte:
                break
            if byte != b"\0":
                if len(self.incoming) <= LONGEST_ENCODED:
                    self.incoming.extend(byte)
                continue
            encoded, self.incoming = self.incoming, bytearray()
            message = self.message(encoded)
            if message is not None:
                messages.append(message)
        return messages

    def message(self, encoded: bytes):
        """What a frame says, None for damage and for what is not for this box."""
        body = unstuffed(encoded) if len(encoded) <= LONGEST_ENCODED else None
        if body is None or len(body) < 6 or crc16(body[:-2]) != body[-2] | body[-1] << 8:
            return None
        kind, box, seq = struct.unpack("<BBH", body)
        name = NAMES.get(kind & 15)
        if box not in (self.number, EVERY_BOX):
            return None
        if name is None:
            return "foreign", seq, (TYPE,)
        payload = body[4:-2]
        is_sound = len(payload) == struct.calcsize(LAYOUTS[name][1])
        if kind >> 4 != (0 if name in ("hello", "host hello") else 1):
            return None if name == "nak" else ("foreign", seq, (VERSION,))
        if name not in FROM_HOST:
            return None
        if not is_sound:
            return None if name == "nak" else ("foreign", seq, (CONTENT,))
        values = struct.unpack(LAYOUTS[name][1], payload)
        return name, seq, (values[0], int(values[1] != 0)) if name == "led" else values
