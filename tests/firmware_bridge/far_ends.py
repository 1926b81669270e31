"""What a transport speaks to in its tests: the same wire from the boxes' side."""

import os
import tty
from pathlib import Path
from typing import Protocol

from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.mqtt.codec import HOST_TOPICS, PREFIX, Publication, publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.transport import MqttTransport, read_box
from firmware_bridge.protocol.messages import HostBeat, Message
from firmware_bridge.serial.codec import Decoder, encode
from firmware_bridge.serial.transport import SerialTransport
from firmware_bridge.transports.transport import Dropped, Transport
from firmware_bridge.transports.virtual import virtual_wire
from tests.firmware_bridge.waiting import HANG


class FarEnd(Protocol):
    transport: Transport
    box: str

    def say(self, message: Message) -> None: ...
    def hear(self) -> Message: ...
    def vanish(self) -> None: ...
    def come_back(self) -> None: ...
    def close(self) -> None: ...


class VirtualFarEnd:
    box = "1"

    def __init__(self) -> None:
        self.transport, self._end = virtual_wire()
        self._end.open()

    def say(self, message: Message) -> None:
        self._end.send(self.box, message)

    def hear(self) -> Message:
        received = self._end.receive(HANG)
        assert received is not None
        assert received.box == self.box
        return received.content

    def vanish(self) -> None:
        self._end.close()

    def come_back(self) -> None:
        self._end.open()

    def close(self) -> None:
        self._end.close()


class SerialFarEnd:
    box = "7"

    def __init__(self, folder: Path) -> None:
        self._path = folder / "port"
        self.transport = SerialTransport(str(self._path))
        self.come_back()

    def write(self, data: bytes) -> None:
        while data:
            data = data[os.write(self.master, data) :]

    def read(self) -> bytes:
        return os.read(self.master, 4096)

    def say(self, message: Message) -> None:
        self.write(encode(int(self.box), message))

    def hear(self) -> Message:
        while not self._heard:
            self._heard += self._decoder.feed(self.read())
        frame = self._heard.pop(0)
        assert str(frame.box) == self.box
        return frame.message

    def vanish(self) -> None:
        self._path.unlink()
        os.close(self.master)
        os.close(self._slave)

    def come_back(self) -> None:
        self._decoder, self._heard = Decoder(), []
        self.master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self._path.symlink_to(os.ttyname(self._slave))

    def close(self) -> None:
        if self._path.is_symlink():
            self.vanish()


class MqttFarEnd:
    box = "blue"

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.transport = MqttTransport(broker.address, [self.box])
        self.come_back()

    def publish(self, topic: str, payload: bytes, retain: bool = False) -> None:
        """Returns when the broker has it, which answers in order."""
        self._connection.publish(Publication(topic, payload, 1, retain))
        self._connection.publish(publication(self.box, HostBeat(), by_host=True, table=self.transport.table))
        assert self.hear() == HostBeat()

    def say(self, message: Message) -> None:
        self._connection.publish(publication(self.box, message, by_host=False))

    def hear(self) -> Message:
        received = self._connection.receive(HANG)
        assert received is not None
        assert received.box == self.box
        return received.content

    def vanish(self) -> None:
        self._connection.close()
        self._broker.stop()

    def come_back(self) -> None:
        self._broker.start()
        topics = [f"{PREFIX}/{self.box}/{topic}" for topic in HOST_TOPICS]
        self._connection = MqttConnection("far end", self._broker.address, topics, Dropped(), read_box)
        self._connection.open()

    def close(self) -> None:
        self._connection.close()
