"""Boxes that nobody named: found by what USB says of their ports and by their greeting, and known by their uid."""

import os
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.errors import InvalidDocument
from companion.session.intents import Intent, IntentKind
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.mqtt.broker import Broker
from firmware_bridge.presses.bindings import Bindings, default_bindings
from firmware_bridge.presses.events import BoxState
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.serial.transport import SerialTransport
from firmware_bridge.serving import discovery, transport_worker
from firmware_bridge.serving.discovery import UsbPort, board_of, likely_boards, load_boards, system_ports
from firmware_bridge.simulators.mqtt_box import MqttBoxSimulator
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from tests.firmware_bridge.waiting import Listener, eventually

UNO, CH340, GPS = (0x2341, 0x0043), (0x1A86, 0x7523), (0x1546, 0x01A7)
READY, LOST = LinkState.READY, LinkState.LOST


class UsbBus:
    """The serial ports that the system lists, as they are plugged in and out."""

    def __init__(self) -> None:
        self.ports: list[UsbPort] = []

    def __call__(self) -> list[UsbPort]:
        return list(self.ports)

    def plug(self, path: str, kind: tuple[int, int] = UNO) -> None:
        self.ports.append(UsbPort(path, *kind))

    def unplug(self, path: str) -> None:
        self.ports = [port for port in self.ports if port.path != path]


