"""The boxes of a table without their threads: who serves them, whose they are, what is asked of them."""

from types import SimpleNamespace
from typing import Any

import pytest

from firmware_bridge import boxes as module
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.presses.bindings import default_bindings
from firmware_bridge.presses.events import BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress, BrokerAddress
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import Beat, Hello, LinkState
from firmware_bridge.serving.button_listener import ButtonListener
from firmware_bridge.transports.transport import Received
from tests.firmware_bridge.scripted import Clock

HOUSE = BrokerAddress("house")
UID = b"12345678"
USB = f"usb:{UID.hex()}"


class Station:
    """Where a box is served: keeps what it is asked for."""

    retry_after = 0.1

    def __init__(self, name: str = "serial:/dev/a") -> None:
        self.name = name
        self.asked: list[tuple[Any, ...]] = []
        asks = ("set_led", "blink", "buzz", "flash")
        self.link = SimpleNamespace(
            **{ask: (lambda *what, ask=ask: self.asked.append((ask, *what))) for ask in asks},
        )

    def command(self, box: str, command: Any) -> None:
        self.asked.append((box,))
        command(SimpleNamespace(link=self.link), 50.0)

    def assign_seat(self, box: str, seat: int | None) -> None:
        self.asked.append(("seat", box, seat))


def boxes_of(*addresses: str, **options: Any) -> Boxes:
    return Boxes([BoxAddress.parse(address) for address in addresses], **options)


def press(box: str = "mqtt:blue", button: int = 3) -> ButtonPress:
    return ButtonPress(1, box, 1, button, Gesture.SINGLE, None, 0.0)


def hello(uid: bytes = UID, boot: int = 7) -> Hello:
    return Hello(1, 1, 256, 4, 4, 0, 0, boot, 0, 0, uid)


@pytest.fixture
def served() -> tuple[Boxes, Station]:
    boxes, station = boxes_of("mqtt:blue@1", broker=HOUSE), Station()
    boxes._stations["mqtt:blue"] = station
    return boxes, station


def test_what_is_asked_of_a_box_reaches_it(served: tuple[Boxes, Station]) -> None:
    boxes, station = served
    boxes.set_led("mqtt:blue", 16, True)
    boxes.blink("mqtt:blue", 1, False)
    boxes.buzz("mqtt:blue", 440, 100)
    boxes.accept(press())
    boxes.refuse(press())
    assert [each for each in station.asked if len(each) > 1] == [
        ("set_led", 16, True), ("blink", 1, False), ("buzz", 440, 100), ("flash", 3, 50.4), ("buzz", 220, 250),
    ]  # fmt: skip
    assert station.asked.count(("mqtt:blue",)) == 5


def test_a_box_and_its_presses_are_of_the_table_unless_it_is_said_otherwise() -> None:
    assert press().is_paired
    assert not press().is_stale
    assert BoxState("mqtt:blue", None, LinkState.READY).is_paired


def test_a_word_without_a_button_has_no_lamp_to_flash(served: tuple[Boxes, Station]) -> None:
    boxes, station = served
    boxes.accept(press(button=0))
    assert station.asked == []


def test_what_no_box_can_do_is_refused_before_it_is_asked(served: tuple[Boxes, Station]) -> None:
    boxes, station = served
    for ask in (
        lambda: boxes.set_led("mqtt:blue", 0, True), lambda: boxes.set_led("mqtt:blue", 17, True),
        lambda: boxes.blink("mqtt:blue", 0, True), lambda: boxes.blink("mqtt:blue", 17, True),
        lambda: boxes.buzz("mqtt:blue", 19, 100), lambda: boxes.buzz("mqtt:blue", 440, 0),
        lambda: boxes.buzz("mqtt:blue", 440, 5001),
    ):  # fmt: skip
        with pytest.raises(ValueError, match="is not from"):
            ask()
    assert station.asked == []
    for ask in (lambda: boxes.buzz("mqtt:red", 440, 100), lambda: boxes.assign_seat("mqtt:red", 1)):
        with pytest.raises(KeyError):
            ask()


