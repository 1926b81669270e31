"""The list of its devices that a Zigbee2MQTT bridge publishes: the only place that says which model a device is."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from companion.errors import InvalidDocument
from companion.files.documents import decode_text

LARGEST_LIST = 4 * 1024 * 1024
MOST_LISTED = 2000
MOST_SIGNS = 300

DEVICES_TOPICS = ("+/bridge/devices", "+/+/bridge/devices")
DEVICES_TOPIC = re.compile(r"[^/]+(?:/[^/]+)?/bridge/devices")


@dataclass(frozen=True, slots=True)
class BridgeDevice:
    """A device that a bridge knows: its names, and the signs of its kind: its models and all words it says."""

    names: frozenset[str]
    signs: frozenset[str]


def bridge_devices(topic: str, payload: bytes) -> Iterator[BridgeDevice]:
    """The devices in a bridge's list.

    Raises InvalidDocument for a payload that is too large or no list.
    """
    if len(payload) > LARGEST_LIST:
        raise InvalidDocument(topic[:120], "", f"has a payload of {len(payload)} bytes; {LARGEST_LIST} are read")
    try:
        listed = json.loads(decode_text(payload, topic[:120]))
    except (ValueError, RecursionError) as error:
        raise InvalidDocument(topic[:120], "", "is not JSON") from error
    for device in listed[:MOST_LISTED] if isinstance(listed, list) else ():
        if isinstance(device, Mapping):
            names = {str(device[key]) for key in ("friendly_name", "ieee_address") if key in device}
            address = device.get("ieee_address")
            names |= {f"zigbee2mqtt_{address}", f"zigbee2mqtt_{address}/action"} if address else set()
            yield BridgeDevice(frozenset(names), frozenset(_signs(device)))


def _signs(device: Mapping[str, Any]) -> set[str]:
    definition = device.get("definition")
    if not isinstance(definition, Mapping):
        definition = {}
    signs = {str(device.get("model_id", "")), str(definition.get("model", ""))}
    exposes = definition.get("exposes")
    for exposed in exposes if isinstance(exposes, list) else ():
        if isinstance(exposed, Mapping) and exposed.get("name") == "action":
            values = exposed.get("values")
            signs |= {str(value) for value in (values[:MOST_SIGNS] if isinstance(values, list) else ())}
    return signs - {""}
