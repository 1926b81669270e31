"""One transport at work: a thread that opens it, brings it back, and moves messages between it and its boxes' links."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from firmware_bridge.addresses import BoxAddress, Wire
from firmware_bridge.bindings import Bindings
from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.events import BoxEvent, BoxState, Notice, Press
from firmware_bridge.gestures import GestureRecogniser, Performed
from firmware_bridge.link import Edge, Link, StateChange
from firmware_bridge.messages import EVERY_BOX, Foreign, LinkState
from firmware_bridge.reconnect import BackOff
from firmware_bridge.transport import Received, Transport

TICK = 0.02
STALE_AFTER = 5.0
STOP_TIMEOUT = 5.0

Command = Callable[[Link, float], None]


class _Box:
    """A configured box: `wire` is where it is on the transport, which a box without a number has yet to tell."""

    def __init__(self, address: BoxAddress, bindings: Bindings, retry_after: float) -> None:
        self.address = address
        self.name = address.name
        self.link = Link(retry_after)
        self.gestures = GestureRecogniser(lambda button: bindings.gestures(self.name, button))
        self.wire = ""
        self.forget_wire()

    @property
    def is_anyone(self) -> bool:
        """Whether the first box that answers is this one."""
        return self.wire == str(EVERY_BOX)

    def forget_wire(self) -> None:
        """Another box may have been plugged in."""
        if self.address.wire is Wire.MQTT:
            self.wire = self.address.place
        else:
            self.wire = str(EVERY_BOX if self.address.number is None else self.address.number)


class Port:
    """The boxes behind one transport. Everything in it belongs to its thread; commands come by a queue.

    `deliver` is called from that thread and must not block; `numbers` gives presses their numbers.
    """

    def __init__(
        self,
        transport: Transport,
        addresses: Sequence[BoxAddress],
        bindings: Bindings,
        deliver: Callable[[BoxEvent], None],
        numbers: Iterator[int],
    ) -> None:
        self._transport, self._bindings, self._deliver, self._numbers = transport, bindings, deliver, numbers
        self._boxes = [_Box(address, bindings, transport.retry_after) for address in addresses]
        self._commands: queue.SimpleQueue[tuple[str, Command]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._said: set[str] = set()
        self._thread = threading.Thread(target=self._run, name=transport.name, daemon=True)

    def start(self) -> None:
        """Begin; boxes are reported as they come."""
        self._thread.start()

    def stop(self) -> None:
        """Leave the boxes and close the transport; the lamps go out when the boxes miss their host."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_TIMEOUT)

    def command(self, box: str, command: Command) -> None:
        """Have something done with the link of a box, by its thread."""
        self._commands.put((box, command))

    def _run(self) -> None:
        for box in self._boxes:
            box.link.opening()
        self._report(time.monotonic())
        try:
            self._keep_open()
        finally:
            for box in self._boxes:
                box.link.close()
            self._report(time.monotonic())

    def _keep_open(self) -> None:
        back_off = BackOff()
        while not self._stopping.is_set():
            wait: float | None = None
            self._obey(time.monotonic())
            try:
                self._transport.open()
                back_off.reset()
                self._serve()
            except NotAuthorised as error:
                self._lose(error)
            except TransportError as error:
                self._lose(error)
                wait = back_off.next_wait()
            finally:
                self._transport.close()
            self._report(time.monotonic())
            self._stopping.wait(wait)

    def _serve(self) -> None:
        now = time.monotonic()
        for box in self._boxes:
            box.forget_wire()
            box.link.opened(now)
        while not self._stopping.is_set():
            self._report(now)
            self._send()
            received = self._transport.receive(TICK)
            now = time.monotonic()
            if received is not None:
                self._hear(received, now)
            self._obey(now)
            for box in self._boxes:
                box.link.tick(now)

    def _hear(self, received: Received, now: float) -> None:
        box = next((box for box in self._boxes if box.wire == received.box), None)
        if box is None and not isinstance(received.content, Foreign):
            box = next((box for box in self._boxes if box.is_anyone), None)
            if box is not None:
                box.wire = received.box
        if box is not None:
            box.link.receive(received.content, now)
        else:
            name = f"{self._transport.name}#{received.box}"
            self._say(name, f"box {received.box} is there too; it is used when it is named {name}")

    def _obey(self, now: float) -> None:
        while not self._commands.empty():
            name, command = self._commands.get()
            for box in self._boxes:
                if box.name == name:
                    command(box.link, now)

    def _send(self) -> None:
        for box in self._boxes:
            for message in box.link.take_messages():
                self._transport.send(box.wire, message)

    def _lose(self, error: TransportError) -> None:
        for box in self._boxes:
            is_own_port = box.name.startswith(error.source)
            box.link.lost(error.reason if is_own_port else str(error))

    def _report(self, now: float) -> None:
        for box in self._boxes:
            for event in box.link.take_events():
                match event:
                    case StateChange(state, reason):
                        if state is LinkState.LOST:
                            box.gestures.reset()
                        self._deliver(BoxState(box.name, box.address.seat, state, reason))
                    case Edge(button, pressed, at):
                        self._perform(box, box.gestures.edge(button, pressed, at), now)
            self._perform(box, box.gestures.tick(now), now)
        if self._transport.dropped.count:
            self._say("dropped", f"{self._transport.dropped.reason}; it was ignored, as others like it will be")

    def _perform(self, box: _Box, performed: list[Performed], now: float) -> None:
        for gesture in performed:
            seat = box.address.seat
            intent = self._bindings.intent(box.name, gesture.button, gesture.gesture, seat)
            is_stale = now - gesture.at > STALE_AFTER
            self._deliver(
                Press(
                    number=next(self._numbers),
                    box=box.name,
                    seat=seat,
                    button=gesture.button,
                    gesture=gesture.gesture,
                    intent=None if is_stale else intent,
                    at=gesture.at,
                    is_stale=is_stale,
                )
            )

    def _say(self, what: str, text: str) -> None:
        if what not in self._said:
            self._said.add(what)
            self._deliver(Notice(self._transport.name, text))
