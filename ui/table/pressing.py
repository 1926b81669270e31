"""A press of *done* that waits for the camera: who pressed, when, and what it confirms. No Kivy.

Times are monotonic seconds, the same as the observations' times.
"""

from __future__ import annotations

from dataclasses import dataclass

from companion.session.observation import Observation

STALE = 5.0
"""seconds after which a camera that says nothing is no longer waited for"""
JUST_NOW = 0.4
"""seconds before a press within which a reading recorded by itself is taken for what the press confirms"""


@dataclass(frozen=True, slots=True)
class AnsweredPress:
    """A press that has been looked at; where it confirmed a reading it may only end the turn."""

    seats: tuple[int, ...]
    confirms: bool


class PendingPress:
    """The press of one or several seats that the next quiet reading answers."""

    def __init__(self) -> None:
        self._at: float | None = None
        self._seats: tuple[int, ...] = ()
        self._confirms = False
        self._heard_at = self._settled_at = float("-inf")

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for the camera."""
        return self._at is not None

    def by(self, seats: tuple[int, ...]) -> None:
        """These seats have pressed."""
        self._seats = tuple(dict.fromkeys((*self._seats, *seats)))

    def wait(self, now: float, *, confirms: bool) -> None:
        """Wait for a reading made after now; `confirms` says that one is proposed already."""
        self._at, self._confirms = now, confirms

    def is_answered_by(self, observation: Observation) -> bool:
        """Whether this reading is the one that was waited for."""
        return self._at is not None and observation.quiet and observation.time >= self._at

    def heard(self, now: float) -> None:
        """The camera has shown a frame."""
        self._heard_at = now

    def settled(self, now: float) -> None:
        """A reading was recorded by itself."""
        self._settled_at = now

    def is_stale(self, now: float) -> bool:
        """Whether the camera has been silent for too long since."""
        return self._at is not None and now - max(self._at, self._heard_at) > STALE

    def drop(self) -> None:
        """Nobody has pressed."""
        self._at, self._seats, self._confirms = None, (), False

    def take(self, now: float, *, recorded: bool) -> AnsweredPress:
        """The press, looked at; `recorded` says that a reading was entered because of it."""
        pressed_at = now if self._at is None else self._at
        press = AnsweredPress(self._seats, recorded or self._confirms or self._settled_at > pressed_at - JUST_NOW)
        self.drop()
        return press
