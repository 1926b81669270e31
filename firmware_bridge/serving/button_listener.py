"""Buttons that others made, heard on a broker: by adapter records and by Home Assistant's discovery."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from companion.wording.sentences import Sentence, sentence
from firmware_bridge.adapters import announced_buttons
from firmware_bridge.adapters.bridge_lists import DEVICES_TOPIC, DEVICES_TOPICS, BridgeDevice, bridge_devices
from firmware_bridge.adapters.presence import PresenceReader, Scope
from firmware_bridge.adapters.record_files import Adapter
from firmware_bridge.adapters.records import ButtonSignal, TopicReader
from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.topic_filters import is_included, without_included
from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import BoxEvent, BoxState, Notice
from firmware_bridge.protocol.addresses import BrokerAddress, Wire
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serving.button_device import ButtonDevice
from firmware_bridge.serving.transport_worker import STOP_TIMEOUT, TICK, Command
from firmware_bridge.transports.reconnect import BackOff
from firmware_bridge.transports.transport import Dropped

MOST_DEVICES = 200
MOST_ANNOUNCED = 2000
INBOX_SIZE = 5000
"""A broker hands out all announcements of a house at once."""
LATE_SECONDS = 1.0
"""A press that is heard this long before the announcement of its device is still read: Zigbee2MQTT announces a word
2 ms after the first press that says it."""
MOST_UNREAD = 200


@dataclass(frozen=True, slots=True)
class _Publication:
    topic: str
    payload: bytes
    is_retained: bool
    at: float


@dataclass(slots=True)
class _Served:
    """A device with what its node or bridge says of its presence."""

    device: ButtonDevice
    heard_on: str = ""
    """the topic on which it was heard last, whose beginning its bridge shares"""
    presence: dict[str, Scope | None] = field(default_factory=dict)
    """by topic who is said to be gone: the device, its node or its bridge; None where they are there"""
    reported: tuple[LinkState, str, int | None] | None = None


class ButtonListener:
    """Devices on a broker, by the names of their boxes; with `hears_all` also those that belong to nobody yet.

    `deliver` and `note` are called from its thread and must not block: `deliver` gets what happened, `note` the state
    of a device that has only been heard again. `numbers` gives presses their numbers, `clock` monotonic seconds.
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
        clock: Callable[[], float] | None = None,
        note: Callable[[BoxState], None] = lambda _state: None,
    ) -> None:
        self.name = f"broker {address}"
        self.dropped = Dropped()
        self.announced: dict[str, announced_buttons.Announced] = {}
        """what Home Assistant's discovery says, by its topic"""
        self._address, self._bindings, self._deliver, self._numbers = address, bindings, deliver, numbers
        self._hears_all, self._clock, self._note = hears_all, clock, note
        self._served = {
            name: _Served(ButtonDevice(name, seat, True, bindings, hears_all=hears_all)) for name, seat in seats.items()
        }
        self._readers = tuple(reader for adapter in adapters for reader in adapter.readers)
        self._presence = tuple(reader for adapter in adapters for reader in adapter.presence)
        self._discovered: tuple[TopicReader, ...] = ()
        self._discovered_presence: tuple[PresenceReader, ...] = ()
        self._unread: deque[_Publication] = deque(maxlen=MOST_UNREAD)
        self._subscribed: set[str] = set()
        self._lists: dict[str, int] = {}
        self._known_devices: tuple[BridgeDevice, ...] = ()
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
        """Take a device up that was heard, or give it another seat."""
        served = self._served.get(box)
        if served is not None:
            served.device.presses.seat, served.device.presses.is_paired = seat, True

    def _run(self) -> None:
        back_off = BackOff()
        self._enter(LinkState.OPENING)
        while not self._stopping.is_set():
            wait: float | None = None
            topics = self._topics()
            connection = MqttConnection[_Publication](
                self.name, self._address, topics, self.dropped, self._receive, inbox_size=INBOX_SIZE
            )
            try:
                for served in list(self._served.values()):
                    served.device.connected()
                    served.presence.clear()
                connection.open()
                self._subscribed = set(topics)
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

    def _receive(self, topic: str, payload: bytes, retained: bool) -> _Publication:
        """Called on the network's thread."""
        return _Publication(topic, payload, retained, self._now())

    def _now(self) -> float:
        return time.monotonic() if self._clock is None else self._clock()

    def _locations(self) -> list[str]:
        return [name.removeprefix(f"{Wire.BUTTON}:") for name in self._served]

    def _topics(self) -> list[str]:
        """The filters to subscribe to, each once and none that another one includes."""
        locations = self._locations()
        readers = self._readers + self._discovered
        topics: list[str] = []
        if self._hears_all:
            topics += [topic for reader in readers for topic in reader.subscriptions]
        for location in locations:
            topics += [topic for reader in readers if (topic := reader.subscription_of(location))]
            for presence in self._presence + self._discovered_presence:
                topics += presence.subscriptions_of(location)
        if self._hears_all or any(one.startswith(f"{announced_buttons.ADAPTER}/") for one in locations):
            topics += announced_buttons.CONFIGURATIONS
        if any(one.startswith(announced_buttons.ZIGBEE2MQTT_DEVICE) for one in locations):
            topics += announced_buttons.FIRST_PRESSES
        if topics and (self._hears_all or any("zigbee2mqtt" in one for one in locations)):
            topics += DEVICES_TOPICS
        return without_included(topics)

    def _serve(self, connection: MqttConnection[_Publication]) -> None:
        while not self._stopping.is_set():
            received = connection.receive(TICK)
            if received is not None:
                try:
                    self._take(received, connection)
                except ValueError as error:
                    self.dropped.add(str(error))
            now = self._now()
            for served in list(self._served.values()):
                self._give(served.device.tick(now, self._numbers))
            if self.dropped.count and "dropped" not in self._said:
                self._said.add("dropped")
                reason = self.dropped.reason
                text = sentence("{reason}; it was ignored, as others like it will be", reason=reason)
                self._deliver(Notice(self.name, text))

    def _take(self, publication: _Publication, connection: MqttConnection[_Publication]) -> None:
        """Do what a publication asks for.

        Raises InvalidDocument for one that does not hold.
        """
        topic, payload = publication.topic, publication.payload
        if announced_buttons.is_configuration(topic):
            self._learn(publication, connection)
            return
        if DEVICES_TOPIC.fullmatch(topic):
            self._take_devices(topic, payload)
            return
        for presence in self._presence + self._discovered_presence:
            is_online = presence.read(topic, payload)
            if is_online is not None:
                self._take_presence(presence, publication, is_online)
        self._take_batteries(publication)
        signals = self._signals(self._readers + self._discovered, topic, payload)
        self._hear(signals, publication)
        if not publication.is_retained:
            self._unread.append(publication)

    def _signals(self, readers: Iterable[TopicReader], topic: str, payload: bytes) -> list[ButtonSignal]:
        """What the readers read, each word of a device and button once; what one reader knows goes before a guess."""
        read = [signal for reader in readers for signal in reader.read(topic, payload)]
        read.sort(key=lambda signal: signal.place)
        known = {(signal.location, signal.word) for signal in read if signal.meaning is not None or signal.alternatives}
        signals: list[ButtonSignal] = []
        seen = set()
        for signal in read:
            key = (signal.location, signal.word, signal.button or signal.channel, signal.stamp)
            is_known = signal.meaning is not None or bool(signal.alternatives)
            if key not in seen and (is_known or (signal.location, signal.word) not in known):
                seen.add(key)
                signals.append(signal)
        return signals

    def _hear(self, signals: Iterable[ButtonSignal], publication: _Publication) -> None:
        for signal in signals:
            served = self._served_at(signal)
            if served is None:
                continue
            device = served.device
            served.heard_on = publication.topic
            events = device.hear(signal, publication.is_retained, publication.at, self._numbers)
            self._give(events)
            if signal.battery is not None and (device.presses.is_paired or events):
                device.battery = signal.battery
            if device.presses.is_paired or events or device.only_moves:
                self._report(served)

    def _served_at(self, signal: ButtonSignal) -> _Served | None:
        name = f"{Wire.BUTTON}:{signal.location}"
        served = self._served.get(name)
        if served is None and self._hears_all and len(self._served) < MOST_DEVICES and signal.word:
            device = ButtonDevice(name, None, False, self._bindings, hears_all=True)
            device.models = self._models_of(signal.location)
            served = self._served[name] = _Served(device)
        return served

    def _take_batteries(self, publication: _Publication) -> None:
        """Note what is left in batteries where a message says so without a word."""
        for reader in self._readers:
            found = reader.battery_of(publication.topic, publication.payload)
            if found is None:
                continue
            served = self._served.get(f"{Wire.BUTTON}:{found[0]}")
            if served is not None:
                served.device.battery = found[1]
                self._report(served)

    def _take_presence(self, presence: PresenceReader, publication: _Publication, is_online: bool) -> None:
        for name, served in list(self._served.items()):
            if not presence.is_about(publication.topic, name.removeprefix(f"{Wire.BUTTON}:")):
                continue
            if presence.scope is Scope.BRIDGE and not _is_bridge_of(served, presence, publication.topic):
                continue
            was_online = served.presence.get(publication.topic, presence.scope) is None
            scope = Scope.BRIDGE if publication.topic.endswith("/bridge/state") else presence.scope
            served.presence[publication.topic] = None if is_online else scope
            if is_online and not publication.is_retained:
                served.device.came_online(publication.at, presence.replays, is_change=not was_online)
            elif not is_online and not (presence.scope is Scope.DEVICE and served.device.is_sleeper):
                served.device.went_offline()
            self._report(served)

    def _take_devices(self, topic: str, payload: bytes) -> None:
        """Learn from a bridge's list which models its devices are; the same list is read once."""
        mark = hash(payload)
        if self._lists.get(topic) == mark:
            return
        self._lists[topic] = mark
        self._known_devices = tuple(bridge_devices(topic, payload))
        for name, served in self._served.items():
            served.device.models = self._models_of(name.removeprefix(f"{Wire.BUTTON}:"))

    def _models_of(self, location: str) -> set[str]:
        adapter, _, device = location.partition("/")
        if adapter not in ("zigbee2mqtt", announced_buttons.ADAPTER):
            return set()
        return {sign for known in self._known_devices if device in known.names for sign in known.signs}

    def _learn(self, publication: _Publication, connection: MqttConnection[_Publication]) -> None:
        """Take up what Home Assistant's discovery says of a device."""
        topic = publication.topic
        known = self.announced.get(topic)
        mark = hash(publication.payload)
        if known is not None and known.mark == mark:
            return
        if known is None and len(self.announced) >= MOST_ANNOUNCED:
            return
        self.announced[topic] = announcement = announced_buttons.read_announcement(topic, publication.payload, mark)
        for fault in announcement.faults:
            self.dropped.add(fault)
        before = set(self._discovered)
        readers: dict[TopicReader, None] = {}
        presence: dict[PresenceReader, None] = {}
        for reader in announced_buttons.readers_of(self.announced.values()):
            if self._hears_all or self._is_ours(reader.device):
                readers[reader] = None
        for announced in self.announced.values():
            for one in announced.presence:
                presence[one] = None
        self._discovered, self._discovered_presence = tuple(readers), tuple(presence)
        wanted = [one for one in self._topics() if not is_included(one, self._subscribed)]
        self._subscribed |= set(wanted)
        connection.subscribe(wanted)
        fresh = [reader for reader in self._discovered if reader not in before]
        if fresh and not publication.is_retained:
            for unread in list(self._unread):
                if publication.at - unread.at < LATE_SECONDS:
                    self._hear(self._signals(fresh, unread.topic, unread.payload), unread)
        for served in self._served.values():
            self._report(served)

    def _is_ours(self, device: str) -> bool:
        return f"{Wire.BUTTON}:{announced_buttons.ADAPTER}/{device}" in self._served

    def _give(self, events: list[BoxEvent]) -> None:
        for event in events:
            self._deliver(event)

    def _enter(self, state: LinkState, reason: str = "") -> None:
        if (state, reason) == (self._state, self._reason):
            return
        self._state, self._reason = state, reason
        for served in list(self._served.values()):
            if served.device.presses.is_paired:
                self._report(served)

    def _report(self, served: _Served) -> None:
        """Deliver the state of a device where it changed; else only note when it was heard."""
        device = served.device
        state, reason = self._state_of(served)
        presses = device.presses
        report = BoxState(
            presses.box,
            presses.seat,
            state,
            reason,
            presses.is_paired,
            battery=device.battery,
            heard_at=device.heard_at,
        )
        now = (state, str(reason), device.battery)
        (self._note if now == served.reported else self._deliver)(report)
        served.reported = now

    def _state_of(self, served: _Served) -> tuple[LinkState, str | Sentence]:
        if self._state is not LinkState.READY:
            return self._state, self._reason
        presses = served.device.presses
        location = presses.box.removeprefix(f"{Wire.BUTTON}:")
        adapter, _, name = location.partition("/")
        if adapter == announced_buttons.ADAPTER and not any(
            reader.device == name and not reader.is_guess and reader.words for reader in self._discovered
        ):
            if any(box == presses.box for box, _ in self._bindings().words):
                return LinkState.READY, ""
            if any(name in announced.devices for announced in self.announced.values()):
                return LinkState.HELLO, sentence(
                    "what it announces is not understood; teach its buttons by pressing them"
                )
            return LinkState.HELLO, sentence("is not announced on the broker")
        if served.device.only_moves:
            return LinkState.HELLO, sentence(
                "it says that its inputs move, but not that they are pressed; on the device, set them to buttons"
            )
        gone = {scope for scope in served.presence.values() if scope is not None}
        if Scope.BRIDGE in gone:
            return LinkState.LOST, sentence("its bridge is offline")
        if Scope.NODE in gone or (Scope.DEVICE in gone and not served.device.is_sleeper):
            return LinkState.LOST, sentence("the broker says that the box is offline")
        return LinkState.READY, ""


def _is_bridge_of(served: _Served, presence: PresenceReader, topic: str) -> bool:
    """Whether a bridge's topic is about this device's bridge; there may be several of a kind on one broker."""
    base = topic.removesuffix("/bridge/state").removesuffix("/LWT")
    base = base if base != topic else topic.partition("/")[0]
    return served.heard_on.startswith(f"{base}/") if served.heard_on else presence.topic.startswith(f"{base}/")
