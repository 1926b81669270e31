"""A small file next to the database that says how many entries of each game were acknowledged.

SQLite drops a missing or damaged write-ahead log without a word, and with it the latest entries. The database writes
here after each commit, so a database that holds less than this file says has lost something; one that holds more, or
that has no such file, is in order. The file has one line of fixed width for each game; programs that share a database
write to different lines. One more line holds the state in which the database file was left whole: while the file is as
it was then, nobody needs to read all of it again. Where it was not, each game is marked until its entries were judged.
"""

from __future__ import annotations

import logging
import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

logger = logging.getLogger("companion.session")

_ID_WIDTH, _NUMBER_WIDTH = 64, 10
WIDTH = _ID_WIDTH + 1 + _NUMBER_WIDTH + 2
"""bytes of a line: id, blank, number, mark, line feed"""
_LINE = re.compile(rb"([0-9A-Za-z-]{1,64}) *  *([0-9]{1,10})([ !?])\n")
_ID = re.compile(r"[0-9A-Za-z-]{1,64}")
_CONTESTED, _UNSURE = b"!", b"?"
"""marks of a line: another program was refused an entry of the game; others may have changed entries of the game"""
_LEFT_WHOLE = re.compile(rb"= *([0-9]{1,20}) *([0-9]{1,20}) *([0-9]{1,20}) *\n")
"""of the line about the database file: its bytes, when it was changed, in nanoseconds, and its number on the disk"""
_BLANK = b" " * (WIDTH - 1) + b"\n"
"""what a line becomes that says nothing any more"""
_LARGEST = 4 * 1024 * 1024
"""bytes, the lines of some 54,000 games; a larger file was not written by this program"""


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A game with fewer entries in the database than were acknowledged; `kept` is None where the game is gone."""

    game_id: str
    acknowledged: int
    kept: int | None


class AcknowledgedEntries:
    """The register of one database. Nothing here raises: without the file the database works as before.

    A folder, device or pipe in the place of the file is left alone, as if nothing were there, with one warning.
    """

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + "-acknowledged")
        self._database = database
        self._offsets: dict[str, int] = {}
        self._file: int | None = None
        self._is_warned = False

    def close(self) -> None:
        """Release the file."""
        if self._file is not None:
            with suppress(OSError):
                os.close(self._file)
            self._file = None

    def shortfalls(self, kept: Callable[[], Mapping[str, int]]) -> tuple[Shortfall, ...]:
        """The games with fewer entries kept than were acknowledged; `kept` reads game -> number of its latest entry.

        Other programs may write and delete meanwhile, so the register is read before the database, and again after it.
        """
        first = self.numbers()
        if not first:
            return ()
        numbers, still = kept(), self.numbers()
        return tuple(
            Shortfall(game_id, number, numbers.get(game_id))
            for game_id, number in first.items()
            if number > numbers.get(game_id, -1) and game_id in still
        )

    def note(self, game_id: str, number: int) -> bool:
        """Write that entry `number` was committed; true where another program was refused an entry of this game."""
        with suppress(OSError, ValueError):
            file = self._opened()
            offset = self._offset(file, game_id)
            mark = _read(file, WIDTH, offset)[-2:-1]
            _write(file, _line(game_id, number, _UNSURE if mark == _UNSURE else b" "), offset)
            return mark == _CONTESTED
        return False

    def number(self, game_id: str) -> int:
        """The number of the latest entry of a game that any program wrote down as committed; 0 where none did."""
        with suppress(OSError, ValueError):
            if self.path.is_file():
                file = self._opened()
                offset = self._offsets.get(game_id)
                if offset is None or not _holds(file, offset, game_id):
                    offset = self._find(file, game_id)
                if offset is not None:
                    self._offsets[game_id] = offset
                    line = _LINE.fullmatch(_read(file, WIDTH, offset))
                    return int(line[2]) if line is not None else 0
        return 0

    def contest(self, game_id: str) -> None:
        """Tell the other program that records this game that this one was refused an entry: its next `note` says so."""
        with suppress(OSError, ValueError):
            file = self._opened()
            _write(file, _CONTESTED, self._offset(file, game_id) + WIDTH - 2)

    def forget_contests(self) -> None:
        """Drop the marks of `contest`: the programs they were meant for have ended, or are told at the next attempt."""
        with suppress(OSError, ValueError):
            if self.path.is_file() and _CONTESTED + b"\n" in self.path.read_bytes():
                file = self._opened()
                for game_id in self.numbers():
                    if _read(file, WIDTH, self._offsets[game_id])[-2:-1] == _CONTESTED:
                        _write(file, b" ", self._offsets[game_id] + WIDTH - 2)

    def mark_unsure(self, kept: Callable[[], Mapping[str, int]]) -> None:
        """Others may have changed entries: mark all games, each until `note_sure`; `kept` is that of `shortfalls`."""
        with suppress(OSError, ValueError):
            file, noted = self._opened(), self.numbers()
            for game_id in noted:
                _write(file, _UNSURE, self._offsets[game_id] + WIDTH - 2)
            new = [_line(*each, _UNSURE) for each in kept().items() if each[0] not in noted and _ID.fullmatch(each[0])]
            self._append(b"".join(new))

    def is_unsure(self, game_id: str) -> bool:
        """Whether a game is marked: nobody has judged its entries since others may have changed them."""
        with suppress(OSError, ValueError):
            offset = self._find(self._opened(), game_id) if self.path.is_file() else None
            return offset is not None and _read(self._opened(), WIDTH, offset)[-2:-1] == _UNSURE
        return False

    def note_sure(self, game_id: str) -> None:
        """All entries of a game were judged again, and are as its rules say."""
        with suppress(OSError, ValueError):
            if self.is_unsure(game_id):
                _write(self._opened(), b" ", self._offset(self._opened(), game_id) + WIDTH - 2)

    def put_right(self, kept: Callable[[], Mapping[str, int]]) -> None:
        """Blank out what is no line of this file, and take for each game the number of entries that the database holds.

        A warning says so. Lines that hold stay where they are, for other programs write to them.
        """
        with suppress(OSError, ValueError):
            if not self.path.is_file() or self._is_sound():
                return
            logger.warning("%s held what this program did not write; it was put right", self.path)
            file = self._opened()
            size = os.fstat(file).st_size
            if size > _LARGEST:
                os.ftruncate(file, 0)
                size = 0
            data = _read(file, size, 0)
            for offset in range(0, size, WIDTH):
                if not _is_line(data[offset : offset + WIDTH]):
                    _write(file, _BLANK, offset)
            for game_id, number in kept().items():
                if self._find(file, game_id) is None:
                    self.note(game_id, number)

    def _is_sound(self) -> bool:
        size = self.path.stat().st_size
        data = self.path.read_bytes() if size <= _LARGEST else b"?"
        return all(_is_line(data[offset : offset + WIDTH]) for offset in range(0, len(data), WIDTH))

    def forget(self, game_ids: Iterable[str]) -> None:
        """Expect nothing of these games any more: they were deleted, or what they lack was reported."""
        forgotten = tuple(game_ids)
        with suppress(OSError, ValueError):
            file = self._opened() if forgotten else -1
            for game_id in forgotten:
                offset = self._offsets.pop(game_id, None) or self._find(file, game_id)
                if offset is not None:
                    _write(file, _BLANK, offset)

    def note_whole(self) -> None:
        """Write that the database, which nobody has open, is whole as it is now."""
        with suppress(OSError, ValueError):
            state = self._state()
            file = self._opened() if state else -1
            if state:
                line = b"=" + b"".join(str(number).rjust(21).encode() for number in state)
                offset = self._left_whole(file)[0]
                _write(file, line.ljust(WIDTH - 1) + b"\n", os.fstat(file).st_size if offset is None else offset)

    def forget_whole(self) -> None:
        """Something in the database was found damaged: all of it is to be read at the next opening."""
        with suppress(OSError, ValueError):
            file = self._opened()
            offset = self._left_whole(file)[0]
            if offset is not None:
                _write(file, _BLANK, offset)

    def is_left_whole(self) -> bool:
        """Whether the database file is as it was when `note_whole` was last called, and has no write-ahead log."""
        with suppress(OSError, ValueError):
            state = self._state()
            return bool(state) and self.path.is_file() and self._left_whole(self._opened())[1] == state
        return False

    def _state(self) -> tuple[int, ...]:
        """Bytes, time of change and number of the database file; () while a write-ahead log belongs to it."""
        write_ahead = self._database.with_name(self._database.name + "-wal")
        if write_ahead.exists() and write_ahead.stat().st_size:
            return ()
        found = self._database.stat()
        return found.st_size, found.st_mtime_ns, found.st_ino

    @staticmethod
    def _left_whole(file: int) -> tuple[int | None, tuple[int, ...]]:
        """Where the line about the database file is, None where there is none, and its numbers."""
        size = min(os.fstat(file).st_size, _LARGEST)
        data = _read(file, size, 0)
        for offset in range(0, size, WIDTH):
            line = _LEFT_WHOLE.fullmatch(data[offset : offset + WIDTH])
            if line is not None:
                return offset, tuple(map(int, line.groups()))
        return None, ()

    def numbers(self) -> dict[str, int]:
        """Game -> number of the latest entry acknowledged; lines that are not whole say nothing."""
        try:
            if not self._may_be_used() or self.path.stat().st_size > _LARGEST:
                return {}
            data = self.path.read_bytes()
        except OSError:
            return {}
        found: dict[str, int] = {}
        for offset in range(0, len(data), WIDTH):
            line = _LINE.fullmatch(data[offset : offset + WIDTH])
            if line is not None:
                game_id = line[1].decode()
                self._offsets[game_id] = offset
                found[game_id] = int(line[2])
        return found

    def _opened(self) -> int:
        if self._file is None:
            if not self._may_be_used():
                if not self._is_warned:
                    self._is_warned = True
                    logger.warning("%s is no file: entries that are lost will not be noticed; remove it", self.path)
                raise OSError(f"{self.path}: is no regular file")
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
        return self._file

    def _may_be_used(self) -> bool:
        """Whether the path is free or that of a regular file."""
        return self.path.is_file() or not self.path.exists()

    def _offset(self, file: int, game_id: str) -> int:
        """Where the line of a game begins; a new line is added at the end."""
        offset = self._offsets.get(game_id)
        if offset is not None and _holds(file, offset, game_id):
            return offset
        offset = self._find(file, game_id)
        if offset is None:
            self._append(_line(game_id, 0))
            offset = self._find(file, game_id)
            if offset is None:
                raise ValueError(game_id)
        self._offsets[game_id] = offset
        return offset

    def _append(self, lines: bytes) -> None:
        """Add lines at the end, also where another program adds some now."""
        appending = os.open(self.path, os.O_WRONLY | os.O_APPEND)
        try:
            os.write(appending, lines)
        finally:
            os.close(appending)

    def _find(self, file: int, game_id: str) -> int | None:
        size = min(os.fstat(file).st_size, _LARGEST)
        data = _read(file, size, 0)
        start = game_id.encode().ljust(_ID_WIDTH + 1)
        return next((place for place in range(0, size, WIDTH) if data.startswith(start, place)), None)


def _read(file: int, length: int, offset: int) -> bytes:
    if sys.platform == "win32":  # pragma: no cover
        os.lseek(file, offset, os.SEEK_SET)
        return os.read(file, length)
    return os.pread(file, length, offset)


def _write(file: int, data: bytes, offset: int) -> None:
    if sys.platform == "win32":  # pragma: no cover
        os.lseek(file, offset, os.SEEK_SET)
        os.write(file, data)
        return
    os.pwrite(file, data, offset)


def _is_line(line: bytes) -> bool:
    return line == _BLANK or bool(_LINE.fullmatch(line) or _LEFT_WHOLE.fullmatch(line))


def _holds(file: int, offset: int, game_id: str) -> bool:
    return _read(file, _ID_WIDTH + 1, offset) == game_id.encode().ljust(_ID_WIDTH + 1)


def _line(game_id: str, number: int, mark: bytes = b" ") -> bytes:
    return game_id.encode().ljust(_ID_WIDTH) + b" " + str(number).rjust(_NUMBER_WIDTH).encode() + mark + b"\n"
