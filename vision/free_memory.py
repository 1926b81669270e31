"""What the C library keeps of memory that pictures were made in. Only glibc is told; other libraries give it back."""

from __future__ import annotations

import ctypes
import sys
from contextlib import suppress
from functools import cache

MMAP_THRESHOLD, ARENA_MAX = -3, -8
"""names of `mallopt`'s settings"""
LARGE = 4 << 20
"""bytes from which a block is taken from the system by itself and given back at once; without a fixed limit glibc moves
it up to the largest picture so far. The pictures of a camera, made anew each time, are smaller."""


def keep_little() -> None:
    """Let large blocks and one heap for all threads be all that is used: heaps of threads are never made smaller."""
    library = _glibc()
    if library is not None:
        library.mallopt(MMAP_THRESHOLD, LARGE)
        library.mallopt(ARENA_MAX, 1)


def give_back() -> None:
    """Give memory that is free now back to the system; takes some milliseconds."""
    library = _glibc()
    if library is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> ctypes.CDLL | None:
    if sys.platform.startswith("linux"):
        with suppress(OSError, AttributeError):
            library = ctypes.CDLL(None)
            getattr(library, "malloc_trim")  # noqa: B009  # AttributeError where it is another library
            return library
    return None
