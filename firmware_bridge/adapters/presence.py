"""Where devices, nodes and bridges that others made say that they are there, often as a last will."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from firmware_bridge.adapters.payloads import json_value
from firmware_bridge.adapters.records import LARGEST_PAYLOAD, PLACEHOLDER, as_filter, topic_expression


class Scope(StrEnum):
    """Whom a topic about presence is about."""

    DEVICE = "device"
    """the device of that name"""
    NODE = "node"
    """every device whose name begins with that name"""
    BRIDGE = "bridge"
    """every device of the adapter"""


@dataclass(frozen=True)
class PresenceReader:
    """A topic on which a device, a node or a bridge says that it is there, often as a last will.

    `replays` is for how many seconds after `online` it may say old words again.
    """

    adapter: str
    topic: str
    scope: Scope
    replays: float = 0.0
    online: tuple[str, ...] = ()
    offline: tuple[str, ...] = ()
    device: str = ""

    @cached_property
    def _expression(self) -> re.Pattern[str]:
        return re.compile(topic_expression(self.topic), re.ASCII | re.DOTALL)

    def subscriptions_of(self, location: str) -> list[str]:
        """The topics that are about one device."""
        adapter, _, device = location.partition("/")
        if adapter != self.adapter or (self.device and not _begins_with(device, self.device)):
            return []
        if "{" not in self.topic:
            return [self.topic]
        if self.scope is Scope.BRIDGE:
            return [as_filter(self.topic)]
        names = device.split("/")
        lengths = range(1, len(names) + 1) if self.scope is Scope.NODE else (len(names),)
        return [PLACEHOLDER.sub("/".join(names[:length]), self.topic, count=1) for length in lengths]

    def read(self, topic: str, payload: bytes) -> bool | None:
        """Whether a publication of this kind says that somebody is there; None where it says neither."""
        if not self._expression.fullmatch(topic) or len(payload) > LARGEST_PAYLOAD:
            return None
        text = payload.decode("utf-8", errors="replace").strip()
        if text.startswith("{"):
            values = json_value(text)
            text = str(values.get("state", values.get("value", ""))) if isinstance(values, dict) else ""
        if text in self.online or text.lower() in _ONLINE:
            return True
        return False if text in self.offline or text.lower() in _OFFLINE else None

    def is_about(self, topic: str, location: str) -> bool:
        """Whether a topic of this kind is about a device."""
        adapter, _, device = location.partition("/")
        match = self._expression.fullmatch(topic)
        if match is None or adapter != self.adapter:
            return False
        if self.device:
            return _begins_with(device, self.device)
        if self.scope is Scope.BRIDGE:
            return True
        name = "/".join(match.groupdict().values())
        return device == name if self.scope is Scope.DEVICE else _begins_with(device, name)


_ONLINE = frozenset({"online", "init", "true", "ready", "alive", "awake"})
_OFFLINE = frozenset({"offline", "false", "lost", "disconnected", "dead"})


def _begins_with(device: str, name: str) -> bool:
    return device == name or device.startswith(f"{name}/")
