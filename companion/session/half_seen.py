"""Spots that the camera sees otherwise than the record says, but too little to believe it: doubtful while they rest."""

from __future__ import annotations

import math
from collections.abc import Iterable

from companion.session.observation import MOMENT

LOOKS = 3
"""separate quiet moments in which a spot must be seen otherwise: in one or two a shadow or noise may do that"""


class HalfSeenMemory:
    """In how many quiet moments in a row each spot was half seen as something else, with no hand over it between."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[int, float]] = {}

    def observe(self, spots: Iterable[str], time: float) -> frozenset[str]:
        """Take in the spots that a quiet reading at `time` (monotonic seconds) half sees otherwise; gives the doubtful
        ones.
        """
        seen = {}
        for spot in spots:
            looks, latest = self._seen.get(spot, (0, -math.inf))
            seen[spot] = (looks + 1, time) if time - latest >= MOMENT else (looks, latest)
        self._seen = seen
        return frozenset(spot for spot, (looks, _latest) in seen.items() if looks >= LOOKS)

    def forget(self, spots: Iterable[str]) -> None:
        """A hand was there: what these spots showed before no longer counts."""
        for spot in spots:
            self._seen.pop(spot, None)
