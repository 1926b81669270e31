"""The thread of one transport: opens it, opens it again when it is lost, and moves messages to and from its boxes."""

from __future__ import annotations

import queue
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Sequence

from companion.wording.sentences import sentence
from firmware_bridge.errors import NotAuthorised, TransportError
from firmware_bridge.presses.events import BoxEvent, Notice
from firmware_bridge.protocol.link import GREETING_INTERVAL, PATIENCE
from firmware_bridge.protocol.messages import (
    EVERY_BOX,
    PROTOCOL_VERSIONS,
    Availability,
    Beat,
    Foreign,
    Hello,
    HostBeat,
    HostHello,
    Incoming,
    TextButton,
    TextHello,
)
from firmware_bridge.serving.served import ServedBox
from firmware_bridge.transports.reconnect import BackOff
from firmware_bridge.transports.transport import Received, Transport

TICK = 0.02
STOP_TIMEOUT = 5.0
WATCH_SECONDS = 2.5
"""Seconds in which a host that looks after a box has been heard, for it beats every second."""

CLAIM_SECONDS = 0.4
"""Seconds for which a table only says that it looks after a box, before it greets it and hears its presses: another one
that has the box, or claims it too, answers meanwhile."""
NEWCOMER_SECONDS = 5.0
"""A table that has looked after a box for no longer may yet leave it to another one that it hears."""
RIVALRY_SECONDS = 0.8, 2.5
"""Seconds, drawn between these, after which a newcomer leaves a box to another table that goes on looking after it: one
that only claims it hears our answer and stops."""
MOST_WATCHED = 256
MOST_FOUND = 16
"""Boxes that are taken up on one transport without being named."""

Command = Callable[[ServedBox, float], None]
"""Something to be done with a box at a monotonic second, by the thread it belongs to."""

Adopt = Callable[["TransportWorker", Received], ServedBox | None]
"""Gives the box that a worker has found, None for one that is not to be taken up. Called from the worker's thread."""


