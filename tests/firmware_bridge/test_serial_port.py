"""A serial port in its place and simulated boxes on wires that do what a test says."""

import errno
import os
import termios
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import serial

from firmware_bridge import pseudo_terminal
from firmware_bridge.errors import TransportLost, TransportUnavailable
from firmware_bridge.mqtt.codec import Publication, publication
from firmware_bridge.protocol.addresses import BrokerAddress
from firmware_bridge.protocol.clock import BoxClock
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
)
from firmware_bridge.pseudo_terminal import open_pseudo_terminal
from firmware_bridge.serial import transport as module
from firmware_bridge.serial.codec import Decoder, encode
from firmware_bridge.serial.transport import SerialTransport
from firmware_bridge.simulators import mqtt_box
from firmware_bridge.simulators.box import SimulatedBox
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import Noise, SerialBoxSimulator
from firmware_bridge.transports.virtual import VirtualTransport, virtual_wire
from tests.firmware_bridge.far_ends import SerialFarEnd
from tests.firmware_bridge.scripted import ScriptedBroker, lost, without_threads
from tests.firmware_bridge.waiting import HANG, eventually


class Port:
    """A port of pyserial in its place."""

    in_waiting = 0

    def __init__(self, *reads: Any, refusal: Exception | None = None) -> None:
        self.reads, self.refusal = list(reads), refusal
        self.written: list[bytes] = []
        self.did: list[object] = []

    def __call__(self, *arguments: Any, **options: Any) -> "Port":
        self.did.append((arguments, options))
        if self.refusal is not None:
            raise self.refusal
        return self

    def read(self, size: int) -> bytes:
        what = self.reads.pop(0) if self.reads else b""
        if isinstance(what, Exception):
            raise what
        return what

    def write(self, data: bytes) -> None:
        if self.refusal is not None:
            raise self.refusal
        self.written.append(data)

    def cancel_read(self) -> None:
        self.did.append("cancelled")

    def close(self) -> None:
        self.did.append("closed")


def opened(monkeypatch: pytest.MonkeyPatch, port: Port) -> SerialTransport:
    monkeypatch.setattr(module.serial, "Serial", port)
    transport = SerialTransport("/dev/ttyACM0")
    transport.open()
    return transport


def test_a_port_is_opened_as_the_boxes_speak_and_for_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    port = Port()
    transport = opened(monkeypatch, port)
    transport.send("3", HostBeat())
    transport.close()
    transport.close()
    assert port.did == [
        (("/dev/ttyACM0", 115_200), {"timeout": 0.1, "write_timeout": 0.5, "exclusive": True}), "cancelled", "closed",
    ]  # fmt: skip
    assert port.written == [encode(3, HostBeat())]


def beneath(number: int) -> serial.SerialException:
    """pyserial's own error for one of the system that it met."""
    error = serial.SerialException("odd words")
    error.__context__ = OSError(number, "odd words beneath")
    return error


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (serial.SerialException(errno.ENOENT, "odd"), "is not there"),
        (OSError(errno.EACCES, "odd"), "may not be opened by this user (on Debian and Ubuntu: the group dialout)"),
        (OSError(errno.EAGAIN, "odd"), "is in use by another program"),
        (OSError(errno.EBUSY, "odd"), "is in use by another program"),
        (beneath(errno.ENOTTY), "is no serial port"), (OSError(errno.EISDIR, "odd"), "is no serial port"),
        (serial.SerialException("first line\nsecond"), "first line"), (ValueError("odd rate"), "odd rate"),
        (serial.SerialException(), "no reason is given"), (termios.error(errno.ENOTTY, "odd"), "(25, 'odd')"),
    ],
)  # fmt: skip
def test_why_a_port_cannot_be_opened_is_said(monkeypatch: pytest.MonkeyPatch, error: Exception, reason: str) -> None:
    with pytest.raises(TransportUnavailable) as caught:
        opened(monkeypatch, Port(refusal=error))
    assert (caught.value.reason, caught.value.source) == (reason, "serial:/dev/ttyACM0")