def test_a_box_that_gets_a_seat_belongs_to_the_table(served: tuple[Boxes, Station]) -> None:
    boxes, station = served
    boxes.assign_seat("mqtt:blue", 4)
    assert boxes.bindings.seats == {"mqtt:blue": 4}
    assert (boxes.states["mqtt:blue"].seat, boxes.states["mqtt:blue"].is_paired) == (4, True)
    assert station.asked == [("seat", "mqtt:blue", 4)]


def test_boxes_begin_closed_and_only_those_on_any_port_have_a_reason() -> None:
    boxes = boxes_of("mqtt:blue@1", "serial:/dev/a#2@2", f"{USB}@3", "button:mine/a", broker=HOUSE)
    assert list(boxes.states.values()) == [
        BoxState("mqtt:blue", 1, LinkState.CLOSED, "", True),
        BoxState("serial:/dev/a#2", 2, LinkState.CLOSED, "", True),
        BoxState(USB, 3, LinkState.CLOSED, "is not plugged in", True),
        BoxState("button:mine/a", None, LinkState.CLOSED),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("searches", "broker", "names"),
    [
        (False, None, set()), (True, None, {"serial:/dev/a#2", USB}), (False, HOUSE, {"mqtt:blue", "button:mine/a"}),
        (True, HOUSE, {"serial:/dev/a#2", USB, "mqtt:blue", "button:mine/a"}),
    ],
)  # fmt: skip
def test_boxes_that_are_remembered_are_served_where_they_can_be_reached(
    searches: bool, broker: BrokerAddress | None, names: set[str]
) -> None:
    bindings = default_bindings()
    for seat, name in enumerate(("serial:/dev/a#2", USB, "mqtt:blue", "button:mine/a"), 1):
        bindings = bindings.with_seat(name, seat)
    boxes = Boxes([], bindings, broker, Search(serial=searches, ports=list))
    assert set(boxes.states) == names
    assert all(state.seat == bindings.seats[name] for name, state in boxes.states.items())
    named = Boxes([BoxAddress.parse("serial:/dev/a#2@9")], bindings, None, Search(serial=True, ports=list))
    assert named.states["serial:/dev/a#2"].seat == 9


def test_boxes_behind_one_port_share_it_and_those_on_the_broker_have_each_a_connection() -> None:
    boxes = boxes_of("serial:/dev/a#1", "serial:/dev/a#2", "serial:/dev/b", "mqtt:blue", "mqtt:red", broker=HOUSE)
    stations = boxes._stations
    assert stations["serial:/dev/a#1"] is stations["serial:/dev/a#2"] is not stations["serial:/dev/b"]
    assert stations["mqtt:blue"] is not stations["mqtt:red"]
    assert len(boxes._ports) == 4
    assert boxes._serial_search is None
    assert len(boxes_of("mqtt:blue", broker=HOUSE, search=Search(wireless=True))._ports) == 2
    assert boxes_of(USB)._serial_search is not None
    assert boxes_of("mqtt:blue", broker=HOUSE)._button_listener is None
    assert isinstance(boxes_of(broker=HOUSE, search=Search(buttons=True))._button_listener, ButtonListener)


def test_a_device_that_is_heard_for_the_first_time_is_known_from_then_on() -> None:
    boxes = boxes_of(broker=HOUSE, search=Search(buttons=True))
    boxes._heard(press("button:mine/a"))
    assert boxes.states["button:mine/a"] == BoxState("button:mine/a", None, LinkState.READY, "", False)
    assert boxes._stations["button:mine/a"] is boxes._button_listener
    boxes._note(BoxState("button:mine/a", 2, LinkState.READY, heard_at=9.0))
    boxes._heard(press("button:mine/a"))
    assert boxes.states["button:mine/a"].heard_at == 9.0
    boxes._heard(BoxState("button:mine/b", 3, LinkState.LOST))
    assert boxes.states["button:mine/b"].seat == 3
    assert [boxes.events.get_nowait() for _ in range(3)][1] == press("button:mine/a")
    assert boxes.events.empty()  # what is only noted is not told


