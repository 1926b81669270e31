"""The search for serial ports and the rehearsal of boxes by given clocks: what is opened, left, tried and said."""

import queue
from types import SimpleNamespace
from typing import Any

import pytest

from companion.errors import InvalidDocument
from firmware_bridge import rehearsal
from firmware_bridge.errors import TransportUnavailable
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress, Notice
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.rehearsal import Rehearsal, rehearse
from firmware_bridge.serving import discovery
from firmware_bridge.serving.discovery import SerialSearch, UsbPort, load_boards, system_ports
from tests.firmware_bridge.scripted import Clock, without_threads

UNO, CH340 = (0x2341, 0x0043), (0x1A86, 0x7523)
READY, LOST = LinkState.READY, LinkState.LOST


class Port:
    """A worker in its place, over `lasts` seconds after its start."""

    def __init__(self, search: "Search", path: str) -> None:
        self.path, self._clock = path, search.clock
        self.lasts, self.has_answered, self.failure = search.ends.get(path, (1e9, True, None))
        self.started_at: float | None = None
        self.stopped = 0
        search.opened.append(self)

    def start(self) -> None:
        self.started_at = self._clock.passed

    def stop(self) -> None:
        self.stopped += 1

    @property
    def is_over(self) -> bool:
        return self.started_at is not None and self._clock.passed >= self.started_at + self.lasts


