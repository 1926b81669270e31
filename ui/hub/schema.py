"""The tables of the hub's database. What changes here changes in `migrations/versions` as well.

Times are texts in ISO 8601, in UTC. A table's own name for itself is `table_id`; entries count from 1 in each game.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

TABLES = Table(
    "tables",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("name", String(80), nullable=False),
    Column("given_name", String(80), nullable=False),
    Column("key", LargeBinary, nullable=False),
    Column("registered_at", String(32), nullable=False),
    Column("state_number", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("state_at", String(32), nullable=False),
    Column("presence_number", BigInteger, nullable=False),
    Column("connection", BigInteger, nullable=False),
    Column("is_online", Boolean, nullable=False),
    Column("word_number", BigInteger, nullable=False),
    Column("assignment", Text, nullable=False),
    Column("judge", Text, nullable=False),
    Column("call_taken_at", String(32), nullable=False),
)
"""Registered tables by place (as people count them); `given_name` is the organiser's, "" for the table's own.

`state` is the body of the newest message with its number, `assignment` and `judge` are the bodies of the latest words
to the table, "" for none, both told with `word_number`; `call_taken_at` is when the judge said to be coming.
"""

GAMES = Table(
    "games",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("game_id", String(64), primary_key=True),
    Column("game", String(64), nullable=False),
    Column("began_at", String(32), nullable=False),
    Column("unbroken", Integer, nullable=False),
    Column("highest", Integer, nullable=False),
    Column("finished_at", String(32), nullable=False),
    Column("result", Text, nullable=False),
    ForeignKeyConstraint(["table_id"], ["tables.table_id"], ondelete="CASCADE"),
)
"""Games: up to which number all entries are here, the highest number heard of, and the result of a finished one."""

ENTRIES = Table(
    "entries",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("game_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("body", Text, nullable=False),
    Column("taken_at", String(32), nullable=False),
    ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"),
)

PLAYERS = Table(
    "players",
    METADATA,
    Column("table_id", String(64), primary_key=True),
    Column("game_id", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("name", String(80), nullable=False, index=True),
    Column("points", Integer, nullable=False),
    Column("rank", Integer, nullable=False),
    ForeignKeyConstraint(["table_id", "game_id"], ["games.table_id", "games.game_id"], ondelete="CASCADE"),
)
"""Who played: rank 0 while the game runs."""

REFUSALS = Table(
    "refusals",
    METADATA,
    Column("reason", String(40), primary_key=True),
    Column("claimed", String(64), primary_key=True),
    Column("count", BigInteger, nullable=False),
    Column("latest_at", String(32), nullable=False),
)
"""What was not believed, by why and by the table that it claimed to come from."""

CODES = Table(
    "codes",
    METADATA,
    Column("code", String(40), primary_key=True),
    Column("issued_at", String(32), nullable=False),
    Column("used_by", String(64), nullable=False),
)
"""Registration codes that were shown; one that was used registers no other table."""

SETTINGS = Table(
    "settings",
    METADATA,
    Column("name", String(40), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Passwords as they are kept, and what signs the pages' cookies."""

EVENTS = Table(
    "events",
    METADATA,
    Column("event_id", String(64), primary_key=True),
    Column("created_at", String(32), nullable=False),
    Column("header", Text, nullable=False),
)
"""Events; `header` is the first line of the log (docs/formats.md)."""

EVENT_ENTRIES = Table(
    "event_entries",
    METADATA,
    Column("event_id", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    ForeignKeyConstraint(["event_id"], ["events.event_id"], ondelete="CASCADE"),
)
"""The other lines of the logs. Of two hubs that write the same number one is refused, and looks again."""
