"""Files that are there whole or not at all, also after a crash or on a full disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a temporary file in the same folder and rename it once it is complete, so that no half file is ever seen.

    If several programs write at once, the last one wins. Raises OSError, which names the file.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.partial")
    try:
        with draft.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        draft.replace(path)
    except BaseException as error:
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise OSError(error.errno, error.strerror, str(path)) from error
        raise
