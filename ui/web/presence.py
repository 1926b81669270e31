"""Which phones are there: told by the pages' thread, asked by the table's."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable

SECONDS_UNTIL_GONE = 20.0
"""without an open page, after which a phone counts as gone; one that only changes the network is back before"""


class PhonePresence:
    """When each phone was heard of last, and how many pages it has open. Every method may be called from any thread."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._heard: dict[str, float] = {}
        self._open: Counter[str] = Counter()
        self._lock = threading.Lock()

    def now(self) -> float:
        """Seconds by the same clock."""
        return self._clock()

    def hear(self, phone: str) -> None:
        """A phone has asked for something."""
        with self._lock:
            self._heard[phone] = self._clock()

    def open_page(self, phone: str) -> None:
        """A page of a phone follows the table from now on."""
        with self._lock:
            self._open[phone] += 1

    def close_page(self, phone: str) -> None:
        """It follows no more."""
        with self._lock:
            self._open[phone] -= 1
            self._heard[phone] = self._clock()

    def is_gone(self, phone: str) -> bool:
        """Whether a phone has no page open, and has not been heard of for a while."""
        with self._lock:
            if self._open[phone] > 0:
                return False
            heard = self._heard.get(phone)
            return heard is None or self._clock() - heard >= SECONDS_UNTIL_GONE

    def forget(self, phone: str) -> None:
        """A phone has lost its key."""
        with self._lock:
            self._heard.pop(phone, None)
