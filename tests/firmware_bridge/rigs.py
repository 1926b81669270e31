"""A box's program on a bench: our own link speaks to it, and the bench moves its buttons and watches its pins.

The time of a rig is the box's: simulated where the board can be stepped, else the clock's.
"""

import os
import select
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from pathlib import Path

from firmware_bridge.firmware.avr import AvrBuild, SteppedAvr
from firmware_bridge.firmware.unix_board import MicroPythonBoxSimulator
from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.transport import MqttTransport, read_box
from firmware_bridge.protocol.link import Edge, Link, StateChange
from firmware_bridge.protocol.messages import (
    EVERY_BOX,
    Beat,
    Button,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    LinkState,
    Message,
)
from firmware_bridge.serial.codec import Decoder, encode
from firmware_bridge.simulators.serial_box import Noise
from firmware_bridge.transports.transport import Dropped, Received

STEP = 0.002
SIMULATED_STEP = 0.02
TOO_LONG = 20.0


class Rig(ABC):
    """A box, a link, and what passes between them. `host_is_away` lets the host neither hear nor speak."""

    box = "1"
    buttons = 4

    def __init__(self, board: SteppedAvr | MicroPythonBoxSimulator, retry_after: float) -> None:
        self.board = board
        self.link = Link(retry_after, session=77)
        self.host_is_away = False
        self.heard: list[Incoming] = []
        self.edges: list[Edge] = []
        self.states: list[LinkState] = []

    @property
    @abstractmethod
    def now(self) -> float: ...

    @abstractmethod
    def unplug(self) -> None: ...

    @abstractmethod
    def plug(self) -> None: ...

    @abstractmethod
    def say(self, message: Message) -> None:
        """Send to the box, whatever the link thinks of it."""

    @abstractmethod
    def hear(self) -> list[Incoming]:
        """What the box says within a step."""

    def close(self) -> None:
        self.board.close()

    def start(self) -> None:
        self.link.opening()
        self.link.opened(self.now)
        self.until(self.is_ready)

    def is_ready(self) -> bool:
        return self.link.state is LinkState.READY

    def step(self) -> None:
        for content in self.hear():
            self.heard.append(content)
            if not self.host_is_away:
                self.link.receive(content, self.now)
        if self.host_is_away:
            return
        self.link.tick(self.now)
        for message in self.link.take_messages():
            self.say(message)
        for event in self.link.take_events():
            if isinstance(event, Edge):
                self.edges.append(event)
            elif isinstance(event, StateChange):
                self.states.append(event.state)

    def until(self, condition: Callable[[], object]) -> None:
        deadline = self.now + TOO_LONG
        while not condition():
            assert self.now < deadline, "it never came true"
            self.step()

    def pass_time(self, seconds: float) -> None:
        end = self.now + seconds
        while self.now < end:
            self.step()

    def tap(self, button: int) -> None:
        """Press and release, each heard before the next."""
        for move, is_pressed in ((self.board.press, True), (self.board.release, False)):
            count = len(self.edges)
            move(button)
            self.until(lambda count=count: len(self.edges) > count)
            assert (self.edges[-1].button, self.edges[-1].pressed) == (button, is_pressed)

    def heard_of(self, kind: type) -> list[Incoming]:
        return [content for content in self.heard if isinstance(content, kind)]

    def tap_often(self, presses: int) -> None:
        """Press all buttons again and again, each as soon as its last edge was heard."""
        wanted = [2 * presses // self.buttons] * self.buttons
        for at in range(self.buttons):
            self.board.press(at + 1)
        while any(wanted):
            begin = len(self.edges)
            self.until(lambda begin=begin: len(self.edges) > begin)
            for edge in self.edges[begin:]:
                at = edge.button - 1
                wanted[at] -= 1
                if wanted[at]:
                    (self.board.release if edge.pressed else self.board.press)(edge.button)

    @property
    def hello(self) -> Hello:
        hello = self.heard_of(Hello)[-1]
        assert isinstance(hello, Hello)
        return hello

    @property
    def beat(self) -> Beat:
        """The newest; before the first one that says nothing."""
        beats = self.heard_of(Beat)
        return beats[-1] if beats else Beat(0, 0, 0, 0, 0, 0, 0)

    @property
    def numbered(self) -> list[tuple[int, bool]]:
        """The edges as the box numbered them, however often and in whatever order it sent them."""
        sent = {edge.seq: edge for edge in self.heard if isinstance(edge, Button)}
        return [(sent[seq].button, sent[seq].pressed) for seq in sorted(sent)]


class SerialRig(Rig):
    """A box on a serial line, which may damage bytes in both directions."""

    def __init__(self, board: SteppedAvr | MicroPythonBoxSimulator, noise_rate: float) -> None:
        super().__init__(board, retry_after=0.1)
        self.decoder = Decoder()
        self.noise_in, self.noise_out = Noise(noise_rate, 1), Noise(noise_rate, 2)
        self._to_box = b""

    @abstractmethod
    def exchange(self, data: bytes) -> bytes:
        """Bytes to the box, and those from it within a step."""

    def say(self, message: Message) -> None:
        everybody = isinstance(message, HostHello | HostBeat)
        self.say_bytes(encode(EVERY_BOX if everybody else int(self.box), message))

    def say_bytes(self, data: bytes) -> None:
        self._to_box += self.noise_in(data)

    def hear(self) -> list[Incoming]:
        data, self._to_box = self._to_box, b""
        frames = self.decoder.feed(self.noise_out(self.exchange(data)))
        return [frame.message for frame in frames if str(frame.box) == self.box]


class AvrRig(SerialRig):
    """The compiled firmware of the Uno, in simulated time."""

    board: SteppedAvr

    def __init__(self, built: AvrBuild, folder: Path, noise_rate: float = 0.0, seed: int = 1) -> None:
        super().__init__(SteppedAvr(built, eeprom=folder / "eeprom", seed=seed), noise_rate)

    @property
    def now(self) -> float:
        return self.board.seconds

    def unplug(self) -> None:
        self.board.unplug()
        self.link.lost("was unplugged")

    def plug(self) -> None:
        self.board.plug()
        self.decoder = Decoder()
        self.link.opened(self.now)

    def exchange(self, data: bytes) -> bytes:
        self.board.send(data)
        return self.board.run(SIMULATED_STEP, to_frame=True)


class MicroPythonSerialRig(SerialRig):
    """The MicroPython program on its serial line."""

    board: MicroPythonBoxSimulator

    def __init__(self, noise_rate: float = 0.0, buttons: int = 4) -> None:
        super().__init__(MicroPythonBoxSimulator(buttons=buttons), noise_rate)
        self.buttons = buttons
        self._port = os.open(self.board.path, os.O_RDWR | os.O_NOCTTY)

    @property
    def now(self) -> float:
        return time.monotonic()

    def unplug(self) -> None:
        os.close(self._port)
        self._port = -1
        self.board.unplug()
        self.link.lost("was unplugged")

    def plug(self) -> None:
        self.board.plug()
        self._port = os.open(self.board.path, os.O_RDWR | os.O_NOCTTY)
        self.decoder = Decoder()
        self.link.opened(self.now)

    def exchange(self, data: bytes) -> bytes:
        if self._port < 0:
            time.sleep(STEP)
            return b""
        if data:
            os.write(self._port, data)
        ready, _, _ = select.select([self._port], [], [], STEP)
        return os.read(self._port, 4096) if ready else b""

    def close(self) -> None:
        if self._port >= 0:
            os.close(self._port)
        super().close()


class MicroPythonMqttRig(Rig):
    """The MicroPython program on a broker."""

    board: MicroPythonBoxSimulator
    box = "blue"

    def __init__(self, broker: Broker) -> None:
        self.broker = broker
        self.transport = MqttTransport(broker.address, [self.box])
        self._stranger: MqttConnection[Received] | None = None
        super().__init__(MicroPythonBoxSimulator(broker.address, self.box), self.transport.retry_after)
        self.transport.open()

    @property
    def now(self) -> float:
        return time.monotonic()

    def unplug(self) -> None:
        self.board.unplug()

    def plug(self) -> None:
        self.board.plug()

    def say(self, message: Message) -> None:
        self.transport.send(self.box, message)

    def hear(self) -> list[Incoming]:
        received = self.transport.receive(STEP)
        return [] if received is None else [received.content]

    def publish(self, publications: Iterable[tuple[str, bytes]]) -> None:
        """Let somebody else speak to the box."""
        self._stranger = MqttConnection("stranger", self.broker.address, (), Dropped(), read_box)
        self._stranger.open()
        for topic, payload in publications:
            self._stranger.publish(Publication(f"tabletop/{self.box}/{topic}", payload))

    def restart_broker(self) -> None:
        self.broker.stop()
        self.transport.close()
        self.link.lost("the connection ended")
        self.broker.start()
        self.transport.open()
        self.link.opened(self.now)

    def close(self) -> None:
        if self._stranger is not None:
            self._stranger.close()
        self.transport.close()
        super().close()
