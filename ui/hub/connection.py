"""A hub's connection to the broker: MQTT 5, opened again whenever it is lost.

Entries are read by a shared subscription, so that several hubs divide them; everything else goes to every hub. Nothing
here believes a message: callbacks only put it into an inbox that is bounded in number and bytes.
"""

from __future__ import annotations

import logging
import queue
import ssl
import threading
import uuid
from collections import deque
from dataclasses import dataclass
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion

from companion.publishing.topics import MAXIMUM_PAYLOAD, TopicKind, topic
from firmware_bridge.protocol.addresses import BrokerAddress

GROUP = "companion-hub"
"""of the shared subscription"""
MOST_MESSAGES, MOST_BYTES = 20_000, 64 * 1024 * 1024
"""that wait to be read; what comes beyond is counted and lost, and tables send their entries again"""
KEEP_ALIVE = 10
SOONEST, LATEST = 1, 4
"""seconds after which a lost connection is opened again"""
MOST_OUTGOING = 20_000
_LOG = logging.getLogger("companion.hub")
_UNTOLD = "Unspecified error"
"""what the client gives for a wire that has ended without a word"""
_CLIENT_LOG = logging.getLogger("companion.hub.mqtt")
_CLIENT_LOG.setLevel(logging.CRITICAL)  # the page says that the broker is away; each message that waits need not


@dataclass(frozen=True, slots=True)
class ReceivedMessage:
    """A message as it came; `is_cut` where it was larger than any may be and was not kept."""

    topic: str
    payload: bytes
    is_retained: bool
    is_cut: bool = False


class HubInbox:
    """Messages that wait to be read, at most so many and so many bytes; `overrun` counts those that had no room."""

    def __init__(self, most: int = MOST_MESSAGES, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._most_bytes = most, most_bytes
        self._waiting: deque[ReceivedMessage] = deque()
        self._bytes = self.overrun = 0
        self._changed = threading.Condition()

    def put(self, received: ReceivedMessage) -> None:
        """A message has come."""
        with self._changed:
            if len(self._waiting) >= self._most or self._bytes + len(received.payload) > self._most_bytes:
                self.overrun += 1
                return
            self._waiting.append(received)
            self._bytes += len(received.payload)
            self._changed.notify()

    def taken(self, timeout: float, most: int) -> list[ReceivedMessage]:
        """At most so many of what waits; nothing where nothing comes within `timeout` seconds."""
        with self._changed:
            if not self._waiting:
                self._changed.wait(timeout)
            found = [self._waiting.popleft() for _each in range(min(most, len(self._waiting)))]
            self._bytes -= sum(len(each.payload) for each in found)
            return found

    def taken_overrun(self) -> int:
        """How many had no room since this was asked last."""
        with self._changed:
            count, self.overrun = self.overrun, 0
            return count


class HubConnection:
    """The connection of one hub. `is_open` says whether it stands just now."""

    def __init__(self, address: BrokerAddress, inbox: HubInbox) -> None:
        self._address, self._inbox = address, inbox
        self.is_open = False
        self._is_missed = self._is_closing = False
        self._opened: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._client = client = mqtt.Client(
            CallbackAPIVersion.VERSION2, f"companion-hub-{uuid.uuid4().hex[:12]}", protocol=MQTTProtocolVersion.MQTTv5
        )
        client.suppress_exceptions = True
        client.enable_logger(_CLIENT_LOG)
        client.reconnect_delay_set(SOONEST, LATEST)
        client.max_queued_messages_set(MOST_OUTGOING)
        client.max_inflight_messages_set(200)
        if address.username is not None:
            client.username_pw_set(address.username, address.password)
        if address.tls:
            authority = None if address.authority is None else str(address.authority)
            client.tls_set_context(ssl.create_default_context(cafile=authority))
        client.on_connect, client.on_disconnect, client.on_message = self._on_connect, self._on_end, self._on_message

    def open(self) -> None:
        """Begin to connect; from then on the connection is opened again by itself."""
        self._client.connect_async(self._address.host, self._address.port, KEEP_ALIVE)
        self._client.loop_start()

    def first_answer(self, timeout: float) -> str | None:
        """What the broker answered first: "" for a welcome, else why not; None where it has not answered."""
        try:
            answer = self._opened.get(timeout=timeout)
        except queue.Empty:
            answer = None
        self._is_missed |= answer is None
        return answer

    def wait_no_more(self) -> None:
        """Whoever waits for the first answer has none."""
        self._opened.put(None)

    def publish(self, where: str, payload: bytes, *, is_certain: bool = False) -> None:
        """Send a message; one that is not certain may be lost with the connection, as acknowledgements may."""
        if is_certain or self.is_open:
            self._client.publish(where, payload, 1 if is_certain else 0)

    def close(self) -> None:
        """Say goodbye."""
        self._is_closing = True
        self._client.disconnect()
        self._client.loop_stop()
        self._client.on_connect = self._client.on_disconnect = self._client.on_message = None

    def _on_connect(self, client: mqtt.Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        if code.is_failure:
            self._opened.put(str(code))
            return
        entries = f"$share/{GROUP}/{topic(TopicKind.ENTRY, '+')}"
        others = [topic(kind, "+") for kind in (TopicKind.STATE, TopicKind.PRESENCE, TopicKind.REGISTER)]
        client.subscribe([(each, 1) for each in (entries, *others)])
        self.is_open = True
        if self._is_missed:
            _LOG.warning("the broker %s is back", self._address)
        self._is_missed = False
        self._opened.put("")

    def _on_end(self, _client: mqtt.Client, _data: Any, _flags: Any, code: Any, _properties: Any) -> None:
        if self.is_open and not self._is_closing:
            why = "it did not say why" if str(code) == _UNTOLD else str(code)
            _LOG.warning("the connection to the broker %s ended (%s); the hub goes on trying", self._address, why)
            self._is_missed = True
        self.is_open = False

    def _on_message(self, _client: mqtt.Client, _data: Any, message: mqtt.MQTTMessage) -> None:
        payload = message.payload
        is_cut = len(payload) > max(MAXIMUM_PAYLOAD.values())
        self._inbox.put(ReceivedMessage(message.topic, b"" if is_cut else bytes(payload), message.retain, is_cut))
