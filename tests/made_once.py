"""Files that take long to make, made once for all processes of a test run."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from companion.files.file_lock import take


def made_once(name: str, factory: pytest.TempPathFactory, make: Callable[[Path], object]) -> Path:
    """The folder of this name, which `make` makes for whoever asks first; others wait."""
    common = factory.getbasetemp().parent if "PYTEST_XDIST_WORKER" in os.environ else factory.getbasetemp()
    there = common / name
    with (common / f"{name}.lock").open("wb") as lock:
        while not take(lock):
            time.sleep(0.1)
        if not there.exists():
            made = factory.mktemp(name) / name
            make(made)
            with suppress(OSError):  # without locks another process was faster
                made.rename(there)
    return there
