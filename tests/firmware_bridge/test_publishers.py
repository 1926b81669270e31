"""Tables and seats on a scripted broker: what is published and kept there, when it is tried again, what is left."""

import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest

from companion.errors import CompanionError, InvalidDocument
from companion.publishing.envelope import Envelope
from companion.publishing.topics import MAXIMUM_PAYLOAD, TopicKind
from firmware_bridge.errors import NotAuthorised, TransportUnavailable
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.publishing import publisher
from firmware_bridge.publishing.publisher import TablePublisher
from firmware_bridge.serving import seat_states
from firmware_bridge.serving.seat_states import SeatPublisher, SeatState
from tests.firmware_bridge.scripted import START, Clock, Happening, ScriptedBroker, lost, without_threads

ADDRESS = BrokerAddress("house")


class Table:
    """A published table in its place: says what is in `due_now`, and at which seconds it was asked."""

    def __init__(self, clock: Clock, name: str = "table-1") -> None:
        self.name, self.has_news = name, False
        self.due_now: list[Envelope] = []
        self.asked: list[float] = []
        self.heard: list[tuple[str, bytes, float]] = []
        self.failure: Exception | None = None
        self._clock, self._number = clock, 0

    def envelope(self, kind: TopicKind, body: str = "{}") -> Envelope:
        self._number += 1
        return Envelope(kind, self.name, self._number, body)

    def connect(self) -> Envelope:
        if self.failure is not None:
            raise self.failure
        return self.envelope(TopicKind.PRESENCE, '{"online":false}')

    def goodbye(self) -> tuple[Envelope, ...]:
        return (self.envelope(TopicKind.PRESENCE, '{"bye":1}'),)

    def due(self, now: float) -> Iterator[Envelope]:
        assert now == self._clock.now
        self.asked.append(self._clock.passed)
        self.has_news = False
        while self.due_now:
            yield self.due_now.pop(0)

    def receive(self, topic: str, payload: bytes, now: float) -> None:
        if payload == b"odd":
            raise InvalidDocument(topic, "", "is odd")
        self.heard.append((topic, payload, round(now - START, 6)))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return without_threads(monkeypatch, publisher)


def publish(
    monkeypatch: pytest.MonkeyPatch,
    clock: Clock,
    *happenings: Happening,
    tables: list[Table],
    until: float,
    **options: Any,
) -> tuple[TablePublisher, ScriptedBroker]:
    """Keep tables published until a second."""
    clock.until = START + until
    broker = ScriptedBroker(clock, *happenings, **options)
    monkeypatch.setattr(publisher, "MqttConnection", broker)
    return TablePublisher(ADDRESS, tables), broker