@pytest.mark.parametrize(
    "error",
    [
        serial.SerialException("gone"),
        OSError(errno.EIO, "gone"),
        TypeError("gone"),
        termios.error(5, "gone"),
        ValueError(),
    ],
)
def test_a_port_that_is_pulled_is_lost_by_whatever_it_raises(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    transport = opened(monkeypatch, Port(encode(3, HostBeat()), error))
    assert transport.receive(HANG).content == HostBeat()
    with pytest.raises(TransportLost, match=r"^serial:/dev/ttyACM0: was unplugged$"):
        transport.receive(HANG)
    transport.close()
    port = Port()
    transport = opened(monkeypatch, port)
    port.refusal = error
    with pytest.raises(TransportLost, match=r"^serial:/dev/ttyACM0: was unplugged$"):
        transport.send("3", HostBeat())
    port.refusal = serial.SerialTimeoutException("Write timeout")
    with pytest.raises(TransportLost, match=r"^serial:/dev/ttyACM0: takes no more bytes$"):
        transport.send("3", HostBeat())
    transport.close()
    with pytest.raises(TransportLost, match=r"^serial:/dev/ttyACM0: is not open$"):
        transport.send("3", HostBeat())
    with pytest.raises(TransportLost, match=r"^serial:/dev/ttyACM0: is not open$"):
        transport.receive(0)


def test_a_port_that_is_opened_again_knows_nothing_of_what_was_there_before(tmp_path: Path) -> None:
    far_end = SerialFarEnd(tmp_path)
    transport = far_end.transport
    transport.open()
    far_end.write(b"BTN 1 DOWN\nBTN 2 DO")
    assert transport.receive(HANG) is not None
    assert transport.counts.lines == 1
    transport.close()
    transport.open()
    assert transport.counts.lines == 0
    transport.send("7", HostBeat())
    assert far_end.hear() == HostBeat()
    transport.close()
    far_end.close()


def test_a_box_may_say_a_thousand_at_once_and_the_others_are_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: 5.0))
    transport = opened(monkeypatch, Port(encode(3, HostBeat()) * 1001 + encode(254, HostBeat())))
    eventually(lambda: transport.dropped.count == 2)  # the inbox holds a thousand, too
    transport.close()
    transport = opened(monkeypatch, Port(encode(3, HostBeat()) * 2))
    eventually(lambda: transport._inbox._queue.qsize() == 2)
    assert transport.dropped.count == 0
    transport.close()


def test_who_has_no_number_of_a_box_is_dropped_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    transport = opened(monkeypatch, Port(encode(255, HostBeat()) + encode(254, HostBeat()) + encode(0, HostBeat())))
    assert transport.receive(HANG).box == "254"
    eventually(lambda: transport.dropped.count == 2)
    assert transport.dropped.reason == "a frame from box 0; boxes have numbers from 1 to 254"
    transport.close()


def test_what_is_kept_of_a_line_and_of_a_frame_without_an_end_is_bounded() -> None:
    decoder = Decoder()
    for data in (b"x" * 100, b"x" * 100):
        decoder.feed(data)
    assert (len(decoder._line), len(decoder._frame)) == (33, 68)


@pytest.mark.parametrize(
    ("error", "why"), [(OSError(errno.ENODEV, "No such device"), "No such device"), (OSError("odd"), "odd")]
)
def test_why_no_pseudo_terminal_can_be_opened(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, error: OSError, why: str
) -> None:
    def refused() -> tuple[int, int]:
        raise error

    monkeypatch.setattr(pseudo_terminal.os, "openpty", refused)
    with pytest.raises(TransportUnavailable) as caught:
        open_pseudo_terminal(tmp_path / "port")
    assert str(caught.value) == f"/dev/pts: no pseudo-terminal can be opened for a simulated box ({why})"


