"""The profiles of pieces that this user taught, kept by board in the data folder."""

from __future__ import annotations

import hashlib
from pathlib import Path

from companion.board.layout import Board
from ui.services.editions import edition_slug

PROFILES = "profiles"


def profile_file(folder: Path, board: Board) -> Path:
    """Where what was taught of a board is kept, whether or not there is anything."""
    return folder / PROFILES / f"{edition_slug(board.id)}.zip"


def taught_profile(folder: Path, board: Board) -> Path | None:
    """The file of what was taught of a board; None where nothing was."""
    path = profile_file(folder, board)
    return path if path.is_file() else None


def learnt_file(folder: Path, board: Board, profile: Path | None) -> Path | None:
    """Where it is kept what confirmed positions add to a profile, for each profile in another file.

    None for the shipped one, and for a profile that cannot be read.
    """
    try:
        digest = hashlib.sha256(profile.read_bytes()).hexdigest()[:12] if profile is not None else ""
    except OSError:
        return None
    if not digest:
        return None
    return folder / PROFILES / "learnt" / f"{edition_slug(board.id)}-{digest}.zip"
