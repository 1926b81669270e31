from contextlib import ExitStack

import pytest

from firmware_bridge import rehearsal
from firmware_bridge.boxes import Boxes, Search
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress
from firmware_bridge.protocol.addresses import BoxAddress
from firmware_bridge.protocol.messages import LinkState
from firmware_bridge.rehearsal import Rehearsal, rehearse
from firmware_bridge.serving.discovery import UsbPort
from firmware_bridge.simulators.serial_box import SerialBoxSimulator
from tests.firmware_bridge.waiting import Listener, eventually


def test_every_button_of_every_box_is_pressed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    with ExitStack() as stack:
        one, two = (stack.enter_context(SerialBoxSimulator(buttons=count)) for count in (4, 2))
        simulators = {f"serial:{one.path}": (one, 4), f"serial:{two.path}": (two, 2)}
        boxes = stack.enter_context(Boxes([BoxAddress.parse(f"{name}@1") for name in simulators]))
        reported: list[BoxEvent] = []

        def report(event: BoxEvent) -> None:
            reported.append(event)
            if isinstance(event, BoxState) and event.state is LinkState.READY:
                simulator, buttons = simulators[event.box]
                for button in range(1, buttons + 1):
                    simulator.tap(button)

        checks = rehearse(boxes, 20, report)
        assert [(check.is_fine, check.missing, check.reason) for check in checks] == [
            (True, (), "every button was heard")
        ] * 2
        assert sum(isinstance(event, ButtonPress) for event in reported) == 6
        eventually(lambda: one.buzzes() and two.buzzes())


def test_what_was_not_heard_is_named() -> None:
    with ExitStack() as stack:
        box = stack.enter_context(SerialBoxSimulator())
        addresses = [BoxAddress.parse(f"serial:{box.path}@1"), BoxAddress.parse("serial:/dev/nothing@2")]
        listener = Listener(stack.enter_context(Boxes(addresses)))
        trial = Rehearsal(listener.boxes)
        trial.hear(listener.state(LinkState.READY))
        eventually(lambda: listener.boxes.states["serial:/dev/nothing"].state is LinkState.LOST)
        box.tap(3)
        trial.hear(listener.press())
        eventually(lambda: box.lit() == {3})
        there, missing = trial.checks()
        assert (there.is_there, there.missing, there.reason) == (True, (1, 2, 4), "not heard: button 1, 2, 4")
        assert (missing.is_there, missing.is_fine, missing.reason) == (False, False, "is not there")


def test_a_box_that_belongs_to_nobody_yet_is_rehearsed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rehearsal, "SETTLE_SECONDS", 0.1)
    with ExitStack() as stack:
        box = stack.enter_context(SerialBoxSimulator(buttons=1))
        search = Search(serial=True, ports=lambda: [UsbPort(box.path, 0x2341, 0x0043)])
        boxes = stack.enter_context(Boxes([], search=search))
        lit = []

        def report(event: BoxEvent) -> None:
            if isinstance(event, BoxState) and event.state is LinkState.READY:
                box.tap(1)
            if isinstance(event, ButtonPress):
                eventually(box.lit)
                lit.append(box.lit())

        (check,) = rehearse(boxes, 20, report)
        assert (check.is_fine, lit[0]) == (True, {1})


def test_without_boxes_there_is_nothing_to_rehearse() -> None:
    with Boxes([]) as boxes:
        assert rehearse(boxes, 0.1, lambda _event: None) == []
