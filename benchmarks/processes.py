"""Processes as the kernel tells of them: their memory, their processor time, and who started whom."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROC = Path("/proc")
_TICKS = os.sysconf("SC_CLK_TCK")
_PARENT, _USER, _SYSTEM = 1, 11, 12
"""fields of /proc/PID/stat after the name, counted from the state at 0 (proc(5))"""


def shared_memory(pid: int | None = None) -> float:
    """Memory (MB) of a process, or of this one, in which what several processes share counts in equal parts.

    0 for a process that has ended.
    """
    return _memory(pid, "Pss:")


def own_memory(pid: int | None = None) -> float:
    """Memory (MB) of a process, or of this one, that no other one shares; 0 for a process that has ended."""
    return _memory(pid, "Private_")


def family(pid: int) -> set[int]:
    """A process, those that it started and that still run, and theirs."""
    parents = {}
    for each in running():
        with suppress(OSError):
            parents[each] = int(_stat(each)[_PARENT])
    found, added = {pid}, True
    while added:
        children = {each for each, parent in parents.items() if parent in found}
        added = not children <= found
        found |= children
    return found


def processor_seconds(pid: int) -> float:
    """Seconds of processor time that a process has taken; raises OSError for one that has ended."""
    fields = _stat(pid)
    return (int(fields[_USER]) + int(fields[_SYSTEM])) / _TICKS


def inheriting(name: str, value: str) -> dict[int, str]:
    """Name by number of the running processes that were started with an environment variable, by whomever."""
    wanted, found = f"{name}={value}".encode(), {}
    for pid in running():
        with suppress(OSError):
            if _stat(pid)[0] != "Z" and wanted in (_PROC / str(pid) / "environ").read_bytes().split(b"\0"):
                found[pid] = (_PROC / str(pid) / "comm").read_text(encoding="utf-8").strip()
    return found


def running() -> Iterator[int]:
    """Every process of this machine."""
    return (int(folder.name) for folder in _PROC.glob("[0-9]*"))


def _stat(pid: int) -> list[str]:
    return (_PROC / str(pid) / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()


def _memory(pid: int | None, kind: str) -> float:
    try:
        text = (_PROC / str(pid or os.getpid()) / "smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in text.splitlines() if line.startswith(kind)) * 1024 / 1e6