class Stranger:
    """A device that is no box; knows whether anybody opened it."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "stranger")
        self.master, slave = os.openpty()
        tty.setraw(slave)
        Path(self.path).symlink_to(os.ttyname(slave))
        os.close(slave)
        os.set_blocking(self.master, False)

    def was_greeted(self) -> bool:
        try:
            return bool(os.read(self.master, 100))
        except (BlockingIOError, OSError):  # EIO: nobody has it open
            return False

    def close(self) -> None:
        os.close(self.master)


@pytest.fixture
def bus(monkeypatch: pytest.MonkeyPatch) -> UsbBus:
    monkeypatch.setattr(discovery, "SCAN_SECONDS", 0.02)
    return UsbBus()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def box() -> Iterator[SerialBoxSimulator]:
    with SerialBoxSimulator() as simulator:
        yield simulator


@pytest.fixture
def stranger(tmp_path: Path) -> Iterator[Stranger]:
    stranger = Stranger(tmp_path)
    yield stranger
    stranger.close()


Opened = Callable[..., Listener]


@pytest.fixture
def opened(stack: ExitStack, bus: UsbBus) -> Opened:
    def open_boxes(
        *addresses: str, bindings: Bindings | None = None, broker: Broker | None = None, bare_chips: bool = False
    ) -> Listener:
        search = Search(serial=True, bare_chips=bare_chips, wireless=broker is not None, ports=bus)
        parsed = [BoxAddress.parse(address) for address in addresses]
        where = None if broker is None else broker.address
        return Listener(stack.enter_context(Boxes(parsed, bindings, where, search)))

    return open_boxes


def name_of(box: SerialBoxSimulator, number: int = 1) -> str:
    return f"usb:{box.uid(number).hex()}"


def test_a_box_on_a_likely_port_asks_for_its_seat_and_is_used_when_it_has_one(
    opened: Opened, bus: UsbBus, box: SerialBoxSimulator
) -> None:
    bus.plug(box.path)
    listener = opened()
    found = listener.state(READY)
    assert (found.box, found.is_paired, found.seat, found.buttons) == (name_of(box), False, None, 4)
    box.tap(3)
    press = listener.press()
    assert (press.is_paired, press.intent, press.button) == (False, None, 3)
    listener.boxes.assign_seat(found.box, 3)
    eventually(lambda: listener.boxes.states[found.box].seat == 3)
    listener.state(READY)
    box.tap(1)
    assert listener.press().intent == Intent(IntentKind.DONE, seat=3)
    assert listener.boxes.bindings.seats == {found.box: 3}
    listener.boxes.set_led(found.box, 2, True)
    eventually(lambda: box.lit() == {2})


def test_ports_of_strangers_are_not_opened(
    opened: Opened, bus: UsbBus, box: SerialBoxSimulator, stranger: Stranger
) -> None:
    bus.plug(stranger.path, GPS)
    bus.plug(stranger.path, CH340)
    bus.plug(box.path)
    opened().state(READY)
    assert not stranger.was_greeted()


def test_a_bare_chip_is_tried_when_asked_and_left_alone_when_it_is_no_box(
    opened: Opened, bus: UsbBus, stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transport_worker, "PATIENCE", 0.3)
    bus.plug(stranger.path, CH340)
    listener = opened(bare_chips=True)
    assert "CH340 USB-serial chip: no box answers; it is left alone" in listener.notice().text
    while stranger.was_greeted():
        pass
    another = SerialTransport(stranger.path)
    another.open()  # it is free
    another.close()
    assert not stranger.was_greeted()


def test_a_port_in_use_is_said_and_tried_again(
    opened: Opened, bus: UsbBus, box: SerialBoxSimulator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(discovery, "BUSY_SECONDS", 0.05)
    other = SerialTransport(box.path)
    other.open()
    bus.plug(box.path)
    listener = opened()
    assert listener.notice().text == "Arduino Uno: is in use by another program"
    other.close()
    listener.state(READY)
    assert len(listener.notices) == 1


def test_a_box_is_known_again_on_another_port(
    opened: Opened, bus: UsbBus, box: SerialBoxSimulator, tmp_path: Path
) -> None:
    bus.plug(box.path)
    name = name_of(box)
    listener = opened(bindings=default_bindings().with_seat(name, 2))
    listener.state(READY)
    listener.boxes.set_led(name, 1, True)
    eventually(lambda: box.lit() == {1})
    box.unplug()
    assert listener.state(LOST).reason == "was unplugged"
    bus.unplug(box.path)
    box.plug()
    elsewhere = tmp_path / "ttyACM1"
    elsewhere.symlink_to(box.path)
    bus.plug(str(elsewhere))
    assert listener.state(READY) == BoxState(name, 2, READY, "", True, 4, uid=box.uid().hex())
    eventually(lambda: box.lit() == {1})
    box.tap(2)
    assert listener.press().intent == Intent(IntentKind.NO, seat=2)
    assert len(listener.presses) == 1


def test_lamps_asked_for_while_a_box_is_away_are_lit_when_it_comes(
    opened: Opened, bus: UsbBus, box: SerialBoxSimulator
) -> None:
    name = name_of(box)
    listener = opened(f"{name}@1")
    assert listener.boxes.states[name].reason == "is not plugged in"
    listener.boxes.set_led(name, 4, True)
    bus.plug(box.path)
    listener.state(READY)
    eventually(lambda: box.lit() == {4})


def test_several_boxes_behind_one_found_port(opened: Opened, bus: UsbBus, stack: ExitStack) -> None:
    hub = stack.enter_context(SerialBoxSimulator(boxes=3))
    bus.plug(hub.path)
    names = {name_of(hub, number): number for number in (1, 2, 3)}
    listener = opened(bindings=default_bindings().with_seat(name_of(hub, 3), 1))
    eventually(lambda: {name for name, state in listener.boxes.states.items() if state.state is READY} == set(names))
    assert [name for name, state in listener.boxes.states.items() if state.is_paired] == [name_of(hub, 3)]
    hub.tap(1, box=3)
    assert listener.press().intent == Intent(IntentKind.DONE, seat=1)


def test_two_boxes_with_the_same_uid_are_known_by_their_ports(
    opened: Opened, bus: UsbBus, stack: ExitStack, monkeypatch: pytest.MonkeyPatch
) -> None:
    twins = [stack.enter_context(SerialBoxSimulator()) for _ in range(2)]
    monkeypatch.setattr(SerialBoxSimulator, "uid", lambda _self, _box=1: b"the same")
    for twin in twins:
        twin.unplug()
        twin.plug()
        bus.plug(twin.path)
    listener = opened()
    first, second = listener.state(READY), listener.state(READY)
    by_port = {f"serial:{twin.path}#1" for twin in twins}
    assert {first.box, second.box} < {"usb:" + b"the same".hex(), *by_port}


def test_a_sketch_that_says_hello_is_found(
    opened: Opened, bus: UsbBus, stranger: Stranger, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus.plug(stranger.path)
    listener = opened()
    eventually(stranger.was_greeted)
    os.write(stranger.master, b"HELLO 2\r\nBTN 1 DOWN\r\nBTN 1 UP\r\n")
    found = listener.state(READY)
    assert (found.box, found.is_paired) == (f"serial:{stranger.path}", False)
    assert listener.press().button == 1


def test_a_named_port_is_not_searched(opened: Opened, bus: UsbBus, box: SerialBoxSimulator) -> None:
    bus.plug(box.path)
    listener = opened(f"serial:{box.path}@1")
    listener.ready()
    box.tap(1)
    assert listener.press().seat == 1
    assert set(listener.boxes.states) == {f"serial:{box.path}"}


def test_a_wireless_box_that_nobody_named_is_found(opened: Opened, broker: Broker, stack: ExitStack) -> None:
    box = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    listener = opened(broker=broker)
    found = listener.state(READY)
    assert (found.box, found.is_paired) == ("mqtt:blue", False)
    listener.boxes.assign_seat("mqtt:blue", None)
    eventually(lambda: listener.boxes.states["mqtt:blue"].is_paired)
    listener.state(READY)
    box.tap(1)
    assert listener.press().intent == Intent(IntentKind.DONE)


def test_ports_that_cannot_be_listed_are_said_once(opened: Opened, bus: UsbBus, box: SerialBoxSimulator) -> None:
    scans = []

    def failing() -> list[UsbPort]:
        scans.append(1)
        if len(scans) < 4:
            raise OSError(5, "Input/output error")
        return [UsbPort(box.path, *UNO)]

    with Boxes([], search=Search(serial=True, ports=failing)) as boxes:
        listener = Listener(boxes)
        listener.state(READY)
        assert [notice.text for notice in listener.notices] == [
            "the serial ports cannot be listed (Input/output error)"
        ]


def test_a_box_of_another_table_is_left_to_it(opened: Opened, broker: Broker, stack: ExitStack) -> None:
    box = stack.enter_context(MqttBoxSimulator(broker.address, "blue"))
    free = stack.enter_context(MqttBoxSimulator(broker.address, "green"))
    owner = Listener(stack.enter_context(Boxes([BoxAddress.parse("mqtt:blue@1")], broker=broker.address)))
    owner.ready()
    listener = opened(broker=broker)
    assert listener.state(READY).box == "mqtt:green"
    box.tap(1)
    assert owner.press().intent == Intent(IntentKind.DONE, seat=1)
    assert set(listener.boxes.states) == {"mqtt:green"}
    free.tap(2)
    assert listener.press().button == 2
    assert free.pending() == 2  # another program may want to have this press
    listener.boxes.assign_seat("mqtt:green", 2)
    eventually(lambda: free.pending() == 0)
    assert len(listener.presses) == 1


def test_the_list_of_boards() -> None:
    assert len(likely_boards()) >= 10
    assert board_of(UsbPort("/dev/ttyACM0", *UNO)).name == "Arduino Uno"
    assert board_of(UsbPort("/dev/ttyACM0", 0x239A, 7)).name == "CircuitPython board"
    assert board_of(UsbPort("/dev/ttyUSB0", *CH340)).is_bare_chip
    assert board_of(UsbPort("/dev/ttyACM0", *GPS)) is None
    assert board_of(UsbPort("/dev/ttyS0")) is None
    assert all(isinstance(port, UsbPort) for port in system_ports())


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("format = 2\nboard = []", "format"),
        ('format = 1\n[[board]]\nname = "x"\nvid = 70000', "board[1].vid"),
        ('format = 1\n[[board]]\nname = "x"\nvid = 1\nbaud = 9600', "board[1].baud"),
        ('format = 1\n[[board]]\nname = "x"\nvid = -1', "board[1].vid"),
        ('format = 1\n[[board]]\nname = "x"\nvid = 1\npid = -1', "board[1].pid"),
        ('format = 1\n[[board]]\nname = "x"\nvid = 1\npid = 65536', "board[1].pid"),
        (f'format = 1\n[[board]]\nname = "{"x" * 61}"\nvid = 1', "board[1].name"),
        ("format = 1\n[[board]]\nvid = 1", "board[1].name"),
    ],
)
def test_a_list_of_boards_that_does_not_hold(tmp_path: Path, text: str, entry: str) -> None:
    file = tmp_path / "boards.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InvalidDocument) as caught:
        load_boards(file)
    assert (caught.value.source, caught.value.entry) == (str(file), entry)
