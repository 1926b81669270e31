"""Replays what bought buttons say, through a real broker and in virtual time.

An episode (button_episodes/*.json) has `messages` of seconds, topic, payload (text, or bytes as hexadecimal) and
perhaps "retained"; seconds below 0 are before we listen. `away` are spans in which our connection is lost. `presses`
are what must come out, in order: a gesture with its button, or `says` with a word that is bound; with the device in
front where there are several.
"""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Any

from companion.session.intents import Intent, IntentKind
from firmware_bridge.adapters.record_files import Adapter, shipped_adapters
from firmware_bridge.adapters.records import DeviceWord, Meaning, TopicReader
from firmware_bridge.boxes import Boxes
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.presses.bindings import Bindings
from firmware_bridge.presses.events import BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import HIGHEST_NUMBER, LinkState
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.waiting import HANG

EPISODES = Path(__file__).with_name("button_episodes")
MARK = "mark/ours"
ECHO = "device/echo"
SETTLING = 4
"""how often all is heard out before an episode begins: what is announced leads to topics that are asked for in turn"""
_START = 1000.0
_MARKER = Adapter(
    "mark",
    "a mark between messages",
    (TopicReader("mark", "mark/{device}", ("word",), (DeviceWord("mark", 1, Meaning.SINGLE),), count_path=("count",)),),
)

Episode = dict[str, Any]


def episodes() -> Iterator[tuple[str, Episode]]:
    for file in sorted(EPISODES.glob("*.json")):
        for episode in json.loads(file.read_text(encoding="utf-8")):
            yield f"{file.stem}/{episode['name']}", episode


class CuttableWire:
    """Passes bytes between a client and a broker until it is cut; while it is cut nobody gets through."""

    def __init__(self, address: BrokerAddress) -> None:
        self._target = (address.host, address.port)
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = BrokerAddress("127.0.0.1", self._listener.getsockname()[1], address.username, address.password)
        self._is_cut = threading.Event()
        self._open: list[socket.socket] = []
        self._threads = [threading.Thread(target=self._accept, daemon=True)]
        self._threads[0].start()

    def cut(self) -> None:
        self._is_cut.set()
        self._drop()

    def mend(self) -> None:
        self._is_cut.clear()

    def close(self) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._drop()
        for thread in self._threads:
            thread.join(HANG)
        for wire in self._open:
            wire.close()

    def _drop(self) -> None:
        for wire in self._open:
            with suppress(OSError):
                wire.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                self._open.append(client)
                if self._is_cut.is_set():
                    client.close()
                    continue
                broker = socket.create_connection(self._target)
                broker.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._open.append(broker)
                for one, other in ((client, broker), (broker, client)):
                    self._threads.append(threading.Thread(target=_pass_on, args=(one, other), daemon=True))
                    self._threads[-1].start()


def _pass_on(one: socket.socket, other: socket.socket) -> None:
    with suppress(OSError):
        while data := one.recv(65_536):
            other.sendall(data)
    for wire in (one, other):
        with suppress(OSError):
            wire.shutdown(socket.SHUT_RDWR)


