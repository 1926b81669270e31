"""Entries that tables speak of and that are not here: after a while their tables are asked for them."""

from __future__ import annotations

import time

from companion.publishing.messages import GameNumber, Gap, HubMessage
from ui.hub.batches import BatchStanding, GameKey
from ui.hub.storing import Storing

GRACE = 1.5
"""seconds that a missing entry may be on its way through another hub before it is asked for"""
MOST_CLAIMS = 300
"""games that are looked at in one turn for missing entries"""


class MissingEntries:
    """For the thread of the intake."""

    def __init__(self, storing: Storing) -> None:
        self._storing = storing
        self._claims: dict[GameKey, tuple[float, int]] = {}
        """games that tables speak of: when to look (monotonic) whether anything is missing, and up to which number"""

    def claim(self, table_id: str, game_id: str, number: int) -> None:
        """A table speaks of an entry: look in a moment whether all up to it is here."""
        due, highest = self._claims.get((table_id, game_id), (time.monotonic() + GRACE, number))
        self._claims[table_id, game_id] = due, max(highest, number)

    def asked_for(self) -> list[tuple[str, HubMessage]]:
        """What is to be asked for now, each with its table. What came twice has been acknowledged again already.

        Raises ui.hub.database.Lost; it stays due then.
        """
        now = time.monotonic()
        due = [key for key, (at, _highest) in self._claims.items() if at <= now][:MOST_CLAIMS]
        if not due:
            return []
        standings = self._storing.standings({key: self._claims[key][1] for key in due})
        for key in standings:
            del self._claims[key]
        return [(key[0], _message(key[1], standing)) for key, standing in standings.items() if standing.missing]


def _message(game_id: str, standing: BatchStanding) -> HubMessage:
    return HubMessage(
        (GameNumber(game_id, standing.unbroken),), tuple(Gap(game_id, first, last) for first, last in standing.missing)
    )
