"""Where this program keeps its files on this machine."""

from __future__ import annotations

from pathlib import Path

import platformdirs

NAME = "roman-table-companion"


def data_folder() -> Path:
    """Games, boards, profiles and bindings; made where it is missing."""
    return platformdirs.user_data_path(NAME, appauthor=False, ensure_exists=True)


def state_folder() -> Path:
    """Log files; made where it is missing."""
    return platformdirs.user_state_path(NAME, appauthor=False, ensure_exists=True)


def cache_folder() -> Path:
    """What can be made again; made where it is missing."""
    return platformdirs.user_cache_path(NAME, appauthor=False, ensure_exists=True)
