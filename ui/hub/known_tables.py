"""The registered tables as a hub knows them: read from the database, where other hubs register and change them, too."""

from __future__ import annotations

import logging
import time
from collections.abc import Mapping
from dataclasses import replace

from companion.errors import InvalidDocument
from companion.files.documents import parse_json
from companion.publishing.table_state import TableState, read_state
from ui.hub.database import Lost
from ui.hub.overview import Overview, ShownTable
from ui.hub.registrations import RegisteredTable
from ui.hub.storing import Storing
from ui.web.guard import Rate

LOOK_AGAIN = 2.0
"""seconds after which an unknown table may have registered with another hub"""
LOOKS_A_SECOND = 20.0
MOST_STRANGERS = 2_000
_LOG = logging.getLogger("companion.hub")


class KnownTables:
    """Reads them into the overview. For the thread of the intake."""

    def __init__(self, storing: Storing, overview: Overview) -> None:
        self._storing, self._overview = storing, overview
        self._tables: dict[str, RegisteredTable] = {}
        self._strangers: dict[str, float] = {}
        """unknown tables, and when they were looked for"""
        self._looks = Rate(LOOKS_A_SECOND, LOOKS_A_SECOND)

    def __contains__(self, table_id: object) -> bool:
        return table_id in self._tables

    def get(self, table_id: str) -> RegisteredTable | None:
        """A table by its id; None where none is known."""
        return self._tables.get(table_id)

    def note(self, table: RegisteredTable) -> None:
        """A table has told something newer."""
        self._tables[table.table_id] = table

    def load(self, table_ids: frozenset[str] | None) -> frozenset[str]:
        """Read these tables, or all, and show them; gives those that are registered no more.

        Raises ui.hub.database.Lost.
        """
        found = self._storing.tables.registered(table_ids)
        gone = frozenset(self._tables if table_ids is None else table_ids & self._tables.keys()) - found.keys()
        for table_id in gone:
            del self._tables[table_id]
            self._overview.remove(table_id)
        now, states = time.time(), self._stored_states(found)
        began = self._storing.began((table_id, state.game) for table_id, state in states.items())
        for table_id, row in found.items():
            known = self._tables.get(table_id)
            self._tables[table_id] = row if known is None else replace(
                row, state_number=max(row.state_number, known.state_number),
                presence_number=max(row.presence_number, known.presence_number),
                connection=max(row.connection, known.connection),
            )  # fmt: skip
            state = states.get(table_id)
            self._show(row, state, began.get((table_id, state.game), 0.0) if state is not None else 0.0, now)
            self._tables[table_id] = replace(self._tables[table_id], state="")  # it is in the overview, packed
        if table_ids is not None:
            self._overview.touch(table_ids & found.keys())
        return gone

    def look_for(self, claimed: str) -> RegisteredTable | None:
        """A table that is not known and may have registered with another hub; not looked for too often."""
        now = time.monotonic()
        if not self._storing.database.is_shared or now - self._strangers.get(claimed, -LOOK_AGAIN) < LOOK_AGAIN:
            return None
        if not self._looks.allows(""):
            return None
        if len(self._strangers) >= MOST_STRANGERS:
            self._strangers.clear()
        self._strangers[claimed] = now
        try:
            self.load(frozenset({claimed}))
        except Lost:
            return None
        return self._tables.get(claimed)

    def _stored_states(self, rows: Mapping[str, RegisteredTable]) -> dict[str, TableState]:
        """The states of the database that are newer than what is shown."""
        found = dict[str, TableState]()
        for table_id, row in rows.items():
            shown = self._overview.table(table_id)
            if row.state and row.state_number > (shown.number if shown is not None else 0):
                try:
                    found[table_id] = read_state(parse_json(row.state, table_id, "state"))
                except InvalidDocument:
                    _LOG.warning("the stored state of %s cannot be read", table_id)
        return found

    def _show(self, row: RegisteredTable, state: TableState | None, began: float, now: float) -> None:
        """Show a table as the database has it; its game `began` then, 0 where no entry of it is there."""
        shown = self._overview.table(row.table_id) or ShownTable(row.table_id)
        shown = replace(shown, place=row.place, name=row.shown_name)
        if state is not None:
            stored_at = self._storing.database.own_seconds(row.state_at) or now
            shown = shown.told(row.state_number, row.state, state, stored_at)
            shown = replace(shown, began=began or shown.began, heard=max(shown.heard, stored_at))
        self._overview.put(replace(shown, is_judge_coming=bool(row.call_taken_at) and shown.wants_help), now)