class Replay:
    """One episode on a broker; `presses` are those of its boxes."""

    def __init__(self, broker: BrokerAddress, episode: Episode) -> None:
        self.presses: list[ButtonPress] = []
        self.states: dict[str, BoxState] = {}
        self._episode = episode
        self._now = _START
        self._marks = 0
        self._retained: set[str] = set()
        self._publisher = MqttConnection("devices", broker, (ECHO,), Dropped(), lambda topic, *_: topic)
        self._wire = CuttableWire(broker)
        addresses = [BoxAddress.parse(f"button:{box}") for box in [*episode["boxes"], MARK]]
        self._boxes = Boxes(
            addresses,
            _bindings(episode),
            self._wire.address,
            adapters=(*shipped_adapters(), _MARKER),
            clock=lambda: self._now,
        )

    def __enter__(self) -> "Replay":
        self._publisher.open()
        return self

    def __exit__(self, _type: type[BaseException] | None, _error: object, _trace: TracebackType | None) -> None:
        self._boxes.close()
        for topic in self._retained:
            self._publisher.publish(Publication(topic, b"", retain=True))
        self._publisher.publish(Publication(ECHO, b""))
        while self._publisher.receive(HANG) != ECHO:
            pass
        self._publisher.close()
        self._wire.close()

    def run(self) -> list[str]:
        """The presses as an episode writes them."""
        moments: list[tuple[float, int, Any]] = [(row[0], 1, row) for row in self._episode["messages"]]
        for begin, end in self._episode.get("away", ()):
            moments += [(begin, 0, "cut"), (end, 2, "mend")]
        moments.sort(key=lambda moment: moment[:2])
        for _, _, row in [moment for moment in moments if moment[0] < 0]:
            self._publish(row)
        self._boxes.start()
        self._wait(LinkState.READY)
        for _ in range(SETTLING):
            self._pass_to(0.0)
        is_away = False
        for at, _, what in (moment for moment in moments if moment[0] >= 0):
            if not is_away:
                self._pass_to(at - 0.0005)
            self._now = _START + at
            if what == "cut":
                self._wire.cut()
                self._wait(LinkState.LOST)
                is_away = True
            elif what == "mend":
                self._wire.mend()
                self._wait(LinkState.READY)
                is_away = False
                self._mark()
            else:
                self._publish(what)
                if not is_away:
                    self._mark()
        for step in range(1, 5):
            self._pass_to(moments[-1][0] + step)
        return [self._written(press) for press in self.presses]

    def _pass_to(self, at: float) -> None:
        self._now = max(self._now, _START + at)
        self._mark()
        self._mark()

    def _publish(self, row: list[Any]) -> None:
        payload = bytes.fromhex(row[2]["hex"]) if isinstance(row[2], dict) else row[2].encode()
        is_retained = len(row) > 3
        if is_retained:
            self._retained.add(row[1])
        self._publisher.publish(Publication(row[1], payload, retain=is_retained))

    def _mark(self) -> None:
        """Wait until all that was published has been heard, and what is due has been done."""
        self._marks += 1
        payload = json.dumps({"word": "mark", "count": self._marks}).encode()
        self._publisher.publish(Publication(MARK, payload))
        while True:
            event = self._boxes.events.get(timeout=HANG)
            if isinstance(event, BoxState):
                self.states[event.box] = event
            elif isinstance(event, ButtonPress) and event.box == f"button:{MARK}":
                return
            elif isinstance(event, ButtonPress):
                self.presses.append(event)

    def _wait(self, state: LinkState) -> None:
        while True:
            event = self._boxes.events.get(timeout=HANG)
            if isinstance(event, ButtonPress):
                self.presses.append(event)
            elif isinstance(event, BoxState):
                self.states[event.box] = event
                if event.box == f"button:{MARK}" and event.state is state:
                    return

    def _written(self, press: ButtonPress) -> str:
        assert press.intent is not None
        said = f"{press.gesture} {press.button}" if press.button else f"says {press.word}"
        return f"{press.box.removeprefix('button:')} {said}" if len(self._episode["boxes"]) > 1 else said


def expected(episode: Episode) -> list[str]:
    return [press if isinstance(press, str) else " ".join(press) for press in episode["presses"]]


def are_right(pressed: list[str], wanted: list[str]) -> bool:
    """Whether presses are those of an episode, which may leave the number of a button open."""
    return len(pressed) == len(wanted) and all(
        press == want or ("says" not in want and not want[-1].isdigit() and press.rpartition(" ")[0] == want)
        for press, want in zip(pressed, wanted, strict=True)
    )


def _bindings(episode: Episode) -> Bindings:
    """Every gesture on every button means something, and so do the words that the episode expects."""
    gestures = {
        (None, button, gesture): Intent(IntentKind.HELP)
        for button in range(1, HIGHEST_NUMBER + 1)
        for gesture in Gesture
    }
    words = {}
    for press in episode["presses"]:
        box, said = (episode["boxes"][0], press) if isinstance(press, str) else press
        if said.startswith("says "):
            words[f"button:{box}", said.removeprefix("says ")] = Intent(IntentKind.NEXT)
    return Bindings(MappingProxyType(gestures), words=MappingProxyType(words))
