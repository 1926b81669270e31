"""Where boxes and brokers are, as people write it: `usb:a1b2c3d4e5f60718@1`, `mqtt:blue@2`, `mqtts://user@broker:8883`."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from companion.files.documents import decode_text
from companion.wording.sentences import sentence
from firmware_bridge.errors import InvalidBoxAddress, InvalidBrokerAddress
from firmware_bridge.protocol.messages import BOX_NUMBERS

HIGHEST_SEAT = 12
MQTT_PORT, MQTTS_PORT = 1883, 8883
LONGEST_PASSWORD = 1024

MQTT_NAME = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The name of a box on a broker: one level of a topic, without wildcards."""

DEVICE_LOCATION = re.compile(r"[a-z0-9_]{1,32}/[^\x00-\x1f\x7f+#]{1,128}")
"""A button somebody else made: the id of an adapter record, and what it calls the device."""

_UID = re.compile(r"[0-9a-f]{16}")
_SEAT = re.compile(r"(.*)@(\d{1,2})", re.DOTALL)
_BROKER = re.compile(r"(?P<host>\[[0-9A-Fa-f:.]+\]|[^\s/@:?#\[\]%]+)(?::(?P<port>\d{1,5}))?(?:\?(?P<further>[^?#]*))?")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_NUMBER = re.compile(r"(.*)#(\d{1,3})", re.DOTALL)


class Wire(StrEnum):
    """How a box is reached."""

    SERIAL = "serial"
    USB = "usb"
    MQTT = "mqtt"
    BUTTON = "button"


@dataclass(frozen=True, slots=True)
class BoxAddress:
    """A box. `location` is a serial port's path, a box's uid wherever it is plugged in, its name on the broker, or
    `adapter/device` for a button somebody else made.

    `number` chooses among several boxes behind one serial port; None is the first that answers. `seat` is 1-based and
    None for a box that belongs to no seat.
    """

    wire: Wire
    location: str
    number: int | None = None
    seat: int | None = None

    @classmethod
    def parse(cls, text: str) -> BoxAddress:
        """The address that `text` writes.

        Raises InvalidBoxAddress.
        """
        name, colon, rest = text.partition(":")
        name = name.lower()
        if not colon or name not in tuple(Wire):
            raise _invalid(text, "an address begins with serial:, usb:, mqtt: or button:")
        wire = Wire(name)
        seat = number = None
        if match := _SEAT.fullmatch(rest):
            rest, seat = match[1], int(match[2])
            if not 1 <= seat <= HIGHEST_SEAT:
                raise _invalid(text, "the seat after @ is from 1 to {highest}", highest=HIGHEST_SEAT)
        rest = rest.lower() if wire is Wire.USB else rest
        if wire is Wire.SERIAL and (match := _NUMBER.fullmatch(rest)):
            rest, number = match[1], int(match[2])
            if number not in BOX_NUMBERS:
                raise _invalid(text, "the number after # is from 1 to 254")
        _check_location(text, wire, rest)
        return cls(wire, rest, number, seat)

    @property
    def name(self) -> str:
        """The address without its seat, by which the box is known everywhere."""
        number = "" if self.number is None else f"#{self.number}"
        return f"{self.wire}:{self.location}{number}"

    def __str__(self) -> str:
        return self.name if self.seat is None else f"{self.name}@{self.seat}"


def _check_location(text: str, wire: Wire, location: str) -> None:
    match wire:
        case Wire.SERIAL:
            if not location or "\0" in location or len(location) > 4096:
                raise _invalid(text, "a serial port is named by its path, such as /dev/ttyACM0")
        case Wire.USB:
            if not _UID.fullmatch(location):
                raise _invalid(text, "a box on any port is named by the 16 digits of 0-9 a-f that it says of itself")
        case Wire.MQTT:
            if not MQTT_NAME.fullmatch(location):
                raise _invalid(text, "a box on the broker is named by 1 to 32 of A-Z a-z 0-9 _ -")
        case Wire.BUTTON:
            if not DEVICE_LOCATION.fullmatch(location):
                raise _invalid(text, "a button is named adapter/device, such as zigbee2mqtt/kitchen")