class Search:
    """A search that has looked for some seconds; `listed` are the ports from a second on."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, listed: dict[float, Any], until: float = 20.0, **options: Any
    ) -> None:
        self.clock = without_threads(monkeypatch, discovery, until=until)
        self.listed, self.opened, self.events = listed, [], []
        self.ends: dict[str, tuple[float, bool, Exception | None]] = options.pop("ends", {})
        taken = options.pop("taken", ())
        self.search = SerialSearch(lambda path: Port(self, path), taken, self.events.append, self._ports, **options)
        self.search.start()

    def _ports(self) -> list[UsbPort]:
        ports = self.listed[max(second for second in self.listed if second <= self.clock.passed)]
        if isinstance(ports, Exception):
            raise ports
        return [UsbPort(path, *kind) for path, kind in ports]

    @property
    def begun(self) -> list[tuple[str, float | None]]:
        return [(port.path, port.started_at) for port in self.opened]

    @property
    def notices(self) -> list[tuple[str, str]]:
        assert all(isinstance(event, Notice) for event in self.events)
        return [(event.source, event.text) for event in self.events]


def test_a_port_is_opened_once_while_it_is_there_and_again_when_it_was_pulled(monkeypatch: pytest.MonkeyPatch) -> None:
    uno = [("/dev/a", UNO)]
    search = Search(monkeypatch, {0.0: [], 1.0: uno, 3.0: [], 4.0: uno})
    assert search.begun == [("/dev/a", 1.0), ("/dev/a", 4.0)]
    assert [port.stopped for port in search.opened] == [1, 0]
    assert set(search.clock.waits) == {0.5}
    search.search.stop()
    assert [port.stopped for port in search.opened] == [1, 1]
    assert search.notices == []


@pytest.mark.parametrize(("bare_chips", "paths"), [(False, ["/dev/a"]), (True, ["/dev/a", "/dev/b"])])
def test_bare_chips_are_tried_only_where_somebody_asks(
    monkeypatch: pytest.MonkeyPatch, bare_chips: bool, paths: list[str]
) -> None:
    listed = {0.0: [("/dev/a", UNO), ("/dev/b", CH340), ("/dev/c", (1, 2)), ("/dev/d", (None, None))]}
    assert sorted(path for path, _ in Search(monkeypatch, listed, bare_chips=bare_chips).begun) == paths


def test_a_port_where_nothing_answers_is_left_until_it_is_plugged_in_again(monkeypatch: pytest.MonkeyPatch) -> None:
    uno = [("/dev/a", UNO)]
    search = Search(monkeypatch, {0.0: uno, 12.0: [], 13.0: uno}, ends={"/dev/a": (4.0, False, None)})
    assert search.begun == [("/dev/a", 0.0), ("/dev/a", 13.0)]
    silent = "Arduino Uno: no box answers; it is left alone until it is plugged in again"
    assert search.notices == [("/dev/a", silent)]


def test_a_port_in_use_is_tried_again_every_five_seconds_and_said_once(monkeypatch: pytest.MonkeyPatch) -> None:
    busy = TransportUnavailable("serial:/dev/a", "is in use by another program")
    search = Search(monkeypatch, {0.0: [("/dev/a", UNO)]}, ends={"/dev/a": (0.1, False, busy)})
    assert [at for _, at in search.begun] == [0.0, 5.5, 11.0, 16.5]
    assert search.notices == [("/dev/a", "Arduino Uno: is in use by another program")]


def test_a_box_that_answered_and_was_lost_is_looked_for_at_once_and_nothing_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    search = Search(monkeypatch, {0.0: [("/dev/a", UNO)]}, until=3.0, ends={"/dev/a": (1.0, True, None)})
    assert [at for _, at in search.begun] == [0.0, 1.0, 2.0]
    assert search.notices == []


def test_ports_that_somebody_named_are_left_to_him(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    port, by_name = tmp_path / "ttyACM0", tmp_path / "by-name"
    port.write_text("", encoding="ascii")
    by_name.symlink_to(port)
    listed = {0.0: [(str(port), UNO), ("/dev/a", UNO)]}
    assert [path for path, _ in Search(monkeypatch, listed, taken=[str(by_name)]).begun] == ["/dev/a"]


@pytest.mark.parametrize(
    ("error", "why"), [(OSError(5, "Input/output error"), "Input/output error"), (OSError("odd"), "odd")]
)
def test_ports_that_cannot_be_listed_leave_those_that_are_open(
    monkeypatch: pytest.MonkeyPatch, error: OSError, why: str
) -> None:
    search = Search(monkeypatch, {0.0: [("/dev/a", UNO)], 2.0: error, 5.0: [("/dev/a", UNO)]})
    assert search.begun == [("/dev/a", 0.0)]
    assert search.notices == [("USB", f"the serial ports cannot be listed ({why})")]


def test_a_search_that_never_ran_can_be_stopped() -> None:
    SerialSearch(lambda path: Port(None, path), (), print, list).stop()


def test_the_ports_of_the_system_are_told_with_all_that_usb_says(monkeypatch: pytest.MonkeyPatch) -> None:
    listed = [
        SimpleNamespace(device="/dev/a", vid=1, pid=2, serial_number="77"),
        SimpleNamespace(device="/dev/b", vid=None, pid=None, serial_number=None),
    ]
    monkeypatch.setattr(discovery.list_ports, "comports", lambda: listed)
    assert system_ports() == [UsbPort("/dev/a", 1, 2, "77"), UsbPort("/dev/b", None, None, "")]


def test_a_list_of_boards_has_nothing_else_in_it_and_a_limit(tmp_path: Any) -> None:
    file = tmp_path / "boards.toml"
    board = '[[board]]\nname = "x"\nvid = 65535\npid = 0\n'
    file.write_text("format = 1\n" + board * 500, encoding="utf-8")
    (first, *_) = load_boards(file)
    assert (first.name, first.vid, first.pid, first.is_bare_chip) == ("x", 65_535, 0, False)
    file.write_text("format = 1\n" + board.replace("65535", "0"), encoding="utf-8")
    assert load_boards(file)[0].vid == 0
    for text, entry in (("format = 1\n" + board * 501, "board"), ("format = 1\nboards = 1\n" + board, "boards")):
        file.write_text(text, encoding="utf-8")
        with pytest.raises(InvalidDocument) as caught:
            load_boards(file)
        assert caught.value.entry == entry


class Boxes:
    """Boxes in their place: what happens at which second, and what is asked of them."""

    def __init__(self, clock: Clock, states: list[BoxState], *happenings: tuple[float, BoxEvent]) -> None:
        self.states = {state.box: state for state in states}
        self.asked: list[tuple[Any, ...]] = []
        self.events = self
        self._clock, self._left = clock, list(happenings)

    def get(self, timeout: float) -> BoxEvent:
        if self._left and self._clock.passed + timeout >= self._left[0][0]:
            at, event = self._left.pop(0)
            self._clock.now += max(0.0, at - self._clock.passed)
            if isinstance(event, BoxState):
                self.states[event.box] = event
            return event
        self._clock.now += timeout
        raise queue.Empty

    def assign_seat(self, box: str, seat: int | None) -> None:
        self.asked.append(("seat", box, seat))

    def buzz(self, box: str, hertz: int, duration_ms: int) -> None:
        self.asked.append(("buzz", box, hertz, duration_ms))

    def accept(self, press: ButtonPress) -> None:
        self.asked.append(("accept", press.button))


def press(button: int, box: str = "mqtt:blue") -> ButtonPress:
    return ButtonPress(1, box, 1, button, Gesture.SINGLE, None, 0.0)


def there(box: str = "mqtt:blue", buttons: int = 2, **more: Any) -> BoxState:
    return BoxState(box, 1, READY, buttons=buttons, **more)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(rehearsal, "time", clock)
    return clock


def test_a_rehearsal_ends_when_all_is_heard_but_not_before_boxes_had_time_to_be_found(clock: Clock) -> None:
    reported: list[BoxEvent] = []
    boxes = Boxes(clock, [there()], (1.0, there()), (2.0, press(1)), (3.0, press(2)))
    (check,) = rehearse(boxes, 60.0, reported.append)
    assert (check.is_fine, check.seat, check.reason) == (True, 1, "every button was heard")
    assert clock.passed == pytest.approx(6.1, abs=0.11)
    assert len(reported) == 3
    assert boxes.asked == [("buzz", "mqtt:blue", 660, 150), ("accept", 1), ("accept", 2)]


def test_a_rehearsal_waits_for_every_button_as_long_as_it_may(clock: Clock) -> None:
    (check,) = rehearse(Boxes(clock, [there()], (3.0, press(2))), 20.0, lambda _: None)
    assert (check.is_there, check.missing, check.is_fine) == (True, (1,), False)
    assert clock.passed == pytest.approx(20.0, abs=0.11)
    late = Boxes(clock, [there()], (30.0, press(2)), (31.0, press(1)))
    (check,) = rehearse(late, 20.0, lambda _: None)
    assert check.is_fine
    assert clock.passed == pytest.approx(31.0, abs=0.11)


@pytest.mark.parametrize(("seconds", "until"), [(60.0, 6.1), (2.0, 2.0)])
def test_without_a_box_a_rehearsal_ends_when_boxes_would_have_been_found(
    clock: Clock, seconds: float, until: float
) -> None:
    gone = [BoxState("mqtt:blue", 1, LOST, "was unplugged"), BoxState("mqtt:red", 2, LinkState.HELLO)]
    checks = rehearse(Boxes(clock, gone), seconds, lambda _: None)
    assert [(check.is_there, check.missing, check.reason) for check in checks] == [
        (False, (), "was unplugged"), (False, (), "does not answer"),
    ]  # fmt: skip
    assert clock.passed == pytest.approx(until, abs=0.11)


def test_somebody_may_say_that_it_is_enough(clock: Clock) -> None:
    rehearse(Boxes(clock, [there()]), 60.0, lambda _: None, lambda: clock.passed >= 1.0)
    assert clock.passed == pytest.approx(1.0, abs=0.11)


def test_a_box_is_greeted_once_and_one_of_nobody_is_shared_by_all(clock: Clock) -> None:
    boxes = Boxes(clock, [])
    trial = Rehearsal(boxes)
    for state in (BoxState("mqtt:blue", None, LOST), there(is_paired=False), there(is_paired=False), there("mqtt:red")):
        trial.hear(state)
    trial.hear(Notice("mqtt:blue", "odd"))
    assert boxes.asked == [
        ("seat", "mqtt:blue", None), ("buzz", "mqtt:blue", 660, 150), ("buzz", "mqtt:red", 660, 150),
    ]  # fmt: skip


def test_a_box_that_does_not_say_how_many_buttons_it_has_needs_one_press(clock: Clock) -> None:
    boxes = Boxes(clock, [there(buttons=0)])
    trial = Rehearsal(boxes)
    assert [check.missing for check in trial.checks()] == [(1,)]
    assert trial.checks()[0].reason == "not heard: button 1"
    trial.hear(press(7))
    assert [check.missing for check in trial.checks()] == [()]
