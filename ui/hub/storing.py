"""Reads and writes the hub's database. Whoever calls is ready for `ui.hub.database.Lost`."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterable, Mapping
from typing import Any

import sqlalchemy as sa

from companion.publishing.messages import HEADER, NOTHING
from companion.publishing.table_state import TableState
from companion.wording.spelling import finding
from ui.hub.batches import (
    Batch,
    BatchStanding,
    GameKey,
    Newest,
    Reason,
    TakenEntry,
    missing_spans,
    tells_the_same,
    unbroken_after,
)
from ui.hub.database import Database
from ui.hub.registrations import Registrations
from ui.hub.results import result_document, result_of
from ui.hub.schema import ENTRIES, GAMES, PLAYERS, REFUSALS, SETTINGS, TABLES

MOST_NAMESAKES = 1000
"""different names that a search for players finds"""
MOST_SPANS = 20
"""spans of missing entries of one game that are asked for at once"""
COPIES_ASKED = 5.0
"""seconds for which it is taken as read which tables are copied; those that this hub finds are known at once"""
MOST_KEYS = 500
"""games of one question to the database"""


class Storing:
    """One hub's way to the database."""

    def __init__(self, database: Database) -> None:
        self.database, self.tables = database, Registrations(database)
        self._copied_at, self._copies_due = dict[str, float](), float("-inf")

    def write(self, batch: Batch) -> dict[GameKey, int]:
        """Write it all in one transaction; gives up to which number the games that had entries are unbroken, and notes
        in the batch which tables are copied.
        """
        batch.copied.clear()
        with self.database.engine.begin() as connection:
            unbroken = self._write_entries(connection, batch)
            self._write_refusals(connection, batch)
        if batch.copied.keys() - self._copied_at.keys():
            self._copies_due = float("-inf")
        return unbroken

    def write_newest(self, newest: Newest) -> bool:
        """Write newest states; False where another hub is about it just now, which has the same."""
        with self.database.engine.begin() as connection:
            if not self.database.may_write_newest(connection):
                return False
            self._write_states(connection, newest)
            self._write_presences(connection, newest)
        return True

    def _write_entries(self, connection: sa.Connection, batch: Batch) -> dict[GameKey, int]:
        if not batch.entries:
            return {}
        now = self.database.now_text()
        games: dict[GameKey, list[int]] = {}
        first: dict[tuple[str, str, int], TakenEntry] = {}
        again: list[TakenEntry] = []
        for each in sorted(batch.entries, key=lambda entry: (entry.table_id, entry.game_id, entry.number)):
            games.setdefault((each.table_id, each.game_id), []).append(each.number)
            if first.setdefault((each.table_id, each.game_id, each.number), each) is not each:
                again.append(each)
        self._begin_games(connection, games, now)
        standing = self._locked(connection, games)
        rows = [
            {
                "table_id": each.table_id, "game_id": each.game_id, "number": each.number, "body": each.body,
                "taken_at": now,
            }
            for each in first.values()
        ]  # fmt: skip
        insert = self.database.insert(ENTRIES).on_conflict_do_nothing().returning(ENTRIES.c.number)
        added = connection.execute(insert, rows).all()
        if again or len(added) < len(rows):
            self._note_copies(connection, batch)
        stored = self._stored_beyond(connection, standing)
        unbroken = {key: unbroken_after(standing[key], stored.get(key, [])) for key in games if key in standing}
        changes = [
            {"of_table": key[0], "of_game": key[1], "now_unbroken": number, "now_highest": max(games[key])}
            for key, number in unbroken.items()
        ]
        highest = sa.bindparam("now_highest", type_=sa.Integer)
        changed = (
            GAMES.update()
            .where(GAMES.c.table_id == sa.bindparam("of_table"), GAMES.c.game_id == sa.bindparam("of_game"))
            .values(
                unbroken=sa.bindparam("now_unbroken"),
                highest=sa.case((GAMES.c.highest < highest, highest), else_=GAMES.c.highest),
            )
        )
        if changes:
            connection.execute(changed, changes)
        return unbroken

    def _note_copies(self, connection: sa.Connection, batch: Batch) -> None:
        """Note which tables tell other entries than those that were stored first. Some of the batch came twice."""
        key = sa.tuple_(ENTRIES.c.table_id, ENTRIES.c.game_id, ENTRIES.c.number)
        wanted = [(each.table_id, each.game_id, each.number) for each in batch.entries]
        stored = dict[tuple[str, str, int], TakenEntry]()
        for at in range(0, len(wanted), MOST_KEYS):
            query = sa.select(ENTRIES.c.table_id, ENTRIES.c.game_id, ENTRIES.c.number, ENTRIES.c.body)
            for row in connection.execute(query.where(key.in_(wanted[at : at + MOST_KEYS]))):
                found = TakenEntry(row.table_id, row.game_id, row.number, row.body)
                stored[found.table_id, found.game_id, found.number] = found
        for each in batch.entries:
            if not tells_the_same(stored.get((each.table_id, each.game_id, each.number), each), each):
                batch.copied[each.table_id] += 1

    def _begin_games(self, connection: sa.Connection, games: Iterable[GameKey], now: str) -> None:
        rows = [
            {
                "table_id": table_id, "game_id": game_id, "game": "", "began_at": now, "unbroken": NOTHING,
                "highest": NOTHING, "finished_at": "", "result": "",
            }
            for table_id, game_id in sorted(games)
        ]  # fmt: skip
        connection.execute(self.database.insert(GAMES).on_conflict_do_nothing(), rows)

    def _locked(self, connection: sa.Connection, games: Iterable[GameKey]) -> dict[GameKey, int]:
        """Up to where games are unbroken; until the end of the transaction no other hub adds to them."""
        query = (
            sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.unbroken)
            .where(sa.tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(games)))
            .order_by(GAMES.c.table_id, GAMES.c.game_id)
            .with_for_update()
        )
        return {(row.table_id, row.game_id): row.unbroken for row in connection.execute(query)}

    def _stored_beyond(self, connection: sa.Connection, standing: Mapping[GameKey, int]) -> dict[GameKey, list[int]]:
        """The numbers that are stored beyond the unbroken ones, in order."""
        query = (
            sa.select(ENTRIES.c.table_id, ENTRIES.c.game_id, ENTRIES.c.number)
            .join(
                GAMES, sa.and_(GAMES.c.table_id == ENTRIES.c.table_id, GAMES.c.game_id == ENTRIES.c.game_id)
            )
            .where(
                sa.tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(standing)),
                ENTRIES.c.number > GAMES.c.unbroken,
            )
            .order_by(ENTRIES.c.number)
        )  # fmt: skip
        found: dict[GameKey, list[int]] = {}
        for row in connection.execute(query):
            found.setdefault((row.table_id, row.game_id), []).append(row.number)
        return found

    def _write_states(self, connection: sa.Connection, newest: Newest) -> None:
        if not newest.states:
            return
        now = self.database.now_text()
        states = [each for _id, each in sorted(newest.states.items())]
        rows = [
            {"of_table": each.table_id, "now_number": each.number, "now_state": each.body, "now_at": now}
            for each in states
        ]
        connection.execute(
            TABLES.update()
            .where(TABLES.c.table_id == sa.bindparam("of_table"), TABLES.c.state_number < sa.bindparam("now_number"))
            .values(
                state_number=sa.bindparam("now_number"),
                state=sa.bindparam("now_state"),
                state_at=sa.bindparam("now_at"),
            ),
            rows,
        )
        query = sa.select(TABLES.c.table_id, TABLES.c.state_number).where(
            TABLES.c.table_id.in_([each.table_id for each in states])
        )
        numbers = {row.table_id: row.state_number for row in connection.execute(query)}
        # What another hub has written since is newer: an end that it knows is not taken away again.
        newest_of = [(each.table_id, each.state) for each in states if numbers.get(each.table_id) == each.number]
        self._write_games(connection, [(table_id, state) for table_id, state in newest_of if state.game], now)

    def write_end(self, table_id: str, state: TableState) -> None:
        """Write how a game has ended of which all entries are there and whose end no state told."""
        with self.database.engine.begin() as connection:
            if self._locked(connection, [(table_id, state.game)]).get((table_id, state.game)) == state.entries:
                self._write_games(connection, [(table_id, state)], self.database.now_text())

    def _write_games(self, connection: sa.Connection, playing: list[tuple[str, TableState]], now: str) -> None:
        if not playing:
            return
        self._begin_games(connection, [(table_id, state.game) for table_id, state in playing], now)
        connection.execute(
            GAMES.update()
            .where(GAMES.c.table_id == sa.bindparam("of_table"), GAMES.c.game_id == sa.bindparam("of_game"))
            .values(
                game=sa.bindparam("now_game"), result=sa.bindparam("now_result"),
                finished_at=sa.case(
                    (sa.bindparam("is_over", type_=sa.Boolean).is_(False), ""),
                    (GAMES.c.finished_at == "", sa.bindparam("now_at")),
                    else_=GAMES.c.finished_at,
                ),
            ),
            [
                {
                    "of_table": table_id, "of_game": state.game, "now_game": state.rules, "now_at": now,
                    "is_over": state.over,
                    "now_result": json.dumps(result_document(result_of(table_id, state, now))) if state.over else "",
                }
                for table_id, state in playing
            ],
        )  # fmt: skip
        seats = [
            {
                "table_id": table_id, "game_id": state.game, "seat": player.seat, "name": player.name,
                "points": player.points, "rank": player.rank if state.over else 0,
            }
            for table_id, state in playing
            for player in state.players
        ]  # fmt: skip
        if seats:
            players = self.database.insert(PLAYERS)
            replaced = {name: getattr(players.excluded, name) for name in ("name", "points", "rank")}
            keys = ["table_id", "game_id", "seat"]
            connection.execute(players.on_conflict_do_update(index_elements=keys, set_=replaced), seats)

    def _write_presences(self, connection: sa.Connection, newest: Newest) -> None:
        if not newest.presences:
            return
        rows = [
            {"of_table": table_id, "now_number": number, "now_connection": line, "online": online, "now_name": name}
            for table_id, (number, line, online, name) in sorted(newest.presences.items())
        ]
        connection.execute(
            TABLES.update()
            .where(TABLES.c.table_id == sa.bindparam("of_table"), TABLES.c.connection <= sa.bindparam("now_connection"))
            .values(
                presence_number=sa.bindparam("now_number"), connection=sa.bindparam("now_connection"),
                is_online=sa.bindparam("online"), name=sa.bindparam("now_name"),
            ),
            rows,
        )  # fmt: skip

    def _write_refusals(self, connection: sa.Connection, batch: Batch) -> None:
        counts = dict(batch.refusals) | {(Reason.COPIED, table_id): count for table_id, count in batch.copied.items()}
        if not counts:
            return
        insert, now = self.database.insert(REFUSALS), self.database.now_text()
        connection.execute(
            insert.on_conflict_do_update(
                index_elements=["reason", "claimed"],
                set_={"count": REFUSALS.c.count + insert.excluded.count, "latest_at": insert.excluded.latest_at},
            ),
            [
                {"reason": reason.value, "claimed": claimed, "count": count, "latest_at": now}
                for (reason, claimed), count in sorted(counts.items())
            ],
        )

    def standing(self, table_id: str, game_id: str, highest: int) -> BatchStanding:
        """How far a game has come in, and what is missing up to a number that the table speaks of."""
        return self.standings({(table_id, game_id): highest})[table_id, game_id]

    def standings(self, claims: Mapping[GameKey, int]) -> dict[GameKey, BatchStanding]:
        """The same of several games: key -> the number that the table speaks of."""
        query = sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.unbroken, GAMES.c.highest).where(
            sa.tuple_(GAMES.c.table_id, GAMES.c.game_id).in_(list(claims))
        )
        with self.database.engine.connect() as connection:
            rows = {(row.table_id, row.game_id): (row.unbroken, row.highest) for row in connection.execute(query)}
            known = {key: rows.get(key, (NOTHING, NOTHING)) for key in claims}
            tops = {key: max(claims[key], highest) for key, (_unbroken, highest) in known.items()}
            behind = {key: unbroken for key, (unbroken, _highest) in known.items() if unbroken < tops[key]}
            stored = self._stored_beyond(connection, behind) if behind else {}
        found = {key: BatchStanding(unbroken) for key, (unbroken, _highest) in known.items()}
        for key, unbroken in behind.items():
            missing = missing_spans(unbroken, stored.get(key, []), tops[key])
            found[key] = BatchStanding(unbroken, missing[:MOST_SPANS])
        return found

    def amounts(self, table_id: str) -> tuple[int, int]:
        """How many games and entries of a table there are."""
        games = sa.select(sa.func.count()).select_from(GAMES).where(GAMES.c.table_id == table_id)
        is_entry = sa.and_(ENTRIES.c.table_id == table_id, ENTRIES.c.number > HEADER)
        entries = sa.select(sa.func.count()).select_from(ENTRIES).where(is_entry)
        with self.database.engine.connect() as connection:
            return int(connection.execute(games).scalar_one()), int(connection.execute(entries).scalar_one())

    def lines(self, table_id: str, game_id: str, after: int = NOTHING, most: int = 10_000) -> list[str]:
        """The lines of a game's record beyond a number, in order, as far as they have come in."""
        query = (
            sa.select(ENTRIES.c.body)
            .where(ENTRIES.c.table_id == table_id, ENTRIES.c.game_id == game_id, ENTRIES.c.number > after)
            .order_by(ENTRIES.c.number)
            .limit(most)
        )
        with self.database.engine.connect() as connection:
            return list(connection.execute(query).scalars())

    def games(self, table_id: str | None = None, *, finished: bool = False, most: int = 200) -> list[sa.Row[Any]]:
        """Games, the latest first: of one table or of all, only finished ones where that is asked for."""
        query = sa.select(GAMES).order_by(GAMES.c.began_at.desc()).limit(most)
        if table_id is not None:
            query = query.where(GAMES.c.table_id == table_id)
        if finished:
            query = query.where(GAMES.c.finished_at != "")
        with self.database.engine.connect() as connection:
            return list(connection.execute(query))

    def began(self, games: Iterable[GameKey]) -> dict[GameKey, float]:
        """When the first entry of these games came in, in seconds by this machine's clock, as far as they have any."""
        found, key = dict[GameKey, float](), sa.tuple_(GAMES.c.table_id, GAMES.c.game_id)
        wanted = sorted(games)
        with self.database.engine.connect() as connection:
            for at in range(0, len(wanted), MOST_KEYS):
                query = sa.select(GAMES.c.table_id, GAMES.c.game_id, GAMES.c.began_at).where(
                    key.in_(wanted[at : at + MOST_KEYS])
                )
                found |= {
                    (row.table_id, row.game_id): self.database.own_seconds(row.began_at)
                    for row in connection.execute(query)
                }
        return found

    def tables_with(self, words: str, most: int = 200) -> list[str]:
        """The tables at which somebody of such a name played, the latest game first."""
        with self.database.engine.connect() as connection:
            names: Iterable[str] = connection.scalars(sa.select(PLAYERS.c.name).distinct()).all()
            is_sought = finding(words)
            found = list(itertools.islice(filter(is_sought, names), MOST_NAMESAKES))
            query = (
                sa.select(PLAYERS.c.table_id, sa.func.max(GAMES.c.began_at).label("latest"))
                .join(GAMES, sa.and_(GAMES.c.table_id == PLAYERS.c.table_id, GAMES.c.game_id == PLAYERS.c.game_id))
                .where(PLAYERS.c.name.in_(found))
                .group_by(PLAYERS.c.table_id)
                .order_by(sa.desc("latest"))
                .limit(most)
            )
            return [row.table_id for row in connection.execute(query)]

    def refusals(self, most: int = 200) -> list[sa.Row[Any]]:
        """What was not believed: first what claims to be of registered tables, then the latest first."""
        is_known = sa.exists().where(TABLES.c.table_id == REFUSALS.c.claimed)
        query = sa.select(REFUSALS).order_by(is_known.desc(), REFUSALS.c.latest_at.desc()).limit(most)
        with self.database.engine.connect() as connection:
            return list(connection.execute(query))

    def copied_at(self, table_id: str) -> float:
        """When a copy of a table told other entries last, in seconds by this machine's clock; 0 for never. Asked as
        often as pages are made, so that the database is asked for all tables together, and seldom.
        """
        now = time.monotonic()
        if now >= self._copies_due:
            self._copies_due = now + COPIES_ASKED
            query = sa.select(REFUSALS.c.claimed, REFUSALS.c.latest_at).where(REFUSALS.c.reason == Reason.COPIED.value)
            with self.database.engine.connect() as connection:
                rows = connection.execute(query).all()
            self._copied_at = {row.claimed: self.database.own_seconds(row.latest_at) for row in rows}
        return self._copied_at.get(table_id, 0.0)

    def refusal_rows(self) -> int:
        """How many kinds of these there are, by table and reason."""
        with self.database.engine.connect() as connection:
            return int(connection.execute(sa.select(sa.func.count()).select_from(REFUSALS)).scalar_one())

    def refused_count(self) -> int:
        """How many messages were not believed."""
        with self.database.engine.connect() as connection:
            return int(connection.execute(sa.select(sa.func.coalesce(sa.func.sum(REFUSALS.c.count), 0))).scalar_one())

    def setting(self, name: str, otherwise: str) -> str:
        """A setting; `otherwise` is kept where there was none, and the first of several hubs decides."""
        with self.database.engine.begin() as connection:
            connection.execute(
                self.database.insert(SETTINGS).on_conflict_do_nothing(), {"name": name, "value": otherwise}
            )  # fmt: skip
            return str(connection.execute(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name)).scalar_one())

    def known_setting(self, name: str) -> str:
        """A setting; "" where there is none."""
        with self.database.engine.connect() as connection:
            return str(connection.execute(sa.select(SETTINGS.c.value).where(SETTINGS.c.name == name)).scalar() or "")

    def set_setting(self, name: str, value: str) -> None:
        """Let a setting be this from now on."""
        insert = self.database.insert(SETTINGS)
        replacing = insert.on_conflict_do_update(index_elements=["name"], set_={"value": insert.excluded.value})
        with self.database.engine.begin() as connection:
            connection.execute(replacing, {"name": name, "value": value})

    def remove_setting(self, name: str, value: str) -> None:
        """Forget a setting where it has this value: the next to ask for it decides."""
        with self.database.engine.begin() as connection:
            connection.execute(SETTINGS.delete().where(SETTINGS.c.name == name, SETTINGS.c.value == value))
