"""One connection to an MQTT broker, of a host or of a simulated box.

The client does not reconnect by itself: whoever uses a connection opens another, which subscribes anew and stops at a
wrong password. Its session ends with it, so no broker ever hands out an old command, and its id is nobody else's, so no
two clients take each other's place for ever. Its callbacks only parse and put into queues, for one that raises would
end the network thread while the client still says that it is connected.
"""

from __future__ import annotations

import logging
import queue
import socket
import threading
import uuid
from collections.abc import Sequence
from contextlib import suppress

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.addresses import BrokerAddress
from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.mqtt_codec import Publication, parse
from firmware_bridge.transport import Dropped, Inbox, Received

KEEP_ALIVE = 5
CONNECT_TIMEOUT = 3.0
ANSWER_TIMEOUT = 3.0
MAXIMUM_QUEUED = 200

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())

_REFUSALS = ("Not authorized", "Bad user name or password", "Banned")


class MqttConnection:
    """A client from its connection to its end; used once. The broker publishes `will` if it ends without a goodbye."""

    def __init__(
        self,
        name: str,
        address: BrokerAddress,
        subscriptions: Sequence[str],
        dropped: Dropped,
        will: Publication | None = None,
    ) -> None:
        self._name, self._address, self._dropped = name, address, dropped
        self._subscriptions = [(topic, 1) for topic in subscriptions]
        self._inbox = Inbox(name, dropped)
        self._answers: queue.SimpleQueue[tuple[str, ReasonCode | None]] = queue.SimpleQueue()
        self._network: threading.Thread | None = None
        self._client = client = _new_client(address)
        if will is not None:
            client.will_set(will.topic, will.payload, will.qos, will.retain)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_subscribe, client.on_message = self._on_subscribe, self._on_message
        client.on_socket_open = _send_at_once

    def open(self) -> None:
        """Connect and subscribe.

        Raises TransportUnavailable, or NotAuthorised.
        """
        try:
            self._client.connect(self._address.host, self._address.port, KEEP_ALIVE)
            self._client.loop_start()
            self._await("connection")
            if self._subscriptions:
                self._await("subscription")
        except TransportUnavailable:
            self.close()
            raise
        except (OSError, ValueError) as error:
            self.close()
            reason = error.strerror if isinstance(error, OSError) else None
            raise TransportUnavailable(self._name, reason or str(error) or type(error).__name__) from error

    def publish(self, wanted: Publication) -> None:
        """Hand a publication to the client.

        Raises TransportLost.
        """
        self._check()
        sent = self._client.publish(wanted.topic, wanted.payload, wanted.qos, wanted.retain)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise TransportLost(self._name, mqtt.error_string(sent.rc).rstrip("."))

    def receive(self, timeout: float) -> Received | None:
        """The next sound publication, None after `timeout` seconds without one.

        Raises TransportLost.
        """
        received = self._inbox.get(timeout)
        if received is None:
            self._check()
        return received

    def close(self) -> None:
        """Say goodbye and wait for the network thread."""
        self._client.disconnect()
        self._end()

    def abandon(self) -> None:
        """End without a goodbye, as a network does that fails."""
        wire = self._client.socket()
        if isinstance(wire, socket.socket):
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)
        self._end()

    def _end(self) -> None:
        client = self._client
        client.loop_stop()
        # The client closes its sockets when it is deleted, which a cycle through our methods would put off.
        client.on_connect = client.on_disconnect = client.on_subscribe = client.on_message = None

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


def _send_at_once(_client: mqtt.Client, _data: object, wire: object) -> None:
    """Without this the second of two small packets waits 40 ms for the other side's delayed acknowledgement."""
    if isinstance(wire, socket.socket):
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _new_client(address: BrokerAddress) -> mqtt.Client:
    client = mqtt.Client(
        CallbackAPIVersion.VERSION2,
        client_id=f"companion-{uuid.uuid4().hex[:12]}",
        clean_session=True,
        reconnect_on_failure=False,
    )
    client.suppress_exceptions = True
    client.enable_logger(_LOG)
    client.connect_timeout = CONNECT_TIMEOUT
    client.max_queued_messages_set(MAXIMUM_QUEUED)
    if address.username is not None:
        client.username_pw_set(address.username, address.password)
    return client
