"""Profiles of either kind: taught from printed faces or from photographs, as the file itself declares."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path

from companion.board.layout import Board
from companion.wording.sentences import sentence
from vision.archives import read_archive
from vision.errors import InvalidProfile
from vision.printed.pieces.profile import SHIPPED, Profile, load_profile, profile_name, shipped_profile
from vision.spots.spot_profile import SpotProfile, is_spot_profile, load_spot_profile

log = logging.getLogger(__name__)

AnyProfile = Profile | SpotProfile
"""A profile of printed faces, for sheets with markers, or a classifier of spots, for any board."""

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
    """The id of the board that a profile was taught for.

    Raises InvalidProfile.
    """
    return read_archive(path, lambda archive: archive.header().text("board", longest=100))


def taught_files(board: Board, path: Path | None = None) -> Mapping[str, Path]:
    """The profile files of a board and of the sheets next to it, by board id: the board's is `path`, or the shipped
    one.

    A sheet next to the board without a shipped profile is left out. Raises InvalidProfile where the board's own is
    missing.
    """
    files = {board.id: path or shipped_profile(board)}
    for sheet in board.beside.values():
        if (SHIPPED / profile_name(sheet)).exists():
            files[sheet.id] = SHIPPED / profile_name(sheet)
    return files


def taught_of(board: Board, path: Path | None = None) -> Mapping[str, AnyProfile]:
    """The profiles in the files of `taught_files`.

    Raises InvalidProfile.
    """
    sheets = {sheet.id: sheet for sheet in board.sheets}
    return {name: load_taught(file, sheets[name]) for name, file in taught_files(board, path).items()}


def with_learnt(taught: AnyProfile, path: Path, board: Board) -> AnyProfile:
    """The profile as improved by confirmed positions, if it was taught from photographs and `path` holds such a file;
    else `taught` itself.
    """
    if not isinstance(taught, SpotProfile) or not path.exists():
        return taught
    try:
        return load_spot_profile(path, board)
    except InvalidProfile as error:
        log.warning("what was learnt is left aside: %s", error)
        return taught
