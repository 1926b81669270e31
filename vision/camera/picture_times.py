"""When a picture was taken, as far as its source and its coming tell.

A picture that comes late is older than its coming: a source that gives the time is believed; of the others, a picture
that had to be waited for is fresh, and one that was there at once had been waiting itself. So come those that a camera
or this machine had kept while the source was opened, or while nobody had time to read.
"""

from __future__ import annotations

from collections import deque
from statistics import median
from typing import Protocol, runtime_checkable

OLDEST = 10.0
"""seconds that a picture may be old by the time its source gives; more is another clock"""
EARLY = 0.05
"""seconds by which such a time may lie ahead, as two clocks differ"""
LONGEST_KEPT = 5.0
"""seconds for which pictures are taken to have been kept at most"""
_WAITED = 0.5
"""share of the usual interval that reading must take for a picture to be fresh"""
_RECENT = 8
"""number of intervals that are remembered"""


@runtime_checkable
class TimedSource(Protocol):
    """A live source whose pictures may come late."""

    def taken(self) -> float | None:
        """When the latest picture was taken (monotonic seconds); None where the source does not say."""

    @property
    def period(self) -> float:
        """The usual seconds between two pictures, as the source states it."""


class PictureTimes:
    """The times of one source's pictures, in their order; all are monotonic seconds."""

    def __init__(self, source: object) -> None:
        self._source = source if isinstance(source, TimedSource) else None
        self._intervals: deque[float] = deque(maxlen=_RECENT)
        self._last = self._came = 0.0
        self._is_first = True

    def opening(self, now: float) -> None:
        """The source begins to be opened."""
        self._last = now
        self._is_first = True
        self._intervals.clear()

    def taken(self, began: float, now: float) -> float:
        """When the picture was taken that was asked for at `began` and came `now`."""
        if self._source is None:
            return now
        given = self._source.taken()
        if given is not None and -EARLY <= now - given <= OLDEST:
            taken = min(given, now)
        else:
            taken = self._estimated(self._source.period, began, now)
        self._last, self._came, self._is_first = max(taken, self._last), now, False
        return self._last

    def _estimated(self, stated: float, began: float, now: float) -> float:
        if self._is_first:  # what had come while the source was opened is kept, and given first
            return max(self._last, now - LONGEST_KEPT)
        period = max(stated, median(self._intervals) if self._intervals else 0.0)
        if now - began >= _WAITED * period:
            self._intervals.append(now - self._came)
            return now
        return min(now, max(self._last + period, now - LONGEST_KEPT))
