"""Pins that are set by lines on one pipe and report their changes as JSON on another.

Commands: `press PIN`, `release PIN`, `bounce PIN TIMES`. The environment names the pipes (BOARD_COMMANDS, BOARD_EVENTS)
and the board's own number (BOARD_UID, hexadecimal).
"""

import json
import os
import select
import sys

_commands = open(int(os.getenv("BOARD_COMMANDS")), "rb")
_events = open(int(os.getenv("BOARD_EVENTS")), "wb")
_poll = select.poll()
_poll.register(_commands, select.POLLIN)
_closed = set()
_bounces = {}
_readings = {}
_waiting = []

NOTICED = 20
"""So often a program that looks every millisecond has read a pin when it takes a move for one."""


def _tell(**event) -> None:
    _events.write(json.dumps(event).encode() + b"\n")


def _obey() -> None:
    """Do what the next lines say, as long as the program can have noticed the last move of their pin."""
    while _waiting or _poll.poll(0):
        if not _waiting:
            line = _commands.readline()
            if not line:
                sys.exit(0)
            _waiting.append(line.split())
        command, pin, *times = _waiting[0]
        pin = int(pin)
        if _readings.get(pin, NOTICED) < NOTICED:
            return
        _waiting.pop()
        _readings[pin] = 0
        (_closed.discard if command == b"release" else _closed.add)(pin)
        if command == b"bounce":
            _bounces[pin] = 2 * int(times[0])


class Pin:
    """A pin; one with a button reads 0 while its contact is closed."""

    IN, OUT, PULL_UP = 0, 1, 1

    def __init__(self, number: int, mode: int = -1, pull: int = -1, value: int = 0) -> None:
        self.number, self.level = number, value

    def value(self, level=None):
        """Read it, or set it."""
        if level is not None:
            if level != self.level:
                self.level = level
                _tell(ev="pin", pin=self.number, on=bool(level))
            return None
        _obey()
        _readings[self.number] = _readings.get(self.number, 0) + 1
        if _bounces.get(self.number, 0):
            _bounces[self.number] -= 1
            return _bounces[self.number] & 1
        return int(self.number not in _closed)


class PWM:
    """A pin that sounds."""

    def __init__(self, pin: Pin, freq: int, duty_u16: int) -> None:
        self.hertz, self.duty = freq, duty_u16

    def freq(self, hertz: int) -> None:
        """Set the tone."""
        self.hertz = hertz

    def duty_u16(self, duty: int) -> None:
        """Sound, or 0 for silence."""
        if duty != self.duty:
            self.duty = duty
            _tell(ev="tone", hertz=self.hertz if duty else 0)


def unique_id() -> bytes:
    """What the chip is known by."""
    return bytes.fromhex(os.getenv("BOARD_UID"))


def reset_cause() -> int:
    """Power."""
    return 1


def reset() -> None:
    """End the program: a board would restart, a test is to fail."""
    sys.exit(3)
