"""What the file of the database of games must be: its first bytes, its tables, and where asked for every page."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from companion.errors import DamagedDatabase, StoreError
from companion.files.documents import shown
from companion.session.log import MAXIMUM_ENTRIES
from companion.wording.sentences import sentence

APPLICATION_ID = 0x524F4D45
"""marks a SQLite file as a database of this program's games ("ROME")"""
SCHEMA_VERSION = 1
_HIGHEST_VERSION = 1000
"""a higher one is damage, not a newer program's"""
_LARGEST_PAGE = 65_536
"""bytes; the first page holds the statements that made the tables"""
MAGIC = b"SQLite format 3\0"
"""how every SQLite database begins"""
SCHEMA = f"""
BEGIN EXCLUSIVE;
CREATE TABLE IF NOT EXISTS games (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    created TEXT NOT NULL,
    header TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS entries (
    game TEXT NOT NULL REFERENCES games (id),
    number INTEGER NOT NULL CHECK (number >= 1),
    over INTEGER NOT NULL CHECK (over IN (0, 1)),
    entry TEXT NOT NULL,
    PRIMARY KEY (game, number)
) STRICT, WITHOUT ROWID;
PRAGMA application_id = {APPLICATION_ID};
PRAGMA user_version = {SCHEMA_VERSION};
COMMIT;
"""
DAMAGED = sentence("the database is damaged; put it aside, or bring back a copy")

_COLUMNS = {"games": ("id", "game", "created", "header"), "entries": ("game", "number", "over", "entry")}
"""table -> its columns, in order"""


def fault(uri: str, patience: float, *, reads_all: bool) -> str:
    """Why a database cannot be used as it is; "" where it can. `reads_all` looks at every page and every entry."""
    with closing(sqlite3.connect(uri, timeout=patience, isolation_level=None, uri=True)) as connection:
        if reads_all and connection.execute("PRAGMA integrity_check(1)").fetchone() != ("ok",):
            return DAMAGED
        things = connection.execute("SELECT type, name FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        tables = {name for kind, name in things if kind == "table"}
        if not tables >= _COLUMNS.keys():
            return DAMAGED
        for kind, name in things:
            if kind != "table" or name not in _COLUMNS:
                a_kind = f"an {kind}" if kind == "index" else f"a {kind}"
                return f"the database holds {a_kind} {shown(name, 40)} that this program did not make; remove it, or \
put the database aside"
        for name, columns in _COLUMNS.items():
            found = tuple(row[1] for row in connection.execute(f"PRAGMA table_xinfo({name})"))
            if found != columns:
                return f"the columns of table {name} are {shown(', '.join(found), 80)}, not {', '.join(columns)}; put \
the database aside"
        if not reads_all:
            return ""
        beyond = connection.execute("SELECT game, number FROM entries WHERE number > ?", (MAXIMUM_ENTRIES,)).fetchone()
        if beyond is not None:
            return f"game {shown(beyond[0], 70)} has an entry numbered {beyond[1]}, and a game has at most \
{MAXIMUM_ENTRIES}; put the database aside"
    return ""


def is_free(path: Path) -> bool:
    """Whether there is no database yet; its first bytes are looked at before SQLite touches it.

    Raises StoreError or OSError.
    """
    if not path.exists():
        return True
    if not path.is_file():
        raise StoreError(f"{path}: is no file; move it elsewhere, so that the games can be kept there")
    with path.open("rb") as stream:
        start = stream.read(_LARGEST_PAGE)
    head = start[:100]
    if not head:
        return True
    if len(head) < 100 or not head.startswith(MAGIC):
        raise DamagedDatabase(f"{path}: is no database of games, or is damaged; name another file")
    version, application = int.from_bytes(head[60:64], "big"), int.from_bytes(head[68:72], "big")
    if application != APPLICATION_ID and not all(f"CREATE TABLE {name} (".encode() in start for name in _COLUMNS):
        raise StoreError(f"{path}: is another program's database; move it elsewhere")
    if application != APPLICATION_ID or not 1 <= version <= _HIGHEST_VERSION:
        raise DamagedDatabase(f"{path}: the header of the database is damaged; put it aside, or bring back a copy")
    if version != SCHEMA_VERSION:
        raise StoreError(
            f"{path}: has version {version}, made by a newer program; this one reads version {SCHEMA_VERSION}, so "
            "start the newer one"
        )
    return False
