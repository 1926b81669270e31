"""How the publishing of a table stands. Apart from the messages themselves, for a start that has none to read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.publishing.messages import Assignment, JudgeWord


@dataclass(frozen=True, slots=True)
class PublishingStatus:
    """`behind` counts the entries that no hub has acknowledged. `refused` is a word for why a hub does not believe the
    table (docs/formats/hub.md), "" for nothing. `assignment` and `judge` are what the hub said last; `assigned_at` is
    when the event and round of the assignment were first heard of, by the table's clock, "" where that is not known.
    """

    registered: bool = False
    registering: bool = False
    behind: int = 0
    refused: str = ""
    help: bool = False
    assignment: Assignment | None = None
    assigned_at: str = ""
    judge: JudgeWord | None = None
