"""A serial port in software: what is written at one end arrives at the other, which opens like any other port."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from companion.wording.sentences import sentence
from firmware_bridge.errors import TransportUnavailable

if sys.platform != "win32":
    import tty


def open_pseudo_terminal(path: Path) -> tuple[int, int]:
    """Open one and let `path` lead to the end that others open; gives the descriptors of our end, which does not wait,
    and of theirs.

    Raises TransportUnavailable where the system has none: Windows, or a container without /dev/pts.
    """
    if sys.platform != "win32":
        try:
            own, other = os.openpty()
        except OSError as error:
            why = error.strerror or error
            reason = sentence("no pseudo-terminal can be opened for a simulated box ({why})", why=why)
            raise TransportUnavailable("/dev/pts", reason) from error
        tty.setraw(other)
        os.set_blocking(own, False)
        path.symlink_to(os.ttyname(other))
        return own, other
    raise TransportUnavailable(str(path), sentence("this system has no pseudo-terminals for simulated boxes"))
