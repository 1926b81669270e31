"""The ends of games in the latest round, as the log has them: which stand, and which a table has taken back."""

from __future__ import annotations

from companion.event.entries import BY_TABLE, EndTakenBack, ResultKnown, RoundDrawn
from companion.event.event import ClubEvent


def latest_endings(event: ClubEvent) -> dict[int, ResultKnown | EndTakenBack]:
    """What each table of the latest round has said of an end last, whatever a hand has made of it since."""
    found = dict[int, ResultKnown | EndTakenBack]()
    for entry in reversed(event.entries):
        match entry.change:
            case RoundDrawn():
                break
            case ResultKnown(source=source) as result if result.round == len(event.rounds) and source == BY_TABLE:
                found.setdefault(result.table, result)
            case EndTakenBack() as taken_back:
                found.setdefault(taken_back.table, taken_back)
            case _:
                pass
    return found


def tables_playing_on(event: ClubEvent) -> frozenset[int]:
    """The tables of the latest round that have taken back the end of their game, and have no result."""
    open_tables = frozenset(event.open_tables)
    endings = latest_endings(event).items()
    return frozenset(table for table, each in endings if isinstance(each, EndTakenBack) and table in open_tables)
