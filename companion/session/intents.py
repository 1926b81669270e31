"""What a person at the table asks for, whatever device said it: a button box, the touch screen or a key."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class IntentKind(StrEnum):
    """What can be wished for with any device; the first four are the four buttons of a usual box."""

    DONE = "done"
    NO = "no"
    NEXT = "next"
    HELP = "help"
    UNDO = "undo"
    REDO = "redo"
    CHOOSE = "choose"
    PAUSE = "pause"
    JUDGE = "judge"
    """call the judge of an event, or take that back"""


class IntentResult(StrEnum):
    """What came of a wish."""

    ACCEPTED = "accepted"
    WAITING = "waiting"
    """a press of *done* waits for the camera to look"""
    REFUSED = "refused"
    """a rule forbids it, a refusal is still to be answered, or there is nothing it could do"""
    NOT_THIS_SEAT = "not this seat"
    """it is another seat's turn"""
    LATE = "late"
    """it was meant for a turn, or an entry, that has passed since"""


class Source(StrEnum):
    """What an action that is recorded was reported by."""

    TOUCH = "touch"
    """the table's screen, touched or by a key"""
    BOX = "box"
    PHONE = "phone"
    CAMERA = "camera"


@dataclass(frozen=True, slots=True)
class Intent:
    """One wish. `seat` is 1-based and None when the device belongs to nobody; `choice` is 1-based, for CHOOSE only.

    `state` is the record as its presser saw it (`Session.state_id`, the number of entries); None where that is unknown.
    `offered` is the key of the choice that *done* was said to take, "" for none; None for whatever the screen shows.
    `source` is what the wish was made with.
    """

    kind: IntentKind
    seat: int | None = None
    choice: int | None = None
    state: int | None = None
    offered: str | None = None
    source: Source = Source.TOUCH

    def __post_init__(self) -> None:
        if (self.kind is IntentKind.CHOOSE) != (self.choice is not None):
            raise ValueError("a choice number belongs to the intent 'choose' and to no other")
