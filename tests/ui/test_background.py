"""The end of the program while something is still at work in the background."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.test_architecture import ROOT

WAITED_FOR = """
import time, cv2, numpy
from ui.services.background import Background
picture = numpy.random.default_rng(1).integers(0, 255, (1500, 1500, 3), numpy.uint8)
def work():
    for _ in range(4):
        cv2.imencode(".webp", picture)
    print("done")
Background().start(work)
time.sleep(0.05)
"""
STOPPED = """
import itertools, time, cv2, numpy
from ui.services.background import Background, stop_if_program_ends
picture = numpy.zeros((300, 300, 3), numpy.uint8)
begun = []
def work():
    for _ in itertools.count():
        stop_if_program_ends()
        cv2.medianBlur(picture, 31)
        begun.append(True)
Background().start(work)
while not begun:
    time.sleep(0.01)
print("done")
"""


@pytest.mark.parametrize("program", [WAITED_FOR, STOPPED], ids=["waited for", "stopped between its steps"])
def test_what_is_at_work_does_not_abort_the_program(program: str) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