def test_what_discovery_announces_is_named_in_order() -> None:
    boxes = boxes_of(broker=HOUSE, search=Search(buttons=True))
    boxes._button_listener.announced.update(
        {"one": SimpleNamespace(devices={"gw/b", "gw/a"}), "two": SimpleNamespace(devices={"gw/a", "c"})}
    )
    assert boxes.announced == ("button:homeassistant/c", "button:homeassistant/gw/a", "button:homeassistant/gw/b")
    assert boxes_of("mqtt:blue", broker=HOUSE).announced == ()


def test_events_that_nobody_takes_are_dropped_after_a_thousand() -> None:
    boxes = boxes_of()
    for _ in range(1001):
        boxes._deliver(press())
    assert boxes.events.qsize() == 1000


def found() -> Boxes:
    return boxes_of(search=Search(serial=True, ports=list))


def greet(boxes: Boxes, port: Station, content: Any = None, box: str = "1") -> str | None:
    adopted = boxes._adopt_by_uid(port, Received(box, content or hello()))
    return None if adopted is None else adopted.name


def test_a_box_on_a_found_port_is_known_by_its_uid_or_else_by_its_port() -> None:
    boxes = found()
    assert greet(boxes, Station()) == USB
    assert greet(boxes, Station("serial:/dev/b"), hello(bytes(8)), "3") == "serial:/dev/b#3"
    assert greet(boxes, Station("serial:/dev/c"), Beat(7, 0, 0, 0, 0, 0, 0), "0") == "serial:/dev/c"
    assert greet(boxes, Station("serial:/dev/b"), hello(bytes(8)), "3") is None  # it is served already


def test_a_second_box_with_the_same_uid_is_believed_at_its_fourth_greeting() -> None:
    boxes, first, second = found(), Station(), Station("serial:/dev/b")
    assert greet(boxes, first) == USB
    assert [greet(boxes, second) for _ in range(4)] == [None, None, None, "serial:/dev/b#1"]
    assert greet(boxes, first) == USB
    assert [greet(boxes, Station("serial:/dev/c")) for _ in range(4)] == [None, None, None, "serial:/dev/c#1"]


def test_a_box_that_is_found_belongs_to_whom_it_was_given() -> None:
    boxes = boxes_of(search=Search(serial=True, ports=list), bindings=default_bindings().with_seat("mqtt:blue", 1))
    boxes.bindings = boxes.bindings.with_seat(USB, 5)
    adopted = boxes._adopt_by_uid(Station(), Received("1", hello()))
    assert (adopted.presses.seat, adopted.presses.is_paired) == (5, True)
    stranger = boxes._adopt_by_uid(Station("serial:/dev/b"), Received("1", hello(b"87654321")))
    assert (stranger.presses.seat, stranger.presses.is_paired) == (None, False)


def test_without_a_search_only_boxes_that_were_named_are_taken_up_on_any_port() -> None:
    boxes = boxes_of(f"{USB}@2")
    assert greet(boxes, Station()) == USB
    assert greet(boxes, Station("serial:/dev/b"), hello(b"87654321")) is None


def test_a_wireless_box_is_taken_up_by_one_port_alone() -> None:
    boxes, port = boxes_of("mqtt:blue", broker=HOUSE), Station("broker house:1883")
    assert boxes._adopt(port, Received("blue", hello())) is None
    assert boxes._adopt(port, Received("green", hello())).name == "mqtt:green"
    assert boxes._adopt(Station(), Received("green", hello())) is None


def test_what_is_asked_of_a_box_that_is_not_plugged_in_is_kept_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    boxes = boxes_of(f"{USB}@2")
    boxes.set_led(USB, 3, True)
    boxes.assign_seat(USB, 6)
    parked = boxes._boxes_by_uid[USB]
    assert (parked.link._lit, parked.presses.seat) == ({3}, 6)
    boxes.accept(press(USB, 2))
    assert parked.link._flashes == {2: 1000.4}
    station = boxes._stations[USB] = Station()
    boxes.set_led(USB, 4, True)
    boxes.assign_seat(USB, 7)
    assert station.asked == [(USB,), ("set_led", 4, True), ("seat", USB, 7)]
    assert parked.link._lit == {3}
