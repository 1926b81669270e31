"""The programs that go onto boards, run as they are: one contract for the Uno and for MicroPython on both wires."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware_bridge.firmware.avr import AvrBuild
from firmware_bridge.mqtt.broker import Broker, start_broker
from firmware_bridge.protocol.messages import (
    UNACKNOWLEDGED_EDGES,
    Ack,
    Button,
    Buzz,
    HostBeat,
    HostHello,
    Led,
    LinkState,
    Nak,
    NakReason,
)
from firmware_bridge.serial.codec import cobs_encode, crc16, encode
from tests.firmware_bridge.rigs import AvrRig, MicroPythonMqttRig, MicroPythonSerialRig, Rig, SerialRig

EVERY_LED = frozenset({1, 2, 3, 4})
NOISE_RATE = 0.02

pytestmark = pytest.mark.hardware


def unstarted_rig(kind: str, request: pytest.FixtureRequest, noise_rate: float = 0.0, buttons: int = 4) -> Rig:
    if kind == "avr":
        return AvrRig(request.getfixturevalue("avr_build"), request.getfixturevalue("tmp_path"), noise_rate)
    request.getfixturevalue("micropython")
    if kind == "micropython-serial":
        return MicroPythonSerialRig(noise_rate, buttons)
    return MicroPythonMqttRig(request.getfixturevalue("running_broker"))


@pytest.fixture(scope="module")
def running_broker() -> Iterator[Broker]:
    broker = start_broker("own")
    yield broker
    broker.stop()


@pytest.fixture(params=["avr", "micropython-serial", "micropython-mqtt"])
def rig(request: pytest.FixtureRequest) -> Iterator[Rig]:
    rig = unstarted_rig(request.param, request)
    rig.start()
    yield rig
    rig.close()


@pytest.fixture(params=["avr", "micropython-serial"])
def serial_rig(request: pytest.FixtureRequest) -> Iterator[SerialRig]:
    rig = unstarted_rig(request.param, request)
    rig.start()
    yield rig
    rig.close()


@pytest.fixture(params=["avr", "micropython-serial"])
def noisy_rig(request: pytest.FixtureRequest) -> Iterator[SerialRig]:
    rig = unstarted_rig(request.param, request, NOISE_RATE, buttons=12)
    rig.start()
    yield rig
    rig.close()


def test_a_box_says_who_it_is(rig: Rig) -> None:
    hello = rig.hello
    assert (hello.protocol_min, hello.protocol_max, hello.firmware) == (1, 1, 0x0100)
    assert (hello.buttons, hello.leds, hello.oldest) == (4, 4, 0)
    assert any(hello.uid)


def test_presses_and_releases_are_heard(rig: Rig) -> None:
    for button in (1, 2, 3, 4, 4):
        rig.tap(button)
    assert [(edge.button, edge.pressed) for edge in rig.edges] == rig.numbered
    assert len(rig.edges) == 10


def test_fifteen_bounces_are_one_press(rig: Rig) -> None:
    rig.board.bounce(2, 15)
    rig.until(lambda: rig.edges)
    rig.pass_time(0.1)
    assert [(edge.button, edge.pressed) for edge in rig.edges] == [(2, True)]
    assert rig.numbered == [(2, True)]


def test_lamps_and_buzzer_do_what_they_are_told(rig: Rig) -> None:
    rig.link.set_led(1, True)
    rig.link.set_led(4, True)
    rig.until(lambda: rig.board.lit() == {1, 4})
    rig.link.set_led(1, False)
    rig.link.buzz(440, 100)
    rig.until(lambda: rig.board.lit() == {4} and rig.board.buzzes())
    (buzz,) = rig.board.buzzes()
    assert abs(buzz.hertz - 440) <= 2
    rig.until(lambda: rig.beat.lit == 0b1000)
    assert rig.link.refused_commands == rig.link.unanswered_commands == 0


def test_a_command_that_comes_again_is_answered_and_not_obeyed_again(rig: Rig) -> None:
    rig.host_is_away = True
    for message in (Led(901, 1, on=True), Led(902, 1, on=False), Led(901, 1, on=True), Led(903, 2, on=True)):
        rig.say(message)
    rig.until(lambda: [ack.seq for ack in rig.heard_of(Ack)[-4:]] == [901, 902, 901, 903])
    rig.until(lambda: rig.board.lit() == {2})
    rig.say(HostHello(1, 1, session=78))
    rig.say(Led(901, 1, on=True))
    rig.until(lambda: rig.board.lit() == {1, 2})


def test_what_cannot_be_done_is_refused(rig: Rig) -> None:
    rig.host_is_away = True
    rig.say(Led(800, 5, on=True))
    rig.until(lambda: Nak(800, rig.hello.boot, NakReason.REFUSED) in rig.heard)


def test_an_edge_comes_again_until_it_is_acknowledged(rig: Rig) -> None:
    rig.host_is_away = True
    rig.board.press(3)
    rig.until(lambda: len(rig.heard_of(Button)) >= 3)
    first, *others = rig.heard_of(Button)
    assert set(others) == {first}
    rig.say(Ack(first.seq, first.boot ^ 1))
    rig.until(lambda: len(rig.heard_of(Button)) >= len(others) + 3)
    rig.say(Ack(first.seq, first.boot))
    rig.until(lambda: rig.beat.pending == 0 and rig.beat.pressed == 0b100)


def test_without_a_host_lamps_flash_and_the_newest_presses_are_kept(rig: Rig) -> None:
    rig.link.set_led(2, True)
    rig.until(lambda: rig.board.lit() == {2})
    rig.host_is_away = True
    rig.link.buzz(1000, 5000)
    rig.until(lambda: rig.board.lit() == EVERY_LED)
    rig.until(lambda: rig.board.lit() == frozenset())
    for _ in range(10):
        rig.board.press(1)
        rig.pass_time(0.03)
        rig.board.release(1)
        rig.pass_time(0.03)
    rig.until(lambda: rig.beat.overruns == 4)
    assert (rig.beat.pending, rig.beat.lit) == (UNACKNOWLEDGED_EDGES, 0)
    quiet = len(rig.heard_of(Button))
    rig.pass_time(0.2)
    assert len(rig.heard_of(Button)) == quiet

    rig.host_is_away = False
    rig.until(lambda: len(rig.edges) == UNACKNOWLEDGED_EDGES)
    assert [(edge.button, edge.pressed) for edge in rig.edges] == [(1, True), (1, False)] * 8
    rig.until(lambda: rig.board.lit() == {2})


def test_a_box_that_starts_anew_goes_on(rig: Rig) -> None:
    rig.tap(1)
    before = rig.hello
    rig.board.reset()
    rig.until(lambda: rig.hello.boot != before.boot)
    rig.until(rig.is_ready)
    assert rig.hello.uid == before.uid
    rig.tap(2)
    assert [edge.button for edge in rig.edges] == [1, 1, 2, 2]


def test_a_box_can_be_unplugged_and_plugged_in(rig: Rig) -> None:
    rig.link.set_led(3, True)
    rig.until(lambda: rig.board.lit() == {3})
    before = rig.hello
    rig.unplug()
    rig.until(lambda: rig.link.state is LinkState.LOST and not rig.board.lit())
    rig.plug()
    rig.until(rig.is_ready)
    assert rig.hello.boot != before.boot
    assert rig.hello.uid == before.uid
    rig.until(lambda: rig.board.lit() == {3})
    rig.tap(1)


def test_damaged_bytes_lose_no_press_and_double_none(noisy_rig: SerialRig) -> None:
    noisy_rig.tap_often(300)
    given = [(edge.button, edge.pressed) for edge in noisy_rig.edges]
    assert len(given) == 600
    assert given == noisy_rig.numbered
    assert sum(noisy_rig.decoder.counts.damaged.values()) > 50
    assert noisy_rig.states.count(LinkState.LOST) == 0


NOT_UNDERSTOOD = (
    (0x26, b"\1\1", NakReason.VERSION),
    (0x12, b"\1\1\1\1", NakReason.VERSION),
    (0x1F, b"", NakReason.TYPE),
    (0x10, b"", NakReason.TYPE),
    (0x16, b"\1", NakReason.CONTENT),
    (0x16, b"\0\1", NakReason.CONTENT),
    (0x17, b"\1\0\1\0", NakReason.CONTENT),
    (0x18, bytes(60), NakReason.CONTENT),
    (0x02, b"", NakReason.CONTENT),
)
NOT_ANSWERED = ((0x19, b""), (0x29, b"\1\1\1"), (0x13, b""))


def test_what_is_not_understood_is_answered_so(serial_rig: SerialRig) -> None:
    serial_rig.host_is_away = True
    for seq, (kind, payload, _) in enumerate(NOT_UNDERSTOOD):
        serial_rig.say_bytes(raw_frame(kind, seq, payload))
        serial_rig.until(lambda seq=seq: len(serial_rig.heard_of(Nak)) == seq + 1)
    answers = [(nak.seq, nak.problem) for nak in serial_rig.heard_of(Nak)]
    assert answers == [(seq, problem) for seq, (_, _, problem) in enumerate(NOT_UNDERSTOOD)]
    for kind, payload in NOT_ANSWERED:
        serial_rig.say_bytes(raw_frame(kind, 99, payload))
    serial_rig.say(Led(700, 1, on=True))
    serial_rig.until(lambda: Ack(700, serial_rig.hello.boot) in serial_rig.heard)
    assert len(serial_rig.heard_of(Nak)) == len(answers)


def raw_frame(kind: int, seq: int, payload: bytes) -> bytes:
    body = bytes([kind, 1]) + seq.to_bytes(2, "little") + payload
    return b"\0" + cobs_encode(body + crc16(body).to_bytes(2, "little")) + b"\0"


def test_noise_of_any_length_is_nothing(serial_rig: SerialRig) -> None:
    serial_rig.host_is_away = True
    for noise in (bytes(range(256)) * 4, b"\0" * 300, b"\xff" * 300, b"\0\5\1\0\0\2\0", b"\0\1\1\1\1\1\1\1\0"):
        serial_rig.say_bytes(noise)
        serial_rig.pass_time(0.15)
    serial_rig.say(Led(700, 1, on=True))
    serial_rig.until(lambda: Ack(700, serial_rig.hello.boot) in serial_rig.heard)


def test_damaged_frames_are_not_obeyed(serial_rig: SerialRig) -> None:
    serial_rig.host_is_away = True
    sound = encode(1, Led(703, 1, on=True)).strip(b"\0")
    for at in range(len(sound)):
        for bit in (1, 0x80):
            damaged = bytearray(sound)
            damaged[at] ^= bit
            serial_rig.say_bytes(b"\0" + damaged + b"\0")
        serial_rig.step()
    serial_rig.say(Led(704, 2, on=True))
    serial_rig.until(lambda: serial_rig.board.lit() == {2} and Ack(704, serial_rig.hello.boot) in serial_rig.heard)
    assert [ack.seq for ack in serial_rig.heard_of(Ack) if ack.seq > 700] == [704]


def test_frames_for_other_boxes_are_not_obeyed(serial_rig: SerialRig) -> None:
    serial_rig.host_is_away = True
    serial_rig.box = "2"
    serial_rig.say(Led(701, 1, on=True))
    serial_rig.box = "1"
    serial_rig.say(Led(702, 2, on=True))
    serial_rig.until(lambda: serial_rig.board.lit() == {2} and Ack(702, serial_rig.hello.boot) in serial_rig.heard)
    assert [ack.seq for ack in serial_rig.heard_of(Ack) if ack.seq > 700] == [702]


class TestOnABroker:
    @pytest.fixture
    def rig(self, micropython: str, broker: Broker) -> Iterator[MicroPythonMqttRig]:
        rig = MicroPythonMqttRig(broker)
        rig.start()
        yield rig
        rig.close()

    def test_presses_survive_a_broker_that_is_killed(self, rig: MicroPythonMqttRig) -> None:
        rig.tap(1)
        rig.broker.stop()
        rig.board.press(2)
        rig.restart_broker()
        rig.until(lambda: len(rig.edges) == 3)
        rig.board.release(2)
        rig.until(lambda: len(rig.edges) == 4)
        assert [(edge.button, edge.pressed) for edge in rig.edges] == [(1, True), (1, False), (2, True), (2, False)]

    def test_what_is_not_understood_is_answered_so(self, rig: MicroPythonMqttRig) -> None:
        rig.host_is_away = True
        publications = [
            ("cmd/dance", b'{"seq":5}'),
            ("cmd/led/1", b'{"seq":5,"on":1}'),
            ("cmd/led/x", b'{"seq":5,"on":true}'),
            ("cmd/led/17", b'{"seq":5,"on":true}'),
            ("cmd/buzzer", b'{"seq":5,"hertz":19,"ms":1}'),
            ("cmd/hello", b'{"seq":5}'),
            ("cmd/hello", b'{"seq":5,"protocol":[[],{}],"session":true}'),
        ]
        rig.publish(publications)
        rig.until(lambda: len(rig.heard_of(Nak)) == len(publications))
        assert {nak.seq for nak in rig.heard_of(Nak)} == {5}

    def test_hostile_payloads_are_dropped(self, rig: MicroPythonMqttRig) -> None:
        rig.host_is_away = True
        payloads = (
            b'{"seq":-5,"on":true}', b'{"seq":5e9,"on":true}', b"[" * 400, b'{"a":' * 80, bytes(range(256)), b"null",
            b"", b'{"seq":5,"on":true}' + b" " * 600, b'{"seq":5,"on":true}' + b" " * 3000,
        )  # fmt: skip
        rig.publish([("cmd/led/1", payload) for payload in payloads] + [("ack", b'{"seq":5,"boot":7}'), ("ack", b"{}")])
        rig.say(Led(700, 2, on=True))
        rig.until(lambda: rig.board.lit() == {2} and Ack(700, rig.hello.boot) in rig.heard)
        assert rig.heard_of(Nak) == []


def test_boards_are_told_apart_and_know_themselves(avr_build: AvrBuild, tmp_path: Path) -> None:
    hellos = []
    for name, seed in (("one", 1), ("other", 2), ("one", 3)):
        folder = tmp_path / name
        folder.mkdir(exist_ok=True)
        rig = AvrRig(avr_build, folder, seed=seed)
        rig.start()
        hellos.append(rig.hello)
        rig.close()
    one, other, again = hellos
    assert one.uid == again.uid != other.uid
    assert one.boot != again.boot


def test_the_uno_has_memory_to_spare(avr_build: AvrBuild, tmp_path: Path) -> None:
    rig = AvrRig(avr_build, tmp_path, NOISE_RATE)
    rig.start()
    rig.tap_often(40)
    unused = rig.board.unused_memory()
    rig.tap_often(40)
    assert rig.board.unused_memory() == unused > 512
    rig.close()


def test_the_time_of_an_edge_is_when_the_contact_came_to_rest(avr_build: AvrBuild, tmp_path: Path) -> None:
    rig = AvrRig(avr_build, tmp_path)
    rig.start()
    rig.pass_time(0.5)
    pressed_at = rig.now
    rig.host_is_away = True
    rig.board.press(1)
    rig.pass_time(1.0)
    rig.host_is_away = False
    rig.until(lambda: rig.edges)
    assert abs(rig.edges[0].at - pressed_at) < 0.01
    rig.close()


def test_a_host_that_stops_in_the_middle_of_a_tone_silences_it(avr_build: AvrBuild, tmp_path: Path) -> None:
    rig = AvrRig(avr_build, tmp_path)
    rig.start()
    rig.say(Buzz(900, 440, 5000))
    rig.say(HostBeat())
    rig.host_is_away = True
    rig.until(rig.board.buzzes)
    (buzz,) = rig.board.buzzes()
    assert 2900 <= buzz.duration_ms <= 3100
    rig.close()
