"""Edges to gestures, decided on the host so that a box stays simple and the times can be chosen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

LONG_HOLD = 0.6
DOUBLE_GAP = 0.3


class Gesture(StrEnum):
    """What a finger does to a button."""

    SINGLE = "single"
    DOUBLE = "double"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class Performed:
    """A gesture on a button; `at` is the monotonic second at which its first press began."""

    button: int
    gesture: Gesture
    at: float


@dataclass(slots=True)
class _ButtonState:
    down_at: float | None = None
    is_spent: bool = False
    first_press: float | None = None
    first_release: float = 0.0


class GestureRecogniser:
    """The gestures of one box. A press is only waited for as long as what `wanted(button)` names makes it needful.

    Where neither double nor long means anything, a press is single as soon as the button goes down. Times are those of
    the edges themselves, so a delayed message makes no long press.
    """

    def __init__(self, wanted: Callable[[int], frozenset[Gesture]]) -> None:
        self._wanted = wanted
        self._buttons: dict[int, _ButtonState] = {}

    def edge(self, button: int, pressed: bool, at: float) -> list[Performed]:
        """Take an edge; gives what it completes. A press without a release before it counts as a new press."""
        state = self._buttons.setdefault(button, _ButtonState())
        wanted = self._wanted(button)
        performed = self._expired(button, state, at)
        if pressed:
            state.down_at, state.is_spent = at, False
            if state.first_press is not None:
                performed.append(Performed(button, Gesture.DOUBLE, state.first_press))
                state.first_press, state.is_spent = None, True
            elif not wanted & {Gesture.DOUBLE, Gesture.LONG}:
                performed.append(Performed(button, Gesture.SINGLE, at))
                state.is_spent = True
            return performed
        down_at, state.down_at = state.down_at, None
        if down_at is None or state.is_spent:
            return performed
        if Gesture.DOUBLE in wanted:
            state.first_press, state.first_release = down_at, at
        else:
            performed.append(Performed(button, Gesture.SINGLE, down_at))
        return performed

    def tick(self, now: float) -> list[Performed]:
        """What is decided by `now` because nothing more came."""
        return [performed for button, state in self._buttons.items() for performed in self._expired(button, state, now)]

    def reset(self) -> None:
        """Forget buttons held down and presses half done: the box is out of reach."""
        self._buttons.clear()

    def _expired(self, button: int, state: _ButtonState, now: float) -> list[Performed]:
        performed = []
        if state.first_press is not None and now - state.first_release > DOUBLE_GAP:
            performed.append(Performed(button, Gesture.SINGLE, state.first_press))
            state.first_press = None
        if state.down_at is None or state.is_spent or Gesture.LONG not in self._wanted(button):
            return performed
        if now - state.down_at >= LONG_HOLD:
            performed.append(Performed(button, Gesture.LONG, state.down_at))
            state.is_spent = True
        return performed
