"""Who begins and who sits where at a table, in turn for everybody."""

from __future__ import annotations

import random
from itertools import permutations

from companion.event.history import PairingHistory, TableGroup


def seated(group: TableGroup, history: PairingHistory, chance: random.Random) -> TableGroup:
    """A group in turn order: whoever is due most begins, the others sit where they sat least.

    Seat 1 begins. Equal claims are decided by lot.
    """
    drawn = list(group)
    chance.shuffle(drawn)
    first = min(drawn, key=lambda player: (history.start_debt.get(player, 0), _times(history, player, 1)))
    others = [player for player in drawn if player != first]
    return (
        first,
        *min(
            permutations(others),
            key=lambda order: sum(_times(history, player, seat) for seat, player in enumerate(order, 2)),
        ),
    )


def _times(history: PairingHistory, player: int, seat: int) -> int:
    return history.seats.get(player, {}).get(seat, 0)
