"""One connection to an MQTT broker, of a host or of a simulated box.

The client does not reconnect by itself: whoever uses a connection opens another one, which subscribes again and stops
at a wrong password. The session ends with the connection, so that no broker hands out an old command. The client's id
is unique, so that no two clients throw each other out again and again. Callbacks only parse and put into queues: one
that raises would end the network thread while the client still reports that it is connected.
"""

from __future__ import annotations

import logging
import queue
import socket
import ssl
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Generic, TypeVar

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.reasoncodes import ReasonCode

from companion.wording.sentences import Sentence, sentence
from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.transports.rate_limit import RateLimit
from firmware_bridge.transports.transport import INBOX_SIZE, SENDER_BURST, SENDER_RATE, Dropped, Inbox

T = TypeVar("T")

Read = Callable[[str, bytes, bool], T | None]
"""Topic, payload and whether it was retained, to what is received; None for what is of no interest.

Raises ValueError, with a line for people, for what does not hold.
"""

KEEP_ALIVE = 3
"""Seconds: a broker that is silent is noticed after twice as long, and it notices our silence after 1.5 times."""
CONNECT_TIMEOUT = 3.0
ANSWER_TIMEOUT = 3.0
MAXIMUM_QUEUED = 200
MUTED_AFTER, MUTED_SECONDS = 2000, 10.0
"""Messages beyond its allowance after which a sender's topics are left for a while: reading them costs time too."""

_LOG = logging.getLogger(__name__)
_LOG.addHandler(logging.NullHandler())

_UNTOLD = "Unspecified error"
"""what the client gives for a wire that has ended without a word"""
REFUSALS = ("Not authorized", "Bad user name or password", "Banned")
"""answers of a broker that takes us for somebody else than whom it knows"""


class MqttConnection(Generic[T]):
    """A client from its connection to its end; used once. The broker publishes `will` if it ends without a goodbye."""

    def __init__(
        self,
        name: str,
        address: BrokerAddress,
        subscriptions: Sequence[str],
        dropped: Dropped,
        read: Read[T],
        will: Publication | None = None,
        inbox_size: int = INBOX_SIZE,
        most_queued: int = MAXIMUM_QUEUED,
    ) -> None:
        """`most_queued` publications may wait for those before them to be acknowledged."""
        self._name, self._address, self._dropped, self._read = name, address, dropped, read
        self._subscriptions = [(topic, 1) for topic in subscriptions]
        self._rate_limit = RateLimit(SENDER_RATE, SENDER_BURST)
        self._inbox: Inbox[T] = Inbox(name, dropped, inbox_size)
        self._beyond: Counter[str] = Counter()
        self._muted: dict[str, float] = {}
        self._answers: queue.SimpleQueue[tuple[str, ReasonCode | None]] = queue.SimpleQueue()
        self._network: threading.Thread | None = None
        self._client = client = _new_client(address, most_queued)
        self._handed_over, self._acknowledged = 0, 0
        if will is not None:
            client.will_set(will.topic, will.payload, will.qos, will.retain)
        client.on_connect, client.on_disconnect = self._on_connect, self._on_disconnect
        client.on_subscribe, client.on_message = self._on_subscribe, self._on_message
        client.on_publish = self._on_publish
        client.on_socket_open = _send_at_once

    @property
    def waiting(self) -> int:
        """How many publications the broker has not acknowledged."""
        return self._handed_over - self._acknowledged

    def open(self) -> None:
        """Connect and subscribe.

        Raises TransportUnavailable, or NotAuthorised.
        """
        try:
            _encrypt(self._client, self._name, self._address)
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
            raise TransportUnavailable(self._name, _reason(error)) from error

    def publish(self, wanted: Publication) -> None:
        """Hand a publication to the client.

        Raises TransportLost.
        """
        self._check()
        sent = self._client.publish(wanted.topic, wanted.payload, wanted.qos, wanted.retain)
        if sent.rc != MQTTErrorCode.MQTT_ERR_SUCCESS:
            raise TransportLost(self._name, mqtt.error_string(sent.rc).rstrip("."))
        self._handed_over += 1

    def subscribe(self, topics: Sequence[str]) -> None:
        """Listen to more topics for as long as this connection lasts; whether they are granted is not waited for."""
        for topic in topics:
            self._client.subscribe(topic, 1)

    def receive(self, timeout: float) -> T | None:
        """The next sound publication, None after `timeout` seconds without one.

        Raises TransportLost.
        """
        received = self._inbox.get(timeout)
        if received is None:
            self._check()
        if self._muted:
            self._listen_again(time.monotonic())
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
        client.on_connect = client.on_disconnect = client.on_subscribe = client.on_message = client.on_publish = None

    def _check(self) -> None:
        self._inbox.check()
        if self._network is not None and not self._network.is_alive():
            raise TransportLost(self._name, sentence("the network thread has ended"))

    def _await(self, what: str) -> None:
        try:
            answered, code = self._answers.get(timeout=ANSWER_TIMEOUT)
        except queue.Empty:
            raise TransportUnavailable(self._name, sentence("does not answer; is it an MQTT broker?")) from None
        if code is not None and str(code) in REFUSALS:
            raise NotAuthorised(
                self._name, sentence("{answer}; check the user name and the password", answer=str(code))
            )
        if answered == "end" and what == "connection" and str(code) == _UNTOLD:
            # rumqttd, for one, answers a wrong password so.
            raise TransportUnavailable(
                self._name,
                sentence("ended the connection without an answer; if it asks for a password, check user and password"),
            )
        if answered == "end":
            raise TransportUnavailable(self._name, _ended(code))
        if code is not None or answered != what:
            raise TransportUnavailable(self._name, sentence("refuses us ({answer})", answer=str(code)))

    def _on_connect(self, client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _more: object) -> None:
        self._network = threading.current_thread()
        if self._subscriptions and not code.is_failure:
            client.subscribe(self._subscriptions)
        self._answers.put(("connection", code if code.is_failure else None))

    def _on_subscribe(
        self, _client: mqtt.Client, _data: object, _id: int, codes: list[ReasonCode], _more: object
    ) -> None:
        self._answers.put(("subscription", next((code for code in codes if code.is_failure), None)))

    def _on_publish(self, _client: mqtt.Client, _data: object, _id: int, _code: ReasonCode, _more: object) -> None:
        self._acknowledged += 1

    def _on_disconnect(
        self, _client: mqtt.Client, _data: object, _flags: object, code: ReasonCode, _more: object
    ) -> None:
        self._inbox.end(_ended(code))
        self._answers.put(("end", code))

    def _on_message(self, _client: mqtt.Client, _data: object, message: mqtt.MQTTMessage) -> None:
        sender = "/".join(message.topic.split("/", 2)[:2])[:64]
        if not message.retain and not self._rate_limit.take(sender, time.monotonic()):
            self._dropped.add(sentence("more messages on {topic} than a box can have to say", topic=sender))
            self._beyond[sender] += 1
            if self._beyond[sender] >= MUTED_AFTER:
                self._mute(sender)
            return
        try:
            received = self._read(message.topic, bytes(message.payload), message.retain)
        except ValueError as error:
            self._dropped.add(str(error))
        else:
            if received is not None:
                self._inbox.put(received)

    def _mute(self, sender: str) -> None:
        topics = self._topics_of(sender)
        if topics:
            self._client.unsubscribe(topics)
            self._muted[sender] = time.monotonic() + MUTED_SECONDS
        self._beyond.clear()

    def _listen_again(self, now: float) -> None:
        for sender, until in list(self._muted.items()):
            if now >= until:
                del self._muted[sender]
                self._client.subscribe([(topic, 1) for topic in self._topics_of(sender)])

    def _topics_of(self, sender: str) -> list[str]:
        return [topic for topic, _ in self._subscriptions if topic.startswith(f"{sender}/")]


