"""The registered tables in the database: their keys, what organisers decide of them, and the codes that register more.

Whoever calls is ready for `ui.hub.database.Lost`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import sqlalchemy as sa

from ui.hub.database import Database
from ui.hub.schema import CODES, ENTRIES, GAMES, PLAYERS, TABLES

CODE_HOURS = 12
"""that a registration code holds"""


@dataclass(frozen=True, slots=True)
class RegisteredTable:
    """A table as the database has it; see `ui.hub.schema.TABLES`."""

    table_id: str
    place: int
    name: str
    given_name: str
    key: bytes
    state_number: int
    state: str
    state_at: str
    presence_number: int
    connection: int
    word_number: int
    assignment: str
    judge: str
    call_taken_at: str

    @property
    def shown_name(self) -> str:
        """What people call it."""
        return self.given_name or self.name


_COLUMNS = tuple(TABLES.c[name] for name in RegisteredTable.__slots__)


def _registered(row: sa.Row[Any]) -> RegisteredTable:
    return RegisteredTable(**{name: getattr(row, name) for name in RegisteredTable.__slots__})


class Registrations:
    """One hub's way to them."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def registered(self, table_ids: Iterable[str] | None = None) -> dict[str, RegisteredTable]:
        """The registered tables, all of them or those of these ids that are."""
        query = sa.select(*_COLUMNS)
        if table_ids is not None:
            query = query.where(TABLES.c.table_id.in_(list(table_ids)))
        with self._database.engine.connect() as connection:
            return {row.table_id: _registered(row) for row in connection.execute(query)}

    def register(self, table_id: str, name: str, key: bytes) -> bool:
        """Keep a table's key; False where the table has another one already."""
        return self.register_all({table_id: (name, key)})[table_id]

    def register_all(self, asked: Mapping[str, tuple[str, bytes]]) -> dict[str, bool]:
        """The same of several tables: id -> (name, key)."""
        now = self._database.now_text()
        with self._database.engine.begin() as connection:
            self._database.alone(connection)  # two that register at once would have the same place
            known = dict(self._keys(connection, asked))
            highest = sa.select(sa.func.coalesce(sa.func.max(TABLES.c.place), 0))
            place: int = connection.execute(highest).scalar_one()
            rows = [
                {
                    "table_id": table_id, "place": place + number, "name": name, "given_name": "", "key": key,
                    "registered_at": now, "state_number": 0, "state": "", "state_at": "", "presence_number": 0,
                    "connection": 0, "is_online": True, "word_number": 0, "assignment": "", "judge": "",
                    "call_taken_at": "",
                }
                for number, (table_id, (name, key)) in enumerate(
                    ((each, told) for each, told in asked.items() if each not in known), 1
                )
            ]  # fmt: skip
            if rows:
                connection.execute(TABLES.insert(), rows)
                self._database.tell(connection, [str(row["table_id"]) for row in rows])
        return {table_id: known.get(table_id, key) == key for table_id, (_name, key) in asked.items()}

    def _keys(self, connection: sa.Connection, table_ids: Iterable[str]) -> Iterator[tuple[str, bytes]]:
        query = sa.select(TABLES.c.table_id, TABLES.c.key).where(TABLES.c.table_id.in_(list(table_ids)))
        for row in connection.execute(query):
            yield row.table_id, bytes(row.key)

    def change(self, table_id: str, **values: Any) -> None:
        """Change what the organiser decides of a table: `given_name`, `place`, `call_taken_at`."""
        with self._database.engine.begin() as connection:
            connection.execute(TABLES.update().where(TABLES.c.table_id == table_id).values(**values))
            self._database.tell(connection, [table_id])

    def forget(self, table_id: str) -> None:
        """Take away a table's key, with its games."""
        with self._database.engine.begin() as connection:
            for table in (PLAYERS, ENTRIES, GAMES, TABLES):
                connection.execute(table.delete().where(table.c.table_id == table_id))
            self._database.tell(connection, [table_id])

    def next_word(self, table_id: str, **values: Any) -> RegisteredTable | None:
        """Keep the latest words to a table (`assignment`, `judge`) under a number higher than all before."""
        moment = int(self._database.now().timestamp() * 1000)
        number = sa.case((TABLES.c.word_number >= moment, TABLES.c.word_number + 1), else_=moment)
        with self._database.engine.begin() as connection:
            connection.execute(
                TABLES.update().where(TABLES.c.table_id == table_id).values(word_number=number, **values)
            )  # fmt: skip
            row = connection.execute(sa.select(*_COLUMNS).where(TABLES.c.table_id == table_id)).first()
            self._database.tell(connection, [table_id])
        return _registered(row) if row is not None else None

    def codes(self) -> list[str]:
        """The registration codes that hold, the newest first."""
        since = (self._database.now() - timedelta(hours=CODE_HOURS)).isoformat()
        query = sa.select(CODES.c.code).where(CODES.c.issued_at >= since).order_by(CODES.c.issued_at.desc())
        with self._database.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def add_code(self, code: str) -> None:
        """A new code holds, and those before hold no more."""
        with self._database.engine.begin() as connection:
            connection.execute(CODES.delete())
            connection.execute(CODES.insert().values(code=code, issued_at=self._database.now_text(), used_by=""))