class TransportWorker:
    """Serves the boxes behind one transport in a thread of its own; commands reach that thread by a queue.

    `deliver` is called from that thread and must not block; `numbers` gives presses their numbers. With `adopt` boxes
    that were not named are taken up. A worker that `lasts` opens its transport again and again; one that does not ends
    when the wire ends, or when no box answers in time, and its boxes may be served by another worker. Workers that
    share `said` report each thing once together.
    """

    def __init__(
        self,
        transport: Transport,
        boxes: Sequence[ServedBox],
        deliver: Callable[[BoxEvent], None],
        numbers: Iterator[int],
        adopt: Adopt | None = None,
        *,
        lasts: bool = True,
        said: set[str] | None = None,
    ) -> None:
        self.name = transport.name
        self.has_answered = False
        self.failure: TransportError | None = None
        self._transport, self._deliver, self._numbers = transport, deliver, numbers
        self._boxes, self._adopt, self._lasts = list(boxes), adopt, lasts
        self._commands: queue.SimpleQueue[tuple[str, Command]] = queue.SimpleQueue()
        self._stopping = threading.Event()
        self._said: set[str] = set() if said is None else said
        self._seen: dict[str, float] = {}
        self._hosts: dict[str, float] = {}
        """the monotonic second at which another table last beat for a box"""
        self._patience = 0.0
        """seconds drawn by each table, so that two that left a box to each other do not come back at once"""
        shortest, longest = RIVALRY_SECONDS
        self._rivalry = shortest + secrets.randbelow(1000) / 1000 * (longest - shortest)
        self._session = secrets.randbelow(2**16)
        self._opened_at = self._greeted_at = float("-inf")
        self._thread = threading.Thread(target=self._run, name=transport.name, daemon=True)

    @property
    def retry_after(self) -> float:
        """What the links of boxes behind this port need to know of it."""
        return self._transport.retry_after

    @property
    def is_over(self) -> bool:
        """Whether it has been left."""
        return self._thread.ident is not None and not self._thread.is_alive()

    def start(self) -> None:
        """Start the thread; boxes are reported as they come."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread and close the transport; the boxes put their lamps out when they miss their host."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join(STOP_TIMEOUT)

    def command(self, box: str, command: Command) -> None:
        """Run a command on a box in the thread."""
        self._commands.put((box, command))

    def assign_seat(self, box: str, seat: int | None) -> None:
        """Give a box to a seat, or to all seats with None; from then on it belongs to the table."""

        def assign(served: ServedBox, now: float) -> None:
            served.assign_seat(seat)
            served.taken_at, served.was_claimed = now, False
            self._deliver(served.state)
            if served.link.hello is not None:
                self._transport.introduce(served.wire, served.link.hello)

        self.command(box, assign)

    def _run(self) -> None:
        for box in self._boxes:
            box.link.opening()
        self._report(time.monotonic())
        try:
            self._keep_open()
        finally:
            self._run_commands(time.monotonic())
            for box in self._boxes:
                if self._lasts:
                    box.link.close()
                else:
                    box.link.lost(sentence("was unplugged"))
            self._report(time.monotonic())

    def _keep_open(self) -> None:
        back_off = BackOff()
        while not self._stopping.is_set():
            wait: float | None = None
            self._run_commands(time.monotonic())
            try:
                self._transport.open()
                back_off.reset()
                self._serve()
            except NotAuthorised as error:
                self._mark_lost(error)
            except TransportError as error:
                self._mark_lost(error)
                wait = back_off.next_wait()
            finally:
                self._transport.close()
            self._report(time.monotonic())
            if not self._lasts:
                return
            self._stopping.wait(wait)

    def _serve(self) -> None:
        now = self._opened_at = time.monotonic()
        self._greeted_at = float("-inf")
        for box in self._boxes:
            box.forget_wire()
            self._take_charge(box, now)
        while not self._stopping.is_set():
            self._report(now)
            self._send()
            if not self._lasts and not self._boxes and not self._probe(now):
                return
            received = self._transport.receive(TICK)
            now = time.monotonic()
            if received is not None:
                self._dispatch(received, now)
            self._run_commands(now)
            for box in self._boxes:
                if box.is_yielded and now - self._hosts.get(box.wire, 0.0) > WATCH_SECONDS + self._patience:
                    self._take_charge(box, now)
                if box.claimed_until <= now and box.claimed_until > float("-inf"):
                    box.claimed_until, box.taken_at, box.was_claimed = float("-inf"), now, True
                    box.link.opened(now)
                if self._serves(box):
                    box.link.tick(now)

    def _take_charge(self, box: ServedBox, now: float) -> None:
        """Begin to look after a box; where other tables hear it too it is claimed first."""
        box.is_yielded, box.taken_at = False, now
        if self._transport.is_shared and box.presses.is_paired:
            box.claimed_until = now + CLAIM_SECONDS
            self._transport.send(box.wire, HostBeat())
        else:
            box.link.opened(now)

    @staticmethod
    def _serves(box: ServedBox) -> bool:
        """Whether a box is ours: not left to another table, nor only claimed."""
        return not box.is_yielded and box.claimed_until == float("-inf")

    def _probe(self, now: float) -> bool:
        """Greet whatever is behind the port; false when it has had time enough to answer."""
        if now - self._opened_at > PATIENCE:
            return False
        if now - self._greeted_at >= GREETING_INTERVAL:
            self._greeted_at = now
            self._transport.send(str(EVERY_BOX), HostHello(*PROTOCOL_VERSIONS, self._session))
        return True

    def _dispatch(self, received: Received, now: float) -> None:
        box = next((box for box in self._boxes if box.wire == received.box), None)
        if isinstance(received.content, HostBeat):
            if box is not None:
                if now - self._hosts.get(received.box, float("-inf")) > WATCH_SECONDS:
                    box.rival_since = now
                self._meet_host(box, now)
            self._hosts[received.box] = now
            return
        if box is None and not isinstance(received.content, Foreign):
            box = next((box for box in self._boxes if box.is_anyone), None)
            if box is not None:
                box.wire = received.box
        if box is None and self._adopt is not None and _introduces(received.content):
            box = self._take_up(received, self._adopt, now)
        if box is not None and self._serves(box):
            self.has_answered = True
            box.link.receive(received.content, now)
            if isinstance(received.content, Hello) and box.presses.is_paired:
                self._transport.introduce(box.wire, received.content)
        elif box is None and self._adopt is None:
            name = f"{self.name}#{received.box}"
            text = sentence("box {box} is there too; it is used when it is named {name}", box=received.box, name=name)
            if len(self._said) < MOST_FOUND:
                self._notify_once(name, text)

    def _meet_host(self, box: ServedBox, now: float) -> None:
        """Another table looks after a box of ours, or would like to: it stays with the one that has it.

        Where both have it, which is found out later than they claimed it, one leaves it alone.
        """
        if box.is_yielded:
            return
        is_newcomer = now - box.taken_at < NEWCOMER_SECONDS
        is_ours = box.presses.is_paired and box.claimed_until == float("-inf") and (box.was_claimed or not is_newcomer)
        if not is_ours or (is_newcomer and now - box.rival_since > self._rivalry):
            box.is_yielded, box.claimed_until = True, float("-inf")
            self._patience = secrets.randbelow(2000) / 1000
            box.link.lost(sentence("another table looks after it"))
            return
        text = sentence("another table tries to look after it too; let one of them forget it")
        self._notify_once(f"{box.name} at another table", text)
        if now - box.answered_at >= CLAIM_SECONDS / 2:
            # at once, so that the other one leaves it alone before it acts
            box.answered_at = now
            self._transport.send(box.wire, HostBeat())

    def _take_up(self, received: Received, adopt: Adopt, now: float) -> ServedBox | None:
        if not self._is_free(received.box, now):
            return None
        if len(self._boxes) >= MOST_FOUND:
            self._notify_once("full", sentence("more than {most} boxes; the others are left alone", most=MOST_FOUND))
            return None
        box = adopt(self, received)
        if box is not None:
            box.wire = received.box
            box.link.opening()
            self._take_charge(box, now)
            self._boxes.append(box)
        return box

    def _is_free(self, wire: str, now: float) -> bool:
        """Whether no other table looks after a box; on a shared transport it is watched for a while first."""
        if not self._transport.is_shared:
            return True
        for known in (self._hosts, self._seen):
            if len(known) > MOST_WATCHED:
                known.clear()
        since = self._seen.setdefault(wire, now)
        return now - since >= WATCH_SECONDS and now - self._hosts.get(wire, float("-inf")) >= WATCH_SECONDS

    def _run_commands(self, now: float) -> None:
        while not self._commands.empty():
            name, command = self._commands.get()
            for box in self._boxes:
                if box.name == name:
                    command(box, now)

    def _send(self) -> None:
        for box in self._boxes:
            for message in box.link.take_messages():
                self._transport.send(box.wire, message)

    def _mark_lost(self, error: TransportError) -> None:
        self.failure = error
        for box in self._boxes:
            is_own_port = box.name.startswith(error.source) or not self._lasts
            elsewhere = sentence("{source}: {reason}", source=error.source, reason=error.reason)
            box.link.lost(error.reason if is_own_port else elsewhere)

    def _report(self, now: float) -> None:
        for box in self._boxes:
            for event in box.take_events(now, self._numbers):
                self._deliver(event)
        if self._transport.dropped.count:
            reason = self._transport.dropped.reason
            self._notify_once("dropped", sentence("{reason}; it was ignored, as others like it will be", reason=reason))

    def _notify_once(self, what: str, text: str) -> None:
        if what not in self._said:
            self._said.add(what)
            self._deliver(Notice(self.name, text))


def _introduces(content: Incoming) -> bool:
    """Whether a message shows that a box is there that nobody named."""
    match content:
        case Hello() | Beat() | TextHello() | TextButton() | Availability(online=True):
            return True
        case _:
            return False
