"""Places in a round that are changed by hand: two players swap theirs, or one sits at another table."""

from __future__ import annotations

from typing import NamedTuple

from companion.event.entries import EventRefused, Moved, RoundDrawn, Swapped
from companion.event.history import Groups, TableGroup
from companion.wording.sentences import sentence


class RoundPlaces(NamedTuple):
    """The players of each table of a round, and those who have a bye."""

    tables: Groups
    byes: TableGroup


def swapped(change: Swapped, drawn: RoundDrawn) -> RoundPlaces:
    """Two players change places."""
    places = {change.one: change.other, change.other: change.one}

    def exchanged(group: TableGroup) -> TableGroup:
        return tuple(places.get(player, player) for player in group)

    return RoundPlaces(tuple(map(exchanged, drawn.tables)), exchanged(drawn.byes))


def moved(change: Moved, drawn: RoundDrawn, *, has_left: bool) -> RoundPlaces:
    """A player sits last at another table, or nowhere who `has_left`. Raises EventRefused."""
    if not 0 <= change.table <= len(drawn.tables):
        raise EventRefused(
            sentence(
                "round {round}: has tables 1 to {last}, not {table}",
                round=change.round,
                last=len(drawn.tables),
                table=change.table,
            )
        )
    groups = [tuple(each for each in group if each != change.player) for group in (drawn.byes, *drawn.tables)]
    if change.table or not has_left:
        groups[change.table] += (change.player,)
    return RoundPlaces(tuple(groups[1:]), groups[0])
