"""What is written together: entries and refusals, newest states. One transaction takes in what came within moments."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum

from companion.publishing.table_state import TableState

MOST_CLAIMED = 500
"""tables that refusals are counted for by name; of further ones all together"""
OTHERS = "…"
GameKey = tuple[str, str]
"""a table's id and the id of a game's record"""


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

    def __bool__(self) -> bool:
        return bool(self.entries or self.refusals)

    def refuse(self, reason: Reason, claimed: str, count: int = 1) -> None:
        """Count what was not believed."""
        key = reason, claimed[:64]
        if key not in self.refusals and len(self.refusals) >= MOST_CLAIMED:
            key = reason, OTHERS
        self.refusals[key] += count


@dataclass(frozen=True, slots=True)
class Standing:
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
