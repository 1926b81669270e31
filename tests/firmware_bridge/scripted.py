"""Threads, clocks and wires that do what a test says: a second passes only where somebody waits for it."""

import threading
from collections.abc import Callable, Iterable, Sequence
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from paho.mqtt.client import topic_matches_sub

from firmware_bridge.errors import TransportLost
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.protocol.messages import Hello, Incoming, Message
from firmware_bridge.transports.transport import Dropped, Received

START = 1000.0
END = 3600.0
"""Seconds after which whoever is still at work is told to stop."""

Happening = tuple[float, Any]
"""The second after the start at which something comes, and what: an exception is raised."""


class Clock:
    """Stands in for the module `time`, and for the event that tells a thread to stop.

    `waits` are the seconds that were waited for the stop; without a limit nobody would end that wait but the stop.
    """

    def __init__(self, until: float = END) -> None:
        self.now = START
        self.until = START + until
        self.waits: list[float | None] = []

    @property
    def passed(self) -> float:
        return round(self.now - START, 6)

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def is_set(self) -> bool:
        return self.now >= self.until

    def set(self) -> None:
        self.until = self.now

    def clear(self) -> None:
        """The time to stop stays."""

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        self.now = max(self.now, self.until) if timeout is None else self.now + timeout
        return self.is_set()


class Unthreaded:
    """Stands in for a thread: does its work as soon as it is started."""

    def __init__(self, target: Callable[..., None], args: tuple[Any, ...] = (), **_: Any) -> None:
        self._target, self._args = target, args
        self.ident: int | None = None
        self.joined: list[float | None] = []

    def start(self) -> None:
        self.ident = 1
        self._target(*self._args)

    def join(self, timeout: float | None = None) -> None:
        assert self.ident is not None, "a thread that never ran cannot be waited for"
        self.joined.append(timeout)

    def is_alive(self) -> bool:
        return False


def without_threads(monkeypatch: pytest.MonkeyPatch, module: ModuleType, until: float = END) -> Clock:
    """Let what a module would do in a thread be done at once, by a clock that is told to stop after `until` seconds."""
    clock = Clock(until)
    stand_in = SimpleNamespace(Event=lambda: clock, Thread=Unthreaded, Lock=threading.Lock)
    monkeypatch.setattr(module, "threading", stand_in)
    monkeypatch.setattr(module, "time", clock, raising=False)
    return clock


class Script:
    """What comes at which second; giving it takes the time until then, at most as long as somebody waits."""

    def __init__(self, clock: Clock, happenings: Iterable[Happening]) -> None:
        self._clock = clock
        self._left = sorted(happenings, key=lambda happening: happening[0])

    def next(self, timeout: float) -> Any:
        if self._left and START + self._left[0][0] <= self._clock.now + timeout:
            at, what = self._left.pop(0)
            self._clock.now = max(self._clock.now, START + at)
            if isinstance(what, Exception):
                raise what
            return what
        self._clock.now += timeout
        return None


class ScriptedTransport:
    """Gives (box, content) or what is received as such; `refusals` are what the first attempts to open meet."""

    retry_after = 0.1

    def __init__(
        self,
        clock: Clock,
        *happenings: Happening,
        name: str = "broker house:1883",
        is_shared: bool = True,
        refusals: Sequence[Exception] = (),
    ) -> None:
        self.name, self.is_shared, self.dropped = name, is_shared, Dropped()
        self.sent: list[tuple[float, str, Message]] = []
        self.introduced: list[tuple[str, Hello]] = []
        self.opened: list[float] = []
        self.closed = 0
        self._clock, self._script, self._refusals = clock, Script(clock, happenings), list(refusals)

    def open(self) -> None:
        self.opened.append(self._clock.passed)
        if self._refusals:
            raise self._refusals.pop(0)

    def send(self, box: str, message: Message) -> None:
        self.sent.append((self._clock.passed, box, message))

    def receive(self, timeout: float) -> Received | None:
        what = self._script.next(timeout)
        if callable(what):
            what()
            return None
        return Received(*what) if isinstance(what, tuple) else what

    def introduce(self, box: str, hello: Hello) -> None:
        self.introduced.append((box, hello))

    def close(self) -> None:
        self.closed += 1

    def sent_of(self, kind: type[Incoming]) -> list[float]:
        return [at for at, _, message in self.sent if isinstance(message, kind)]


class ScriptedBroker:
    """Stands in for the class of connections: each hears (topic, payload, is retained) where it has subscribed.

    All connections go on with the same script; `refusals` are what the first attempts to connect meet.
    """

    def __init__(
        self, clock: Clock, *happenings: Happening, refusals: Sequence[Exception] = (), acknowledges: bool = True
    ) -> None:
        self.clock, self.script, self.refusals = clock, Script(clock, happenings), list(refusals)
        self.acknowledges = acknowledges
        self.connections: list[ScriptedConnection] = []

    def __getitem__(self, _kind: object) -> "ScriptedBroker":
        return self

    def __call__(self, *arguments: Any, **options: Any) -> "ScriptedConnection":
        self.connections.append(ScriptedConnection(self, *arguments, **options))
        return self.connections[-1]

    @property
    def published(self) -> list[Publication]:
        return [publication for connection in self.connections for publication in connection.published]


class ScriptedConnection:
    """One connection to a scripted broker; `waiting` are the publications that the broker has not acknowledged."""

    def __init__(
        self,
        broker: ScriptedBroker,
        name: str,
        address: object,
        subscriptions: Sequence[str],
        dropped: Dropped,
        read: Callable[[str, bytes, bool], Any],
        will: Publication | None = None,
        **options: Any,
    ) -> None:
        self.name, self.will, self.options, self.topics = name, will, options, list(subscriptions)
        self.published: list[Publication] = []
        self.published_at: list[float] = []
        self.opened_at: float | None = None
        self.is_closed = False
        self.waiting = 0
        self._broker, self._dropped, self._read = broker, dropped, read

    def open(self) -> None:
        self.opened_at = self._broker.clock.passed
        if self._broker.refusals:
            raise self._broker.refusals.pop(0)

    def publish(self, publication: Publication) -> None:
        assert not self.is_closed
        self.published.append(publication)
        self.published_at.append(self._broker.clock.passed)
        self.waiting += not self._broker.acknowledges

    def subscribe(self, topics: Sequence[str]) -> None:
        self.topics += topics

    def receive(self, timeout: float) -> Any:
        what = self._broker.script.next(timeout)
        if callable(what):
            what()
            return None
        if what is None or not any(topic_matches_sub(topic, what[0]) for topic in self.topics):
            return None
        try:
            return self._read(*what)
        except ValueError as error:
            self._dropped.add(str(error))
            return None

    def close(self) -> None:
        self.is_closed = True

    def abandon(self) -> None:
        self.is_closed = True


def lost() -> TransportLost:
    return TransportLost("broker house:1883", "the connection ended (Keep alive timeout)")
