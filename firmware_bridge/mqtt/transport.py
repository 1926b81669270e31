"""Boxes on an MQTT broker behind one connection."""

from __future__ import annotations

from collections.abc import Iterable

from companion.wording.sentences import sentence
from firmware_bridge.errors import TransportLost
from firmware_bridge.mqtt.codec import BOX_TOPICS, HOST_BEAT_TOPIC, PREFIX, host_of, parse, publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.home_assistant import announcement
from firmware_bridge.mqtt.table_identity import drawn_name
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import EVERY_BOX, Hello, HostBeat, Message
from firmware_bridge.transports.transport import Dropped, Received

MOST_ANNOUNCED = 32


def check_broker(address: BrokerAddress) -> None:
    """Connect to a broker and leave it.

    Raises TransportUnavailable, or NotAuthorised.
    """
    transport = MqttTransport(address, ())
    transport.open()
    transport.close()


def read_box(topic: str, payload: bytes, retained: bool) -> Received:
    """What a box or a host published; a host's beat with the name of its table.

    Raises InvalidDocument.
    """
    box, content = parse(topic, payload, retained)
    host = host_of(payload) if isinstance(content, HostBeat) else ""
    return Received(box, content, host)


class MqttTransport:
    """The boxes of these names on a broker, or all that there are; the name of each is its address.

    A box that belongs to the table is announced to Home Assistant when it greets.
    """

    retry_after = 0.5
    is_shared = True

    def __init__(self, address: BrokerAddress, boxes: Iterable[str] | None, table: str = "") -> None:
        """`table` is the name of the table that looks after them, which its beats say."""
        self.name = f"broker {address}"
        self.dropped = Dropped()
        self._address, self.table = address, table or drawn_name()
        self._boxes = None if boxes is None else tuple(boxes)
        self._connection: MqttConnection[Received] | None = None
        self._announced: dict[str, Hello] = {}

    def open(self) -> None:
        """Connect and subscribe."""
        boxes = ("+",) if self._boxes is None else self._boxes
        topics = [f"{PREFIX}/{box}/{topic}" for box in boxes for topic in (*BOX_TOPICS, HOST_BEAT_TOPIC)]
        connection = MqttConnection(self.name, self._address, topics, self.dropped, self._read)
        connection.open()
        self._connection = connection
        self._announced.clear()

    def send(self, box: str, message: Message) -> None:
        """Publish; `box` "0" is every box that was named."""
        if self._connection is None:
            raise TransportLost(self.name, sentence("is not open"))
        for name in self._boxes or () if box == str(EVERY_BOX) else (box,):
            self._connection.publish(publication(name, message, by_host=True, table=self.table))

    def receive(self, timeout: float) -> Received | None:
        """The next sound publication of a box."""
        if self._connection is None:
            raise TransportLost(self.name, sentence("is not open"))
        return self._connection.receive(timeout)

    def close(self) -> None:
        """Say goodbye and wait for the network thread."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _read(self, topic: str, payload: bytes, retained: bool) -> Received | None:
        """What a box or another host published; our own beats are of no interest."""
        received = read_box(topic, payload, retained)
        return None if isinstance(received.content, HostBeat) and received.host == self.table else received

    def introduce(self, box: str, hello: Hello) -> None:
        """Announce a box to Home Assistant, which the broker keeps: only a box that belongs to the table."""
        connection, known = self._connection, self._announced.get(box)
        if connection is None or (known is None and len(self._announced) >= MOST_ANNOUNCED):
            return
        if known is None or (known.buttons, known.firmware) != (hello.buttons, hello.firmware):
            self._announced[box] = hello
            connection.publish(announcement(box, hello))
