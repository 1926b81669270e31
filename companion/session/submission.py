"""What becomes of what a table submits to its session."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import Consequence
from companion.legality import Verdict
from companion.session.entries import Entry, Rejudged


@dataclass(frozen=True, slots=True)
class Submission:
    """What became of something submitted; `entry` is None where nothing was entered.

    `unsettled` are the entries after an amended one that do not hold as they did.
    """

    verdict: Verdict
    consequences: tuple[Consequence, ...] = ()
    entry: Entry | None = None
    unsettled: tuple[Rejudged, ...] = ()
