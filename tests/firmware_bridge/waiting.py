"""Waiting for threads: until something is so, and a hang becomes a failure."""

import time
from collections.abc import Callable

from firmware_bridge.boxes import Boxes
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress, Notice
from firmware_bridge.protocol.messages import LinkState

HANG = 20.0


def eventually(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + HANG
    while not condition():
        assert time.monotonic() < deadline, "it never came true"
        time.sleep(0.002)


class Listener:
    """Takes a program's events apart into presses, states and notices."""

    def __init__(self, boxes: Boxes) -> None:
        self.boxes = boxes
        self.presses: list[ButtonPress] = []
        self.states: list[BoxState] = []
        self.notices: list[Notice] = []

    def next(self) -> BoxEvent:
        event = self.boxes.events.get(timeout=HANG)
        match event:
            case ButtonPress():
                self.presses.append(event)
            case BoxState():
                self.states.append(event)
            case Notice():
                self.notices.append(event)
        return event

    def press(self) -> ButtonPress:
        while not isinstance(event := self.next(), ButtonPress):
            pass
        return event

    def state(self, wanted: LinkState, box: str | None = None) -> BoxState:
        while True:
            event = self.next()
            if isinstance(event, BoxState) and event.state is wanted and box in (None, event.box):
                return event

    def notice(self) -> Notice:
        while not self.notices:
            self.next()
        return self.notices[0]

    def ready(self) -> None:
        while any(state.state is not LinkState.READY for state in self.boxes.states.values()):
            self.next()
