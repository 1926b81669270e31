"""What takes long says so on a terminal, and leaves nothing behind."""

import io
import os
import pty
import re
import sys
import threading

import pytest

from ui.commands import progress as module
from ui.commands.progress import counted, progress
from ui.commands.terminal import quiet_libraries


def test_a_terminal_hears_what_is_being_done_and_for_how_long(monkeypatch: pytest.MonkeyPatch) -> None:
    told = threading.Event()
    write = module._ProgressLine._write

    def noted(line: module._ProgressLine, text: str) -> None:
        write(line, text)
        if "2 of 3 pages" in text:
            told.set()

    monkeypatch.setattr(module._ProgressLine, "_write", noted)

    monkeypatch.setattr(module, "PATIENCE", 0.01)
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with progress("laying out") as tell, quiet_libraries():
            counted(tell)(2, 3, "pages")
            assert told.wait(30)
    text = os.read(master, 1 << 16).decode()
    os.close(master)
    assert re.search(r"2 of 3 pages \(\d+ s\)", text), text
    assert text.endswith("\r\x1b[K")


def test_what_is_quickly_done_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as terminal:
        monkeypatch.setattr(sys, "stderr", terminal)
        with progress("reading"):
            pass
        print("over", file=terminal, flush=True)
    assert os.read(master, 1 << 16) == b"over\r\n"
    os.close(master)


def test_a_file_or_nothing_at_all_hears_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    for stream in (io.StringIO(), None):
        monkeypatch.setattr(sys, "stderr", stream)
        monkeypatch.setattr(module, "PATIENCE", 0.001)
        with progress("reading") as tell:
            tell("more")
        assert stream is None or stream.getvalue() == ""
