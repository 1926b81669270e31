"""Picture memory that a killed program left behind is freed by the next one; that of living programs stays."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np
import pytest

from vision.camera import shared_pictures
from vision.camera.frames import Grabber
from vision.camera.shared_pictures import SharedPictures, SharedSource, clear_abandoned
from vision.errors import SourceLost

pytestmark = pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="this system has no /dev/shm")

TABLE = """
import time
from vision.camera.shared_pictures import SharedPictures
pictures = SharedPictures(48, 64)
print(pictures.name, flush=True)
time.sleep(600)
"""


APP = """
import multiprocessing, time
from tests.vision.test_shared_pictures import watch
from vision.camera.shared_pictures import SharedPictures
if __name__ == "__main__":
    pictures = SharedPictures(48, 64)
    own, other = multiprocessing.Pipe()
    multiprocessing.get_context("spawn").Process(target=watch, args=(pictures.name, other), daemon=True).start()
    other.close()
    own.recv()
    print(pictures.name, flush=True)
    {ends}
"""
ENDS = {"killed": "time.sleep(600)", "closed": "own.close(); pictures.close()"}


def watch(name: str, pipe: Connection) -> None:
    """A camera's process: it looks at the pictures and ends with the app, perhaps while it waits for a picture."""
    pictures = SharedPictures(48, 64, name)
    Grabber(SharedSource("simulated camera", pictures)).start()
    pipe.send("there")
    with suppress(EOFError):
        pipe.recv()
    pictures.close()
    time.sleep(0.5)  # as long as a camera takes to be closed
    clear_abandoned()


def table() -> tuple[subprocess.Popen[str], Path]:
    """A running program with picture memory of its own."""
    process = subprocess.Popen([sys.executable, "-c", TABLE], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as said:
        return process, Path("/dev/shm", said.readline().strip())


def test_what_a_killed_table_left_is_freed_while_another_table_runs() -> None:
    first, first_memory = table()
    second, second_memory = table()
    try:
        assert first_memory.exists()
        first.send_signal(signal.SIGKILL)
        first.wait()
        assert first_memory.exists(), "nobody has freed it yet"
        mine = SharedPictures(48, 64)
        try:
            assert not first_memory.exists()
            assert second_memory.exists()
            mine.write(np.zeros((48, 64, 3), np.uint8), 1.0)
            assert mine.newest() is not None
        finally:
            mine.close()
    finally:
        second.kill()
        second.wait()
    clear_abandoned()
    assert not second_memory.exists()


@pytest.mark.parametrize("end", ["killed", "closed"])
@pytest.mark.parametrize("cleared", [True, False])
def test_an_end_of_any_kind_prints_nothing_and_frees_the_pictures(tmp_path: Path, end: str, cleared: bool) -> None:
    program = tmp_path / "app.py"
    program.write_text(APP.replace("{ends}", ENDS[end]))
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    app = subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
    )
    assert app.stdout is not None
    memory = Path("/dev/shm", app.stdout.readline().strip())
    if end == "killed":
        app.kill()
    app.wait()
    if cleared:
        clear_abandoned()
        assert not memory.exists()
    _out, told = app.communicate(timeout=60)  # until the camera's process and the tracker have ended, too
    assert told == ""
    assert not memory.exists()


def test_an_owner_is_known_by_number_and_start_time(tmp_path: Path) -> None:
    memory, processes = tmp_path / "shm", tmp_path / "proc"
    memory.mkdir()
    fields = ["S", *["0"] * 18, "4711"]
    for number, name in (("12", "a table (two) )"), ("13", "table")):
        (processes / number).mkdir(parents=True)
        state = fields if number == "12" else ["Z", *fields[1:]]
        (processes / number / "stat").write_text(f"{number} ({name}) {' '.join(state)}\n")
    names = {
        "companion-pictures-12-4711-abcd": True,
        "companion-pictures-12-4712-abcd": False,
        "companion-pictures-13-4711-abcd": False,
        "companion-pictures-99-4711-abcd": False,
        "companion-pictures-from-elsewhere": True,
        "psm_12345678": True,
    }
    for name in names:
        (memory / name).touch()
    freed = clear_abandoned(memory, processes)
    assert {name: (memory / name).exists() for name in names} == names
    assert sorted(freed) == sorted(name for name, stays in names.items() if not stays)


def test_the_name_states_this_process() -> None:
    pictures = SharedPictures(48, 64)
    try:
        assert pictures.name.startswith(f"companion-pictures-{os.getpid()}-")
        assert shared_pictures.clear_abandoned() == []
    finally:
        pictures.close()


def test_closed_memory_gives_and_takes_no_picture() -> None:
    pictures = SharedPictures(4, 4)
    pictures.write(np.zeros((4, 4, 3), np.uint8), 1.0)
    pictures.close()
    pictures.write(np.zeros((4, 4, 3), np.uint8), 2.0)
    assert pictures.newest() is None
    with pytest.raises(SourceLost):
        SharedSource("simulated camera", pictures).read()
