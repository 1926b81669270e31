"""Home Assistant's MQTT discovery, both ways: what our boxes are to it, and which buttons it knows of.

https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery. Without a client: publications out, readings out of
configurations in. A template is followed where it names one entry of the payload, and the rest is left alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable, decode_text, parse_json
from firmware_bridge.adapters import LONGEST_TOPIC, LONGEST_WORD, Meaning, TopicReader, Word, shipped_adapters
from firmware_bridge.messages import Hello
from firmware_bridge.mqtt_codec import PREFIX, Publication

ADAPTER = "homeassistant"
CONFIGURATIONS = ("homeassistant/+/+/config", "homeassistant/+/+/+/config")
LARGEST_CONFIGURATION = 16_384
MOST_COMPONENTS = 64
ORIGIN = "roman-table-companion"

_TOPIC = re.compile(r"homeassistant/(device|device_automation|event|binary_sensor)/(?:[^/]{1,64}/){1,2}config")
_TEMPLATE = re.compile(r"\{\{\s*value_json((?:\.\w{1,40}|\['[^'\]]{1,40}'\]){1,5})\s*\}\}")
_KEY = re.compile(r"\.(\w+)|\['([^'\]]+)'\]")
_SHORT = {
    "atype": "automation_type", "dev": "device", "ids": "identifiers", "o": "origin", "cmps": "components",
    "p": "platform", "pl": "payload", "pl_on": "payload_on", "pl_off": "payload_off", "stat_t": "state_topic",
    "stype": "subtype", "t": "topic", "uniq_id": "unique_id", "val_tpl": "value_template", "evt_typ": "event_types",
    "dev_cla": "device_class",
}  # fmt: skip
_TYPES = {
    "button_short_press": Meaning.SINGLE, "button_double_press": Meaning.DOUBLE, "button_long_press": Meaning.LONG,
    "press": Meaning.SINGLE, "single": Meaning.SINGLE, "short": Meaning.SINGLE, "click": Meaning.SINGLE,
    "short_press": Meaning.SINGLE, "single_press": Meaning.SINGLE, "double": Meaning.DOUBLE,
    "double_press": Meaning.DOUBLE, "hold": Meaning.LONG, "long": Meaning.LONG, "long_press": Meaning.LONG,
}  # fmt: skip
_SUBTYPES = {"turn_on": 1, "turn_off": 2}


def announcement(box: str, hello: Hello) -> Publication:
    """What lets Home Assistant show a box of ours: an event and a trigger for each button, retained."""
    components: dict[str, Any] = {}
    for button in range(1, hello.buttons + 1):
        topic = f"{PREFIX}/{box}/event/button_{button}"
        components[f"button_{button}"] = {
            "p": "event",
            "unique_id": f"{PREFIX}_{box}_button_{button}",
            "name": f"Button {button}",
            "device_class": "button",
            "event_types": ["press", "release"],
            "state_topic": topic,
        }
        components[f"trigger_{button}"] = {
            "p": "device_automation",
            "automation_type": "trigger",
            "type": "button_short_press",
            "subtype": f"button_{button}",
            "topic": topic,
            "value_template": "{{ value_json.event_type }}",
            "payload": "press",
        }
    configuration = {
        "device": {
            "identifiers": [f"{PREFIX}_{box}"],
            "name": f"Button box {box}",
            "sw_version": f"{hello.firmware >> 8}.{hello.firmware & 0xFF}",
        },
        "origin": {"name": ORIGIN},
        "availability_topic": f"{PREFIX}/{box}/state",
        "components": components,
        "qos": 1,
    }
    payload = json.dumps(configuration, separators=(",", ":")).encode()
    return Publication(f"homeassistant/device/{PREFIX}_{box}/config", payload, retain=True)


def is_configuration(topic: str) -> bool:
    """Whether a topic may announce a button."""
    return len(topic) <= LONGEST_TOPIC and bool(_TOPIC.fullmatch(topic))


def readings(topic: str, payload: bytes) -> list[TopicReader]:
    """The buttons in a configuration; none where it was withdrawn, is about something else or is our own.

    Raises InvalidDocument.
    """
    match = _TOPIC.fullmatch(topic)
    if match is None or not payload:
        return []
    if len(payload) > LARGEST_CONFIGURATION:
        raise InvalidDocument(topic, "", f"has a payload of {len(payload)} bytes; {LARGEST_CONFIGURATION} are read")
    table = _long_names(parse_json(decode_text(payload, topic), topic))
    origin = table.table("origin", optional=True)
    if origin.values.get("name") == ORIGIN:
        return []
    device = _device(table)
    if match[1] != "device":
        return list(_component(device, topic.split("/")[-2], match[1], table))
    found: list[TopicReader] = []
    components = table.table("components")
    for name in list(components)[:MOST_COMPONENTS]:
        component = _long_names(components.table(name))
        found += _component(device, name, component.text("platform", "", 40), component)
    return found


def _component(device: str, name: str, platform: str, table: DocumentTable) -> Iterator[TopicReader]:
    path = _path(table)
    if path is None:
        return
    match platform:
        case "device_automation":
            yield _trigger(device, table, path)
        case "event":
            words = tuple(
                Word(word, 1, _TYPES[word]) for word in table.texts("event_types", longest=50) if word in _TYPES
            )
            keys = path or ("event_type",)
            yield TopicReader(ADAPTER, _topic(table, "state_topic"), keys, words, device=f"{device}/{name}"[:100])
        case "binary_sensor" if table.text("device_class", "", 40) == "":
            words = (
                Word(table.text("payload_on", "ON", LONGEST_WORD), 1, Meaning.PRESS),
                Word(table.text("payload_off", "OFF", LONGEST_WORD), 1, Meaning.RELEASE),
            )
            topic = _topic(table, "state_topic")
            yield TopicReader(ADAPTER, topic, path, words, is_state=True, device=f"{device}/{name}"[:100])


def _trigger(device: str, table: DocumentTable, path: tuple[str, ...]) -> TopicReader:
    kind, subtype = table.text("type", longest=60), table.text("subtype", longest=60)
    said = table.text("payload", subtype, longest=LONGEST_WORD)
    deed, button = _TYPES.get(kind), _SUBTYPES.get(subtype, 0)
    words: tuple[Word, ...]
    if number := re.fullmatch(r"(?:button_)?(\d{1,2})", subtype, re.ASCII):
        button = int(number[1])
    if deed is not None and 1 <= button <= 16:
        words = (Word(said, button, deed),)
    else:
        words = tuple(word for adapter in shipped_adapters() for word in adapter.readings[0].words)
    return TopicReader(ADAPTER, _topic(table, "topic"), path, words, device=device)


def _topic(table: DocumentTable, key: str) -> str:
    topic = table.text(key, longest=LONGEST_TOPIC)
    base = table.text("~", "", LONGEST_TOPIC)
    topic = topic.replace("~", base, 1) if base and (topic.startswith("~") or topic.endswith("~")) else topic
    if not topic or set(topic) & set("+#{}") or not topic.isprintable():
        raise table.invalid(key, "is no topic that can be listened to")
    return topic


def _path(table: DocumentTable) -> tuple[str, ...] | None:
    """The keys that the template leads to; None for a template that does more than that."""
    template = table.text("value_template", "", 400).strip()
    if not template or re.fullmatch(r"\{\{\s*value\s*\}\}", template):
        return ()
    match = _TEMPLATE.fullmatch(template)
    return None if match is None else tuple(name or quoted for name, quoted in _KEY.findall(match[1]))


def _device(table: DocumentTable) -> str:
    device = _long_names(table.table("device", optional=True))
    names = device.values.get("identifiers")
    name = names[0] if isinstance(names, list) and names else names
    return re.sub(r"[^\w .:-]", "_", str(name))[:64] if isinstance(name, str | int) else "unnamed"


def _long_names(table: DocumentTable) -> DocumentTable:
    return DocumentTable(
        {_SHORT.get(key, key): value for key, value in table.values.items()}, table.source, table.entry
    )
