"""Work in threads while the program ends."""

import subprocess
import sys

ENDS_AT_WORK = """
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


def test_the_end_of_the_program_waits_for_pictures_at_work_instead_of_aborting() -> None:
    ended = subprocess.run([sys.executable, "-c", ENDS_AT_WORK], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "done\n", "")
