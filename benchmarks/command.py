"""How fast and how small a command is: `companion judge` as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.figures import Figure, median

RUNS = 15
QUESTION = """game = "city_of_marble"
wards = ["E8-F8 red 1", "F8-G8 blue"]
"""


def measure() -> Iterator[Figure]:
    """Wall clock and largest resident memory of whole processes, as the operating system accounts for them.

    They are started from a small process: what a process holds while it starts another counts as the other's.
    """
    told = subprocess.run([sys.executable, "-m", "benchmarks.command"], stdout=subprocess.PIPE, check=True, text=True)
    runs = json.loads(told.stdout)
    seconds = [elapsed for elapsed, _ in runs]
    memory = [kibibytes for _, kibibytes in runs]
    spread = f"{min(seconds):.2f} to {max(seconds):.2f} s"
    yield Figure("companion judge as a process", median(seconds), "s", 0.3, count=RUNS, note=spread)
    yield Figure("companion judge, largest memory", max(memory) / 1024, "MB", 60, count=RUNS)


def judge_often() -> list[tuple[float, int]]:
    """Seconds and kibibytes of each run but the first, which only fills caches."""
    with tempfile.TemporaryDirectory() as folder:
        question = Path(folder) / "question.toml"
        question.write_text(QUESTION, encoding="utf-8")
        arguments = [sys.executable, "-m", "ui.command_line", "judge", str(question), "ward G7-H7 blue"]
        return [run(arguments) for _ in range(RUNS + 1)][1:]


def run(arguments: list[str]) -> tuple[float, int]:
    """Seconds and kibibytes of one process, its output thrown away."""
    begin = time.perf_counter()
    child = os.posix_spawn(
        arguments[0], arguments, dict(os.environ),
        file_actions=[(os.POSIX_SPAWN_OPEN, descriptor, os.devnull, os.O_WRONLY, 0) for descriptor in (1, 2)],
    )  # fmt: skip
    _, status, usage = os.wait4(child, 0)
    if os.waitstatus_to_exitcode(status) not in (0, 1):
        raise RuntimeError("companion judge failed; run it by hand to see why")
    return time.perf_counter() - begin, usage.ru_maxrss


if __name__ == "__main__":
    print(json.dumps(judge_often()))
