"""Which boxes are asked about, and the rows by which one on a cable answers."""

import random

from firmware_bridge.presses.events import BoxState
from firmware_bridge.protocol.messages import LinkState
from ui.hardware.pairing import Pairing, PortDoubts, needs_seat

CABLE = BoxState("usb:0011223344556677", None, LinkState.READY, "", False, 4)


def test_a_box_without_a_seat_or_of_one_that_does_not_play_needs_one() -> None:
    assert needs_seat(CABLE, 3)
    assert needs_seat(BoxState("mqtt:blue", 4, LinkState.READY), 3)
    assert not needs_seat(BoxState("mqtt:blue", 3, LinkState.READY), 3)
    assert not needs_seat(BoxState("mqtt:blue", None, LinkState.READY), 3)


def test_each_answer_has_a_row_of_its_own_that_stays_while_it_is_shown() -> None:
    pairing = Pairing(random.Random(1))
    rows = pairing.ask(CABLE, 4)
    assert set(rows) == {0, 1, 2, 3, 4}
    assert len(set(rows.values())) == 5
    assert all(len(row) == 3 and len(set(row)) > 1 and set(row) <= {1, 2, 3, 4} for row in rows.values())
    assert pairing.ask(CABLE, 4) == rows
    pairing.forget(CABLE.box)
    assert not pairing.is_asked(CABLE.box)
    assert pairing.ask(CABLE, 4) != rows


def test_the_last_three_presses_answer() -> None:
    pairing = Pairing(random.Random(2))
    rows = pairing.ask(CABLE, 2)
    assert pairing.press("usb:0000000000000000", 1) is None
    first, second, third = rows[0]
    assert [pairing.press(CABLE.box, button) for button in (4, first, second)][1:] == [None, None]
    assert pairing.press(CABLE.box, third) == (None,)
    assert [pairing.press(CABLE.box, button) for button in rows[2]][-1] == (2,)


def test_where_anybody_may_press_there_is_no_row() -> None:
    pairing = Pairing()
    assert pairing.ask(BoxState("mqtt:blue", None, LinkState.READY, "", False, 4), 2) == {}
    assert pairing.ask(BoxState("button:zigbee2mqtt/knob", None, LinkState.READY, "", False), 2) == {}
    assert pairing.ask(BoxState("serial:/dev/ttyACM0", None, LinkState.READY, "", False, 1), 2) == {}
    assert pairing.press("mqtt:blue", 1) is None
    assert pairing.is_asked("mqtt:blue")


def at_port(number: int, state: LinkState, uid: str = "") -> BoxState:
    return BoxState(f"serial:/dev/ttyUSB{number}", number, state, uid=uid)


def test_boxes_without_a_number_that_were_away_together_are_asked_about() -> None:
    doubts = PortDoubts()
    assert [doubts.note(at_port(number, LinkState.READY)) for number in (1, 2, 3)] == [False, False, False]
    doubts.note(at_port(1, LinkState.LOST))
    assert not doubts.note(at_port(1, LinkState.READY))  # nothing else can have been plugged in there
    for number in (1, 2):
        doubts.note(at_port(number, LinkState.LOST))
    assert [doubts.note(at_port(number, LinkState.READY)) for number in (2, 1)] == [True, True]
    doubts.answered("serial:/dev/ttyUSB2")
    assert [doubts.note(at_port(number, LinkState.READY)) for number in (2, 1)] == [False, True]


def test_a_box_with_another_number_at_the_same_port_is_asked_about() -> None:
    doubts = PortDoubts()
    assert not doubts.note(at_port(1, LinkState.READY, "0011223344556677"))
    doubts.note(at_port(1, LinkState.LOST, "0011223344556677"))
    assert not doubts.note(at_port(1, LinkState.READY, "0011223344556677"))
    assert doubts.note(at_port(1, LinkState.READY, "8899aabbccddeeff"))


def test_several_boxes_remembered_by_their_ports_are_asked_about_once() -> None:
    doubts = PortDoubts(["serial:/dev/ttyUSB1", "serial:/dev/ttyUSB2", "mqtt:blue"])
    assert doubts.note(at_port(1, LinkState.READY))
    doubts.answered("serial:/dev/ttyUSB1")
    assert not doubts.note(at_port(1, LinkState.READY))
    assert not doubts.note(at_port(2, LinkState.READY, "0011223344556677"))  # it has a number of its own
    assert not PortDoubts(["serial:/dev/ttyUSB1"]).note(at_port(1, LinkState.READY))
    assert not doubts.note(BoxState("mqtt:blue", 1, LinkState.LOST))
