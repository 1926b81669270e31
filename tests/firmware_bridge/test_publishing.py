"""Published tables through a real mosquitto: nothing is lost or doubled, whoever is away meanwhile."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from companion.publishing.envelope import Envelope
from companion.publishing.kept import KeptPublishing
from companion.publishing.messages import HubMessage, JudgeWord
from companion.publishing.published_table import PublishedNow, PublishedTable
from companion.publishing.topics import RETAINED
from companion.session.session import Session
from firmware_bridge.errors import TransportError
from firmware_bridge.mqtt.broker import OwnMosquitto
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.publishing.publisher import TablePublisher
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.waiting import eventually
from tests.publishing.listening_hub import ListeningHub
from tests.session.evenings import new_session, play_at_random

TOPICS = ("companion/tables/+/state", "companion/tables/+/presence", "companion/tables/+/entries",
          "companion/tables/+/register")  # fmt: skip


class HubThread:
    """A hub on a connection of its own; `heard` are all bytes that came."""

    def __init__(self, address: BrokerAddress, hub: ListeningHub) -> None:
        self.hub, self.heard, self.dropped = hub, b"", Dropped()
        self.outbox: list[Envelope] = []
        self._address, self._stopping, self._is_there = address, threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._is_there.wait(10)

    def close(self) -> None:
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.is_set():
            connection = MqttConnection[tuple[str, bytes]](
                "hub", self._address, TOPICS, self.dropped, lambda topic, payload, retained: (topic, payload)
            )
            try:
                connection.open()
                self._is_there.set()
                while not self._stopping.is_set():
                    while self.outbox:
                        self._say(connection, self.outbox.pop(0))
                    received = connection.receive(0.01)
                    if received is not None:
                        self.heard += b"\n".join((received[0].encode(), received[1], b""))
                        answer = self.hub.hear(*received)
                        if answer is not None:
                            self._say(connection, answer)
            except TransportError:
                self._stopping.wait(0.05)
            finally:
                connection.close()

    @staticmethod
    def _say(connection: MqttConnection[tuple[str, bytes]], said: Envelope) -> None:
        connection.publish(Publication(said.topic, said.payload()))


def test_a_connection_that_ends_without_a_word_says_so(mosquitto: OwnMosquitto) -> None:
    connection = MqttConnection[bytes]("hub", mosquitto.address, ["a"], Dropped(), lambda _topic, told, _retained: told)
    connection.open()
    try:
        mosquitto.stop()
        with pytest.raises(TransportError, match=r"the connection ended \(the broker did not say why\)"):
            connection.receive(10.0)
    finally:
        connection.close()


class Evening:
    """A table that is published, a hub, and the broker between them."""

    def __init__(self, mosquitto: OwnMosquitto) -> None:
        self.mosquitto, self.address, self.hub = mosquitto, mosquitto.address, ListeningHub()
        self.session, self.kept = new_session(), KeptPublishing(None)
        self.hub_thread = self.open_hub()
        self.table = self.new_table()
        self.publisher = TablePublisher(self.address, [self.table])

    def open_hub(self) -> HubThread:
        return HubThread(self.address, self.hub)

    def new_table(self, name: str = "table-1") -> PublishedTable:
        return PublishedTable(name, self.kept, lambda game: self.session.log, called="Window")

    def restart_table(self) -> None:
        self.publisher.close()
        self.table = self.new_table()
        self.publisher = TablePublisher(self.address, [self.table])

    def register(self) -> None:
        self.table.register(self.hub.code)
        eventually(lambda: self.table.status.registered)

    def play(self, actions: int = 5) -> None:
        play_at_random(self.session, actions, seed=len(self.session.log.entries))
        self.table.show(PublishedNow(self.session.log))

    def all_arrived(self) -> None:
        count = len(self.session.log.entries)
        eventually(lambda: self.hub.unbroken("table-1", self.session.id) == count)
        eventually(lambda: self.hub.states["table-1"].entries == count)
        eventually(lambda: self.table.status.behind == 0)

    def close(self) -> None:
        self.publisher.close()
        self.hub_thread.close()
        self.kept.close()


@pytest.fixture
def evening(mosquitto: OwnMosquitto) -> Iterator[Evening]:
    found = Evening(mosquitto)
    found.register()
    yield found
    found.close()


def test_a_registered_table_tells_everything_and_no_byte_more_than_it_may(evening: Evening) -> None:
    evening.play(20)
    evening.all_arrived()
    key = evening.kept.identity("table-1").key
    for secret in (key, key.hex().encode(), evening.hub.code.encode(), evening.hub.code.replace("-", "").encode()):
        assert secret not in evening.hub_thread.heard
    for player in evening.session.table.players:
        assert player.name.encode() not in evening.hub_thread.heard
    assert not evening.hub.unbelieved
    assert evening.hub_thread.dropped.count == 0


def test_a_broker_that_is_killed_three_times_costs_nothing(evening: Evening) -> None:
    for _ in range(3):
        evening.play()
        evening.mosquitto.process.kill()
        evening.mosquitto.process.wait()
        evening.play()
        evening.mosquitto.stop()
        evening.mosquitto.start()
        evening.play()
    evening.all_arrived()
    assert evening.table.status.behind == 0


def test_what_a_broker_took_while_the_hub_was_away_is_sent_again(evening: Evening) -> None:
    evening.hub_thread.close()
    evening.play(10)
    eventually(lambda: evening.publisher.connected)
    assert evening.table.status.behind > 0
    evening.hub_thread = evening.open_hub()
    evening.restart_table()  # a new connection sends again what was not acknowledged, without waiting
    evening.play(3)
    evening.all_arrived()


def test_a_restarted_table_sends_only_what_was_not_acknowledged(evening: Evening) -> None:
    evening.play(10)
    evening.all_arrived()
    evening.restart_table()
    evening.play(3)
    evening.all_arrived()
    assert max(evening.hub.came.values()) == 1


def test_a_table_that_vanishes_is_said_to_be_gone_by_the_broker(evening: Evening) -> None:
    eventually(lambda: evening.hub.online.get("table-1"))
    connection = evening.hub.presences[-1].connection
    evening.publisher.close()
    eventually(lambda: evening.hub.online["table-1"] is False)
    evening.hub.online.clear()
    will = evening.table.connect()
    vanishing = MqttConnection[None](
        "table", evening.address, (), Dropped(), lambda *_: None, Publication(will.topic, will.payload(), retain=True)
    )
    vanishing.open()
    vanishing.abandon()
    eventually(lambda: evening.hub.online.get("table-1") is False)
    assert evening.hub.presences[-1].connection > connection


def test_who_comes_later_gets_the_state_at_once(evening: Evening) -> None:
    evening.play()
    evening.all_arrived()
    evening.hub_thread.close()
    evening.hub.states.clear()
    evening.hub.highest.clear()
    evening.hub_thread = evening.open_hub()
    eventually(lambda: "table-1" in evening.hub.states)
    assert {kind.value for kind in RETAINED} == {"state", "presence"}


def test_help_reaches_the_hub_and_the_judges_answer_the_table(evening: Evening) -> None:
    evening.table.call_help(asked=True)
    eventually(lambda: "table-1" in evening.hub.states and evening.hub.states["table-1"].help)
    evening.hub_thread.outbox.append(evening.hub.say("table-1", HubMessage(judge=JudgeWord("Coming", answered=True))))
    eventually(lambda: evening.table.status.judge == JudgeWord("Coming", answered=True))
    eventually(lambda: not evening.hub.states["table-1"].help)


def test_noise_on_the_tables_topic_is_counted_and_harms_nothing(evening: Evening) -> None:
    eventually(lambda: evening.publisher.connected)
    noise = MqttConnection[None]("noise", evening.address, (), Dropped(), lambda *_: None)
    noise.open()
    for payload in (b"\xff" * 10, b"{}", b"x" * 100_000):
        noise.publish(Publication("companion/hub/table-1", payload))
    eventually(lambda: evening.publisher.dropped.count == 3)
    noise.close()
    evening.play()
    evening.all_arrived()


def test_many_tables_share_a_connection(mosquitto: OwnMosquitto) -> None:
    hub, kept, sessions = ListeningHub(), KeptPublishing(None), [new_session(game_id=f"game-{n}") for n in range(12)]
    tables = [PublishedTable(f"table-{n}", kept, lambda game: None) for n in range(12)]
    publisher, thread = TablePublisher(mosquitto.address, tables), HubThread(mosquitto.address, hub)
    try:
        for table, session in zip(tables, sessions, strict=True):
            table.register(hub.code)
            play_at_random(session, 5, seed=1)
            table.show(PublishedNow(session.log))
        for table, session in zip(tables, sessions, strict=True):
            count = len(session.log.entries)
            eventually(lambda: hub.unbroken(table.name, session.id) == count)  # noqa: B023  # it is called at once
    finally:
        publisher.close()
        thread.close()
        kept.close()


def test_a_broker_that_is_not_there_or_refuses_is_named(mosquitto: OwnMosquitto) -> None:
    kept = KeptPublishing(None)
    guess = BrokerAddress(mosquitto.address.host, mosquitto.address.port, "table", "guess")
    for address, why in ((guess, "password"), (BrokerAddress("127.0.0.1", 1), "refused")):
        publisher = TablePublisher(address, [PublishedTable("table-1", kept, lambda game: None)])
        eventually(lambda: publisher.problem)  # noqa: B023  # it is called at once
        assert why in publisher.problem
        began = time.monotonic()
        publisher.close()
        assert time.monotonic() - began < 4
    kept.close()


def test_a_table_never_waits_for_its_broker(evening: Evening) -> None:
    evening.mosquitto.stop()
    session: Session = evening.session
    play_at_random(session, 5, seed=9)
    for _ in range(1000):
        evening.table.show(PublishedNow(session.log))
        assert evening.table.status.behind >= 0
    evening.mosquitto.start()
    evening.all_arrived()
