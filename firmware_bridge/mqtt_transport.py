"""Boxes on an MQTT broker: one connection for all of them."""

from __future__ import annotations

from collections.abc import Iterable

from firmware_bridge.addresses import BrokerAddress
from firmware_bridge.errors import TransportLost
from firmware_bridge.messages import EVERY_BOX, Message
from firmware_bridge.mqtt_codec import BOX_TOPICS, PREFIX, publication
from firmware_bridge.mqtt_connection import MqttConnection
from firmware_bridge.transport import Dropped, Received


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
        self._connection: MqttConnection | None = None

    def open(self) -> None:
        """Connect and subscribe."""
        topics = [f"{PREFIX}/{box}/{topic}" for box in self._boxes for topic in BOX_TOPICS]
        connection = MqttConnection(self.name, self._address, topics, self.dropped)
        connection.open()
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
