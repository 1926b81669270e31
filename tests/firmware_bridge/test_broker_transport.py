"""Our own boxes behind a scripted broker: what is subscribed to, published, announced and left alone."""

import json
from typing import Any

import pytest

from firmware_bridge.errors import TransportLost
from firmware_bridge.mqtt import transport as module
from firmware_bridge.mqtt.codec import Publication, publication
from firmware_bridge.mqtt.topic_filters import is_included, without_included
from firmware_bridge.mqtt.transport import MqttTransport
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import Beat, Hello, HostBeat, Led
from firmware_bridge.transports.transport import Dropped, Inbox, Received
from tests.firmware_bridge.scripted import Clock, ScriptedBroker

HELLO = Hello(1, 1, 256, 2, 4, 0, 0, 7, 0, 0, b"12345678")


def opened(
    monkeypatch: pytest.MonkeyPatch, boxes: list[str] | None, *said: tuple[str, bytes, bool]
) -> tuple[MqttTransport, ScriptedBroker]:
    broker = ScriptedBroker(Clock(), *((0.1, what) for what in said))
    monkeypatch.setattr(module, "MqttConnection", broker)
    transport = MqttTransport(BrokerAddress("house"), boxes, "table-1")
    transport.open()
    return transport, broker


@pytest.mark.parametrize(("boxes", "levels"), [(["blue", "red"], ["blue", "red"]), (None, ["+"]), ([], [])])
def test_what_is_listened_to(monkeypatch: pytest.MonkeyPatch, boxes: list[str] | None, levels: list[str]) -> None:
    transport, broker = opened(monkeypatch, boxes)
    assert broker.connections[0].topics == [
        f"tabletop/{level}/{topic}"
        for level in levels
        for topic in ("state", "hello", "beat", "result", "event/+", "cmd/beat")
    ]
    assert (transport.name, broker.connections[0].name) == ("broker house:1883", "broker house:1883")


def test_what_is_for_every_box_is_for_those_that_were_named(monkeypatch: pytest.MonkeyPatch) -> None:
    beat = b'{"table":"table-1"}'
    for boxes, sent in ((["blue", "red"], ["blue", "red"]), (None, []), ([], [])):
        transport, broker = opened(monkeypatch, boxes)
        transport.send("0", HostBeat())
        assert broker.published == [Publication(f"tabletop/{box}/cmd/beat", beat, 0) for box in sent]
    transport.send("green", Led(1, 2, True))
    assert broker.published == [Publication("tabletop/green/cmd/led/2", b'{"seq":1,"on":true}', 1)]


def test_the_beats_of_other_tables_are_heard_and_our_own_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    beats = [
        ("tabletop/blue/cmd/beat", payload, False)
        for payload in (b'{"table":"table-2"}', b'{"table":"table-1"}', b"{}")
    ]
    boxes_own = publication("blue", Beat(7, 1, 0, 0, 0, 0, 0), by_host=False)
    transport, _ = opened(monkeypatch, ["blue"], *beats, (boxes_own.topic, boxes_own.payload, False))
    assert [transport.receive(1.0) for _ in range(4)] == [
        Received("blue", HostBeat(), "table-2"), None, Received("blue", HostBeat(), ""),
        Received("blue", Beat(7, 1, 0, 0, 0, 0, 0)),
    ]  # fmt: skip


def test_a_transport_that_is_not_open_says_so_and_may_be_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    transport, broker = opened(monkeypatch, ["blue"])
    transport.close()
    transport.close()
    assert broker.connections[0].is_closed
    for ask in (lambda: transport.send("blue", HostBeat()), lambda: transport.receive(0)):
        with pytest.raises(TransportLost, match=r"^broker house:1883: is not open$"):
            ask()
    transport.introduce("blue", HELLO)
    assert broker.published == []


def announced(broker: ScriptedBroker) -> list[str]:
    assert all(one.retain and one.qos == 1 for one in broker.published)
    return [one.topic.split("/")[2].removeprefix("tabletop_") for one in broker.published]


def test_a_box_is_announced_again_only_when_it_has_changed_or_the_connection_is_new(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    transport, broker = opened(monkeypatch, None)
    fields: list[dict[str, Any]] = [{}, {"boot": 9}, {"buttons": 3}, {"buttons": 3}, {"buttons": 3, "firmware": 257}]
    for changes in fields:
        transport.introduce("blue", Hello(**{name: getattr(HELLO, name) for name in HELLO.__slots__} | changes))
    assert announced(broker) == ["blue"] * 3
    assert len(json.loads(broker.published[1].payload)["components"]) == 6
    transport.open()
    transport.introduce("blue", HELLO)
    assert announced(broker) == ["blue"] * 4


def test_boxes_that_are_invented_are_not_announced_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    transport, broker = opened(monkeypatch, None)
    for number in range(34):
        transport.introduce(f"box{number}", HELLO)
    assert announced(broker) == [f"box{number}" for number in range(32)]
    transport.introduce("box3", Hello(1, 1, 257, 2, 4, 0, 0, 7, 0, 0, b"12345678"))
    assert announced(broker)[32:] == ["box3"]  # a known one may change


@pytest.mark.parametrize(
    ("one", "others", "included"),
    [
        ("a/b", ["a/+"], True), ("a/b", ["#"], True), ("a/b", ["a/#"], True), ("a", ["a/#"], True),
        ("a/+", ["a/b"], False), ("a/#", ["a/+"], False), ("a/b/c", ["a/+"], False), ("a", ["a/+"], False),
        ("a/#", ["a/#"], True), ("+/b", ["a/b"], False), ("a/b", ["b/+", "+/b"], True), ("a/b", [], False),
        ("a/+", ["+/+"], True),
    ],
)  # fmt: skip
def test_which_topic_filters_include_which(one: str, others: list[str], included: bool) -> None:
    assert is_included(one, others) is included


def test_each_filter_is_kept_once_and_none_that_another_includes() -> None:
    assert without_included(["a/b", "a/+", "a/+", "c", "c/#", "d/b"]) == ["a/+", "c/#", "d/b"]


def test_an_inbox_is_bounded_and_gives_all_that_came_before_its_end() -> None:
    dropped = Dropped()
    assert (dropped.count, dropped.reason) == (0, "")
    inbox = Inbox[int]("the wire", dropped, 2)
    for number in (1, 2, 3):
        inbox.put(number)
    assert (dropped.count, dropped.reason) == (1, "more messages than can be looked at")
    inbox.end("was unplugged")
    inbox.end("is no longer read")
    assert [inbox.get(0), inbox.get(0)] == [1, 2]
    for ask in (lambda: inbox.get(0), inbox.check):
        with pytest.raises(TransportLost, match=r"^the wire: was unplugged$"):
            ask()
    quiet = Inbox[int]("the wire", dropped)
    assert quiet.get(0) is None
    assert quiet._queue.maxsize == 1000
