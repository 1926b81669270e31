"""A connection to a broker with a client that does what a test says: what is asked of it and what its answers mean."""

import errno
import socket
import ssl
import threading
from types import SimpleNamespace
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.mqtt import connection as module
from firmware_bridge.mqtt.codec import Publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.transports.transport import Dropped
from tests.firmware_bridge.scripted import Clock

ADDRESS = BrokerAddress("house", 1884, "table", "secret")
GRANTED = ReasonCode(PacketTypes.SUBACK, "Granted QoS 1")
SUCCESS = ReasonCode(PacketTypes.CONNACK, "Success")


class Client:
    """Answers each question at once, with what is in `answers`."""

    def __init__(self, *answers: tuple[str, Any]) -> None:
        self.answers = list(answers)
        self.asked: list[Any] = []
        self.published: list[tuple[Any, ...]] = []
        self.rc = mqtt.MQTT_ERR_SUCCESS
        self.will: tuple[Any, ...] | None = None
        self.refusal: Exception | None = None

    def connect(self, *where: object) -> None:
        self.asked.append(("connect", *where))
        if self.refusal is not None:
            raise self.refusal

    def loop_start(self) -> None:
        for what, code in self.answers:
            if what == "connection":
                self.on_connect(self, None, None, code, None)
            elif what == "subscription":
                self.on_subscribe(self, None, 1, code, None)
            else:
                self.on_disconnect(self, None, None, code, None)

    def will_set(self, *will: object) -> None:
        self.will = will

    def publish(self, *what: object) -> SimpleNamespace:
        self.published.append(what)
        return SimpleNamespace(rc=self.rc)

    def subscribe(self, *what: object) -> None:
        self.asked.append(("subscribe", *what))

    def unsubscribe(self, topics: list[str]) -> None:
        self.asked.append(("unsubscribe", topics))

    def disconnect(self) -> None:
        self.asked.append("disconnect")

    def loop_stop(self) -> None:
        self.asked.append("stop")

    def hear(self, topic: str, payload: bytes = b"", retain: bool = False) -> None:
        self.on_message(self, None, SimpleNamespace(topic=topic, payload=payload, retain=retain))


def read(topic: str, payload: bytes, retained: bool) -> tuple[str, bytes, bool] | None:
    if payload == b"odd":
        raise ValueError(f"{topic}: is odd")
    return None if payload == b"of no interest" else (topic, payload, retained)


WELCOME = (("connection", SUCCESS), ("subscription", [GRANTED]))


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "ANSWER_TIMEOUT", 0.01)
    return clock


def connection(
    monkeypatch: pytest.MonkeyPatch, client: Client, *topics: str, dropped: Dropped | None = None, **options: Any
) -> MqttConnection[Any]:
    monkeypatch.setattr(module, "_new_client", lambda _address, _most: client)
    return MqttConnection("broker house:1884", ADDRESS, topics, dropped or Dropped(), read, **options)


