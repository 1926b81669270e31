"""What the boxes report to the program, through one queue."""

from __future__ import annotations

from dataclasses import dataclass

from companion.session.intents import Intent
from firmware_bridge.protocol.gestures import Gesture
from firmware_bridge.protocol.messages import LinkState


@dataclass(frozen=True, slots=True)
class BoxState:
    """A box came, went or cannot be reached; `reason` is for people, without the box's name, and may be empty.

    A box that was found and belongs to nobody yet is not paired: the program asks which seat it belongs to.
    """

    box: str
    seat: int | None
    state: LinkState
    reason: str = ""
    is_paired: bool = True
    buttons: int = 0
    """how many the box has, 0 where it does not say"""
    battery: int | None = None
    """percent that is left in it, None where it does not say"""
    uid: str = ""
    """the number that the box keeps for good, empty for one that has none"""
    heard_at: float | None = None
    """the monotonic second at which a device that greets nobody was heard last, None before"""


@dataclass(frozen=True, slots=True)
class ButtonPress:
    """A gesture on a button, given once and in the order in which the box saw it.

    `number` counts the presses of this run of the program, `at` is the host's monotonic second. `intent` is what the
    press asks for: None where nothing is bound to it, for a box that is not paired, and for a press that `is_stale`,
    which is too old to be acted on and only shown. A device whose word no record knows has button 0; `word` is what a
    device said that speaks in words.
    """

    number: int
    box: str
    seat: int | None
    button: int
    gesture: Gesture
    intent: Intent | None
    at: float
    is_stale: bool = False
    is_paired: bool = True
    word: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """Something about a port, broker or box that a person should know; each thing is said once."""

    source: str
    text: str


BoxEvent = BoxState | ButtonPress | Notice
