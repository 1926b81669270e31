"""A lock on an open file, which the system releases however a program ends."""

from __future__ import annotations

import sys
from typing import IO

if sys.platform == "win32":  # pragma: no cover

    def take(_file: IO[bytes]) -> bool:
        """An open file cannot be removed here, which protects what is in use."""
        return True

else:
    import fcntl

    def take(file: IO[bytes]) -> bool:
        """Lock a file for as long as it is open; false where another program has it."""
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
