"""All boxes of a table, whether named, remembered or found; their events come through one queue."""

from __future__ import annotations

import itertools
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Protocol

from companion.wording.sentences import sentence
from firmware_bridge.adapters.announced_buttons import ADAPTER
from firmware_bridge.adapters.record_files import Adapter, shipped_adapters
from firmware_bridge.errors import InvalidBoxAddress
from firmware_bridge.mqtt.transport import MqttTransport
from firmware_bridge.presses.bindings import Bindings, default_bindings
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress, Wire
from firmware_bridge.protocol.messages import Buzz, Hello, Led, LinkState
from firmware_bridge.serial.transport import SerialTransport
from firmware_bridge.serving.button_listener import ButtonListener
from firmware_bridge.serving.discovery import SerialSearch, UsbPort, system_ports
from firmware_bridge.serving.served import ServedBox
from firmware_bridge.serving.transport_worker import Command, TransportWorker
from firmware_bridge.transports.transport import Received

MAXIMUM_EVENTS = 1000
ACCEPTED_SECONDS = 0.4
REFUSED_TONE = (220, 250)
NO_UID = bytes(8)
_DOUBTS = 4
"""Greetings of a box whose uid is in use elsewhere before it is taken for a second box with the same uid."""


@dataclass(frozen=True, slots=True)
class Search:
    """What may be taken up without being named.

    `serial`: boards on likely serial ports, with `bare_chips` also those behind a mere USB-serial chip; `wireless`: our
    own boxes on the broker; `buttons`: whatever device on the broker says a word, for somebody who is choosing one.
    """

    serial: bool = False
    bare_chips: bool = False
    wireless: bool = False
    buttons: bool = False
    ports: Callable[[], Iterable[UsbPort]] = system_ports


class _Station(Protocol):
    """Where boxes are served."""

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def command(self, box: str, command: Command) -> None: ...
    def assign_seat(self, box: str, seat: int | None) -> None: ...


