"""Long work in the background: one call in a thread of its own; its result is fetched by polling.

A thread that comes back from OpenCV while Python ends aborts the whole program, so the end waits for all of them. Long
work asks between its steps whether it may go on (`stop_if_program_ends`), so that the wait is short.
"""

from __future__ import annotations

import atexit
import threading
import time
from collections.abc import Callable
from typing import Generic, TypeVar
from weakref import WeakSet

Result = TypeVar("Result")
PATIENCE = 20.0
"""seconds that the end of the program waits at most for what is at work"""
_at_work: WeakSet[threading.Thread] = WeakSet()
_program_ends = threading.Event()


def start_thread(call: Callable[[], None], name: str) -> threading.Thread:
    """Run a call in a thread that does not keep the program from ending, which only waits for it for `PATIENCE`."""
    thread = threading.Thread(target=call, name=name, daemon=True)
    _at_work.add(thread)
    thread.start()
    return thread


def stop_if_program_ends(*_progress: object) -> None:
    """Do nothing, or end the thread that calls this once the program ends: for long work between its steps.

    Takes the arguments of any report of progress. Raises SystemExit.
    """
    if _program_ends.is_set():
        raise SystemExit


@atexit.register
def _wait() -> None:
    _program_ends.set()
    until = time.monotonic() + PATIENCE
    for thread in tuple(_at_work):
        thread.join(max(0.0, until - time.monotonic()))


class Background(Generic[Result]):
    """Runs at most one call at a time; `poll` returns its result, or raises its error, once."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._outcome: Result | None = None
        self._error: Exception | None = None
        self._is_wanted = True

    @property
    def busy(self) -> bool:
        """Whether a call is running or its result has not been fetched."""
        return self._thread is not None

    def start(self, call: Callable[[], Result]) -> bool:
        """Begin a call; False if one is running."""
        if self._thread is not None:
            return False
        self._outcome, self._error, self._is_wanted = None, None, True
        self._thread = start_thread(lambda: self._run(call), "background")
        return True

    def forget(self) -> None:
        """Discard the result of the running call."""
        self._is_wanted = False

    def poll(self) -> Result | None:
        """The result, once, when the call has ended; else None, also if it was discarded.

        Raises what the call raised.
        """
        thread = self._thread
        if thread is None or thread.is_alive():
            return None
        self._thread = None
        outcome, error = self._outcome, self._error
        self._outcome = self._error = None
        if not self._is_wanted:
            return None
        if error is not None:
            raise error
        return outcome

    def _run(self, call: Callable[[], Result]) -> None:
        try:
            self._outcome = call()
        except Exception as error:  # noqa: BLE001  # handed to whoever polls
            self._error = error
