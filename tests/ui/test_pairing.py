"""Which boxes are asked about, and the rows by which one on a cable answers."""

import random

from firmware_bridge.events import BoxState
from firmware_bridge.messages import LinkState
from ui.hardware.pairing import Pairing, needs_seat

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
