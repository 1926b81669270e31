"""One transient line on a terminal that says what a command is doing if it takes longer than a second."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO

PATIENCE = 1.0
"""seconds before the line appears, and between two updates of it"""
_CLEAR = "\r\x1b[K"

ReportStep = Callable[[str], None]
"""A function that is called with a description of the current step."""


@contextmanager
def progress(doing: str) -> Iterator[ReportStep]:
    """While the block runs, show the current step and its duration; show nothing if standard error is no terminal."""
    terminal = _terminal()
    if terminal is None:
        yield lambda _: None
        return
    with terminal:
        line = _ProgressLine(terminal, doing)
        thread = threading.Thread(target=line.run, daemon=True)
        thread.start()
        try:
            yield line.report
        finally:
            line.ended.set()
            thread.join()


def counted(report: ReportStep) -> Callable[[int, int, str], None]:
    """Report the current item with its number out of the total."""
    return lambda done, total, following: report(f"{done} of {total} {following}".rstrip())


def _terminal() -> IO[str] | None:
    """Another handle of standard error, which stays on the terminal while the libraries' own lines are kept off it."""
    if sys.stderr is None:
        return None
    try:
        descriptor = sys.stderr.fileno()
        if not os.isatty(descriptor):
            return None
        return os.fdopen(os.dup(descriptor), "w", encoding=sys.stderr.encoding, errors="replace")
    except (OSError, ValueError):  # closed, or no file at all
        return None


class _ProgressLine:
    def __init__(self, terminal: IO[str], doing: str) -> None:
        self._terminal, self._doing = terminal, doing
        self.ended = threading.Event()

    def report(self, doing: str) -> None:
        self._doing = doing

    def run(self) -> None:
        began, shown = time.monotonic(), False
        while not self.ended.wait(PATIENCE):
            shown = True
            self._write(f"{_CLEAR}{self._doing} ({time.monotonic() - began:.0f} s)")
        if shown:
            self._write(_CLEAR)

    def _write(self, text: str) -> None:
        self._terminal.write(text)
        self._terminal.flush()
