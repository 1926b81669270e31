"""What was taught of a set of pieces, of whichever kind its file says that it is."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.archives import read_archive
from vision.errors import InvalidProfile
from vision.printed.profile import SHIPPED, Profile, load_profile, profile_name, shipped_profile
from vision.spots.spot_profile import SpotProfile, is_spot_profile, load_spot_profile

log = logging.getLogger(__name__)

AnyProfile = Profile | SpotProfile
"""Faces to compare with, on a sheet with printed markers; or a classifier of spots, on any board."""

_NO_MARKERS = sentence("shows printed faces, which need the printed markers that this board lacks; teach photographs")


def load_taught(path: Path, board: Board) -> AnyProfile:
    """The profile in a file, checked against the board it is meant for.

    Raises InvalidProfile.
    """
    if is_spot_profile(path):
        return load_spot_profile(path, board)
    profile = load_profile(path, board)
    if not board.markers.centres:
        raise InvalidProfile(str(path), "", _NO_MARKERS)
    return profile


def board_taught(path: Path) -> str:
    """The id of the board that a profile is for.

    Raises InvalidProfile.
    """
    return read_archive(path, lambda archive: archive.header().text("board", longest=100))


def taught_files(board: Board, path: Path | None = None) -> Mapping[str, Path]:
    """The files of the profiles of a board and of the sheets beside it, by board id: the board's as named or shipped.

    A sheet beside the board that comes untaught is left out. Raises InvalidProfile where the board's own is missing.
    """
    files = {board.id: path or shipped_profile(board)}
    for sheet in board.beside.values():
        if (SHIPPED / profile_name(sheet)).exists():
            files[sheet.id] = SHIPPED / profile_name(sheet)
    return files


def taught_of(board: Board, path: Path | None = None) -> Mapping[str, AnyProfile]:
    """What the files of `taught_files` say.

    Raises InvalidProfile.
    """
    sheets = {sheet.id: sheet for sheet in board.sheets}
    return {name: load_taught(file, sheets[name]) for name, file in taught_files(board, path).items()}


def with_learnt(taught: AnyProfile, path: Path, board: Board) -> AnyProfile:
    """The profile that confirmed positions have made of a taught one, kept in a file; as it was where there is none."""
    if not isinstance(taught, SpotProfile) or not path.exists():
        return taught
    try:
        return load_spot_profile(path, board)
    except InvalidProfile as error:
        log.warning("what was learnt is left aside: %s", error)
        return taught
