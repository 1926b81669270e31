"""The first page of a database: SQLite's header and the tables. It is the same in every database of games.

One that is damaged can therefore be replaced, and SQLite finds what the other pages hold.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

from companion.session.file_check import MAGIC
from companion.session.store import Store

_SIZE, _COUNT = slice(16, 18), slice(28, 32)
"""where the header says how large a page is, and how many there are"""


def has_header(path: Path) -> bool:
    """Whether a file begins as every SQLite database does."""
    with path.open("rb") as file:
        return file.read(len(MAGIC)) == MAGIC


def replace_first_page(path: Path) -> None:
    """Let a file begin with the first page of a database of games, whatever it begins with."""
    with TemporaryDirectory(prefix="new-", dir=path.parent) as folder:
        new = Path(folder) / "new.sqlite3"
        Store(new).close()
        data = bytearray(new.read_bytes())
    size = int.from_bytes(data[_SIZE], "big")
    count = max(len(data), path.stat().st_size + size - 1) // size
    data[_COUNT] = count.to_bytes(4, "big")
    with path.open("r+b") as file:
        file.write(data[:size])
        file.truncate(size * count)
