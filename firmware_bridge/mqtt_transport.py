"""Boxes on an MQTT broker: one client for all of them.

The client does not reconnect by itself: whoever uses a transport closes and opens it again, which subscribes anew and
stops at a wrong password. Its callbacks only parse and put into queues, for one that raises would end the network
thread while the client still says that it is connected.
"""

from __future__ import annotations

import logging
import queue
import threading
import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.messages import EVERY_BOX, Message
from firmware_bridge.mqtt_codec import BOX_TOPICS, PREFIX, Publication, parse, publication
from firmware_bridge.transport import Dropped, Inbox, Received

KEEP_ALIVE = 5
CONNECT_TIMEOUT = 3.0
ANSWER_TIMEOUT = 3.0
MAXIMUM_QUEUED = 200
DEFAULT_PORT = 1883

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())

_REFUSALS = ("Not authorized", "Bad user name or password", "Banned")


@dataclass(frozen=True, slots=True)
class BrokerAddress:
    """Where an MQTT broker listens; without a user name it is asked anonymously."""

    host: str
    port: int = DEFAULT_PORT
    username: str | None = None
    password: str | None = field(default=None, repr=False)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def new_client(address: BrokerAddress, purpose: str, *, reconnects: bool) -> mqtt.Client:
    """An MQTT 3.1.1 client with a session of its own and an id nobody else has; not connected yet."""
    client = mqtt.Client(
        CallbackAPIVersion.VERSION2,
        client_id=f"{purpose}-{uuid.uuid4().hex[:12]}",
        clean_session=True,
        reconnect_on_failure=reconnects,
    )
    client.suppress_exceptions = True
    client.enable_logger(_LOG)
    client.connect_timeout = CONNECT_TIMEOUT
    client.max_queued_messages_set(MAXIMUM_QUEUED)
    if address.username is not None:
        client.username_pw_set(address.username, address.password)
    return client


def check_broker(address: BrokerAddress) -> None:
    """Connect to a broker and leave it.

    Raises TransportUnavailable, or NotAuthorised.
    """
    transport = MqttTransport(address, ())
    transport.open()
    transport.close()


class MqttTransport:
    """The boxes of these names on a broker; the name of each is its address."""

    retry_after = 0.5

    def __init__(self, address: BrokerAddress, boxes: Iterable[str]) -> None:
        self.name = f"broker {address}"
        self.dropped = Dropped()
        self._address = address
        self._boxes = tuple(boxes)
        self._connection: _Connection | None = None

    def open(self) -> None:
        """Connect and subscribe."""
        connection = _Connection(self.name, self._address, self._boxes, self.dropped)
        try:
            connection.open()
        except OSError as error:
            connection.close()
            if isinstance(error, TransportUnavailable):
                raise
            raise TransportUnavailable(self.name, error.strerror or str(error) or type(error).__name__) from error
        self._connection = connection

    def send(self, box: str, message: Message) -> None:
        """Publish; `box` "0" is every box."""
        if self._connection is None:
            raise TransportLost(self.name, "is not open")
        for name in self._boxes if box == str(EVERY_BOX) else (box,):
            self._connection.publish(publication(name, message, by_host=True))

    def receive(self, timeout: float) -> Received | None:
        """The next sound publication of a box."""
        if self._connection is None:
            raise TransportLost(self.name, "is not open")
        return self._connection.receive(timeout)

    def close(self) -> None:
        """Say goodbye and wait for the network thread."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()


class _Connection:
    """A client from its connection to its end, with the callbacks that its network thread runs."""

    def __init__(self, name: str, address: BrokerAddress, boxes: tuple[str, ...], dropped: Dropped) -> None:
        self._name, self._address, self._dropped = name, address, dropped
        self._subscriptions = [(f"{PREFIX}/{box}/{topic}", 1) for box in boxes for topic in BOX_TOPICS]
        self._inbox = Inbox(name, dropped)
        self._answers: queue.SimpleQueue[tuple[str, ReasonCode | None]] = queue.SimpleQueue()
        self._network: threading.Thread | None = None
        self._client = client = new_client(address, "companion", reconnects=False)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_subscribe, client.on_message = self._on_subscribe, self._on_message

    def open(self) -> None:
        """Connect and subscribe; raises OSError."""
        self._client.connect(self._address.host, self._address.port, KEEP_ALIVE)
        self._client.loop_start()
        self._await("connection")
        if self._subscriptions:
            self._await("subscription")

    def publish(self, wanted: Publication) -> None:
        self._check()
        sent = self._client.publish(wanted.topic, wanted.payload, wanted.qos, wanted.retain)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise TransportLost(self._name, mqtt.error_string(sent.rc).rstrip("."))

    def receive(self, timeout: float) -> Received | None:
        received = self._inbox.get(timeout)
        if received is None:
            self._check()
        return received

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _check(self) -> None:
        self._inbox.check()
        if self._network is not None and not self._network.is_alive():
            raise TransportLost(self._name, "the network thread has ended")

    def _await(self, what: str) -> None:
        try:
            answered, code = self._answers.get(timeout=ANSWER_TIMEOUT)
        except queue.Empty:
            raise TransportUnavailable(self._name, f"does not answer; is it an MQTT broker? ({what})") from None
        if code is not None and str(code) in _REFUSALS:
            raise NotAuthorised(self._name, f"{code}; check the user name and the password")
        if code is not None or answered != what:
            raise TransportUnavailable(self._name, f"refuses the {what} ({code}); check user name and password")

    def _on_connect(self, client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _more: object) -> None:
        self._network = threading.current_thread()
        if self._subscriptions and not code.is_failure:
            client.subscribe(self._subscriptions)
        self._answers.put(("connection", code if code.is_failure else None))

    def _on_subscribe(
        self, _client: mqtt.Client, _data: object, _id: int, codes: list[ReasonCode], _more: object
    ) -> None:
        self._answers.put(("subscription", next((code for code in codes if code.is_failure), None)))

    def _on_disconnect(
        self, _client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _more: object
    ) -> None:
        self._inbox.end(f"the connection ended ({code})")
        self._answers.put(("end", code))

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        try:
            box, content = parse(message.topic, bytes(message.payload), message.retain)
        except ValueError as error:
            self._dropped.add(str(error))
        else:
            self._inbox.put(Received(box, content))
