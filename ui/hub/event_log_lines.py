"""The log of an event in words, the newest entry first."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from companion.event.entries import (
    Archived,
    Change,
    EndTakenBack,
    EventEntry,
    Joined,
    Left,
    Moved,
    Renamed,
    Replanned,
    ResultKnown,
    ResultTakenBack,
    Returned,
    RoundDrawn,
    RoundTakenBack,
    Swapped,
    TableNamed,
    TakenOut,
)
from companion.event.event import ClubEvent
from companion.event.results import ranks_in_line
from ui.hub.event_list_page import ORGANISER
from ui.services.text import _

LATEST = 60
NameOf = Callable[[str], str]
"""what people call a published table, by its identity"""


def latest_lines(event: ClubEvent, name_of: NameOf, most: int = LATEST) -> list[tuple[int, str]]:
    """The latest entries: number, and who did what."""
    return [(entry.number, line_of(event, entry, name_of)) for entry in reversed(event.entries[-most:])]


def result_entries(event: ClubEvent, round_number: int, table: int) -> list[EventEntry]:
    """All entries about the result of a table, the oldest first: the trail of its corrections."""
    return [
        entry
        for entry in event.entries
        if isinstance(entry.change, ResultKnown | ResultTakenBack | EndTakenBack)
        and (entry.change.round, entry.change.table) == (round_number, table)
    ]


def line_of(event: ClubEvent, entry: EventEntry, name_of: NameOf) -> str:
    """An entry in words."""
    at = datetime.fromisoformat(entry.time).astimezone().strftime("%H:%M")
    return f"{at} · {_change_words(event, entry.change, name_of)} · {_writer(event, entry.by, name_of)}"


def _writer(event: ClubEvent, by: str, name_of: NameOf) -> str:
    """Who wrote an entry: a table by its number, as long as it is one of the event's."""
    if by == ORGANISER:
        return _("organiser")
    number = next((number for number, name in event.tables.items() if name == by), 0)
    return _("table {number}").format(number=number) if number else name_of(by)


def _change_words(event: ClubEvent, change: Change, name_of: NameOf) -> str:
    match change:
        case Replanned():
            told = _("from now on {size} at a table; rounds: {rounds}, tables: {tables}")
            return told.format(size=change.preferred, rounds=change.rounds, tables=change.tables)
        case Joined():
            return _("{name} is in").format(name=change.name)
        case Renamed():
            return _("player {number} is called {name}").format(number=change.player, name=change.name)
        case Left():
            return _("{name} has left").format(name=event.players[change.player].name)
        case Returned():
            return _("{name} is back").format(name=event.players[change.player].name)
        case TableNamed():
            name = name_of(change.identity) if change.identity else "–"
            return _("table {number} is {name}").format(number=change.table, name=name)
        case RoundDrawn():
            return _("round {number} drawn").format(number=change.round)
        case Swapped():
            told = _("round {number}: {one} and {other} change places")
            names = event.names((change.one, change.other))
            return f"{told.format(number=change.round, one=names[0], other=names[1])}; {_met_again(change.repeats)}"
        case Moved():
            told = _("round {number}: {name} goes to table {table}") if change.table else _(
                "round {number}: {name} sits at no table"
            )  # fmt: skip
            name = event.players[change.player].name
            told = told.format(number=change.round, name=name, table=change.table)
            return f"{told}; {_met_again(change.repeats)}"
        case RoundTakenBack():
            return _("round {number} taken back").format(number=change.round)
        case ResultTakenBack():
            told = _("round {round}, table {table}: result taken back")
            return f"{told.format(round=change.round, table=change.table)} ({change.reason})"
        case EndTakenBack():
            told = _("round {round}, table {table}: the table has taken back the end of its game")
            return told.format(round=change.round, table=change.table)
        case Archived():
            return _("archived")
        case TakenOut():
            return _("taken out of the archive")
        case ResultKnown():
            where = _("round {round}, table {table}").format(round=change.round, table=change.table)
            why = f" ({_(change.reason)})" if change.reason else ""
            return f"{where}: {_result_words(change)}{why}"


def _result_words(result: ResultKnown) -> str:
    """The points, with the ranks where not the points alone decide them."""
    points = " : ".join(map(str, result.points))
    ranks = ranks_in_line(result)
    return f"{points} ({_('ranks')} {ranks})" if ranks else points


def _met_again(count: int) -> str:
    return _("met before: {count}").format(count=count)
