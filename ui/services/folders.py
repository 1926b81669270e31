"""Where this program keeps its files on this machine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import platformdirs

from companion.errors import StoreError

NAME = "roman-table-companion"
BOARDS = "boards"
"""the folder of the user's board files in the data folder"""


def data_folder() -> Path:
    """Games, boards, profiles and bindings; created if missing."""
    return _made(platformdirs.user_data_path, "data")


def state_folder() -> Path:
    """Log files; created if missing."""
    return _made(platformdirs.user_state_path, "log")


def cache_folder() -> Path:
    """The cache, which may be deleted; created if missing."""
    return _made(platformdirs.user_cache_path, "cache")


def _made(path: Callable[..., Path], what: str) -> Path:
    """A folder of the user's, created if missing.

    Raises StoreError.
    """
    folder = path(NAME, appauthor=False)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"{folder}: cannot be the {what} folder ({error.strerror or error})") from error
    return folder
