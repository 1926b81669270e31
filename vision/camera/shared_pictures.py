"""Passes pictures between processes through shared memory: the newest wins, and nobody waits for anybody."""

from __future__ import annotations

import os
import re
import secrets
import struct
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import cast

import numpy as np

from companion.wording.sentences import sentence
from vision.errors import SourceLost, SourceUnavailable
from vision.pictures import Image

_HEADER = struct.Struct("=QIIdQ")
"""number, height, width, time, and the number again: if the two numbers differ, the picture is being written"""
_SLOTS = 3
"""pictures in the ring: one is written while another is read"""
_MEMORY = Path("/dev/shm")
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
        self._memory = _created(size) if name is None else _untracked(SharedMemory(name))
        self._owner = name is None
        self.height, self.width, self.name = height, width, self._memory.name
        self._view = cast(memoryview, self._memory.buf)
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
            self._memory.close()
        if self._owner:
            _free(self._memory)


def _created(size: int) -> SharedMemory:
    """New shared memory whose pages are all allocated: writing to memory that the system only promised would kill the
    process.
    """
    memory = None
    clear_abandoned()
    try:
        memory = _untracked(SharedMemory(_new_name(), create=True, size=size))
        file = _MEMORY / memory.name
        if sys.platform == "linux" and file.exists():
            with file.open("r+b") as stream:
                os.posix_fallocate(stream.fileno(), 0, size)
    except OSError as error:
        if memory is not None:
            memory.close()
            _free(memory)
        reason = sentence(
            "has no room for {size} MiB of pictures ({why})", size=-(-size >> 20), why=error.strerror or error
        )
        raise SourceUnavailable(str(_MEMORY), reason) from error
    return memory


def _untracked(memory: SharedMemory) -> SharedMemory:
    """Memory that Python's tracker of resources does not look after, where its name states the owner.

    The tracker of a program that was killed would print warnings, some about what `clear_abandoned` has freed already.
    """
    if _OWN_NAME.fullmatch(memory.name):
        resource_tracker.unregister(f"/{memory.name}", "shared_memory")
    return memory


def _free(memory: SharedMemory) -> None:
    if _OWN_NAME.fullmatch(memory.name):
        with suppress(FileNotFoundError):
            (_MEMORY / memory.name).unlink()
    else:
        memory.unlink()


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


def _new_name() -> str | None:
    """A name that states the owner; None, for one drawn by the system, where processes have no start time."""
    own = os.getpid()
    start = _start_of(own, _PROCESSES)
    return f"{_PREFIX}-{own}-{start}-{secrets.token_hex(4)}" if start else None


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
