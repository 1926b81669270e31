"""Buttons somebody else made, heard on a broker: by adapter records and by Home Assistant's discovery.

Such a device greets nobody and answers nothing. Its presence is the broker's, its time the moment of its message.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.wording.sentences import sentence
from firmware_bridge import home_assistant
from firmware_bridge.adapters import Adapter, ButtonSignal, Meaning, TopicReader
from firmware_bridge.addresses import BrokerAddress, Wire
from firmware_bridge.bindings import Bindings
from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.events import BoxEvent, BoxState, Notice
from firmware_bridge.messages import LinkState
from firmware_bridge.mqtt_connection import MqttConnection
from firmware_bridge.press_interpreter import PressInterpreter
from firmware_bridge.reconnect import BackOff
from firmware_bridge.transport import Dropped
from firmware_bridge.transport_worker import STOP_TIMEOUT, TICK, Command

SAME_WITHIN = 0.04
"""Seconds in which the same word of a device is the same press, told on two topics."""

MOST_DEVICES = 200
MOST_ANNOUNCED = 500


@dataclass(frozen=True, slots=True)
class _Said:
    signals: tuple[ButtonSignal, ...]
    is_retained: bool


@dataclass(frozen=True, slots=True)
class _Announced:
    topic: str
    readings: tuple[TopicReader, ...]


_Heard = _Said | _Announced


@dataclass(slots=True)
class _Device:
    presses: PressInterpreter
    said: tuple[str, int] = ("", 0)
    said_at: float = float("-inf")
    state: str = ""
    battery: int | None = None
    counts: dict[int, int] = field(default_factory=dict)


class ButtonListener:
    """Devices on a broker, by the names of their boxes; with `hears_all` also those that belong to nobody yet.

    `deliver` is called from its thread and must not block; `numbers` gives presses their numbers.
    """

    def __init__(
        self,
        address: BrokerAddress,
        seats: Mapping[str, int | None],
        bindings: Callable[[], Bindings],
        deliver: Callable[[BoxEvent], None],
        numbers: Iterator[int],
        adapters: Sequence[Adapter],
        *,
        hears_all: bool = False,
    ) -> None:
        self.name = f"broker {address}"
        self.dropped = Dropped()
        self.announced: dict[str, tuple[TopicReader, ...]] = {}
        """what Home Assistant's discovery told, by its topic"""
        self._address, self._bindings, self._deliver, self._numbers = address, bindings, deliver, numbers
        self._hears_all = hears_all
        self._devices = {name: _Device(PressInterpreter(name, seat, True, bindings)) for name, seat in seats.items()}
        self._readings = tuple(reading for adapter in adapters for reading in adapter.readings)
        self._by_topic: dict[str, tuple[TopicReader, ...]] = {}
        self._state, self._reason = LinkState.CLOSED, ""
        self._said: set[str] = set()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"buttons at {address}", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the broker."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_TIMEOUT)

    def command(self, box: str, command: Command) -> None:
        """Nothing: such a device has no lamp that we know of."""

    def assign_seat(self, box: str, seat: int | None) -> None:
        """Take a device up that was heard, or let it stand elsewhere."""
        device = self._devices.get(box)
        if device is not None:
            device.presses.seat, device.presses.is_paired = seat, True

    def _run(self) -> None:
        back_off = BackOff()
        self._enter(LinkState.OPENING)
        while not self._stopping.is_set():
            wait: float | None = None
            connection = MqttConnection[_Heard](self.name, self._address, self._topics(), self.dropped, self._read)
            try:
                connection.open()
                back_off.reset()
                self._enter(LinkState.READY)
                self._serve(connection)
            except NotAuthorised as error:
                self._enter(LinkState.LOST, error.reason)
            except TransportError as error:
                self._enter(LinkState.LOST, error.reason)
                wait = back_off.next_wait()
            finally:
                connection.close()
            self._stopping.wait(wait)
        self._enter(LinkState.CLOSED)

    def _topics(self) -> list[str]:
        locations = [name.removeprefix(f"{Wire.BUTTON}:") for name in self._devices]
        if self._hears_all:
            topics = [reading.subscription for reading in self._readings]
        else:
            topics = [
                topic
                for location in locations
                for reading in self._readings
                if (topic := reading.subscription_of(location))
            ]
        if self._hears_all or any(location.startswith(f"{home_assistant.ADAPTER}/") for location in locations):
            topics += home_assistant.CONFIGURATIONS
        return list(dict.fromkeys(topics))

    def _read(self, topic: str, payload: bytes, retained: bool) -> _Heard | None:
        """Called on the network's thread."""
        if home_assistant.is_configuration(topic):
            return _Announced(topic, tuple(home_assistant.readings(topic, payload)))
        readings = self._by_topic.get(topic, ()) + self._readings
        signals = tuple(signal for reading in readings for signal in reading.read(topic, payload))
        return _Said(signals, retained) if signals else None

    def _serve(self, connection: MqttConnection[_Heard]) -> None:
        if self._by_topic:
            connection.subscribe(tuple(self._by_topic))
        while not self._stopping.is_set():
            received = connection.receive(TICK)
            now = time.monotonic()
            match received:
                case _Said():
                    self._hear(received, now)
                case _Announced():
                    self._learn(received, connection)
                case None:
                    pass
            for device in list(self._devices.values()):
                self._give(device.presses.tick(now, self._numbers))
            if self.dropped.count and "dropped" not in self._said:
                self._said.add("dropped")
                reason = self.dropped.reason
                text = sentence("{reason}; it was ignored, as others like it will be", reason=reason)
                self._deliver(Notice(self.name, text))

    def _learn(self, announced: _Announced, connection: MqttConnection[_Heard]) -> None:
        if announced.topic not in self.announced and len(self.announced) >= MOST_ANNOUNCED:
            return
        self.announced[announced.topic] = announced.readings
        by_topic: dict[str, tuple[TopicReader, ...]] = {}
        for readings in self.announced.values():
            for reading in readings:
                if self._hears_all or self._is_ours(reading):
                    by_topic[reading.topic] = (*by_topic.get(reading.topic, ()), reading)
        fresh = [topic for topic in by_topic if topic not in self._by_topic]
        self._by_topic = by_topic
        connection.subscribe(fresh)

    def _is_ours(self, reading: TopicReader) -> bool:
        return f"{Wire.BUTTON}:{reading.adapter}/{reading.device}" in self._devices

    def _hear(self, said: _Said, now: float) -> None:
        known = {(signal.location, signal.word) for signal in said.signals if signal.deed is not None}
        heard = set()
        for signal in said.signals:
            key = (signal.location, signal.word)
            if key in heard or (signal.deed is None and key in known):
                continue
            heard.add(key)
            device = self._device(f"{Wire.BUTTON}:{signal.location}")
            if device is None:
                continue
            is_new = self._is_new(device, signal, said.is_retained, now)
            if is_new:
                self._give(self._perform(device.presses, signal, now))
            if is_new or device.presses.is_paired:
                self._weigh(device, signal.battery)

    def _weigh(self, device: _Device, battery: int | None) -> None:
        """Tell what is left in a device's battery where that is news."""
        if battery is not None and battery != device.battery:
            device.battery = battery
            presses = device.presses
            self._deliver(BoxState(presses.box, presses.seat, self._state, "", presses.is_paired, 0, battery))

    def _device(self, name: str) -> _Device | None:
        device = self._devices.get(name)
        if device is None and self._hears_all and len(self._devices) < MOST_DEVICES:
            device = self._devices[name] = _Device(PressInterpreter(name, None, False, self._bindings))
        return device

    def _is_new(self, device: _Device, signal: ButtonSignal, retained: bool, now: float) -> bool:
        """Whether this is said for the first time: a state that changed, or an event that is no echo."""
        if signal.is_state:
            before, device.state = device.state, signal.word
            return signal.word != before and not retained
        if retained:
            return False
        said = (signal.word, signal.button)
        if signal.count is not None:
            last_count, device.counts[signal.button] = device.counts.get(signal.button), signal.count
            return signal.count != last_count
        if said == device.said and now - device.said_at < SAME_WITHIN:
            return False
        device.said, device.said_at = said, now
        return True

    def _perform(self, presses: PressInterpreter, signal: ButtonSignal, now: float) -> list[BoxEvent]:
        if signal.deed is None:
            is_bound = self._bindings().intent_of_word(presses.box, signal.word, None) is not None
            return presses.word(signal.word, now, self._numbers) if is_bound or self._hears_all else []
        if signal.deed.gesture is None:
            return presses.edge(signal.button, signal.deed is Meaning.PRESS, now, now, self._numbers)
        return presses.gesture(signal.button, signal.deed.gesture, signal.word, now, self._numbers)

    def _give(self, events: list[BoxEvent]) -> None:
        for event in events:
            self._deliver(event)

    def _enter(self, state: LinkState, reason: str = "") -> None:
        if (state, reason) == (self._state, self._reason):
            return
        self._state, self._reason = state, reason
        for name, device in list(self._devices.items()):
            if device.presses.is_paired:
                self._deliver(BoxState(name, device.presses.seat, state, reason, battery=device.battery))
