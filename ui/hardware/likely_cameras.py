"""Cameras that this machine is likely to have: their addresses and what they are called. Nothing is opened."""

from __future__ import annotations

import re
import sys
from pathlib import Path

VIDEO_DEVICES = Path("/sys/class/video4linux")
GUESSED = ("0", "1")
"""addresses to offer if the system does not list its cameras"""


def likely_cameras(devices: Path = VIDEO_DEVICES) -> list[tuple[str, str]]:
    """Address and name of each camera; only its first device node, the others give no pictures."""
    if not sys.platform.startswith("linux"):
        return [(address, "") for address in GUESSED]
    found = []
    for folder in devices.glob("video*"):
        number = re.fullmatch(r"video(\d+)", folder.name)
        if number is not None and _line(folder / "index") in ("", "0"):
            found.append((int(number[1]), _line(folder / "name").partition(":")[0]))
    return [(str(number), name) for number, name in sorted(found)]


def _line(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()[:60]
    except OSError:
        return ""
