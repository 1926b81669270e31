"""One contract for every transport, and what is particular to each."""

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Generic, TypeVar

import pytest

from firmware_bridge.errors import NotAuthorised, TransportLost, TransportUnavailable
from firmware_bridge.mqtt import connection as mqtt_connection
from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.mqtt.codec import publication
from firmware_bridge.mqtt.connection import MqttConnection
from firmware_bridge.mqtt.home_assistant import announcement
from firmware_bridge.mqtt.transport import MqttTransport
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.messages import (
    Ack,
    Availability,
    Beat,
    Button,
    Buzz,
    Hello,
    HostBeat,
    HostHello,
    Led,
    Nak,
    NakReason,
    TextButton,
)
from firmware_bridge.serial.codec import DELIMITER, encode
from firmware_bridge.serial.transport import SerialTransport
from firmware_bridge.transports.transport import INBOX_SIZE, Dropped, Received, Transport
from tests.firmware_bridge.far_ends import FarEnd, MqttFarEnd, SerialFarEnd, VirtualFarEnd
from tests.firmware_bridge.waiting import HANG, eventually

F = TypeVar("F", bound=FarEnd)

FROM_BOX = [
    Hello(1, 1, 0x0100, 4, 4, 0, 0, 0xA3F1, 5, 1000, b"12345678"),
    Button(5, 0xA3F1, 5, 2, True, 12345),
    Button(6, 0xA3F1, 5, 2, False, 12445),
    Beat(0xA3F1, 13000, 0b10, 0, 5, 2, 0),
    Ack(3, 0xA3F1),
    Nak(4, 0xA3F1, NakReason.REFUSED),
]
FROM_HOST = [
    HostHello(1, 1, 77),
    HostBeat(),
    Led(1, 3, on=True),
    Led(2, 3, on=False),
    Buzz(3, 880, 200),
    Ack(5, 0xA3F1),
    Nak(6, 0xA3F1, NakReason.TYPE),
]


def drained(transport: Transport) -> list[Received]:
    received = []
    while (one := transport.receive(0.3)) is not None:
        received.append(one)
    return received


def receive_for_ever(transport: Transport) -> None:
    for _ in range(round(HANG / 0.1)):
        transport.receive(0.1)


def send_for_ever(transport: Transport) -> None:
    for _ in range(10_000):
        transport.send("7", FROM_HOST[0])


class TransportContract(Generic[F]):
    @pytest.fixture
    def far_end(self) -> Iterator[F]:
        raise NotImplementedError

    @pytest.fixture
    def transport(self, far_end: F) -> Iterator[Transport]:
        far_end.transport.open()
        yield far_end.transport
        far_end.transport.close()

    def test_what_a_box_says_is_received_in_order(self, far_end: F, transport: Transport) -> None:
        for message in FROM_BOX:
            far_end.say(message)
        received = [transport.receive(HANG) for _ in FROM_BOX]
        assert received == [Received(far_end.box, message) for message in FROM_BOX]

    def test_what_is_sent_is_heard_in_order(self, far_end: F, transport: Transport) -> None:
        for message in FROM_HOST:
            transport.send(far_end.box, message)
        assert [far_end.hear() for _ in FROM_HOST] == FROM_HOST

    def test_silence_is_no_error(self, transport: Transport) -> None:
        assert transport.receive(0.01) is None

    def test_nothing_to_open_is_said(self, far_end: F) -> None:
        far_end.vanish()
        with pytest.raises(TransportUnavailable) as caught:
            far_end.transport.open()
        assert caught.value.source == far_end.transport.name
        assert "\n" not in str(caught.value)
        far_end.come_back()

    def test_a_wire_that_ends_gives_first_what_came_before(self, far_end: F, transport: Transport) -> None:
        far_end.say(FROM_BOX[1])
        eventually(lambda: transport.receive(0.01) == Received(far_end.box, FROM_BOX[1]))
        far_end.vanish()
        with pytest.raises(TransportLost):
            receive_for_ever(transport)
        with pytest.raises(TransportLost):
            transport.send(far_end.box, HostBeat())
        far_end.come_back()

    def test_it_can_be_opened_again(self, far_end: F, transport: Transport) -> None:
        far_end.vanish()
        with pytest.raises(TransportLost):
            receive_for_ever(transport)
        transport.close()
        far_end.come_back()
        transport.open()
        far_end.say(FROM_BOX[1])
        assert transport.receive(HANG) == Received(far_end.box, FROM_BOX[1])
        transport.send(far_end.box, HostBeat())
        assert far_end.hear() == HostBeat()

    def test_closing_is_safe_at_any_time(self, far_end: F) -> None:
        transport = far_end.transport
        transport.close()
        for _ in range(20):
            transport.open()
            transport.close()
            transport.close()
        with pytest.raises(TransportLost):
            transport.receive(0)
        with pytest.raises(TransportLost):
            transport.send(far_end.box, HostBeat())

    def test_a_flood_is_bounded_and_ends(self, far_end: F, transport: Transport) -> None:
        for _ in range(2 * INBOX_SIZE):
            far_end.say(FROM_BOX[3])
        eventually(lambda: transport.dropped.count)
        received = len(drained(transport))
        far_end.say(FROM_BOX[1])
        while (one := transport.receive(HANG)) == Received(far_end.box, FROM_BOX[3]):
            received += 1  # on a busy machine the flood may still have been on its way
        assert one == Received(far_end.box, FROM_BOX[1])
        assert received <= 2 * INBOX_SIZE