def test_a_pseudo_terminal_changes_no_byte_and_its_end_of_ours_never_waits(tmp_path: Path) -> None:
    own, other = open_pseudo_terminal(tmp_path / "port")
    every = bytes(range(256))
    os.write(own, every)
    assert os.read(other, 300) == every
    os.write(other, every)
    assert os.read(own, 300) == every
    with pytest.raises(BlockingIOError):
        os.read(own, 1)
    assert Path(tmp_path / "port").readlink() == Path(os.ttyname(other))
    os.close(own)
    os.close(other)


def descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


def test_a_simulated_box_without_power_does_nothing_and_leaves_nothing_open() -> None:
    before = descriptors()
    with SerialBoxSimulator(boxes=2) as simulator:
        path = Path(simulator.path)
        simulator.press(1, box=2)
        assert (simulator.pending(2), simulator.pending(1)) == (1, 0)
        simulator.unplug()
        simulator.unplug()
        assert not path.exists()
        simulator.tap(1)
        assert (simulator.pending(2), simulator.lit(2), simulator.buzzes(2)) == (0, frozenset(), ())
        simulator.plug()
        simulator.plug()
        assert path.exists()
        assert simulator.uid(1)[:7] == simulator.uid(2)[:7]
        assert [simulator.uid(box)[7] for box in (1, 2)] == [1, 2]
    simulator.close()
    assert descriptors() == before
    assert not path.parent.exists()


def test_noise_damages_as_many_bytes_as_it_counts_and_the_same_ones_again() -> None:
    data = bytes(range(200)) * 50
    one, other = Noise(0.1, 3), Noise(0.1, 3)
    noisy = one(data)
    assert noisy == other(data)
    changed = sum(a != b for a, b in zip(data, noisy, strict=True))
    assert 0 <= one.damaged - changed <= 20  # a byte may be replaced by itself
    assert 800 < one.damaged < 1200
    quiet = Noise(0.0, 3)
    assert (quiet(data), quiet.damaged) == (data, 0)


def test_the_end_of_a_wire_that_nobody_opened_can_be_closed() -> None:
    host, boxes = virtual_wire()
    boxes.close()
    with pytest.raises(TransportUnavailable, match=r"^virtual: nothing is at the other end$"):
        host.open()
    boxes.open()
    boxes.send("1", HostBeat())
    boxes.close()
    boxes.open()
    host.open()
    boxes.close()
    with pytest.raises(TransportLost, match=r"^virtual: the other end is gone$"):
        host.receive(0)
    host.close()
    with pytest.raises(TransportLost, match=r"^virtual: is not open$"):
        host.receive(0)
    with pytest.raises(TransportLost, match=r"^virtual: is not open$"):
        host.send("1", HostBeat())


def test_an_end_of_no_wire_hears_nobody() -> None:
    lonely = VirtualTransport("lonely")
    lonely.open()
    lonely.send("1", HostBeat())
    assert lonely.receive(0) is None
    lonely.close()
    lonely.close()


def simulated(**options: Any) -> SimulatedBox:
    return SimulatedBox(100.0, boot=7, **options)


def edges(messages: list[Any]) -> list[int]:
    return [message.seq for message in messages if isinstance(message, Button)]


def test_a_simulated_box_introduces_itself_in_full() -> None:
    box = simulated(buttons=3, leds=2, first_seq=9, uid=b"abcdefgh")
    box.introduce(100.5)
    assert box.take_messages() == [Hello(1, 1, 0x0100, 3, 2, 0, 0, 7, 9, 500, b"abcdefgh")]


def test_a_simulated_box_has_four_buttons_and_lamps_unless_it_is_said_otherwise() -> None:
    box = simulated()
    box.introduce(100.0)
    assert box.take_messages() == [Hello(1, 1, 0x0100, 4, 4, 0, 0, 7, 0, 0, b"simulate")]
    far_end = os.open((simulator := SerialBoxSimulator()).path, os.O_RDWR | os.O_NOCTTY)
    os.write(far_end, encode(0, HostHello(1, 1, 5)))
    decoder, frames = Decoder(), []
    while not frames:
        frames += [frame for frame in decoder.feed(os.read(far_end, 4096)) if isinstance(frame.message, Hello)]
    assert {frame.box for frame in frames} == {1}
    assert (frames[0].message.buttons, frames[0].message.uid) == (4, simulator.uid())
    os.close(far_end)
    simulator.close()
    assert simulator.damaged_bytes == 0


