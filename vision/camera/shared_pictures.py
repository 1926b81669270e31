"""Passes pictures between processes through shared memory: the newest wins, and nobody waits for anybody."""

from __future__ import annotations

import mmap
import os
import re
import secrets
import struct
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from companion.wording.sentences import sentence
from vision.errors import SourceLost, SourceUnavailable
from vision.pictures import Image

_HEADER = struct.Struct("=QIIdQ")
"""number, height, width, time, and the number again: if the two numbers differ, the picture is being written"""
_SLOTS = 3
"""pictures in the ring: one is written while another is read"""
_MEMORY = Path("/dev/shm")
"""files there are kept in memory; elsewhere they are mapped from the folder for temporary files"""
_PROCESSES = Path("/proc")
_PREFIX = "companion-pictures"
_OWN_NAME = re.compile(rf"{_PREFIX}-(\d+)-(\d+)-[0-9a-f]+")


@dataclass(frozen=True, slots=True)
class SharedPicture:
    """A picture with the time and number it was written with; numbers count from 1."""

    image: Image
    time: float
    number: int


class SharedPictures:
    """A ring of picture slots of at most `height` x `width` BGR pixels; one process writes, others read.

    The creator owns the memory and frees it in `close`; others attach to it by `name`.

    Raises SourceUnavailable where the system has not enough memory.
    """

    def __init__(self, height: int, width: int, name: str | None = None) -> None:
        self._room = height * width * 3
        self._slot = _HEADER.size + self._room
        size = 8 + _SLOTS * self._slot
        self._owner = name is None
        self.name = name or _created(size)
        with (_folder() / self.name).open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), size)
        self.height, self.width = height, width
        self._view = memoryview(self._memory)
        self._written = 0
        self._in_use = threading.Lock()
        self.is_closed = False

    def write(self, image: Image, moment: float) -> None:
        """Make a picture the newest one; nothing once closed. Raises ValueError where it is too large."""
        if image.size > self._room:
            raise ValueError(f"a picture of {image.shape[1]} x {image.shape[0]} is too large to be shared")
        with self._in_use:
            if not self.is_closed:
                self._write(image, moment)

    def _write(self, image: Image, moment: float) -> None:
        number = self._written + 1
        start = 8 + (number % _SLOTS) * self._slot
        height, width = image.shape[:2]
        view = self._view
        _HEADER.pack_into(view, start, number, height, width, moment, 0)
        target = np.frombuffer(view, np.uint8, image.size, start + _HEADER.size).reshape(image.shape)
        target[:] = image
        _HEADER.pack_into(view, start, number, height, width, moment, number)
        struct.pack_into("=Q", view, 0, number)
        self._written = number

    def newest(self, after: int = 0) -> SharedPicture | None:
        """A copy of the newest picture if its number is above `after`; none once closed."""
        with self._in_use:
            return None if self.is_closed else self._newest(after)

    def _newest(self, after: int) -> SharedPicture | None:
        view = self._view
        number = struct.unpack_from("=Q", view, 0)[0]
        if number <= after:
            return None
        start = 8 + (number % _SLOTS) * self._slot
        _, height, width, moment, complete = _HEADER.unpack_from(view, start)
        if complete != number or height * width * 3 > self._room:
            return None
        shape = (height, width, 3)
        image = np.frombuffer(view, np.uint8, height * width * 3, start + _HEADER.size).reshape(shape).copy()
        if _HEADER.unpack_from(view, start)[0] != number:
            return None
        return SharedPicture(image, moment, number)

    def close(self) -> None:
        """Detach from the memory once no thread reads or writes; the owner also frees it."""
        with self._in_use:
            self.is_closed = True
            self._view.release()
            self._memory.close()
        if self._owner:
            (_folder() / self.name).unlink(missing_ok=True)


def _folder() -> Path:
    return _MEMORY if _MEMORY.is_dir() else Path(tempfile.gettempdir())


def _created(size: int) -> str:
    """The name of new picture memory whose pages are all allocated: writing to memory that the system only promised
    would kill the process.
    """
    clear_abandoned()
    folder, name = _folder(), _new_name()
    try:
        file = os.open(folder / name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            if hasattr(os, "posix_fallocate"):
                os.posix_fallocate(file, 0, size)
            else:  # pragma: no cover
                os.truncate(file, size)
        finally:
            os.close(file)
    except OSError as error:
        (folder / name).unlink(missing_ok=True)
        reason = sentence(
            "has no room for {size} MiB of pictures ({why})", size=-(-size >> 20), why=error.strerror or error
        )
        raise SourceUnavailable(str(folder), reason) from error
    return name


def clear_abandoned(memory: Path = _MEMORY, processes: Path = _PROCESSES) -> list[str]:
    """Free picture memory whose owner has ended without freeing it, as after SIGKILL; returns the names.

    An owner is known by process number and start time, as numbers are used again; memory of living owners stays.
    """
    freed = []
    for file in memory.glob(f"{_PREFIX}-*"):
        owner = _OWN_NAME.fullmatch(file.name)
        if owner is not None and _start_of(int(owner[1]), processes) != owner[2]:
            with suppress(OSError):
                file.unlink()
                freed.append(file.name)
    return freed


def _new_name() -> str:
    """A name that states the owner, where processes have a start time."""
    own, drawn = os.getpid(), secrets.token_hex(8)
    start = _start_of(own, _PROCESSES)
    return f"{_PREFIX}-{own}-{start}-{drawn}" if start else f"{_PREFIX}-{drawn}"


def _start_of(process: int, processes: Path) -> str:
    """When a process started, in clock ticks since boot as /proc says it; "" for a process that does not exist."""
    try:
        status = (processes / str(process) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""
    # The second field is the program's name in parentheses, which may hold blanks and parentheses itself.
    fields = status.rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 and fields[0] not in "XZ" else ""


class SharedSource:
    """A source of pictures that another process writes."""

    live = True
    patience = 1.0

    def __init__(self, name: str, pictures: SharedPictures, patience: float = 5.0) -> None:
        self.name, self._pictures, self._patience = name, pictures, patience
        self._last = 0
        self._taken: float | None = None

    period = 0.0

    def taken(self) -> float | None:
        """When the other process wrote the latest picture."""
        return self._taken

    def open(self) -> None:
        """Does nothing: the memory exists already."""

    def read(self) -> Image:
        """The next picture."""
        until = time.monotonic() + self._patience
        while time.monotonic() < until and not self._pictures.is_closed:
            found = self._pictures.newest(self._last)
            if found is not None:
                self._last, self._taken = found.number, found.time
                return found.image
            time.sleep(0.004)
        raise SourceLost(self.name, sentence("no picture comes any more"))

    def close(self) -> None:
        """Does nothing: the memory stays for the next opening."""
