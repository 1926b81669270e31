"""What the touch app costs: time to the first frame, response to a touch, preview rate during full reading, memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.figures import Figure, median

STARTS = 5
VIDEO_SECONDS = 24
"""of the video that the camera's process reads while the preview is measured"""


def measure() -> Iterator[Figure]:
    """Each in a program of its own, which draws offscreen unless there is a display."""
    starts = [_first_frame() for _ in range(STARTS + 1)][1:]
    spread = f"{min(starts):.2f} to {max(starts):.2f} s"
    yield Figure("first frame of the app", median(starts), "s", 1.5, count=STARTS, note=spread)
    touches = _window("touches")
    note = f"95 of 100 within {touches['late']:.0f} ms; {touches['busy']:.0f} ms of processor time"
    yield Figure("touch to flip", touches["median"], "ms", 50, count=touches["count"], note=note)
    preview = _window("preview")
    note = f"the camera screen of an open table, {preview['width']:.0f} pixels wide"
    yield Figure("preview at 960x540 beside full reading", preview["rate"], "pictures/s", 15, at_least=True, note=note)
    yield Figure("app process during the preview", preview["core"], "cores", 0.5)
    yield Figure("memory of all processes with camera", preview["memory"], "MB", 450, note="proportional set size")
    pages, more = preview["pages"], preview["with_phones"] - preview["memory"]
    note = f"{pages:.0f} open pages with the board's pictures"
    yield Figure("the same with phones", preview["with_phones"], "MB", 490, note=note)
    yield Figure("of which phones", more, "MB", 40)
    changes = _window("changes")
    note = f"{changes['actions']} actions, each of them drawn"
    yield Figure("memory gained over 500 screen changes", changes["gained"], "MB", 8, count=changes["count"])
    yield Figure("memory gained by another whole game", changes["by_game"], "MB", 8, note=note)


def _window(name: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        told = subprocess.run(
            _arguments(name, folder), env=_environment(), stdout=subprocess.PIPE, check=True, text=True
        )
    found: dict[str, Any] = json.loads(told.stdout.splitlines()[-1])
    return found


def _first_frame() -> float:
    """Seconds from the start of a process until the start screen was drawn."""
    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        with subprocess.Popen(
            _arguments("start", folder), env=_environment(), stdout=subprocess.PIPE, text=True
        ) as child:
            assert child.stdout is not None
            line = child.stdout.readline()
            seconds = time.perf_counter() - begin
    if line.strip() != "drawn":
        raise RuntimeError("the app did not start; run `companion` to see why")
    return seconds


def _arguments(name: str, folder: str) -> list[str]:
    return [sys.executable, "-m", "benchmarks.app_window", name, str(Path(folder))]


def _environment() -> dict[str, str]:
    return dict(os.environ) if os.environ.get("DISPLAY") else os.environ | {"SDL_VIDEODRIVER": "offscreen"}