def _invalid(text: str, reason: str, **values: object) -> InvalidBoxAddress:
    return InvalidBoxAddress(text[:80], sentence(reason, **values))


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where an MQTT broker listens; without a user name it is asked anonymously.

    With `tls` the connection is encrypted and the broker's certificate must be signed by `authority`, a PEM file, or
    by one that the system trusts.
    """

    host: str
    port: int = MQTT_PORT
    username: str | None = None
    password: str | None = field(default=None, repr=False)
    tls: bool = False
    authority: Path | None = None

    @classmethod
    def parse(cls, text: str) -> BrokerAddress:
        """The address that `[mqtt://|mqtts://][user[:password]@]host[:port][?ca=FILE&password_file=FILE]` writes.

        A password may hold any characters; what looks like %40 in it stands for the character of that number. An IPv6
        address stands in brackets where a port follows. Raises InvalidBrokerAddress, which does not repeat the text.
        """
        scheme = _SCHEME.match(text)
        tls = scheme is not None and scheme[1].lower() == "mqtts"
        if scheme is not None and not tls and scheme[1].lower() != "mqtt":
            raise InvalidBrokerAddress(sentence("it is written host, host:port or user:password@host:port"))
        rest = text[scheme.end() :] if scheme is not None else text
        credentials, match = _split_credentials(rest)
        try:
            further = dict(parse_qsl(match["further"], strict_parsing=True)) if match["further"] is not None else {}
        except ValueError as error:
            raise InvalidBrokerAddress(sentence("after ? stands ca=FILE or password_file=FILE")) from error
        port = int(match["port"]) if match["port"] else None
        if port is not None and not 1 <= port <= 65_535:
            raise InvalidBrokerAddress(sentence("the port after the colon is a number from 1 to 65535"))
        if not set(further) <= {"ca", "password_file"}:
            raise InvalidBrokerAddress(sentence("after ? stands ca=FILE or password_file=FILE"))
        if "ca" in further and not tls:
            raise InvalidBrokerAddress(sentence("a certificate authority belongs to mqtts://"))
        username, colon, password = credentials.partition(":") if credentials is not None else ("", "", "")
        return cls(
            _host(match["host"].strip("[]")),
            port or (MQTTS_PORT if tls else MQTT_PORT),
            unquote(username) or None,
            _password(unquote(password) if colon else None, further.get("password_file")),
            tls,
            Path(further["ca"]) if "ca" in further else None,
        )

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine can reach it."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def _split_credentials(rest: str) -> tuple[str | None, re.Match[str]]:
    """User name and password, None without them, and the broker, divided by the first @ with only a host behind it.

    Raises InvalidBrokerAddress.
    """
    if match := _broker(rest):
        return None, match
    at = -1
    while (at := rest.find("@", at + 1)) >= 0:
        if match := _broker(rest[at + 1 :]):
            return rest[:at], match
    if "@" in rest:
        raise InvalidBrokerAddress(
            sentence("after user:password@ stands host or host:port; in the password write % as %25, and @ as %40")
        )
    if re.fullmatch(r"[^\s/@:?#]+:.*", rest):
        raise InvalidBrokerAddress(sentence("the port after the colon is a number from 1 to 65535"))
    raise InvalidBrokerAddress(sentence("it is written host, host:port or user:password@host:port"))


def _broker(text: str) -> re.Match[str] | None:
    """The host, its port and what follows, if the text is that; an IPv6 address may stand without its brackets."""
    if match := _BROKER.fullmatch(text):
        return match
    host, mark, further = text.partition("?")
    try:
        address = ipaddress.IPv6Address(host)
    except ValueError:
        return None
    return _BROKER.fullmatch(f"[{address}]{mark}{further}")


def _host(written: str) -> str:
    """A host; an address in numbers as it is usually written."""
    try:
        return str(ipaddress.ip_address(written))
    except ValueError:
        return written


def _password(written: str | None, file: str | None) -> str | None:
    """The password itself, or the first line of a file, which keeps it out of lists of running programs."""
    if file is None:
        return written
    try:
        with Path(file).open("rb") as stream:
            lines = decode_text(stream.read(LONGEST_PASSWORD), file).splitlines()
    except (OSError, ValueError) as error:
        raise InvalidBrokerAddress(sentence("the file with the password cannot be read")) from error
    return lines[0] if lines else ""
