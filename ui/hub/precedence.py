"""Pages come first: whoever works in the background waits a moment while one is made.

Python runs one thread at a time. Without this a page that is asked for while thousands of tables come back at once
waits for its turn again and again.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

LONGEST = 0.1
"""seconds that the intake waits for pages in one turn, so that visitors without end do not keep it from its work"""
SWITCHING = 0.0005
"""seconds after which a thread at work lets another one run, instead of Python's 0.005"""


class Precedence:
    """Counts the pages that are being made. May be used by any thread."""

    def __init__(self) -> None:
        self._count, self._lock = 0, threading.Lock()
        self._free = threading.Event()
        self._free.set()

    @contextmanager
    def page(self) -> Iterator[None]:
        """A page is being made."""
        with self._lock:
            self._count += 1
            self._free.clear()
        try:
            yield
        finally:
            with self._lock:
                self._count -= 1
                if not self._count:
                    self._free.set()

    def waited(self, left: float) -> float:
        """Wait until no page is being made, at most so many seconds; how many are left then."""
        if self._free.is_set() or left <= 0:
            return left
        began = time.monotonic()
        self._free.wait(left)
        return left - (time.monotonic() - began)


def take_short_turns() -> None:
    """Let the threads of this process take short turns; for the whole process."""
    sys.setswitchinterval(SWITCHING)
