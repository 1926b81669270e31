"""Ctrl-C at a terminal, which tells every process that was started from it."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def undisturbed() -> Iterator[None]:
    """Keep Ctrl-C from the processes that are started meanwhile; they end when the app does."""
    if not hasattr(signal, "pthread_sigmask"):  # pragma: no cover  Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
