"""Long work beside the screen: a call in a thread of its own, whose outcome is taken on the thread that polls."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Result = TypeVar("Result")


class Background(Generic[Result]):
    """At most one call at a time; `poll` hands its result or its error over once."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None
        self._outcome: Result | None = None
        self._error: Exception | None = None
        self._is_wanted = True

    @property
    def busy(self) -> bool:
        """Whether a call is under way, or its outcome has not been taken."""
        return self._thread is not None

    def start(self, call: Callable[[], Result]) -> bool:
        """Begin a call; False where one is under way."""
        if self._thread is not None:
            return False
        self._outcome, self._error, self._is_wanted = None, None, True
        self._thread = threading.Thread(target=self._run, args=(call,), name="background", daemon=True)
        self._thread.start()
        return True

    def forget(self) -> None:
        """Nobody wants to know the outcome any more."""
        self._is_wanted = False

    def poll(self) -> Result | None:
        """The result once it is there; None before, after, and where nobody wants it.

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