def test_a_connection_subscribes_so_that_nothing_is_lost_on_the_way(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client = Client(*WELCOME)
    will = Publication("a/state", b"offline", retain=True)
    opened = connection(monkeypatch, client, "a/+", "b/+", will=will)
    opened.open()
    opened.subscribe(["c/+", "d"])
    assert client.asked == [
        ("connect", "house", 1884, 3), ("subscribe", [("a/+", 1), ("b/+", 1)]), ("subscribe", "c/+", 1),
        ("subscribe", "d", 1),
    ]  # fmt: skip
    assert client.will == ("a/state", b"offline", 1, True)
    opened.close()
    assert client.asked[-2:] == ["disconnect", "stop"]
    assert client.on_message is None


def test_without_topics_no_answer_about_them_is_waited_for(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client = Client(("connection", SUCCESS))
    connection(monkeypatch, client).open()
    assert client.asked == [("connect", "house", 1884, 3)]
    assert client.will is None


def test_an_answer_is_waited_for_three_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    waited: list[float] = []

    class Answers:
        def put(self, _answer: object) -> None: ...

        def get(self, timeout: float) -> tuple[str, None]:
            waited.append(timeout)
            return "connection" if len(waited) == 1 else "subscription", None

    opened = connection(monkeypatch, Client(), "a")
    opened._answers = Answers()
    opened.open()
    assert waited == [3.0, 3.0]


def connack(name: str) -> ReasonCode:
    return ReasonCode(PacketTypes.CONNACK, name)


UNTOLD = ReasonCode(PacketTypes.DISCONNECT, "Unspecified error")
TIMEOUT = ReasonCode(PacketTypes.DISCONNECT, "Keep alive timeout")


@pytest.mark.parametrize(
    ("answers", "kind", "reason"),
    [
        ((), TransportUnavailable, "does not answer; is it an MQTT broker?"),
        ((WELCOME[0],), TransportUnavailable, "does not answer; is it an MQTT broker?"),
        (
            (("connection", connack("Not authorized")),),
            NotAuthorised,
            "Not authorized; check the user name and the password",
        ),
        (
            (("connection", connack("Bad user name or password")),),
            NotAuthorised,
            "Bad user name or password; check the user name and the password",
        ),
        ((("connection", connack("Banned")),), NotAuthorised, "Banned; check the user name and the password"),
        ((("connection", connack("Server busy")),), TransportUnavailable, "refuses us (Server busy)"),
        (
            (("end", UNTOLD),),
            TransportUnavailable,
            "ended the connection without an answer; if it asks for a password, check user and password",
        ),
        ((("end", TIMEOUT),), TransportUnavailable, "the connection ended (Keep alive timeout)"),
        (
            (WELCOME[0], ("end", UNTOLD)),
            TransportUnavailable,
            "the connection ended (the broker did not say why)",
        ),
        (
            (WELCOME[0], ("subscription", [GRANTED, ReasonCode(PacketTypes.SUBACK, "Not authorized")])),
            NotAuthorised,
            "Not authorized; check the user name and the password",
        ),
        (
            (WELCOME[0], ("subscription", [ReasonCode(PacketTypes.SUBACK, "Quota exceeded")])),
            TransportUnavailable,
            "refuses us (Quota exceeded)",
        ),
        ((WELCOME[1],), TransportUnavailable, "refuses us (None)"),
    ],
)
def test_what_a_broker_answers_is_said(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, answers: Any, kind: type[Exception], reason: str
) -> None:
    client = Client(*answers)
    with pytest.raises(TransportUnavailable) as caught:
        connection(monkeypatch, client, "a").open()
    assert (type(caught.value), caught.value.reason, caught.value.source) == (kind, reason, "broker house:1884")
    assert client.asked[-2:] == ["disconnect", "stop"]


def without_encryption(message: str, reason: str | None) -> ssl.SSLError:
    error = ssl.SSLError(1, message)
    error.reason = reason
    return error


def a_certificate_that_does_not_hold() -> ssl.SSLCertVerificationError:
    error = ssl.SSLCertVerificationError(1, "odd words")
    error.verify_message = "self-signed certificate"
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (ConnectionRefusedError(errno.ECONNREFUSED, "Connection refused"), "Connection refused"),
        (TimeoutError("timed out"), "timed out"),
        (ValueError("Invalid host."), "Invalid host."),
        (OSError(), "no reason is given"),
        (ValueError(), "no reason is given"),
        (a_certificate_that_does_not_hold(), "its certificate does not hold (self-signed certificate)"),
        (without_encryption("[SSL] words", "WRONG_VERSION"), "no encrypted connection can be made (WRONG_VERSION)"),
        (without_encryption("words alone", None), "no encrypted connection can be made (words alone)"),
    ],
)
def test_why_a_broker_cannot_be_reached_is_said(
    monkeypatch: pytest.MonkeyPatch, clock: Clock, error: Exception, reason: str
) -> None:
    client = Client()
    client.refusal = error
    with pytest.raises(TransportUnavailable) as caught:
        connection(monkeypatch, client).open()
    assert caught.value.reason == reason
    assert client.asked[-2:] == ["disconnect", "stop"]


def test_a_client_is_one_of_a_kind_with_the_password_and_its_patience() -> None:
    client, other = (module._new_client(ADDRESS, 77) for _ in range(2))
    assert client._client_id.decode().startswith("companion-")
    assert len(client._client_id) == len("companion-") + 12
    assert client._client_id != other._client_id
    assert (client.connect_timeout, client.max_queued_messages) == (3.0, 77)
    assert (client._username, client._password) == (b"table", b"secret")
    assert (client._clean_session, client.suppress_exceptions, client._reconnect_on_failure) == (True, True, False)
    assert module._new_client(BrokerAddress("house"), 1)._username is None


def test_a_connection_lets_as_many_wait_as_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    most: list[int] = []
    monkeypatch.setattr(module, "_new_client", lambda _address, most_queued: most.append(most_queued) or Client())
    MqttConnection("x", ADDRESS, (), Dropped(), read)
    MqttConnection("x", ADDRESS, (), Dropped(), read, most_queued=5)
    assert most == [200, 5]


