"""A simulated box on an MQTT broker, by the topics of docs/hardware.md."""

from __future__ import annotations

import secrets
import threading
import time
from contextlib import suppress

from firmware_bridge.errors import TransportError
from firmware_bridge.mqtt.codec import HOST_TOPICS, PREFIX, publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.transport import read_box
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import Availability, Buzz
from firmware_bridge.simulators.box import SimulatedBox
from firmware_bridge.transports.reconnect import BackOff
from firmware_bridge.transports.transport import Dropped, Received

TICK = 0.01
RETRY_AFTER = 0.5


class MqttBoxSimulator:
    """A box with a battery: it keeps running and remembers its presses while its network is away.

    Methods may be called from any thread.
    """

    def __init__(self, address: BrokerAddress, name: str, *, buttons: int = 4) -> None:
        self.name = name
        self.dropped = Dropped()
        self._address = address
        self._lock = threading.Lock()
        self._box = SimulatedBox(time.monotonic(), buttons=buttons, retry_after=RETRY_AFTER, uid=secrets.token_bytes(8))
        self._connection: MqttConnection[Received] | None = None
        self._is_plugged = True
        self._stopping = threading.Event()
        self._changed = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"box {name}", daemon=True)
        self._thread.start()

    def press(self, button: int) -> None:
        """Hold a button down."""
        with self._lock:
            self._box.press(button, time.monotonic())
            self._send()

    def release(self, button: int) -> None:
        """Let a button come up."""
        with self._lock:
            self._box.release(button, time.monotonic())
            self._send()

    def tap(self, button: int) -> None:
        """Press and release."""
        self.press(button)
        self.release(button)

    def lit(self) -> frozenset[int]:
        """The LEDs that are on."""
        with self._lock:
            return self._box.lit

    def buzzes(self) -> tuple[Buzz, ...]:
        """What the buzzer has sounded."""
        with self._lock:
            return tuple(self._box.buzzes)

    def pending(self) -> int:
        """How many edges no host has acknowledged."""
        with self._lock:
            return self._box.pending

    def plug(self) -> None:
        """Give the box a network."""
        self._is_plugged = True
        self._changed.set()

    def unplug(self) -> None:
        """Take the network away without a goodbye; the box runs on."""
        self._is_plugged = False
        self._changed.set()

    def close(self) -> None:
        """Switch the box off; the broker says that it is offline."""
        self._stopping.set()
        self._changed.set()
        self._thread.join()

    def __enter__(self) -> MqttBoxSimulator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        back_off = BackOff()
        while not self._stopping.is_set():
            self._changed.clear()
            if not self._is_plugged:
                self._changed.wait()
                continue
            will = publication(self.name, Availability(online=False), by_host=False)
            topics = [f"{PREFIX}/{self.name}/{topic}" for topic in HOST_TOPICS]
            connection = MqttConnection(f"box {self.name}", self._address, topics, self.dropped, read_box, will)
            try:
                connection.open()
                back_off.reset()
                self._serve(connection)
            except TransportError:
                self._changed.wait(back_off.next_wait())
            finally:
                with self._lock:
                    self._connection = None
                connection.abandon()

    def _serve(self, connection: MqttConnection[Received]) -> None:
        connection.publish(publication(self.name, Availability(online=True), by_host=False))
        with self._lock:
            self._connection = connection
            self._box.introduce(time.monotonic())
            self._send()
        while self._is_plugged and not self._stopping.is_set():
            received = connection.receive(TICK)
            with self._lock:
                if received is not None:
                    self._box.receive(received.content, time.monotonic())
                self._box.tick(time.monotonic())
                self._send()

    def _send(self) -> None:
        messages = self._box.take_messages()
        if self._connection is not None:
            # What is lost here the box sends again; its own thread notices that the connection has ended.
            with suppress(TransportError):
                for message in messages:
                    self._connection.publish(publication(self.name, message, by_host=False))
