"""The messages as MQTT topics and JSON, without a client: both directions, for hosts and for simulated boxes.

Topics begin with `tabletop/<box>/`; docs/hardware.md lists them. Only the availability is retained.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, assert_never

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, decode_text, parse_json
from firmware_bridge.protocol.addresses import MQTT_NAME
from firmware_bridge.protocol.messages import (
    HIGHEST_NUMBER,
    Ack,
    Availability,
    Beat,
    Button,
    Buzz,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    Led,
    Message,
    Nak,
    NakReason,
)

PREFIX = "tabletop"
MAXIMUM_PAYLOAD = 512

BOX_TOPICS = ("state", "hello", "beat", "result", "event/+")
"""What a box publishes."""

HOST_BEAT_TOPIC = "cmd/beat"
HOST_TOPICS = ("ack", "cmd/+", "cmd/led/+")
"""What a host publishes to a box."""

_TOPIC = re.compile(rf"{PREFIX}/({MQTT_NAME.pattern})/(.{{1,64}})")
_NUMBERED = re.compile(r"(event/button_|cmd/led/)([1-9]\d?)")
_AVAILABILITY = {b"online": True, b"offline": False, b"": False}


@dataclass(frozen=True, slots=True)
class Publication:
    """What to hand to an MQTT client."""

    topic: str
    payload: bytes
    qos: int = 1
    retain: bool = False


def host_of(payload: bytes) -> str:
    """The table that a host's beat names; empty for a beat that names none."""
    try:
        name = json.loads(payload).get("table", "")
    except (ValueError, AttributeError, RecursionError):
        return ""
    return name if isinstance(name, str) and MQTT_NAME.fullmatch(name) else ""


def publication(box: str, message: Message | Availability, *, by_host: bool, table: str = "") -> Publication:
    """A message to or from the box of this name as a publication; the host answers on `ack`, the box on `result`.

    A host's beat names its `table`.
    """
    qos = 1
    fields: dict[str, Any]
    match message:
        case Availability(online):
            return Publication(f"{PREFIX}/{box}/state", b"online" if online else b"offline", retain=True)
        case Hello():
            topic, fields = "hello", _hello_fields(message)
        case HostHello(oldest, newest, session):
            topic, fields = "cmd/hello", {"protocol": [oldest, newest], "session": session}
        case Button():
            topic = f"event/button_{message.button}"
            fields = {
                "event_type": "press" if message.pressed else "release",
                "seq": message.seq,
                "boot": f"{message.boot:04x}",
                "oldest": message.oldest,
                "t_ms": message.t_ms,
            }
        case Beat():
            topic, qos = "beat", 0
            fields = {
                "boot": f"{message.boot:04x}",
                "uptime_ms": message.uptime_ms,
                "pressed": message.pressed,
                "lit": message.lit,
                "oldest": message.oldest,
                "pending": message.pending,
                "overruns": message.overruns,
            }
        case HostBeat():
            topic, qos, fields = HOST_BEAT_TOPIC, 0, {"table": table} if table else {}
        case Led(seq, led, on):
            topic, fields = f"cmd/led/{led}", {"seq": seq, "on": on}
        case Buzz(seq, hertz, duration):
            topic, fields = "cmd/buzzer", {"seq": seq, "hertz": hertz, "ms": duration}
        case Ack() | Nak():
            topic = "ack" if by_host else "result"
            fields = {"seq": message.seq, "boot": f"{message.boot:04x}"}
            if isinstance(message, Nak):
                fields["problem"] = message.problem.name.lower()
        case _:
            assert_never(message)
    payload = json.dumps(fields, separators=(",", ":")).encode()
    return Publication(f"{PREFIX}/{box}/{topic}", payload, qos)


def _hello_fields(hello: Hello) -> dict[str, Any]:
    return {
        "protocol": [hello.protocol_min, hello.protocol_max],
        "firmware": hello.firmware,
        "buttons": hello.buttons,
        "leds": hello.leds,
        "capabilities": hello.capabilities,
        "reset_cause": hello.reset_cause,
        "boot": f"{hello.boot:04x}",
        "oldest": hello.oldest,
        "uptime_ms": hello.uptime_ms,
        "uid": hello.uid.hex(),
    }


