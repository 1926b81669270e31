"""What SQLite's errors mean for people."""

from __future__ import annotations

import sqlite3

from companion.files.documents import shown
from companion.session.file_check import DAMAGED
from companion.wording.sentences import Sentence, sentence

_IN_USE = sentence("the database is in use by another program; close that, or try again")
_REASONS = {
    "SQLITE_BUSY": _IN_USE,
    "SQLITE_LOCKED": _IN_USE,
    "SQLITE_FULL": sentence("the database cannot grow: the disk is full; make room and try again"),
    "SQLITE_READONLY": sentence("the database cannot be written; check who owns it, and whether its disk is read-only"),
    "SQLITE_CANTOPEN": sentence("the database cannot be opened; check that its folder exists and can be written"),
    "SQLITE_PERM": sentence("the database cannot be opened; check who owns it"),
    "SQLITE_CORRUPT": DAMAGED,
    "SQLITE_NOTADB": DAMAGED,
    "SQLITE_IOERR": sentence("the database cannot be read or written: the disk failed or is full"),
}
"""beginning of SQLite's name of an error -> what to say"""


def reason_of(error: sqlite3.Error) -> Sentence:
    """Why the database failed, and what to do; `DAMAGED` where something in it cannot be read."""
    name = getattr(error, "sqlite_errorname", "")
    known = (text for start, text in _REASONS.items() if name.startswith(start))
    if not name and str(error).startswith("Could not decode"):  # raised by Python, not by SQLite
        return DAMAGED
    return next(known, None) or sentence("the database failed: {why}", why=shown(str(error), 120))
