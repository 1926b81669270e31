"""What comes of an action that a table submits to its session."""

from __future__ import annotations

from dataclasses import dataclass

from companion.engine import Consequence
from companion.legality import Verdict
from companion.session.entries import Entry, Rejudged


@dataclass(frozen=True, slots=True)
class Submission:
    """What came of an action that was submitted; `entry` is None where it was not recorded.

    Where it changes an earlier entry, `unsettled` are the later ones that break a rule now or cannot happen any more.
    """

    verdict: Verdict
    consequences: tuple[Consequence, ...] = ()
    entry: Entry | None = None
    unsettled: tuple[Rejudged, ...] = ()
