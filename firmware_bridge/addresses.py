"""Where boxes and brokers are, as people write it: `serial:/dev/ttyACM0#2@1`, `mqtt:blue@2`, `broker.local:1883`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from urllib.parse import unquote, urlsplit

from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.messages import BOX_NUMBERS

HIGHEST_SEAT = 12
MQTT_PORT = 1883

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


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where an MQTT broker listens; without a user name it is asked anonymously."""

    host: str
    port: int = MQTT_PORT
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    @classmethod
    def parse(cls, text: str) -> BrokerAddress:
        """The address that `[user[:password]@]host[:port]` writes, with %40 for an @ in a password.

        Raises InvalidBrokerAddress, which does not repeat the text.
        """
        try:
            parts = urlsplit(f"//{text}")
            host, port = parts.hostname, parts.port
        except ValueError as error:
            raise InvalidBrokerAddress("the port after the colon is a number from 1 to 65535") from error
        if not host or port == 0 or parts.netloc != text or any(letter.isspace() for letter in text):
            raise InvalidBrokerAddress("it is written host, host:port or user:password@host:port")
        username, password = parts.username, parts.password
        return cls(host, port or MQTT_PORT, username and unquote(username), password and unquote(password))

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"
