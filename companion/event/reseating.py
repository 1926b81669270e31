"""Seats of the latest round changed by hand, before its results are in: two players swapped, or one moved."""

from __future__ import annotations

from dataclasses import replace

from companion.event.entries import Moved, RoundDrawn, Swapped
from companion.event.event import ClubEvent, changed
from companion.event.history import PairingHistory, history_of, pairs


def swap(event: ClubEvent, one: int, other: int) -> Swapped:
    """Two players change places, with the repeats that the round has then.

    Raises EventRefused.
    """
    change = Swapped(len(event.rounds), one, other, 0)
    return replace(change, repeats=_repeats(changed(change, event)))


def move(event: ClubEvent, player: int, table: int) -> Moved:
    """A player sits last at another table, or has a bye (table 0).

    Raises EventRefused.
    """
    change = Moved(len(event.rounds), player, table, 0)
    return replace(change, repeats=_repeats(changed(change, event)))


def repeats_as_drawn(event: ClubEvent) -> int:
    """The repeats that the latest round had before anybody changed places; of an event with one."""
    return _drawn(event).repeats


def is_seated_by_hand(event: ClubEvent) -> bool:
    """Whether anybody sits elsewhere in the latest round than was drawn; of an event with one."""
    drawn, now = _drawn(event), event.rounds[-1]
    return (drawn.tables, drawn.byes) != (now.tables, now.byes)


def meetings_again(event: ClubEvent) -> dict[int, list[tuple[int, int]]]:
    """Who sit together in the latest round and sat together before: table -> pairs; tables without any are left out."""
    before = _before(event)
    found = {
        number: [pair for pair in pairs(group) if before.times_met(*pair)]
        for number, group in enumerate(event.rounds[-1].tables, 1)
    }
    return {number: again for number, again in found.items() if again}


def _repeats(event: ClubEvent) -> int:
    return _before(event).repeats(event.rounds[-1].tables)


def _before(event: ClubEvent) -> PairingHistory:
    return history_of(event.seats[:-1])


def _drawn(event: ClubEvent) -> RoundDrawn:
    return next(entry.change for entry in reversed(event.entries) if isinstance(entry.change, RoundDrawn))