def test_a_simulated_box_beats_once_a_second_with_all_it_knows() -> None:
    box = simulated()
    box.tick(100.99)
    assert box.take_messages() == []
    box.receive(HostHello(1, 1, 5), 100.99)
    box.receive(Led(1, 3, True), 100.99)
    box.press(2, 100.99)
    box.take_messages()
    box.tick(101.0)
    assert [each for each in box.take_messages() if isinstance(each, Beat)] == [Beat(7, 1000, 0b10, 0b100, 0, 1, 0)]
    box.tick(101.99)
    assert not [each for each in box.take_messages() if isinstance(each, Beat)]
    box.tick(105.5)
    box.tick(105.75)
    box.tick(106.5)
    assert [each.uptime_ms for each in box.take_messages() if isinstance(each, Beat)] == [5500, 5750, 6500]


def test_an_edge_comes_again_until_it_is_acknowledged_and_a_host_is_there() -> None:
    box = simulated()
    box.press(1, 100.0)
    assert edges(box.take_messages()) == []  # no host was heard
    box.receive(HostBeat(), 100.1)
    assert edges(box.take_messages()) == [0]
    box.tick(100.14)
    assert edges(box.take_messages()) == []
    box.tick(100.15)
    assert edges(box.take_messages()) == [0]
    box.receive(Ack(0, 8), 100.3)
    assert (edges(box.take_messages()), box.pending) == ([0], 1)
    box.receive(Ack(1, 7), 100.4)
    assert box.pending == 1
    box.receive(HostHello(1, 1, 5), 100.41)
    assert edges(box.take_messages()) == [0, 0]
    box.receive(Nak(0, 7, NakReason.CONTENT), 100.5)
    assert box.pending == 0


@pytest.mark.parametrize(("silent_for", "is_there"), [(3.0, True), (3.01, False)])
def test_a_box_without_a_host_puts_its_lamps_out_and_sends_no_edge(silent_for: float, is_there: bool) -> None:
    box = simulated()
    box.receive(Led(1, 2, True), 100.0)
    box.take_messages()
    box.press(1, 100.0 + silent_for)
    assert (box.lit == {2}, bool(edges(box.take_messages()))) == (is_there, is_there)


def test_a_box_keeps_sixteen_edges_and_counts_those_it_drops() -> None:
    box = simulated(first_seq=65_530)
    for _ in range(9):
        box.press(1, 100.0)
        box.press(1, 100.0)  # it is down already
        box.release(1, 100.0)
        box.release(1, 100.0)
    assert (box.pending, box.overruns) == (16, 2)
    box.receive(HostBeat(), 100.1)
    sent = [each for each in box.take_messages() if isinstance(each, Button)]
    assert [each.seq for each in sent] == [*range(65_532, 65_536), *range(12)]
    assert {each.oldest for each in sent} == {65_532}
    assert [each.pressed for each in sent] == [True, False] * 8


def test_a_box_drops_an_edge_that_is_far_behind_its_newest() -> None:
    box = simulated()
    box.receive(HostBeat(), 100.0)
    for count in range(260):
        (box.press if count % 2 == 0 else box.release)(1, 100.0)
        if count:
            box.receive(Ack(count, 7), 100.0)
    assert (box.overruns, box.pending) == (1, 0)


