"""Folders for the length of a run. What a killed program left behind is removed by the next that needs a folder."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path
from typing import IO

from companion.files.file_lock import take

_LOCK = "in-use"
_UNLOCKED_SECONDS = 60.0
"""A folder without a lock file is being made just now, or is this much older and was left behind."""


class ScratchFolder:
    """A folder of our own in the system's folder for temporary files, gone after `close`."""

    def __init__(self, kind: str) -> None:
        prefix = f"companion-{kind}-"
        remove_abandoned(prefix)
        self.path = Path(tempfile.mkdtemp(prefix=prefix))
        self._lock: IO[bytes] | None = (self.path / _LOCK).open("wb")
        take(self._lock)

    def close(self) -> None:
        """Remove it with all that is in it; safe to call twice."""
        lock, self._lock = self._lock, None
        if lock is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            lock.close()

    def __enter__(self) -> ScratchFolder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def remove_abandoned(prefix: str) -> None:
    """Remove this user's folders whose program has ended; a running program holds a lock in its folder."""
    for folder in Path(tempfile.gettempdir()).glob(f"{prefix}*"):
        try:
            if _is_abandoned(folder):
                shutil.rmtree(folder, ignore_errors=True)
        except OSError:  # another user's, or another program removes it at this moment
            continue


def _is_abandoned(folder: Path) -> bool:
    if folder.is_symlink() or not folder.is_dir() or not _is_ours(folder):
        return False
    lock = folder / _LOCK
    if not lock.exists():
        return time.time() - folder.stat().st_mtime > _UNLOCKED_SECONDS
    with lock.open("rb") as file:
        return take(file)


if sys.platform == "win32":  # pragma: no cover

    def _is_ours(_folder: Path) -> bool:
        return True

else:
    import os

    def _is_ours(folder: Path) -> bool:
        return folder.stat().st_uid == os.getuid()
