"""Where a box is and whose it is, as people write it: `serial:/dev/ttyACM0#2@1`, `mqtt:blue@2`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

from firmware_bridge.errors import InvalidBoxAddress
from firmware_bridge.messages import BOX_NUMBERS

HIGHEST_SEAT = 12

MQTT_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The name of a box on a broker: one level of a topic, without wildcards."""

_SEAT = re.compile(r"(.*)@(\d{1,2})", re.DOTALL)
_NUMBER = re.compile(r"(.*)#(\d{1,3})", re.DOTALL)


class Wire(StrEnum):
    """How a box is reached."""

    SERIAL = "serial"
    MQTT = "mqtt"


@dataclass(frozen=True, slots=True)
class BoxAddress:
    """A box: `place` is a serial port's path or the box's name on the broker.

    `number` chooses among several boxes behind one serial port; None is the first that answers. `seat` is 1-based and
    None for a box that stands before nobody.
    """

    wire: Wire
    place: str
    number: int | None = None
    seat: int | None = None

    @classmethod
    def parse(cls, text: str) -> BoxAddress:
        """The address that `text` writes.

        Raises InvalidBoxAddress.
        """
        wire, colon, rest = text.partition(":")
        if not colon or wire not in tuple(Wire):
            raise InvalidBoxAddress(text[:80], "an address begins with serial: or mqtt:")
        seat = number = None
        if match := _SEAT.fullmatch(rest):
            rest, seat = match[1], int(match[2])
            if not 1 <= seat <= HIGHEST_SEAT:
                raise InvalidBoxAddress(text[:80], f"the seat after @ is from 1 to {HIGHEST_SEAT}")
        if wire == Wire.MQTT:
            if not MQTT_NAME.fullmatch(rest):
                raise InvalidBoxAddress(text[:80], "a box on the broker is named by 1 to 32 of A-Z a-z 0-9 _ -")
            return cls(Wire.MQTT, rest, seat=seat)
        if match := _NUMBER.fullmatch(rest):
            rest, number = match[1], int(match[2])
            if number not in BOX_NUMBERS:
                raise InvalidBoxAddress(text[:80], "the number after # is from 1 to 254")
        if not rest or "\0" in rest or len(rest) > 4096:
            raise InvalidBoxAddress(text[:80], "a serial port is named by its path, such as /dev/ttyACM0")
        return cls(Wire.SERIAL, rest, number, seat)

    @property
    def name(self) -> str:
        """The address without its seat, by which the box is known everywhere."""
        number = "" if self.number is None else f"#{self.number}"
        return f"{self.wire}:{self.place}{number}"

    def __str__(self) -> str:
        return self.name if self.seat is None else f"{self.name}@{self.seat}"