def parse(topic: str, payload: bytes, retained: bool = False) -> tuple[str, Incoming]:
    """The name of the box in a topic, and what was published.

    Raises InvalidDocument for what does not hold, and for anything retained but an availability.
    """
    match = _TOPIC.fullmatch(topic)
    if not match:
        raise InvalidDocument(topic[:120], "", "is no topic of a box")
    box, rest = match.groups()
    if len(payload) > MAXIMUM_PAYLOAD:
        raise InvalidDocument(topic, "", f"has a payload of {len(payload)} bytes; {MAXIMUM_PAYLOAD} are allowed")
    if rest == "state":
        if payload not in _AVAILABILITY:
            raise InvalidDocument(topic, "", "must be online, offline or empty")
        return box, Availability(_AVAILABILITY[payload])
    if retained:
        raise InvalidDocument(topic, "", "is retained: an old message, not acted on")
    table = parse_json(decode_text(payload, topic), topic)
    try:
        return box, _message(rest, table)
    except ValueError as error:
        if isinstance(error, InvalidDocument):
            raise
        raise InvalidDocument(topic, "", str(error)) from error


def _message(topic: str, table: DocumentTable) -> Incoming:
    number = 0
    if match := _NUMBERED.fullmatch(topic):
        topic, number = match[1], int(match[2])
        if number > HIGHEST_NUMBER:
            raise table.invalid("", f"names number {number}; a box has at most {HIGHEST_NUMBER}")
    match topic:
        case "hello":
            return Hello(
                *_versions(table),
                firmware=table.integer("firmware", 0, 0xFFFF),
                buttons=table.integer("buttons", 0, HIGHEST_NUMBER),
                leds=table.integer("leds", 0, HIGHEST_NUMBER),
                capabilities=table.integer("capabilities", 0, 0xFFFF),
                reset_cause=table.integer("reset_cause", 0, 0xFF),
                boot=_hex(table, "boot", 2),
                oldest=table.integer("oldest", 0, 0xFFFF),
                uptime_ms=table.integer("uptime_ms", 0, 0xFFFFFFFF),
                uid=_hex(table, "uid", 8).to_bytes(8, "big"),
            )
        case "event/button_":
            return Button(
                seq=table.integer("seq", 0, 0xFFFF),
                boot=_hex(table, "boot", 2),
                oldest=table.integer("oldest", 0, 0xFFFF),
                button=number,
                pressed=table.choice("event_type", ("press", "release")) == "press",
                t_ms=table.integer("t_ms", 0, 0xFFFFFFFF),
            )
        case "beat":
            return Beat(
                boot=_hex(table, "boot", 2),
                uptime_ms=table.integer("uptime_ms", 0, 0xFFFFFFFF),
                pressed=table.integer("pressed", 0, 0xFFFF),
                lit=table.integer("lit", 0, 0xFFFF),
                oldest=table.integer("oldest", 0, 0xFFFF),
                pending=table.integer("pending", 0, 0xFF),
                overruns=table.integer("overruns", 0, 0xFFFF),
            )
        case "cmd/hello":
            return HostHello(*_versions(table), session=table.integer("session", 0, 0xFFFF))
        case "cmd/beat":
            return HostBeat()
        case "cmd/led/":
            return Led(table.integer("seq", 0, 0xFFFF), number, table.flag("on"))
        case "cmd/buzzer":
            return Buzz(table.integer("seq", 0, 0xFFFF), table.integer("hertz"), table.integer("ms"))
        case "ack" | "result":
            seq, boot = table.integer("seq", 0, 0xFFFF), _hex(table, "boot", 2)
            if "problem" not in table:
                return Ack(seq, boot)
            return Nak(seq, boot, NakReason[table.choice("problem", tuple(p.name.lower() for p in NakReason)).upper()])
    if topic.startswith("cmd/"):
        return Foreign(table.integer("seq", 0, 0xFFFF, 0), NakReason.TYPE)
    raise table.invalid("", "is no topic of a box")


def _versions(table: DocumentTable) -> tuple[int, int]:
    versions = table.integers("protocol", 0, 255, longest=2)
    if len(versions) != 2:
        raise table.invalid("protocol", "must hold the oldest and the newest version")
    return versions[0], versions[1]


def _hex(table: DocumentTable, key: str, size: int) -> int:
    text = table.text(key, longest=2 * size)
    if not re.fullmatch(rf"[0-9a-f]{{{2 * size}}}", text):
        raise table.invalid(key, f"must be {2 * size} digits of 0-9 a-f")
    return int(text, 16)
