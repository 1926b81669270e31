"""The state of every seat, retained on the broker for lamps and other people's automations (docs/hardware.md).

Published is who is to move, never what a player holds. Who connects later gets the retained states at once; the last
will says when nobody keeps them up to date any more.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from dataclasses import dataclass

from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.protocol.addresses import MQTT_NAME, BrokerAddress
from firmware_bridge.serving.transport_worker import STOP_TIMEOUT
from firmware_bridge.transports.reconnect import BackOff
from firmware_bridge.transports.transport import Dropped

PREFIX = "companion"
TABLE = "table"
WAIT = 0.05


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat: whether the table waits for it, whether it has had a turn and waits itself, whether what it did or what
    lies there is disputed.
    """

    seat: int
    colour: str
    to_move: bool = False
    done: bool = False
    disputed: bool = False

    def payload(self) -> bytes:
        """As it is published."""
        fields = {"to_move": self.to_move, "done": self.done, "disputed": self.disputed, "colour": self.colour}
        return json.dumps(fields, separators=(",", ":")).encode()


class SeatPublisher:
    """Keeps the seats of a table published; a broker that is away gets them when it is back.

    Methods may be called from any thread. Raises ValueError for a table whose name is no level of a topic.
    """

    def __init__(self, address: BrokerAddress, table: str = TABLE) -> None:
        if not MQTT_NAME.fullmatch(table):
            raise ValueError(f"table {table!r}: its name is 1 to 32 of A-Z a-z 0-9 _ -")
        self._address, self._topic = address, f"{PREFIX}/{table}"
        self._wanted: dict[int, SeatState] = {}
        self._lock = threading.Lock()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="seats", daemon=True)
        self._thread.start()

    def show(self, states: Iterable[SeatState]) -> None:
        """What the seats are about from now on; seats that are not named are as they were."""
        with self._lock:
            self._wanted.update((state.seat, state) for state in states)

    def close(self) -> None:
        """Take the seats from the broker and leave it."""
        self._stopping.set()
        self._thread.join(STOP_TIMEOUT)

    def _run(self) -> None:
        back_off = BackOff()
        while not self._stopping.is_set():
            will = Publication(f"{self._topic}/state", b"offline", retain=True)
            connection = MqttConnection[None](f"broker {self._address}", self._address, (), Dropped(), _nothing, will)
            wait: float | None = None
            try:
                connection.open()
                back_off.reset()
                self._serve(connection)
            except NotAuthorised:
                pass  # the boxes use the same password and have said so
            except TransportError:
                wait = back_off.next_wait()
            finally:
                connection.close()
            self._stopping.wait(wait)

    def _serve(self, connection: MqttConnection[None]) -> None:
        connection.publish(Publication(f"{self._topic}/state", b"online", retain=True))
        published: dict[int, SeatState] = {}
        while not self._stopping.is_set():
            with self._lock:
                changed = {seat: state for seat, state in self._wanted.items() if published.get(seat) != state}
            for seat, state in changed.items():
                connection.publish(Publication(f"{self._topic}/seat/{seat}", state.payload(), retain=True))
            published.update(changed)
            connection.receive(WAIT)
        for seat in published:
            connection.publish(Publication(f"{self._topic}/seat/{seat}", b"", retain=True))
        connection.publish(Publication(f"{self._topic}/state", b"offline", retain=True))


def _nothing(_topic: str, _payload: bytes, _retained: bool) -> None:
    return None
