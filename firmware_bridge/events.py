"""What the boxes tell the program, through one queue."""

from __future__ import annotations

from dataclasses import dataclass

from companion.session.intents import Intent
from firmware_bridge.gestures import Gesture
from firmware_bridge.messages import LinkState


@dataclass(frozen=True, slots=True)
class BoxState:
    """A box came, went or cannot be reached; `reason` is for people, without the box's name, and may be empty."""

    box: str
    seat: int | None
    state: LinkState
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Press:
    """A gesture on a button, given once and in the order in which the box saw it.

    `number` is its own in this run of the program, `at` the host's monotonic second. `intent` is what it asks for: None
    where nothing is bound to it, and where `is_stale`, for a press too old to be acted on is only to be shown.
    """

    number: int
    box: str
    seat: int | None
    button: int
    gesture: Gesture
    intent: Intent | None
    at: float
    is_stale: bool = False


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a port or broker that a person should know; each thing is said once."""

    source: str
    text: str


BoxEvent = BoxState | Press | Notice