def test_a_command_is_obeyed_once_in_a_session() -> None:
    box = simulated(leds=2)
    for content in (
        Buzz(4, 440, 10),
        Buzz(4, 440, 10),
        HostHello(1, 1, 5),
        Buzz(4, 440, 10),
        HostHello(1, 1, 5),
        Buzz(4, 440, 10),
    ):
        box.receive(content, 100.0)
    assert len(box.buzzes) == 2
    box.receive(Led(5, 2, True), 100.0)
    box.receive(Led(6, 2, False), 100.0)
    box.receive(Led(7, 3, True), 100.0)
    assert box.lit == frozenset()
    answers = [each for each in box.take_messages() if isinstance(each, Ack | Nak)]
    assert answers == [*[Ack(4, 7)] * 4, Ack(5, 7), Ack(6, 7), Nak(7, 7, NakReason.REFUSED)]
    for seq in range(10, 27):
        box.receive(Led(seq, 1, True), 100.0)
    box.receive(Buzz(10, 440, 10), 100.0)  # forgotten after sixteen others
    assert len(box.buzzes) == 3


def test_a_wireless_box_says_at_once_what_its_buttons_do(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes: list[MqttBoxSimulator] = []

    class Kept(MqttBoxSimulator):
        def _run(self) -> None:
            boxes.append(self)
            super()._run()

    told: list[int] = []

    def move(what: str) -> None:
        getattr(boxes[0], what)(1)
        told.append(len([one for one in broker.published if "/event/" in one.topic]))

    clock = without_threads(monkeypatch, mqtt_box, until=5.0)
    greeting = publication("blue", HostHello(1, 1, 5), by_host=True)
    broker = ScriptedBroker(
        clock, (0.1, (greeting.topic, greeting.payload, False)), (0.5, lambda: move("press")),
        (1.0, lambda: move("release")), (2.0, lost()),
    )  # fmt: skip
    monkeypatch.setattr(mqtt_box, "MqttConnection", broker)
    monkeypatch.setattr(mqtt_box, "RETRY_AFTER", 60.0)
    Kept(BrokerAddress("house"), "blue")
    assert told == [1, 2]
    first, second = broker.connections
    said = [(at, one.topic) for at, one in zip(first.published_at, first.published, strict=True)]
    assert [each for each in said if "/event/" in each[1]] == [
        (0.5, "tabletop/blue/event/button_1"), (1.0, "tabletop/blue/event/button_1"),
    ]  # fmt: skip
    will = publication("blue", Availability(online=False), by_host=False)
    assert will == Publication("tabletop/blue/state", b"offline", 1, True)
    for connection in broker.connections:
        assert connection.published[0] == Publication("tabletop/blue/state", b"online", 1, True)
        assert connection.published[1].topic == "tabletop/blue/hello"
        assert b'"buttons":4,"leds":4' in connection.published[1].payload
        assert connection.will == will
        assert connection.topics == ["tabletop/blue/ack", "tabletop/blue/cmd/+", "tabletop/blue/cmd/led/+"]
        assert connection.is_closed
    assert second.opened_at == pytest.approx(2.25)


def test_a_clock_goes_round_after_weeks_without_a_day_of_silence() -> None:
    clock = BoxClock()
    for day in range(0, 120, 5):
        clock.sample(day * 86_400_000 % 2**32, 1000.0 + day * 86_400)
    now = 1000.0 + 115 * 86_400 + 10
    assert clock.to_host((115 * 86_400_000 + 9_000) % 2**32, now) == pytest.approx(now - 1.0)


@pytest.mark.parametrize(("drift", "second"), [(0.05, 1098.9), (-0.05, 1098.66)])
def test_no_oscillator_is_believed_to_err_by_more_than_a_hundredth(drift: float, second: float) -> None:
    clock = BoxClock()
    for passed in range(100):
        clock.sample(round(passed * 1000 * (1 + drift)), 1000.0 + passed)
    assert clock.to_host(round(99 * 1000 * (1 + drift)), 1109.0) == pytest.approx(second, abs=0.005)


def test_the_least_delayed_message_of_eight_seconds_and_of_those_before_counts() -> None:
    clock = BoxClock()
    delays = {0: 0.05, 4: 0.01, 7: 0.3, 8: 0.2, 12: 0.2, 16: 0.2}
    for second, delay in delays.items():
        clock.sample(second * 1000, 1000.0 + second + delay)
    assert clock.to_host(17_000, 1020.0) == pytest.approx(1017.2, abs=0.02)