def test_publications_wait_until_they_are_acknowledged(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client = Client(*WELCOME)
    opened = connection(monkeypatch, client, "a")
    opened.open()
    assert opened.waiting == 0
    for payload in (b"1", b"2", b"3"):
        opened.publish(Publication("a", payload, 1, retain=True))
    assert client.published == [("a", payload, 1, True) for payload in (b"1", b"2", b"3")]
    client.on_publish(client, None, 1, None, None)
    assert opened.waiting == 2
    client.rc = mqtt.MQTT_ERR_QUEUE_SIZE
    with pytest.raises(TransportLost, match=r"^broker house:1884: Message queue full$"):
        opened.publish(Publication("a", b"4"))
    assert opened.waiting == 2


def test_after_the_end_nothing_is_published(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client = Client(*WELCOME)
    opened = connection(monkeypatch, client, "a")
    opened.open()
    client.hear("a", b"last words")
    client.on_disconnect(client, None, None, TIMEOUT, None)
    assert opened.receive(0) == ("a", b"last words", False)
    for ask in (lambda: opened.receive(0), lambda: opened.publish(Publication("a", b""))):
        with pytest.raises(TransportLost, match=r"the connection ended \(Keep alive timeout\)"):
            ask()
    assert client.published == []


def test_a_network_thread_that_has_ended_is_noticed(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client = Client()
    opened = connection(monkeypatch, client)
    thread = threading.Thread(target=lambda: client.on_connect(client, None, None, SUCCESS, None))
    thread.start()
    thread.join()
    with pytest.raises(TransportLost, match="the network thread has ended"):
        opened.receive(0)


def test_what_does_not_hold_is_counted_and_what_is_of_no_interest_is_not(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client, dropped = Client(*WELCOME), Dropped()
    opened = connection(monkeypatch, client, "a", dropped=dropped)
    opened.open()
    for payload in (b"odd", b"of no interest", b"sound"):
        client.hear("a", payload, retain=True)
    assert opened.receive(0) == ("a", b"sound", True)
    assert (dropped.count, dropped.reason) == (1, "a: is odd")


def test_a_sender_may_say_a_thousand_at_once_and_a_thousand_a_second(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client, dropped = Client(*WELCOME), Dropped()
    opened = connection(monkeypatch, client, "house/#", dropped=dropped, inbox_size=9000)
    opened.open()
    for _ in range(1001):
        client.hear("house/bell/deep/a")
    client.hear("house/bell/other")
    client.hear("house/bell/deep/a", retain=True)  # what is kept is handed out all at once
    client.hear("house/lamp")
    assert dropped.count == 2
    assert dropped.reason == "more messages on house/bell than a box can have to say"
    clock.now += 0.5
    for _ in range(501):
        client.hear("house/bell/a")
    assert dropped.count == 3
    received = 0
    while opened.receive(0) is not None:
        received += 1
    assert received == 1000 + 2 + 500


def test_of_a_sender_only_the_beginning_of_its_topic_is_said(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client, dropped = Client(*WELCOME), Dropped()
    opened = connection(monkeypatch, client, "#", dropped=dropped, inbox_size=9000)
    opened.open()
    for _ in range(1001):
        client.hear("x" * 100 + "/bell")
    assert dropped.reason == f"more messages on {'x' * 64} than a box can have to say"


def test_a_flood_is_not_listened_to_for_ten_seconds(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    client = Client(*WELCOME)
    opened = connection(monkeypatch, client, "house/bell/+", "house/bell/a/+", "house/lamp/+", inbox_size=9000)
    opened.open()
    for _ in range(1000 + 1999):
        client.hear("house/bell/a")
    assert len(client.asked) == 2
    client.hear("house/bell/a")
    assert client.asked[2:] == [("unsubscribe", ["house/bell/+", "house/bell/a/+"])]
    for _ in range(1000):
        opened.receive(0)
    clock.now += 9.99
    opened.receive(0)
    assert len(client.asked) == 3
    clock.now += 0.01
    opened.receive(0)
    assert client.asked[3:] == [("subscribe", [("house/bell/+", 1), ("house/bell/a/+", 1)])]
    clock.now += 20.0
    opened.receive(0)
    assert len(client.asked) == 4


def test_a_flood_on_a_topic_of_nobody_in_particular_is_only_counted(
    monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    client, dropped = Client(*WELCOME), Dropped()
    opened = connection(monkeypatch, client, "+/bell/+", dropped=dropped, inbox_size=9000)
    opened.open()
    for _ in range(1000 + 2500):
        client.hear("house/bell/a")
    assert len(client.asked) == 2
    assert dropped.count == 2500


def test_an_end_without_a_goodbye_shuts_the_wire(monkeypatch: pytest.MonkeyPatch, clock: Clock) -> None:
    own, other = socket.socketpair()
    client = Client()
    client.socket = lambda: own
    connection(monkeypatch, client).abandon()
    assert other.recv(1) == b""
    assert client.asked == ["stop"]
    own.close()
    other.close()
    client.socket = lambda: None
    connection(monkeypatch, client).abandon()


def test_small_packets_do_not_wait_for_one_another() -> None:
    with socket.socket() as wire:
        module._send_at_once(None, None, wire)
        assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
