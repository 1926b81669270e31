"""Who is asked where a box belongs, and the rows of presses by which a box on a cable may answer itself.

Nobody is paired by a press alone: on a broker anybody can press in the name of a box. No Kivy, no device.
"""

from __future__ import annotations

import itertools
import random
from collections import deque
from collections.abc import Iterable, Mapping

from firmware_bridge.presses.events import BoxState
from firmware_bridge.protocol.addresses import BoxAddress, Wire
from firmware_bridge.protocol.messages import LinkState

ROW_LENGTH = 3
"""Presses in a row that seats a box: with four buttons one random row in 64 is right."""
USUAL_BUTTONS = 4
FEWEST_BUTTONS = 2

PressRow = tuple[int, ...]


def needs_seat(state: BoxState, players: int) -> bool:
    """Whether a box must be asked about: it belongs to nobody, or to a seat that does not play."""
    return not state.is_paired or (state.seat is not None and state.seat > players)


def is_on_cable(box: str) -> bool:
    """Whether only somebody at the box can press its buttons."""
    return BoxAddress.parse(box).wire in (Wire.SERIAL, Wire.USB)


class PortDoubts:
    """Which boxes at serial ports may be others than before, because only their ports say which they are.

    A box without a number of its own cannot be distinguished from another one. Where several of them were away at the
    same time, or are only remembered from another evening, somebody may have exchanged their ports.
    """

    def __init__(self, remembered: Iterable[str] = ()) -> None:
        """`remembered` are boxes of an earlier run that nobody named in this one."""
        at_ports = {box for box in remembered if BoxAddress.parse(box).wire is Wire.SERIAL}
        self._doubtful = at_ports if len(at_ports) > 1 else set()
        self._away: set[str] = set()
        self._uids: dict[str, str] = {}

    def note(self, state: BoxState) -> bool:
        """Take a state in; whether the table must be asked which box this is."""
        box = state.box
        if BoxAddress.parse(box).wire is not Wire.SERIAL or not state.is_paired:
            return False
        if state.state is LinkState.LOST and not self._uids.get(box):
            self._away.add(box)
            if len(self._away) > 1:
                self._doubtful |= self._away
        if state.state is not LinkState.READY:
            return False
        self._away.discard(box)
        before = self._uids.get(box)
        self._uids[box] = state.uid
        if before and before != state.uid:
            self._doubtful.add(box)
        elif state.uid:
            self._doubtful.discard(box)
        return box in self._doubtful

    def answered(self, box: str) -> None:
        """Somebody said which seat the box belongs to."""
        self._doubtful.discard(box)


class Pairing:
    """The boxes that are asked about, with a row of presses for each answer of each box on a cable."""

    def __init__(self, rng: random.Random | None = None) -> None:
        self._rng = rng or random.SystemRandom()
        self._rows: dict[str, dict[PressRow, int | None]] = {}
        self._pressed: dict[str, deque[int]] = {}

    def ask(self, state: BoxState, players: int) -> Mapping[int, PressRow]:
        """Begin to ask about a box; gives the row for each seat, 0 for all seats together.

        There are none for a box that anybody on a broker can speak for, or that has too few buttons.
        """
        if state.box not in self._rows:
            self._rows[state.box] = self._drawn(state, players)
            self._pressed[state.box] = deque(maxlen=ROW_LENGTH)
        return {seat or 0: row for row, seat in self._rows[state.box].items()}

    def is_asked(self, box: str) -> bool:
        """Whether the table is asked about a box now."""
        return box in self._rows

    def forget(self, box: str) -> None:
        """The question is answered, or its box is gone."""
        self._rows.pop(box, None)
        self._pressed.pop(box, None)

    def press(self, box: str, button: int) -> tuple[int | None] | None:
        """Take a press in; gives the seat in a tuple where the last presses are a shown row, else None."""
        if box not in self._rows:
            return None
        pressed = self._pressed[box]
        pressed.append(button)
        row = tuple(pressed)
        return (self._rows[box][row],) if row in self._rows[box] else None

    def _drawn(self, state: BoxState, players: int) -> dict[PressRow, int | None]:
        buttons = state.buttons or USUAL_BUTTONS
        seats: list[int | None] = [*range(1, players + 1), None]
        rows = [
            row
            for row in itertools.product(range(1, min(buttons, USUAL_BUTTONS) + 1), repeat=ROW_LENGTH)
            if len(set(row)) > 1
        ]
        if state.state is not LinkState.READY or not is_on_cable(state.box) or len(rows) < len(seats):
            return {}
        return dict(zip(self._rng.sample(rows, len(seats)), seats, strict=True))
