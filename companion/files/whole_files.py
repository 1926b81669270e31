"""Files that are there whole or not at all, also after a crash or on a full disk."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there once it is complete; until then the earlier one stays.

    Several programs may write it at once: the last one's stays. Raises OSError, which names the file.
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
