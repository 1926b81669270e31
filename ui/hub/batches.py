"""What is written together: entries and refusals, newest states. One transaction takes in what came within moments."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from companion.publishing.messages import HEADER
from companion.publishing.table_state import TableState
from companion.session.entries import EntryKind

MOST_CLAIMED = 500
"""tables that refusals are counted for by name; of further ones all together"""
OTHERS = "…"
GameKey = tuple[str, str]
"""a table's id and the id of a game's record"""
FACTS = "kind", "time", "seat", "action"
"""members of an entry's line that are the same however often it is told: what people wrote is shown or not, and a later
program may know more of it
"""


class Reason(StrEnum):
    """Why a message was not believed."""

    UNREGISTERED = "unregistered"
    SIGNATURE = "signature"
    TOO_LARGE = "too large"
    MALFORMED = "malformed"
    SCHEMA = "schema"
    REPLAYED = "replayed"
    CODE = "code"
    TAKEN = "taken"
    OVERRUN = "overrun"
    COPIED = "copied"


@dataclass(frozen=True, slots=True)
class TakenEntry:
    """An entry of a game as it is stored: its line as JSON text."""

    table_id: str
    game_id: str
    number: int
    body: str


@dataclass(frozen=True, slots=True)
class TakenState:
    """The newest state of a table."""

    table_id: str
    number: int
    body: str
    state: TableState


@dataclass(slots=True)
class Newest:
    """The newest of tables that is not written yet; pages have it already."""

    states: dict[str, TakenState] = field(default_factory=dict)
    presences: dict[str, tuple[int, int, bool, str]] = field(default_factory=dict)
    """table -> (number, connection, online, name)"""

    def __bool__(self) -> bool:
        return bool(self.states or self.presences)


@dataclass(slots=True)
class Batch:
    """What has come in and is not written yet."""

    entries: list[TakenEntry] = field(default_factory=list)
    refusals: Counter[tuple[Reason, str]] = field(default_factory=Counter)
    copied: Counter[str] = field(default_factory=Counter)
    """tables -> entries that tell something else than what was stored first, as found when the batch was written"""

    def __bool__(self) -> bool:
        return bool(self.entries or self.refusals)

    def refuse(self, reason: Reason, claimed: str, count: int = 1) -> None:
        """Count what was not believed."""
        key = reason, claimed[:64]
        if key not in self.refusals and len(self.refusals) >= MOST_CLAIMED:
            key = reason, OTHERS
        self.refusals[key] += count


def tells_the_same(first: TakenEntry, again: TakenEntry) -> bool:
    """Whether an entry that came again is the one that came first, told perhaps in another way: with or without names
    and words of people, or as lost. Headers of one game differ in nothing else.
    """
    if first.body == again.body or first.number == HEADER:
        return True
    lines = json.loads(first.body), json.loads(again.body)
    if any(line.get("kind") == EntryKind.LOST for line in lines):
        return True
    return all(lines[0].get(name) == lines[1].get(name) for name in FACTS)


@dataclass(frozen=True, slots=True)
class BatchStanding:
    """How far a game has come in: all entries up to `unbroken`, and which spans are missing below the highest known."""

    unbroken: int
    missing: tuple[tuple[int, int], ...] = ()


def missing_spans(unbroken: int, stored: list[int], highest: int) -> tuple[tuple[int, int], ...]:
    """The spans (first, last) up to `highest` that are not among `stored`, sorted numbers all above `unbroken`."""
    spans, at = [], unbroken + 1
    for number in (*stored, highest + 1):
        if number > at:
            spans.append((at, number - 1))
        at = max(at, number + 1)
    return tuple(spans)


def unbroken_after(unbroken: int, stored: list[int]) -> int:
    """The highest number below which nothing is missing; `stored` are sorted numbers."""
    for number in stored:
        if number == unbroken + 1:
            unbroken = number
        elif number > unbroken:
            break
    return unbroken