class TestVirtualTransport(TransportContract[VirtualFarEnd]):
    @pytest.fixture
    def far_end(self) -> Iterator[VirtualFarEnd]:
        far_end = VirtualFarEnd()
        yield far_end
        far_end.close()


class TestSerialTransport(TransportContract[SerialFarEnd]):
    @pytest.fixture
    def far_end(self, tmp_path: Path) -> Iterator[SerialFarEnd]:
        far_end = SerialFarEnd(tmp_path)
        yield far_end
        far_end.close()

    def test_noise_is_counted_and_the_next_frame_read(self, far_end: SerialFarEnd, transport: Transport) -> None:
        far_end.write(b"noise" + DELIMITER + bytes(range(1, 255)) * 3 + encode(7, FROM_BOX[1]))
        assert transport.receive(HANG) == Received("7", FROM_BOX[1])
        assert sum(transport.counts.damaged.values()) == 1

    def test_a_frame_from_no_box_is_dropped(self, far_end: SerialFarEnd, transport: Transport) -> None:
        far_end.write(encode(0, FROM_BOX[1]) + encode(255, FROM_BOX[1]) + encode(8, FROM_BOX[1]))
        assert transport.receive(HANG) == Received("8", FROM_BOX[1])
        assert transport.dropped.count == 2
        assert "a frame from box 255" in transport.dropped.reason

    def test_a_port_belongs_to_one_program(self, far_end: SerialFarEnd, transport: Transport) -> None:
        second = SerialTransport(transport.name.removeprefix("serial:"))
        with pytest.raises(TransportUnavailable, match="is in use by another program"):
            second.open()

    def test_a_port_that_takes_nothing_is_lost(self, transport: Transport) -> None:
        with pytest.raises(TransportLost, match="takes no more bytes"):
            send_for_ever(transport)

    def test_plain_text_is_answered_in_plain_text(self, far_end: SerialFarEnd, transport: Transport) -> None:
        far_end.write(b"BTN 2 DOWN\n")
        assert transport.receive(HANG) == Received("0", TextButton(2, pressed=True))
        for message in (HostBeat(), Led(1, 2, on=True)):
            transport.send("0", message)
        assert far_end.read() == b"LED 2 ON\n"

    def test_what_is_no_port_says_so(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("not a port", encoding="ascii")
        for path in (tmp_path / "file", tmp_path, Path("/dev/null")):
            with pytest.raises(TransportUnavailable, match="is no serial port"):
                SerialTransport(str(path)).open()
        with pytest.raises(TransportUnavailable, match="is not there"):
            SerialTransport(str(tmp_path / "nothing")).open()


class TestMqttTransport(TransportContract[MqttFarEnd]):
    @pytest.fixture
    def far_end(self, broker: Broker) -> Iterator[MqttFarEnd]:
        far_end = MqttFarEnd(broker)
        yield far_end
        far_end.close()

    def test_a_retained_press_is_dropped(self, far_end: MqttFarEnd) -> None:
        press = publication("blue", FROM_BOX[1], by_host=False)
        far_end.publish(press.topic, press.payload, retain=True)
        far_end.transport.open()
        far_end.say(FROM_BOX[2])
        assert far_end.transport.receive(HANG) == Received("blue", FROM_BOX[2])
        eventually(lambda: far_end.transport.dropped.count)
        assert "is retained" in far_end.transport.dropped.reason
        far_end.transport.close()

    def test_the_availability_is_known_at_once(self, far_end: MqttFarEnd) -> None:
        far_end.publish("tabletop/blue/state", b"online", retain=True)
        far_end.publish("tabletop/red/state", b"online", retain=True)
        far_end.transport.open()
        assert far_end.transport.receive(HANG) == Received("blue", Availability(online=True))
        far_end.transport.close()

    def test_hostile_payloads_are_counted_and_the_next_message_read(
        self, far_end: MqttFarEnd, transport: Transport
    ) -> None:
        hostile = [
            b"", b"\xff\x00\xfe", b"x" * 4000, b"[" * 2000, b'{"seq":' * 300, b"null", b'{"seq":1e999}',
            json.dumps({"event_type": ["press"], "seq": {}, "boot": 1, "oldest": "", "t_ms": None}).encode(),
        ]  # fmt: skip
        for payload in hostile:
            far_end.publish("tabletop/blue/event/button_1", payload)
            far_end.publish("tabletop/blue/hello", payload)
        far_end.say(FROM_BOX[1])
        assert transport.receive(HANG) == Received("blue", FROM_BOX[1])
        assert transport.dropped.count == 2 * len(hostile)

    def test_an_exception_in_a_callback_does_not_end_the_connection(
        self, far_end: MqttFarEnd, transport: MqttTransport
    ) -> None:
        client = transport._connection._client
        sound, raised = client.on_message, []

        def failing(*_: object) -> None:
            raised.append(True)
            raise RuntimeError("a mistake of ours")

        client.on_message = failing
        far_end.say(FROM_BOX[1])
        eventually(lambda: raised)
        client.on_message = sound
        far_end.say(FROM_BOX[2])
        assert transport.receive(HANG) == Received("blue", FROM_BOX[2])

    def test_every_box_is_greeted_at_once(self, far_end: MqttFarEnd) -> None:
        transport = MqttTransport(far_end.transport._address, ["red", "blue"])
        transport.open()
        transport.send("0", FROM_HOST[0])
        assert far_end.hear() == FROM_HOST[0]
        transport.close()

    def test_a_sender_that_floods_is_not_listened_to_for_a_while(
        self, far_end: MqttFarEnd, transport: Transport, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(mqtt_connection, "MUTED_AFTER", 50)
        monkeypatch.setattr(mqtt_connection, "MUTED_SECONDS", 0.3)
        for _ in range(3 * INBOX_SIZE):
            far_end.say(FROM_BOX[3])
        eventually(lambda: transport._connection._muted)
        drained(transport)
        eventually(lambda: transport.receive(0.01) is None and not transport._connection._muted)

        def is_heard() -> bool:
            far_end.say(FROM_BOX[1])
            return transport.receive(0.05) == Received(far_end.box, FROM_BOX[1])

        eventually(is_heard)

    def test_a_box_that_greets_is_announced_to_home_assistant(self, far_end: MqttFarEnd, transport: Transport) -> None:
        topic = f"homeassistant/device/tabletop_{far_end.box}/config"
        said = (topic, announcement(far_end.box, FROM_BOX[0]).payload)
        early, late = (self.home_assistant(far_end, topic) for _ in range(2))
        early.open()
        far_end.say(FROM_BOX[0])
        far_end.say(FROM_BOX[0])
        for _ in range(2):
            received = transport.receive(HANG)
            assert received is not None
            assert isinstance(received.content, Hello)
            transport.introduce(received.box, received.content)
        transport.send(far_end.box, HostBeat())
        assert far_end.hear() == HostBeat()  # the broker answers in order, so it has what was published before
        late.open()
        assert late.receive(HANG) == (*said, True)
        far_end.publish(topic, b"the end")
        assert [early.receive(HANG) for _ in range(2)] == [(*said, False), (topic, b"the end", False)]
        assert late.receive(HANG) == (topic, b"the end", False)
        for listener in (early, late):
            listener.close()

    @staticmethod
    def home_assistant(far_end: MqttFarEnd, topic: str) -> MqttConnection[tuple[str, bytes, bool]]:
        return MqttConnection("home assistant", far_end.transport._address, [topic], Dropped(), lambda *said: said)

    def test_a_wrong_password_is_said_and_final(self, far_end: MqttFarEnd, mosquitto: Broker) -> None:
        right = mosquitto.address
        wrong = BrokerAddress(right.host, right.port, right.username, "guess")
        with pytest.raises(NotAuthorised, match="check the user name and the password"):
            MqttTransport(wrong, ["blue"]).open()
        assert "guess" not in repr(wrong)

    def test_a_broker_that_ends_the_connection_at_once_has_not_refused_the_password(self) -> None:
        welcome = bytes((0x20, 2, 0, 0))
        with socket.create_server(("127.0.0.1", 0)) as server:

            def answer() -> None:
                wire, _address = server.accept()
                with wire:
                    wire.recv(1000)
                    wire.sendall(welcome)
                    wire.recv(1000)

            thread = threading.Thread(target=answer)
            thread.start()
            address = BrokerAddress("127.0.0.1", server.getsockname()[1])
            with pytest.raises(TransportUnavailable) as raised:
                MqttTransport(address, ["blue"]).open()
            thread.join()
        assert raised.value.reason == "the connection ended (the broker did not say why)"
        assert not isinstance(raised.value, NotAuthorised)

    def test_a_host_that_is_no_broker_is_said(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(mqtt_connection, "ANSWER_TIMEOUT", 0.2)
        with socket.create_server(("127.0.0.1", 0)) as silent:
            address = BrokerAddress("127.0.0.1", silent.getsockname()[1])
            with pytest.raises(TransportUnavailable, match="does not answer; is it an MQTT broker"):
                MqttTransport(address, ["blue"]).open()
