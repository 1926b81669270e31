"""Reads and writes files that the user names; reading (also of pipes) is limited in size and time."""

from __future__ import annotations

import errno
import os
import re
import select
import stat
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.files.documents import decode_text
from companion.files.whole_files import write_whole
from companion.position import Position, parse_position
from companion.record_status import PLAIN, RecordStatus

if TYPE_CHECKING:
    from companion.session.log import Log

STANDARD_INPUT = "-"
SILENCE = 20.0
"""seconds that a pipe may send nothing before it is given up; a person at a terminal may take longer"""
MAXIMUM_BYTES = 8 * 1024 * 1024
MAXIMUM_POSITION = 512 * 1024

_RECORD = re.compile(r'\s*\{\s*"record"\s*:')


@dataclass(frozen=True, slots=True)
class Game:
    """A position, and the log it is the end of if it came from a record."""

    rules: GameRules[Any]
    state: Any
    log: Log | None

    @property
    def position(self) -> Position:
        """Where the game stands, and who has left it."""
        return Position(self.rules, self.state, self.record_status.left)

    @property
    def record_status(self) -> RecordStatus:
        """The record's status: seats that left, an early end, a game joined under way."""
        return self.log.record_status if self.log is not None else PLAIN

    @property
    def ended(self) -> bool:
        """Whether the table stopped before the rules did."""
        return self.record_status.ended


def read_game(name: str) -> Game:
    """The position or record in a file, or on standard input for "-".

    Raises InvalidDocument.
    """
    text, source = _read_text(name)
    if _RECORD.match(text):
        log = _read_record(text, source)
        return Game(log.game, log.state, log)
    if len(text) > MAXIMUM_POSITION:
        raise InvalidDocument(source, "", f"is longer than {MAXIMUM_POSITION} characters, which no position needs")
    position = parse_position(text, source)
    return Game(position.game, position.state, None)


def read_log(name: str) -> Log:
    """The log of the record in a file, or on standard input for "-".

    Raises InvalidDocument.
    """
    text, source = _read_text(name)
    if not _RECORD.match(text):
        raise InvalidDocument(source, "", 'is no record; a record begins with {"record": 1')
    return _read_record(text, source)


def _read_record(text: str, source: str) -> Log:
    from companion.session.record import read_record

    return read_record(text, source)


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file that is either there complete or not at all.

    Raises InvalidDocument where it cannot be written, also where the path is there and no file: a device must not be
    replaced.
    """
    check_target(path)
    try:
        write_whole(path, data)
    except OSError as error:
        raise _unwritable(path, error.strerror or str(error)) from error


def check_target(path: Path) -> None:
    """Refuse a file that cannot be written, before the work whose outcome it is to hold.

    Raises InvalidDocument.
    """
    folder = path.parent
    try:
        if path.is_dir():
            raise _unwritable(path, os.strerror(errno.EISDIR))
        if path.exists() and not path.is_file():
            raise _unwritable(path, "is no file")
        if not folder.is_dir():
            raise _unwritable(path, os.strerror(errno.ENOENT))
        if not os.access(path if path.exists() else folder, os.W_OK):
            raise _unwritable(path, os.strerror(errno.EACCES))
    except OSError as error:  # a name that is too long, for one
        raise _unwritable(path, error.strerror or str(error)) from error


def _unwritable(path: Path, reason: str) -> InvalidDocument:
    return InvalidDocument(str(path), "", f"cannot be written ({reason})")


def _read_text(name: str) -> tuple[str, str]:
    source = "standard input" if name == STANDARD_INPUT else name
    try:
        data = _read_bytes(name, source)
    except (OSError, ValueError) as error:
        if isinstance(error, InvalidDocument):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise InvalidDocument(source, "", f"cannot be read ({reason})") from error
    if len(data) > MAXIMUM_BYTES:
        raise InvalidDocument(source, "", f"is larger than {MAXIMUM_BYTES >> 20} MiB, which no record needs")
    return decode_text(data, source), source


def _read_bytes(name: str, source: str) -> bytes:
    """At most one byte more than is allowed."""
    if name == STANDARD_INPUT:
        if sys.stdin is None:
            raise InvalidDocument(source, "", "is closed")
        return _read_stream(sys.stdin.fileno(), source)
    # Without O_NONBLOCK opening a pipe waits for a writer that may never come.
    descriptor = os.open(name, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        return _read_stream(descriptor, source)
    finally:
        os.close(descriptor)


def _read_stream(descriptor: int, source: str) -> bytes:
    data = bytearray()
    patient = os.isatty(descriptor) or stat.S_ISREG(os.fstat(descriptor).st_mode) or os.name != "posix"
    while len(data) <= MAXIMUM_BYTES:
        if not patient and not select.select([descriptor], [], [], SILENCE)[0]:
            raise InvalidDocument(source, "", f"has sent nothing for {SILENCE:g} s and does not end")
        part = os.read(descriptor, min(1 << 20, MAXIMUM_BYTES + 1 - len(data)))
        if not part:
            break
        data += part
    return bytes(data)
