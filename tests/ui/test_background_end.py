"""The end of the program while something is still at work in the background."""

from __future__ import annotations

import subprocess
import sys

from tests.test_architecture import ROOT

PROGRAM = """
import itertools, time
import cv2, numpy
from ui.services import background

background.PATIENCE = 1.0
picture = numpy.zeros((300, 300, 3), numpy.uint8)
begun = []

def paint():
    for _ in itertools.count():
        cv2.medianBlur(picture, 31)
        begun.append(True)

background.Background().start(paint)
while not begun:
    time.sleep(0.01)
"""


def test_pictures_that_are_still_painted_do_not_abort_the_program() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, timeout=120, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
