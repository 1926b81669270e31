"""A press of *done* that waits for the camera: who pressed, when, and what they saw proposed. No Kivy.

Times are monotonic seconds, the same as the observations' times.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.session.intents import Source
from companion.session.observation import Observation
from ui.table.offering import Offer

STALE = 5.0
"""seconds after which a camera that says nothing is no longer waited for"""
LONGEST_STALE = 20.0
"""the same for a camera whose pictures have come slowly, as on a busy machine"""
GAPS = 3.0
"""times the longest recent pause between two pictures that a camera may take"""
LOST = 3.0
"""seconds after which a camera that is lost is no longer waited for: some are back at once, as on a busy machine"""
JUST_NOW = 0.4
"""seconds before a press within which a reading recorded by itself is taken for what the press confirms"""


@dataclass(frozen=True, slots=True)
class AnsweredPress:
    """A press once the camera has read the table after it.

    `meant` is, for each seat that pressed, the action by which *done* would have ended its step then. `confirms` says
    that the press recorded a reading, or was about one: then it may end the turn besides, but no other step. `offer` is
    what the screen's primary button would have done, `sources` what each seat pressed: a box, a phone or the screen.
    """

    meant: Mapping[int, Any]
    confirms: bool
    offer: Offer | None = None
    sources: Mapping[int, Source] = field(default_factory=dict)

    @property
    def source(self) -> Source:
        """What was pressed last."""
        return [Source.TOUCH, *self.sources.values()][-1]


class PendingPress:
    """The press of one or several seats that the next quiet reading answers.

    `lag` is how many seconds a picture of this camera is older than its time says.
    """

    def __init__(self) -> None:
        self.lag = 0.0
        self._at: float | None = None
        self._meant: dict[int, Any] = {}
        self._sources: dict[int, Source] = {}
        self._offer: Offer | None = None
        self._proposal_seen: Any = None
        self._warned: frozenset[int] = frozenset()
        self._heard_at = self._recorded_unasked_at = float("-inf")
        self._gap = 0.0
        self._lost_at: float | None = None

    @property
    def is_waiting(self) -> bool:
        """Whether it waits for the camera."""
        return self._at is not None

    def by(self, meant: Mapping[int, Any], offer: Offer | None = None, source: Source = Source.TOUCH) -> None:
        """These seats have pressed, with `source`; `meant` is what *done* would close for each of them, `offer` what
        they saw.
        """
        self._meant |= meant
        self._sources |= dict.fromkeys(meant, source)
        self._offer = offer

    def wait(self, now: float, *, seen: Any) -> None:
        """Wait for a reading made after now; `seen` is the proposal that the presser saw, None for none."""
        self._at, self._proposal_seen = now, seen

    def is_answered_by(self, observation: Observation) -> bool:
        """Whether this reading shows the table as it was when the press was made, or later."""
        return self._at is not None and observation.quiet and observation.time >= self._at + self.lag

    def confirms(self, proposal: Any) -> bool:
        """Whether the presser saw this very proposal."""
        return self._proposal_seen is not None and self._proposal_seen == proposal

    def heard(self, now: float) -> None:
        """The camera has shown a frame."""
        if now - self._heard_at < LONGEST_STALE:
            self._gap = max(now - self._heard_at, 0.9 * self._gap)
        self._heard_at, self._lost_at = now, None

    def lost(self, now: float) -> None:
        """The camera gives no pictures any more."""
        self._lost_at = now if self._lost_at is None else self._lost_at

    def recorded_unasked(self, now: float) -> None:
        """A reading was recorded because it was clear, without a press."""
        self._recorded_unasked_at = now

    def is_stale(self, now: float) -> bool:
        """Whether the camera has given no picture for too long since the press."""
        if self._at is None:
            return False
        if self._lost_at is not None:
            return now - max(self._at, self._lost_at) > LOST
        patience = min(max(STALE, GAPS * self._gap), LONGEST_STALE)
        return now - max(self._at, self._heard_at) > patience

    def warn(self) -> None:
        """The seats that pressed are told that the camera does not answer: their next press goes on without it."""
        self._warned |= self._meant.keys()
        self.drop()

    def is_warned(self, seats: tuple[int, ...]) -> bool:
        """Whether all of these seats have been told that the camera does not answer."""
        return self._warned.issuperset(seats)

    def seen_again(self) -> None:
        """The camera has read the table: nobody goes on without it any more."""
        self._warned = frozenset()

    def drop(self) -> None:
        """Forget the press."""
        self._at, self._meant, self._sources, self._proposal_seen, self._offer = None, {}, {}, None, None

    def take(self, now: float, *, recorded: bool) -> AnsweredPress:
        """The press, which waits no longer; `recorded` says that a reading was recorded because of it."""
        pressed_at = now if self._at is None else self._at
        only_turn = recorded or self._proposal_seen is not None or self._recorded_unasked_at > pressed_at - JUST_NOW
        press = AnsweredPress(self._meant, only_turn, self._offer, self._sources)
        self.drop()
        return press
