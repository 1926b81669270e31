"""The boxes' half of a rehearsal before guests come: whether every box is there and every button heard."""

from __future__ import annotations

import queue
import time
from collections.abc import Callable
from dataclasses import dataclass

from companion.wording.sentences import sentence
from firmware_bridge.boxes import Boxes
from firmware_bridge.presses.events import BoxEvent, BoxState, ButtonPress
from firmware_bridge.protocol.messages import LinkState

GREETING_TONE = (660, 150)
SETTLE_SECONDS = 6.0
"""Seconds in which boxes that are there have been found, also an Arduino that is reset first."""


@dataclass(frozen=True, slots=True)
class BoxCheck:
    """How a box did. `missing` are the buttons nobody was heard to press; `reason` is a line for people."""

    box: str
    seat: int | None
    is_there: bool
    missing: tuple[int, ...]
    reason: str

    @property
    def is_fine(self) -> bool:
        """Whether it can be played with."""
        return self.is_there and not self.missing


class Rehearsal:
    """Takes the events of a table's boxes; a press makes the lamp next to its button flash.

    Boxes that belong to nobody yet are rehearsed too, as boxes that all share.
    """

    def __init__(self, boxes: Boxes) -> None:
        self._boxes = boxes
        self._pressed: dict[str, set[int]] = {}
        self._greeted: set[str] = set()

    def hear(self, event: BoxEvent) -> None:
        """Take an event in."""
        match event:
            case BoxState(box, state=LinkState.READY) if box not in self._greeted:
                self._greeted.add(box)
                if not event.is_paired:
                    self._boxes.assign_seat(box, None)
                self._boxes.buzz(box, *GREETING_TONE)
            case ButtonPress():
                self._pressed.setdefault(event.box, set()).add(event.button)
                self._boxes.accept(event)
            case _:
                pass

    def checks(self) -> list[BoxCheck]:
        """How every box has done up to now; a box that does not say how many buttons it has needs one press."""
        return [self._check(state) for state in self._boxes.states.values()]

    def _check(self, state: BoxState) -> BoxCheck:
        is_there = state.state is LinkState.READY
        pressed = self._pressed.get(state.box, set())
        wanted = set(range(1, state.buttons + 1)) or (set() if pressed else {1})
        missing = tuple(sorted(wanted - pressed)) if is_there else ()
        if not is_there:
            reason = state.reason or sentence("does not answer")
        elif missing:
            reason = sentence("not heard: button {buttons}", buttons=", ".join(map(str, missing)))
        else:
            reason = sentence("every button was heard")
        return BoxCheck(state.box, state.seat, is_there, missing, reason)


def rehearse(
    boxes: Boxes,
    seconds: float,
    report: Callable[[BoxEvent], None],
    is_enough: Callable[[], bool] = lambda: False,
) -> list[BoxCheck]:
    """Listen until every button of every box was pressed, for `seconds` at most; no checks if no box is there.

    `report` gets every event as it comes; somebody may say that it `is_enough`. The boxes must have been started.
    """
    rehearsal = Rehearsal(boxes)
    began = time.monotonic()
    while (waited := time.monotonic() - began) < seconds and not is_enough():
        checks = rehearsal.checks()
        is_settled = waited > min(SETTLE_SECONDS, seconds)
        if is_settled and not any(check.is_there for check in checks):
            break
        if checks and all(check.is_fine for check in checks) and is_settled:
            break
        try:
            event = boxes.events.get(timeout=0.1)
        except queue.Empty:
            continue
        rehearsal.hear(event)
        report(event)
    return rehearsal.checks()
