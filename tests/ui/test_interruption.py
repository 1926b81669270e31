"""A signal that ends a program is told whatever the main thread does, and holds, when it comes."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading

import pytest

from ui.services.interruption import ended_by

ASKED_WHILE_THE_LOCK_IS_HELD = """
import os, signal, threading
from ui.services.interruption import ended_by

stop = threading.Event()
with ended_by(stop.set, signal.SIGTERM):
    with stop._cond:  # as a thread that begins to wait holds it
        os.kill(os.getpid(), signal.SIGTERM)
    print(stop.wait(30))
"""


def test_an_event_is_set_though_the_main_thread_holds_its_lock():
    run = subprocess.run(
        [sys.executable, "-c", ASKED_WHILE_THE_LOCK_IS_HELD], capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout == "True\n"


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX has alarms")
def test_each_signal_is_told_and_then_the_handlers_are_as_before():
    told, before = [], signal.getsignal(signal.SIGALRM)
    both = threading.Semaphore(0)

    def tell() -> None:
        told.append(threading.current_thread().name)
        both.release()

    with ended_by(tell, signal.SIGALRM):
        for _ in range(2):
            signal.raise_signal(signal.SIGALRM)
            assert both.acquire(timeout=30)
    assert told == ["signals", "signals"]
    assert signal.getsignal(signal.SIGALRM) is before
    assert not [each for each in threading.enumerate() if each.name == "signals"]


def test_where_no_handler_can_be_set_no_thread_is_left():
    refused = []

    def elsewhere() -> None:
        try:
            with ended_by(lambda: None, signal.SIGTERM):
                pass
        except ValueError as error:
            refused.append(str(error))

    thread = threading.Thread(target=elsewhere)
    thread.start()
    thread.join(30)
    assert len(refused) == 1
    assert not [each for each in threading.enumerate() if each.name == "signals"]