def _ended(code: ReasonCode | None) -> Sentence:
    answer = sentence("the broker did not say why") if str(code) == _UNTOLD else str(code)
    return sentence("the connection ended ({answer})", answer=answer)


def _send_at_once(_client: mqtt.Client, _data: object, wire: object) -> None:
    """Without this the second of two small packets waits 40 ms for the other side's delayed acknowledgement."""
    if isinstance(wire, socket.socket):
        wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def _new_client(address: BrokerAddress, most_queued: int) -> mqtt.Client:
    client = mqtt.Client(
        CallbackAPIVersion.VERSION2,
        client_id=f"companion-{uuid.uuid4().hex[:12]}",
        clean_session=True,
        reconnect_on_failure=False,
    )
    client.suppress_exceptions = True
    client.enable_logger(_LOG)
    client.connect_timeout = CONNECT_TIMEOUT
    client.max_queued_messages_set(most_queued)
    if address.username is not None:
        client.username_pw_set(address.username, address.password)
    return client


class _EncryptedSocket(ssl.SSLSocket):
    """Closes itself when no agreement is reached, which the client leaves open."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _encrypt(client: mqtt.Client, name: str, address: BrokerAddress) -> None:
    if not address.tls:
        return
    authority = None if address.authority is None else str(address.authority)
    try:
        context = ssl.create_default_context(cafile=authority)
        context.sslsocket_class = _EncryptedSocket
        client.tls_set_context(context)
    except OSError as error:
        raise TransportUnavailable(
            name,
            sentence("the certificate authority {file} cannot be read ({why})", file=authority, why=_reason(error)),
        ) from error


def _reason(error: Exception) -> str:
    if isinstance(error, ssl.SSLCertVerificationError):
        return sentence("its certificate does not hold ({why})", why=error.verify_message)
    if isinstance(error, ssl.SSLError):
        return sentence("no encrypted connection can be made ({why})", why=error.reason or str(error))
    reason = error.strerror if isinstance(error, OSError) else None
    return reason or str(error) or sentence("no reason is given")
