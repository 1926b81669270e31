"""What telling an organiser costs a table: its own thread, the processor, bytes, and the time to a listener."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, median, percentile
from companion.publishing.envelope import signed
from companion.publishing.kept import Preferences
from companion.publishing.public_game import public_entry, public_state
from companion.publishing.signing import new_key
from companion.publishing.topics import TopicKind
from companion.registry import GAMES
from companion.session.session import Session
from firmware_bridge.mqtt.broker import OwnMosquitto
from firmware_bridge.protocol.addresses import BrokerAddress
from tests.firmware_bridge.test_publishing import HubThread
from tests.publishing.listening_hub import ListeningHub
from tests.session.evenings import play_at_random
from tests.tables import table_of
from ui.shell.publishing import TablePublishing
from ui.shell.table_loop import TableLoop
from ui.table.presenter import Presenter

ENTRIES, TICKS = 60, 2000


def measure() -> Iterator[Figure]:
    """Each game's messages, the table's thread with and without a broker, and the way of an entry to a listener."""
    for game in GAMES:
        yield from _messages(game)
    broker = OwnMosquitto()
    broker.start()
    try:
        yield from _way(broker)
    finally:
        broker.stop()


def _messages(game: str) -> Iterator[Figure]:
    session, key = Session.create(None, table_of(game, 3)), new_key()
    play_at_random(session, 10_000, seed=3)
    begin = time.process_time()
    state = signed(
        key, TopicKind.STATE, "table-1", 1, public_state(session.log, shows_names=False).document()
    ).payload()
    made = time.process_time() - begin
    lines = [public_entry(session.log, number, shows_names=False) for number in range(1, len(session.entries) + 1)]
    entries = [len(signed(key, TopicKind.ENTRY, "table-1", 1, line.document()).payload()) for line in lines]
    yield Figure(f"state made and signed: {game}", made * 1e3, "ms", note=f"{len(state)} bytes")
    yield Figure(
        f"entries of a game: {game}", sum(entries) / 1e3, "kB", count=len(entries), note=f"largest {max(entries)}"
    )


def _way(broker: OwnMosquitto) -> Iterator[Figure]:
    address, hub = broker.address, ListeningHub()
    listener = HubThread(address, hub)
    session = Session.create(None, table_of("city_of_marble", 2))
    loop = TableLoop(Presenter(session))
    loop.tick()
    with tempfile.TemporaryDirectory() as folder:
        publishing = TablePublishing(Path(folder), lambda game: session.log)
        yield Figure("tick of a table that is not published", _tick(publishing, loop), "us", count=TICKS)
        for name, where in (("whose broker is away", BrokerAddress("127.0.0.1", 1)), ("that is published", address)):
            publishing.open(Preferences(broker=_written(where)))
            yield Figure(f"tick of a table {name}", _tick(publishing, loop), "us", count=TICKS)
        publishing.register(hub.code)
        while not publishing.view.status.registered:
            time.sleep(0.01)
        table, waits = next(iter(hub.keys)), list[float]()
        for _ in range(ENTRIES):
            play_at_random(session, 1, seed=len(session.entries))
            begin = time.perf_counter()
            publishing.tick(loop)
            while len(session.entries) not in hub.lines[table, session.id]:
                time.sleep(0.001)
            waits.append((time.perf_counter() - begin) * 1e3)
        note = "the listener in the same process"
        yield Figure("entry to a listener, median", median(waits), "ms", count=ENTRIES, note=note)
        yield Figure("entry to a listener, 99th percentile", percentile(waits, 0.99), "ms", count=ENTRIES)
        publishing.close()
    listener.close()


def _tick(publishing: TablePublishing, loop: TableLoop) -> float:
    begin = time.perf_counter()
    for _ in range(TICKS):
        publishing.tick(loop)
    return (time.perf_counter() - begin) / TICKS * 1e6


def _written(address: BrokerAddress) -> str:
    return f"{address.username}:{address.password}@{address}" if address.username else str(address)
