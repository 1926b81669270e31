"""The profiles of pieces that this user taught, kept by board in the data folder."""

from __future__ import annotations

from pathlib import Path

from companion.board.layout import Board
from ui.editions import slug

PROFILES = "profiles"


def profile_file(folder: Path, board: Board) -> Path:
    """Where what was taught of a board is kept, whether or not there is anything."""
    return folder / PROFILES / f"{slug(board.id)}.zip"


def taught_profile(folder: Path, board: Board) -> Path | None:
    """The file of what was taught of a board; None where nothing was."""
    path = profile_file(folder, board)
    return path if path.is_file() else None
