"""Work in a forked process of its own, limited in time and memory, of which nothing is left when it ends."""

from __future__ import annotations

import ctypes
import json
import os
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_MEMORY = 6 << 30
_PAUSE = 0.02
_DIE_WITH_PARENT = 1  # PR_SET_PDEATHSIG


@dataclass(frozen=True, slots=True)
class Limits:
    """What a process may take: seconds of its processor, and seconds by the clock for one that only waits.

    Seconds in which others had the processor that it wanted do not count.
    """

    processor_seconds: float
    wall_seconds: float


@dataclass(slots=True)
class Running:
    """A forked process, its folder for temporary files and the file it writes its result to."""

    pid: int
    folder: Path
    begun: float
    wall_seconds: float

    def poll(self) -> tuple[str, Any] | None:
        """How it ended, None while it runs: `ended` with its value, `timed out`, or `crashed` with what it printed."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        late = pid == 0 and time.monotonic() - self.begun > self.wall_seconds + seconds_queued(self.pid)
        if pid == 0 and not late:
            return None
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        if late:
            os.waitpid(self.pid, 0)
        result = self.folder / "result.json"
        value = json.loads(result.read_text()) if result.exists() else None
        printed = (self.folder / "printed").read_text(errors="replace")[-2000:]
        shutil.rmtree(self.folder, ignore_errors=True)
        if late or (os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGXCPU):
            return "timed out", None
        return ("ended", value) if os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0 else ("crashed", printed)


def seconds_queued(pid: int) -> float:
    """How long a process could run and had to wait for a processor; 0 where the system does not say."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text("ascii").split()[1]) / 1e9
    except (OSError, ValueError, IndexError):
        return 0.0


def start_forked(root: Path, work: Callable[[], Any], limits: Limits) -> Running:
    """Run `work` in a process forked from this one, in the folder `root`; what it returns must be JSON.

    It has temporary files of its own, and what it prints goes to one of them. Processes it started end with it.
    """
    folder = Path(tempfile.mkdtemp(prefix="mutation-"))
    sys.stdout.flush()
    sys.stderr.flush()
    (folder / "printed").touch()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            os.setsid()
            _set_up(root, folder, limits)
            written = folder / "result.part"
            written.write_text(json.dumps(work()))
            written.rename(folder / "result.json")
            code = 0
        except BaseException:  # noqa: BLE001 - whatever it was, this process must not go on as its parent
            traceback.print_exc()
        finally:
            os._exit(code)
    return Running(pid, folder, time.monotonic(), limits.wall_seconds)


def run_forked(root: Path, work: Callable[[], Any], limits: Limits) -> tuple[str, Any]:
    """Run `work` in a forked process and wait for its end."""
    running = start_forked(root, work, limits)
    while (end := running.poll()) is None:
        time.sleep(_PAUSE)
    return end


def _set_up(root: Path, folder: Path, limits: Limits) -> None:
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    printed = os.open(folder / "printed", os.O_WRONLY | os.O_CREAT)
    os.dup2(printed, 1)
    os.dup2(printed, 2)
    os.chdir(root)
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    seconds = int(limits.processor_seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