class Boxes:
    """The boxes of a table, each kept connected by itself; `events` holds what they say until somebody takes it.

    A box is known by its address without the seat (`BoxAddress.name`). One that is found and not remembered belongs to
    nobody until `assign_seat` gives it to a seat. Methods may be called from any thread.
    """

    def __init__(
        self,
        addresses: Sequence[BoxAddress],
        bindings: Bindings | None = None,
        broker: BrokerAddress | None = None,
        search: Search | None = None,
        adapters: Sequence[Adapter] | None = None,
        clock: Callable[[], float] | None = None,
        table: str = "",
    ) -> None:
        """`adapters` say how to read buttons that others made; by default those that come with the program. `clock`
        gives the monotonic seconds at which such buttons are heard. `table` is the table's name on the broker, by which
        two tables notice that they look after the same box.

        Raises InvalidBoxAddress for a box named twice, or on a broker where none is given.
        """
        self.events: queue.Queue[BoxEvent] = queue.Queue(MAXIMUM_EVENTS)
        self._bindings = bindings or default_bindings()
        self._numbers = itertools.count(1)
        self._lock = threading.RLock()
        self._states: dict[str, BoxState] = {}
        self._stations: dict[str, _Station] = {}
        self._boxes_by_uid: dict[str, ServedBox] = {}
        """the boxes known by their uid, which any port may serve"""
        self._doubts: dict[str, int] = {}
        self._search, self._clock, self._table = search or Search(), clock, table
        self._adapters = shipped_adapters() if adapters is None else tuple(adapters)
        self._button_listener: ButtonListener | None = None
        named = self._named(addresses, broker)
        self._ports: list[_Station] = [*self._serial_ports(named), *self._broker_ports(named, broker)]
        self._serial_search = self._started_search(named)

    @property
    def states(self) -> Mapping[str, BoxState]:
        """How every box is connected now."""
        return MappingProxyType(dict(self._states))

    @property
    def bindings(self) -> Bindings:
        """What the buttons mean and whose the boxes are; may be replaced at any time."""
        return self._bindings

    @bindings.setter
    def bindings(self, bindings: Bindings) -> None:
        self._bindings = bindings

    @property
    def announced(self) -> tuple[str, ...]:
        """The devices that Home Assistant's discovery announces, as names of boxes; only while searching for them."""
        if self._button_listener is None:
            return ()
        devices = {device for found in list(self._button_listener.announced.values()) for device in found.devices}
        return tuple(sorted(f"{Wire.BUTTON}:{ADAPTER}/{device}" for device in devices))

    def start(self) -> None:
        """Connect to all boxes; returns at once."""
        for port in self._ports:
            port.start()
        if self._serial_search is not None:
            self._serial_search.start()

    def close(self) -> None:
        """Leave all boxes."""
        for port in self._ports:
            port.stop()
        if self._serial_search is not None:
            self._serial_search.stop()

    def __enter__(self) -> Boxes:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def assign_seat(self, box: str, seat: int | None) -> None:
        """Give a box to a seat, or to all seats with None; from then on it belongs to the table.

        Raises KeyError for an unknown box.
        """
        state = self._states[box]
        self._bindings = self._bindings.with_seat(box, seat)
        with self._lock:
            station, parked = self._stations.get(box), self._boxes_by_uid.get(box)
            if parked is not None and (station is None or _is_over(station)):
                parked.assign_seat(seat)
            elif station is not None:
                station.assign_seat(box, seat)
            self._states[box] = replace(state, seat=seat, is_paired=True)

    def set_led(self, box: str, led: int, on: bool) -> None:
        """Light an LED of a box or put it out, now or when the box comes back.

        Raises KeyError for an unknown box, ValueError for a number that no LED has.
        """
        Led(0, led, on)
        self._command(box, lambda served, _: served.link.set_led(led, on))

    def blink(self, box: str, led: int, on: bool) -> None:
        """Let an LED of a box blink, or show again what it was set to.

        Raises KeyError for an unknown box, ValueError for a number that no LED has.
        """
        Led(0, led, on)
        self._command(box, lambda served, _: served.link.blink(led, on))

    def buzz(self, box: str, hertz: int, duration_ms: int) -> None:
        """Sound the buzzer of a box that is there now.

        Raises KeyError for an unknown box, ValueError outside 20 to 20,000 Hz and 1 to 5,000 ms.
        """
        Buzz(0, hertz, duration_ms)
        self._command(box, lambda served, _: served.link.buzz(hertz, duration_ms))

    def accept(self, press: ButtonPress) -> None:
        """The program took this press: the lamp of its button flashes, and never before the program says so."""
        if press.button:
            self._command(press.box, lambda served, now: served.link.flash(press.button, now + ACCEPTED_SECONDS))

    def refuse(self, press: ButtonPress) -> None:
        """The program understood this press and cannot follow it: its box sounds a low tone."""
        self.buzz(press.box, *REFUSED_TONE)

    def _command(self, box: str, command: Command) -> None:
        with self._lock:
            station, parked = self._stations.get(box), self._boxes_by_uid.get(box)
            if parked is not None and (station is None or _is_over(station)):
                command(parked, time.monotonic())
            elif station is not None:
                station.command(box, command)
            else:
                raise KeyError(box)

    def _deliver(self, event: BoxEvent) -> None:
        if isinstance(event, BoxState):
            self._states[event.box] = event
        with suppress(queue.Full):  # nobody listens any more, and the port must not wait for it
            self.events.put_nowait(event)

    def _named(self, addresses: Sequence[BoxAddress], broker: BrokerAddress | None) -> list[BoxAddress]:
        """The boxes to serve from the start: those that the caller names, and those remembered."""
        named: dict[str, BoxAddress] = {}
        for address in addresses:
            if address.name in named:
                raise InvalidBoxAddress(str(address), sentence("is named twice"))
            if broker is None and address.wire in (Wire.MQTT, Wire.BUTTON):
                raise InvalidBoxAddress(str(address), sentence("is reached through an MQTT broker, and there is none"))
            named[address.name] = address
        for name, seat in self._bindings.seats.items():
            remembered = BoxAddress.parse(name)
            reachable = self._search.serial if remembered.wire in (Wire.SERIAL, Wire.USB) else broker is not None
            if reachable and name not in named:
                named[name] = BoxAddress(remembered.wire, remembered.location, remembered.number, seat)
        for address in named.values():
            reason = sentence("is not plugged in") if address.wire is Wire.USB else ""
            self._states[address.name] = BoxState(address.name, address.seat, LinkState.CLOSED, reason)
        return list(named.values())

    def _serial_ports(self, named: Sequence[BoxAddress]) -> list[TransportWorker]:
        together: dict[str, list[BoxAddress]] = {}
        for address in named:
            if address.wire is Wire.SERIAL:
                together.setdefault(address.location, []).append(address)
        return [self._port(SerialTransport(path), boxes) for path, boxes in together.items()]

    def _broker_ports(self, named: Sequence[BoxAddress], broker: BrokerAddress | None) -> list[_Station]:
        if broker is None:
            return []
        wireless = [address for address in named if address.wire is Wire.MQTT]
        said: set[str] = set()
        # A connection for each box: a flood in the name of one does not hold up the others.
        stations: list[_Station] = [
            self._port(MqttTransport(broker, (address.location,), self._table), (address,), said=said)
            for address in wireless
        ]
        if self._search.wireless:
            stations.append(self._port(MqttTransport(broker, None, self._table), (), searches=True, said=said))
        devices = {address.name: address.seat for address in named if address.wire is Wire.BUTTON}
        if devices or self._search.buttons:
            heard = self._button_listener = ButtonListener(
                broker,
                devices,
                self._current,
                self._heard,
                self._numbers,
                self._adapters,
                hears_all=self._search.buttons,
                clock=self._clock,
                note=self._note,
            )
            self._stations.update(dict.fromkeys(devices, heard))
            stations.append(heard)
        return stations

    def _current(self) -> Bindings:
        return self._bindings

    def _port(
        self,
        transport: MqttTransport | SerialTransport,
        addresses: Sequence[BoxAddress],
        *,
        searches: bool = False,
        said: set[str] | None = None,
    ) -> TransportWorker:
        boxes = [ServedBox(address, self._current, transport.retry_after) for address in addresses]
        port = TransportWorker(
            transport, boxes, self._deliver, self._numbers, self._adopt if searches else None, said=said
        )
        self._stations.update((box.name, port) for box in boxes)
        return port

    def _heard(self, event: BoxEvent) -> None:
        """A device of somebody else's said something; one that is heard for the first time is known from then on."""
        if isinstance(event, ButtonPress) and event.box not in self._states and self._button_listener is not None:
            self._stations[event.box] = self._button_listener
            self._states[event.box] = BoxState(event.box, None, LinkState.READY, "", False)
        self._deliver(event)

    def _note(self, state: BoxState) -> None:
        """A device that somebody else made was heard again."""
        self._states[state.box] = state

    def _started_search(self, named: Sequence[BoxAddress]) -> SerialSearch | None:
        movable = [address for address in named if address.wire is Wire.USB]
        for address in movable:
            self._boxes_by_uid[address.name] = ServedBox(address, self._current, SerialTransport.retry_after)
        if not movable and not self._search.serial:
            return None
        taken = [address.location for address in named if address.wire is Wire.SERIAL]
        return SerialSearch(
            lambda path: TransportWorker(
                SerialTransport(path), (), self._deliver, self._numbers, self._adopt_by_uid, lasts=False
            ),
            taken, self._deliver, self._search.ports, bare_chips=self._search.bare_chips,
        )  # fmt: skip

    def _adopt(self, port: TransportWorker, received: Received) -> ServedBox | None:
        """A box of ours on the broker that nobody named; those that were have a port of their own."""
        name = f"{Wire.MQTT}:{received.box}"
        with self._lock:
            if self._stations.setdefault(name, port) is not port:
                return None
        return self._fresh_box(BoxAddress(Wire.MQTT, received.box), port)

    def _adopt_by_uid(self, port: TransportWorker, received: Received) -> ServedBox | None:
        """A box on a serial port that nobody named: known by its uid, or by its port where it has none of its own."""
        uid = received.content.uid if isinstance(received.content, Hello) else NO_UID
        path = port.name.removeprefix(f"{Wire.SERIAL}:")
        number = int(received.box) or None
        by_port = BoxAddress(Wire.SERIAL, path, number)
        address = by_port if uid == NO_UID else BoxAddress(Wire.USB, uid.hex())
        with self._lock:
            if self._is_served(address.name, port):
                self._doubts[port.name] = self._doubts.get(port.name, 0) + 1
                if address is by_port or self._doubts[port.name] < _DOUBTS:
                    return None
                address = by_port
            self._doubts.pop(port.name, None)
            box = self._boxes_by_uid.get(address.name)
            if box is None:
                if not self._search.serial:
                    return None
                box = self._boxes_by_uid[address.name] = self._fresh_box(address, port)
            self._stations[address.name] = port
            return box

    def _is_served(self, name: str, port: TransportWorker) -> bool:
        station = self._stations.get(name)
        return station is not None and station is not port and not _is_over(station)

    def _fresh_box(self, address: BoxAddress, port: TransportWorker) -> ServedBox:
        is_paired = address.name in self._bindings.seats
        seated = BoxAddress(address.wire, address.location, address.number, self._bindings.seats.get(address.name))
        return ServedBox(seated, self._current, port.retry_after, is_paired=is_paired)


def _is_over(station: _Station) -> bool:
    return isinstance(station, TransportWorker) and station.is_over
