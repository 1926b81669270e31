"""Tables that publish to a hub under test, and somebody on the same broker who sends whatever he likes."""

from __future__ import annotations

import threading
import time
from random import Random

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from companion.errors import NoSuchGame
from companion.publishing.envelope import read_envelope, signed
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import read_hub_message
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.publishing.topics import TopicKind, topic
from companion.session.log import Log
from companion.session.session import Session
from firmware_bridge.publishing.publisher import TablePublisher
from tests.tables import table_of

PATIENCE = 20.0


def until(is_so, what: str, seconds: float = PATIENCE) -> None:
    """Wait for what happens on other threads."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            raise TimeoutError(what)
        time.sleep(0.01)


class PlayingTables:
    """Real tables on one connection, whose players do something legal by lot."""

    def __init__(
        self, address, names, game="capitol", seats=2, code="", shows_names=True, file=None, seed=1, at=None
    ) -> None:
        """`file` is where they keep their keys, None for nowhere; another `seed` plays otherwise. All is played `at` a
        moment, where one is given.
        """
        clock = {} if at is None else {"clock": lambda: at}
        kept = KeptPublishing(file)
        self.random = Random(seed)
        self._earlier = dict[str, Session]()
        self.sessions = [Session.create(None, table_of(game, seats), game_id=f"{name}-1", **clock) for name in names]
        self.tables = [
            PublishedTable(name, kept, self._read, called=name.title(), shows_names=shows_names) for name in names
        ]
        for table, session in zip(self.tables, self.sessions, strict=True):
            table.show(PublishedNow(session.log))
            if code:
                table.register(code)
        self.publisher = TablePublisher(address, self.tables)

    def play(self, at: int = 0, entries: int = 1) -> None:
        for _entry in range(entries):
            session = self.sessions[at]
            if session.is_over:
                break
            session.submit(self.random.choice(session.legal_actions()))
        self.tables[at].show(PublishedNow(self.sessions[at].log))

    def begin(self, at: int, game_id: str) -> None:
        """Another game of the same table."""
        self._earlier[self.sessions[at].id] = self.sessions[at]
        self.sessions[at] = Session.create(None, self.sessions[at].table, game_id=game_id)
        self.tables[at].show(PublishedNow(self.sessions[at].log))

    def play_out(self, at: int = 0) -> None:
        while not self.sessions[at].is_over:
            self.play(at)

    def _read(self, game_id: str) -> Log:
        """A game's log. Raises NoSuchGame, as a store does."""
        for session in (*self._earlier.values(), *self.sessions):
            if session.id == game_id:
                return session.log
        raise NoSuchGame(game_id, "games.sqlite3")

    def arrived(self) -> bool:
        return all(table.status.registered and table.status.behind == 0 for table in self.tables)

    def close(self) -> None:
        self.publisher.close()


class Stranger:
    """A client that publishes any bytes, and hears what the hub says to tables."""

    def __init__(self, address) -> None:
        self.heard = []
        self._ready = threading.Event()
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2)
        self.client.username_pw_set(address.username, address.password)
        self.client.on_message = lambda _client, _data, message: self.heard.append((message.topic, message.payload))
        self.client.on_subscribe = lambda *_arguments: self._ready.set()
        self.client.connect(address.host, address.port)
        self.client.subscribe("companion/hub/+", 1)
        self.client.loop_start()
        assert self._ready.wait(PATIENCE)

    def send(self, where: str, payload: bytes, *, retain: bool = False) -> None:
        self.client.publish(where, payload, 1, retain).wait_for_publish(PATIENCE)

    def sign(self, key: bytes, kind: TopicKind, table: str, number: int, document) -> None:
        self.send(topic(kind, table), signed(key, kind, table, number, document).payload())

    def said_to(self, table: str):
        return [
            read_hub_message(read_envelope(where, payload).document())
            for where, payload in list(self.heard)
            if where == topic(TopicKind.HUB, table)
        ]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()
        self.client.on_message = self.client.on_subscribe = None
