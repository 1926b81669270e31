"""Signals that end a program: Ctrl-C at a terminal tells every process that was started from it."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Thread
from typing import Any


@contextmanager
def ended_by(end: Callable[[], None], *signals: signal.Signals) -> Iterator[None]:
    """Call `end` when one of these signals comes, in a thread of its own.

    A signal's handler runs in the middle of whatever the main thread does, which may hold the lock of the very event
    that the handler would set.
    """
    reading, writing = os.pipe()

    def listen() -> None:
        while os.read(reading, 1):
            end()

    listener = Thread(target=listen, name="signals")
    listener.start()
    before: dict[signal.Signals, Any] = {}
    try:
        for each in signals:
            before[each] = signal.signal(each, lambda *_: os.write(writing, b"!"))
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        os.close(writing)
        listener.join()
        os.close(reading)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started meanwhile; they end when the app does."""
    if sys.platform == "win32":  # pragma: no cover
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