def test_a_table_is_asked_what_is_due_twice_a_second_and_at_once_when_it_has_news(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    table = Table(clock)

    def news() -> None:
        table.has_news = True

    publish(monkeypatch, clock, (1.2, news), tables=[table], until=2.0)
    assert table.asked == pytest.approx([0.0, 0.55, 1.1, 1.2, 1.75])


def test_a_table_leaves_with_a_goodbye_and_a_last_will(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    table = Table(clock)
    told, broker = publish(monkeypatch, clock, tables=[table], until=1.0)
    (connection,) = broker.connections
    assert connection.will == Publication("companion/tables/table-1/presence", connection.will.payload, 1, True)
    assert connection.name == "broker house:1883"
    assert connection.topics == ["companion/hub/table-1"]
    assert connection.options == {"most_queued": 200}
    assert [one.topic for one in connection.published] == ["companion/tables/table-1/presence"]
    assert connection.is_closed
    assert (told.connected, told.problem) == (False, "")


def test_tables_that_share_a_connection_have_no_last_will(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    tables = [Table(clock, f"table-{number}") for number in (1, 2, 3)]
    _, broker = publish(monkeypatch, clock, tables=tables, until=1.0)
    (connection,) = broker.connections
    assert connection.will is None
    assert connection.options == {"most_queued": 600}
    assert len(connection.published) == 3


def test_what_is_kept_on_the_broker_and_what_is_not(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    table = Table(clock)
    table.due_now = [
        table.envelope(kind) for kind in (TopicKind.STATE, TopicKind.ENTRY, TopicKind.PRESENCE, TopicKind.REGISTER)
    ]
    _, broker = publish(monkeypatch, clock, tables=[table], until=0.2)
    assert {one.topic.rpartition("/")[2]: one.retain for one in broker.published} == {
        "state": True, "entries": False, "presence": True, "register": False,
    }  # fmt: skip


def test_a_broker_that_is_behind_is_not_pressed(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    table = Table(clock)
    table.due_now = [table.envelope(TopicKind.ENTRY) for _ in range(5)]

    def behind(count: int) -> None:
        broker.connections[0].waiting = count

    class Behind(ScriptedBroker):
        def __call__(self, *arguments: Any, **options: Any) -> Any:
            connection = super().__call__(*arguments, **options)
            connection.waiting = 100
            return connection

    clock.until = START + 2.0
    broker = Behind(clock, (0.9, lambda: behind(99)), (1.4, lambda: behind(0)))
    monkeypatch.setattr(publisher, "MqttConnection", broker)
    TablePublisher(ADDRESS, [table])
    entries = [one for one in broker.published if one.topic.endswith("/entries")]
    assert len(entries) == 5
    assert table.asked[0] == pytest.approx(0.9, abs=0.051)


def test_in_the_midst_of_much_a_table_waits_for_its_broker(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    table = Table(clock)
    table.due_now = [table.envelope(TopicKind.ENTRY) for _ in range(250)]
    _, broker = publish(monkeypatch, clock, tables=[table], until=1.0, acknowledges=False)
    assert len([one for one in broker.published if one.topic.endswith("/entries")]) == 100
    assert table.asked == [0.0]
    assert table.has_news


@pytest.mark.parametrize(("acknowledged", "leaves_at"), [(True, 1.0), (False, 3.0)])
def test_the_last_words_of_a_table_have_two_seconds(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, acknowledged: bool, leaves_at: float
) -> None:
    def stall() -> None:
        broker.connections[0].waiting = 0 if acknowledged else 1

    clock.until = START + 1.0
    broker = ScriptedBroker(clock, (0.5, stall))
    monkeypatch.setattr(publisher, "MqttConnection", broker)
    TablePublisher(ADDRESS, [Table(clock)])
    assert clock.passed == pytest.approx(leaves_at, abs=0.11)


def test_what_is_larger_than_any_message_may_be_is_counted_and_the_next_told(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    table = Table(clock)
    table.due_now = [
        table.envelope(TopicKind.ENTRY, "x" * (MAXIMUM_PAYLOAD[TopicKind.ENTRY] + 1)),
        table.envelope(TopicKind.STATE),
    ]
    told, broker = publish(monkeypatch, clock, tables=[table], until=0.2)
    assert told.dropped.count == 1
    assert [one.topic.rpartition("/")[2] for one in broker.published] == ["state", "presence"]


def test_what_hubs_say_reaches_the_table_that_they_name(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    tables = [Table(clock, f"table-{number}") for number in (1, 2)]
    happenings = [
        (0.5, ("companion/hub/table-2", b"hello", False)), (0.6, ("companion/hub/table-2", b"old", True)),
        (0.7, ("companion/hub/table-1", b"odd", False)), (0.8, ("companion/hub/table-3", b"astray", False)),
    ]  # fmt: skip
    told, _ = publish(monkeypatch, clock, *happenings, tables=tables, until=1.0)
    assert [table.heard for table in tables] == [[], [("companion/hub/table-2", b"hello", 0.5)]]
    assert (told.dropped.count, told.dropped.reason) == (1, "companion/hub/table-1: is odd")


def test_no_word_of_many_is_lost_and_the_tables_have_their_say_in_between(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    table = Table(clock)
    many = [(0.01, ("companion/hub/table-1", str(number).encode(), False)) for number in range(1200)]

    def news() -> None:
        table.has_news = True

    publish(monkeypatch, clock, *many[:600], (0.01, news), *many[600:], tables=[table], until=0.2)
    assert [int(payload) for _, payload, _ in table.heard] == list(range(1200))
    assert table.asked == [0.0, 0.01]


@pytest.mark.parametrize(
    ("refusal", "problem", "waits"),
    [
        (NotAuthorised("broker", "Not authorized"), "Not authorized", [None]),
        (TransportUnavailable("broker", "Connection refused"), "Connection refused", [0.25, 0.5, None]),
    ],
)
def test_why_a_table_is_not_published_is_said(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, refusal: Exception, problem: str, waits: list[float | None]
) -> None:
    seen: list[str] = []
    table = Table(clock)
    original = table.connect
    table.connect = lambda: (seen.append(told[0].problem) if told else None) or original()
    told: list[TablePublisher] = []

    class Kept(TablePublisher):
        def _run(self) -> None:
            told.append(self)
            super()._run()

    clock.until = START + 3.0
    broker = ScriptedBroker(clock, refusals=[refusal] * 2)
    monkeypatch.setattr(publisher, "MqttConnection", broker)
    Kept(ADDRESS, [table])
    assert clock.waits == waits
    assert seen == ["", *[problem] * (len(waits) - 1)]
    assert told[0].problem == ("" if len(waits) > 1 else problem)
    assert all(connection.is_closed for connection in broker.connections)


def test_a_publisher_begins_again_after_whatever_fails(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    table = Table(clock)
    table.failure = CompanionError("the file of the table is gone")
    told, broker = publish(monkeypatch, clock, tables=[table], until=1.0)
    assert (told.problem, clock.waits, broker.connections) == ("the file of the table is gone", [0.25, 0.5, 1.0], [])
    clock.now, clock.waits = START, []
    table.failure = RuntimeError("a mistake of ours")
    with caplog.at_level(logging.ERROR, logger="companion.publishing"):
        told, _ = publish(monkeypatch, clock, tables=[table], until=1.0)
    assert told.problem == "the program failed; its log says how"
    assert clock.waits == [0.25, 0.5, 1.0]
    assert [record.message for record in caplog.records] == ["publishing begins again"] * 3
    assert "a mistake of ours" in caplog.text


def test_a_connection_that_ends_is_opened_again_soon(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    told, broker = publish(monkeypatch, clock, (1.0, lost()), (2.0, lost()), tables=[Table(clock)], until=3.0)
    assert [one.opened_at for one in broker.connections] == pytest.approx([0.0, 1.25, 2.25])
    assert clock.waits == [0.25, 0.25, None]
    told.close()
    assert told._thread.joined == [5.0]


@pytest.fixture
def seats(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return without_threads(monkeypatch, seat_states)


class Seats(SeatPublisher):
    """Shows seats from its start on."""

    shown: list[SeatState] = []  # noqa: RUF012

    def _run(self) -> None:
        self.show(self.shown)
        super()._run()


def seated(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, *happenings: Happening, until: float = 1.0, **options: Any
) -> tuple[Seats, ScriptedBroker]:
    clock.until = START + until
    broker = ScriptedBroker(clock, *happenings, **options)
    monkeypatch.setattr(seat_states, "MqttConnection", broker)
    monkeypatch.setattr(Seats, "shown", [SeatState(1, "red", to_move=True), SeatState(2, "blue")])
    return Seats(ADDRESS, "club"), broker


def test_every_seat_is_kept_on_the_broker_and_taken_from_it_at_the_end(
    monkeypatch: pytest.MonkeyPatch, seats: Clock
) -> None:
    kept, broker = seated(monkeypatch, seats)
    (connection,) = broker.connections
    red = b'{"to_move":true,"done":false,"disputed":false,"colour":"red"}'
    assert connection.will == Publication("companion/club/state", b"offline", 1, True)
    assert connection.name == "broker house:1883"
    assert connection.published == [
        Publication("companion/club/state", b"online", 1, True),
        Publication("companion/club/seat/1", red, 1, True),
        Publication("companion/club/seat/2", red.replace(b"true", b"false").replace(b"red", b"blue"), 1, True),
        Publication("companion/club/seat/1", b"", 1, True),
        Publication("companion/club/seat/2", b"", 1, True),
        Publication("companion/club/state", b"offline", 1, True),
    ]
    kept.close()
    assert kept._thread.joined == [5.0]


def test_only_what_changed_is_said_again_and_all_of_it_after_a_new_connection(
    monkeypatch: pytest.MonkeyPatch, seats: Clock
) -> None:
    shown: list[Seats] = []
    monkeypatch.setattr(
        Seats, "__init__", lambda self, *args: shown.append(self) or SeatPublisher.__init__(self, *args)
    )

    def change() -> None:
        shown[0].show([SeatState(2, "blue", done=True)])

    _, broker = seated(monkeypatch, seats, (0.3, change), (0.6, lost()), until=1.5)
    first, second = ([one.topic.rpartition("club/")[2] for one in each.published] for each in broker.connections)
    assert first == ["state", "seat/1", "seat/2", "seat/2"]
    assert json.loads(broker.connections[0].published[3].payload)["done"] is True
    assert second == ["state", "seat/1", "seat/2", "seat/1", "seat/2", "state"]


def test_a_broker_of_seats_is_tried_again_after_waits_that_double_and_begin_anew(
    monkeypatch: pytest.MonkeyPatch, seats: Clock
) -> None:
    away = TransportUnavailable("broker", "Connection refused")
    _, broker = seated(monkeypatch, seats, (5.0, lost()), (6.0, lost()), until=7.0, refusals=[away] * 3)
    assert seats.waits == [0.25, 0.5, 1.0, 0.25, 0.25, None]
    assert all(each.is_closed for each in broker.connections)


def test_a_broker_that_refuses_the_seats_is_not_tried_again(monkeypatch: pytest.MonkeyPatch, seats: Clock) -> None:
    _, broker = seated(monkeypatch, seats, refusals=[NotAuthorised("broker", "Not authorized")])
    assert (len(broker.connections), broker.published, seats.waits) == (1, [], [None])


@pytest.mark.parametrize(("table", "holds"), [("a" * 32, True), ("a" * 33, False), ("", False), ("a b", False)])
def test_a_table_has_a_name_that_is_a_level_of_a_topic(
    monkeypatch: pytest.MonkeyPatch, seats: Clock, table: str, holds: bool
) -> None:
    monkeypatch.setattr(seat_states, "MqttConnection", ScriptedBroker(seats))
    seats.until = seats.now
    if holds:
        SeatPublisher(ADDRESS, table)
        return
    with pytest.raises(ValueError, match="its name is 1 to 32 of A-Z a-z 0-9 _ -"):
        SeatPublisher(ADDRESS, table)
