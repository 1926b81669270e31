"""Places in the latest round that are changed by hand: two players swap theirs, or one sits at another table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from companion.event.entries import EventRefused, Moved, RoundDrawn, Swapped
from companion.event.history import Group, Groups
from companion.wording.sentences import sentence

if TYPE_CHECKING:
    from companion.event.event import Event


def swapped(change: Swapped, event: Event) -> Event:
    """Two players change places. Raises EventRefused."""
    drawn = _latest_round(event, change.round)
    places = {change.one: change.other, change.other: change.one}

    def exchanged(group: Group) -> Group:
        return tuple(places.get(player, player) for player in group)

    return _seated_otherwise(event, tuple(map(exchanged, drawn.tables)), exchanged(drawn.byes), change.repeats)


def moved(change: Moved, event: Event) -> Event:
    """A player sits last at another table. Raises EventRefused."""
    drawn = _latest_round(event, change.round)
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
    if change.table or not event.player(change.player).has_left:
        groups[change.table] += (change.player,)
    return _seated_otherwise(event, tuple(groups[1:]), groups[0], change.repeats)


def _latest_round(event: Event, number: int) -> RoundDrawn:
    if number != len(event.rounds) or not event.rounds:
        raise EventRefused(sentence("round {round}: only in the latest one players can change places", round=number))
    return event.rounds[-1]


def _seated_otherwise(event: Event, tables: Groups, byes: Group, repeats: int) -> Event:
    drawn, (low, high) = event.rounds[-1], event.settings.seats
    new = [number for number, group in enumerate(tables, 1) if group != drawn.tables[number - 1]]
    if not new:
        raise EventRefused(sentence("round {round}: nobody would sit elsewhere", round=drawn.round))
    for number in new:
        where = sentence("round {round}, table {table}", round=drawn.round, table=number)
        if (drawn.round, number) in event.results:
            raise EventRefused(sentence("{where}: has a result; take it back first", where=where))
        if not low <= len(tables[number - 1]) <= high:
            raise EventRefused(sentence("{where}: {low} to {high} can play there", where=where, low=low, high=high))
        for player in map(event.player, tables[number - 1]):
            if player.has_left and player.number not in drawn.tables[number - 1]:
                raise EventRefused(sentence("{name} has left already", name=player.name))
    anew = replace(drawn, tables=tables, byes=byes, repeats=repeats, plan=())
    return replace(event, rounds=(*event.rounds[:-1], anew))
