"""What events and tables have to do with one another: a table is told who sits there, its finished game is a result."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

from companion.event.entries import ResultKnown, RoundDrawn
from companion.event.event import Event, EventRefused
from companion.event.results import FinishedGame, result_of_game
from companion.publishing.messages import AssignedSeat, Assignment
from companion.wording.sentences import Sentence
from ui.hub.event_store import Changes, EventStore

Say = Callable[[str, str], None]
"""Keeps and sends a table its assignment, as JSON text."""
FOLLOWED = 20
"""events whose tables are looked at for results: those made last"""


class Events:
    """The events of one hub. May be used by several threads; what reads or writes may raise `ui.hub.database.Lost`."""

    def __init__(self, store: EventStore, say: Say) -> None:
        self.store, self._say = store, say
        self._problems = dict[tuple[str, int, int], Sentence]()

    def change(self, event_id: str, by: str, changes: Changes) -> Event | None:
        """Change an event, and tell the tables whatever is new to them.

        Raises EventRefused.
        """
        before: list[Event] = []

        def noted(event: Event) -> Any:
            before[:] = [event]
            return changes(event)

        after = self.store.change(event_id, by, noted)
        if after is not None:
            told = assignments(before[0])
            for identity, assignment in assignments(after).items():
                if told.get(identity) != assignment:
                    self._tell(identity, assignment)
            for identity in told.keys() - assignments(after).keys():
                self._tell(identity, Assignment("", 0, "", ()))
        return after

    def problem(self, event: Event, table: int) -> Sentence | None:
        """Why the game that ended at a table of the latest round gives no result; None where nothing is wrong."""
        return self._problems.get((event.id, len(event.rounds), table))

    def look(self) -> bool:
        """Take the results of games that have ended; whether there was anything new."""
        found = False
        for event in self.store.latest(FOLLOWED):
            tables = {event.tables[table]: table for table in event.open_tables if table in event.tables}
            if tables:
                for identity, game in self.store.finished_since(_drawn_at(event), tables):
                    found |= self._take(event, tables[identity], game)
        return found

    def _take(self, event: Event, table: int, game: FinishedGame) -> bool:
        """Take a finished game of this round as the result of a table; whether that changed anything."""
        number, where = len(event.rounds), (event.id, len(event.rounds), table)
        if any(result.record == game.record for result in event.results.values()):
            return False
        names = event.names(event.rounds[-1].tables[table - 1])
        result = result_of_game(game, event.settings.game, names, number, table)
        if isinstance(result, Sentence):
            known, self._problems[where] = self._problems.get(where), result
            return known != result
        self._problems.pop(where, None)

        def still_open(now: Event) -> list[ResultKnown]:
            return [result] if len(now.rounds) == number and table in now.open_tables else []

        with suppress(EventRefused):  # the round was drawn otherwise meanwhile
            self.change(event.id, event.tables[table], still_open)
        return True

    def _tell(self, identity: str, assignment: Assignment) -> None:
        self._say(identity, json.dumps(assignment.document(), ensure_ascii=False))


def assignments(event: Event) -> Mapping[str, Assignment]:
    """What each published table of an event is to play now: nothing where its result is known."""
    found, settings, number = dict[str, Assignment](), event.settings, len(event.rounds)
    for table, identity in event.tables.items():
        seats: tuple[AssignedSeat, ...] = ()
        if table in event.open_tables:
            players = event.names(event.rounds[-1].tables[table - 1])
            seats = tuple(AssignedSeat(seat, name) for seat, name in enumerate(players, 1))
        found[identity] = Assignment(settings.name, number, settings.game, seats, 1 if seats else 0)
    return found


def _drawn_at(event: Event) -> str:
    """When the latest round was drawn."""
    return next(entry.time for entry in reversed(event.entries) if isinstance(entry.change, RoundDrawn))
