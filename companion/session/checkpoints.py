"""Moves committed entries from the write-ahead log into the database file, on a thread of its own.

So a database file that is copied without its write-ahead log lacks the entries of one second at most. No entry waits
for this.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from threading import Event, Thread

from companion.session.stored_lines import DAMAGE

QUIET = 1.0
"""seconds to wait after an entry, so that the entries of one turn are moved together"""


class Checkpointer:
    """Checkpoints one database after each burst of entries. The thread starts with the first entry."""

    def __init__(self, path: Path, quiet: float = QUIET) -> None:
        self._uri = f"{path.absolute().as_uri()}?mode=rw"
        self._quiet = quiet
        self._written, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def entry_written(self) -> None:
        """An entry was committed; returns at once."""
        self._written.set()
        if self._thread is None:
            self._thread = Thread(target=self._run, name="checkpoints", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """End the thread; what was not moved yet is moved when the database closes."""
        self._closing.set()
        self._written.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._closing.is_set():
            self._written.wait()
            if self._closing.wait(self._quiet):
                return
            self._written.clear()
            with suppress(*DAMAGE):  # busy, or moved away: the log keeps the entries until the next time
                self._checkpoint()

    def _checkpoint(self) -> None:
        with closing(sqlite3.connect(self._uri, timeout=0, isolation_level=None, uri=True)) as connection:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
