"""Memory that is free goes back to the system, also from the middle of a heap. In a process of its own."""

import subprocess
import sys
from pathlib import Path

import pytest

FREED_IN_THE_MIDDLE = """
import ctypes, threading
from pathlib import Path
from vision.free_memory import give_back, keep_little

def used():
    lines = Path("/proc/self/smaps_rollup").read_text().splitlines()
    return sum(int(line.split()[1]) for line in lines if line.startswith("Private_")) / 1024

def work():
    parts = [ctypes.create_string_buffer(b"x" * 60_000, 60_000) for _ in range(1_000)]
    kept.append(ctypes.create_string_buffer(b"x" * 60_000, 60_000))

kept = []
keep_little()
for _ in range(2):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
before = used()
give_back()
print(before - used())
"""


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="this system does not tell memory so")
def test_what_is_free_beneath_what_is_kept_is_given_back():
    done = subprocess.run(
        [sys.executable, "-c", FREED_IN_THE_MIDDLE], capture_output=True, text=True, check=True, timeout=120
    )
    assert float(done.stdout) > 40, f"{done.stdout} MB"
