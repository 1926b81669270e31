"""All boxes of a table: opened by their addresses, heard through one queue."""

from __future__ import annotations

import itertools
import queue
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from firmware_bridge.addresses import BoxAddress, BrokerAddress, Wire
from firmware_bridge.bindings import Bindings, default_bindings
from firmware_bridge.errors import InvalidBoxAddress
from firmware_bridge.events import BoxEvent, BoxState, Press
from firmware_bridge.messages import Buzz, Led, LinkState
from firmware_bridge.mqtt_transport import MqttTransport
from firmware_bridge.port import Command, Port
from firmware_bridge.serial_transport import SerialTransport
from firmware_bridge.transport import Transport

MAXIMUM_EVENTS = 1000
ACCEPTED_SECONDS = 0.4
REFUSED_TONE = (220, 250)


class Boxes:
    """The configured boxes, each kept connected by itself; `events` holds what they say until somebody takes it.

    A box is known by its address without the seat (`BoxAddress.name`). Methods may be called from any thread.
    """

    def __init__(
        self,
        addresses: Sequence[BoxAddress],
        bindings: Bindings | None = None,
        broker: BrokerAddress | None = None,
    ) -> None:
        """Raises InvalidBoxAddress for a box named twice, or on a broker where none is given."""
        self.events: queue.Queue[BoxEvent] = queue.Queue(MAXIMUM_EVENTS)
        self.lost_events = 0
        self._states: dict[str, BoxState] = {}
        self._ports: dict[str, Port] = {}
        bindings, numbers = bindings or default_bindings(), itertools.count(1)
        for transport, together in _by_transport(addresses, broker):
            port = Port(transport, together, bindings, self._deliver, numbers)
            for address in together:
                if address.name in self._ports:
                    raise InvalidBoxAddress(str(address), "is named twice")
                self._ports[address.name] = port
                self._states[address.name] = BoxState(address.name, address.seat, LinkState.CLOSED)

    @property
    def states(self) -> Mapping[str, BoxState]:
        """How every box is connected now."""
        return MappingProxyType(dict(self._states))

    def start(self) -> None:
        """Connect to all boxes; returns at once."""
        for port in dict.fromkeys(self._ports.values()):
            port.start()

    def close(self) -> None:
        """Leave all boxes."""
        for port in dict.fromkeys(self._ports.values()):
            port.stop()

    def __enter__(self) -> Boxes:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def set_led(self, box: str, led: int, on: bool) -> None:
        """Light an LED of a box or put it out, now or when the box comes back.

        Raises KeyError for an unknown box, ValueError for a number that no LED has.
        """
        Led(0, led, on)
        self._command(box, lambda link, _: link.set_led(led, on))

    def buzz(self, box: str, hertz: int, duration_ms: int) -> None:
        """Sound the buzzer of a box that is there now.

        Raises KeyError for an unknown box, ValueError outside 20 to 20,000 Hz and 1 to 5,000 ms.
        """
        Buzz(0, hertz, duration_ms)
        self._command(box, lambda link, _: link.buzz(hertz, duration_ms))

    def accept(self, press: Press) -> None:
        """The program took this press: the lamp of its button flashes, and never before the program says so."""
        self._command(press.box, lambda link, now: link.flash(press.button, now + ACCEPTED_SECONDS))

    def refuse(self, press: Press) -> None:
        """The program understood this press and cannot follow it: its box sounds a low tone."""
        self.buzz(press.box, *REFUSED_TONE)

    def _command(self, box: str, command: Command) -> None:
        self._ports[box].command(box, command)

    def _deliver(self, event: BoxEvent) -> None:
        if isinstance(event, BoxState):
            self._states[event.box] = event
        try:
            self.events.put_nowait(event)
        except queue.Full:
            self.lost_events += 1


def _by_transport(
    addresses: Sequence[BoxAddress], broker: BrokerAddress | None
) -> list[tuple[Transport, list[BoxAddress]]]:
    serial: dict[str, list[BoxAddress]] = {}
    wireless: list[BoxAddress] = []
    for address in addresses:
        if address.wire is Wire.SERIAL:
            serial.setdefault(address.place, []).append(address)
        else:
            wireless.append(address)
    transports: list[tuple[Transport, list[BoxAddress]]] = [
        (SerialTransport(path), together) for path, together in serial.items()
    ]
    if wireless:
        if broker is None:
            raise InvalidBoxAddress(str(wireless[0]), "is reached through an MQTT broker, and there is none")
        transports.append((MqttTransport(broker, (address.place for address in wireless)), wireless))
    return transports
