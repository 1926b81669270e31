"""Finds out which board `score-photo` is about, and reads its picture."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from companion.board.layout import Board
from companion.registry import board_named, load_game, print_and_play_board
from ui.commands.terminal import WrongUse, quiet_libraries
from ui.commands.whereabouts import LENS_WITHOUT_MARKERS, PLACE_WITHOUT_PROFILE, Whereabouts, placed, whereabouts
from ui.photographs.reading import PhotographReading, photograph_reading, read_photograph

if TYPE_CHECKING:
    from vision.pictures import Image


def game_shown(chosen: argparse.Namespace) -> str | None:
    """The game whose printed board the picture shows, if neither game nor board was given; None if no board is seen.

    Raises VisionError, and WrongUse where several are.
    """
    if chosen.board is not None:
        return None
    from ui.photographs.other_boards import games_shown
    from vision.pictures import read_picture

    with quiet_libraries():
        shown = games_shown(read_picture(chosen.picture))
    if len(shown) > 1:
        raise WrongUse(f"{chosen.picture} shows the boards of {' and '.join(shown)}; --game says which is meant")
    return next(iter(shown), None)


def meant_board(game_id: str | None, name: str | None) -> Board:
    """The board that the options name, or that the picture shows.

    Raises WrongUse, or InvalidDocument for a board file.
    """
    if name is None:
        if game_id is None:
            raise WrongUse(
                "no printed markers tell the game; score-photo needs --game, or the --board of another edition"
            )
        return print_and_play_board(game_id)
    board = board_named(name)
    if game_id not in (None, board.game):
        raise WrongUse(f"--board {name} is a board of {load_game(board.game).info.title}, not of --game {game_id}")
    return board


def read_picture_of(board: Board, chosen: argparse.Namespace) -> PhotographReading:
    """Read the picture. Raises VisionError, InvalidDocument, WrongUse."""
    from vision.location.camera_file import load_camera
    from vision.pictures import read_picture
    from vision.spots.spot_profile import is_spot_profile

    place = whereabouts(chosen)
    with quiet_libraries():
        image = read_picture(chosen.picture)
        if chosen.profile is not None and is_spot_profile(chosen.profile):
            if chosen.lens is not None:
                raise WrongUse(LENS_WITHOUT_MARKERS)
            return _read_spots(image, board, chosen.profile, place)
        if place.said and (chosen.profile is None or chosen.profile.is_file()):
            raise WrongUse(PLACE_WITHOUT_PROFILE)
        camera = load_camera(chosen.lens) if chosen.lens is not None else None
        return read_photograph(image, board, chosen.profile, camera)


def _read_spots(image: Image, board: Board, profile: Path, place: Whereabouts) -> PhotographReading:
    """Read a picture of an edition whose pieces were taught from photographs."""
    from vision.location.board_pose import BoardNotFound
    from vision.location.location import BoardLocator
    from vision.spots.spot_profile import load_spot_profile
    from vision.spots.spot_reader import SpotReader

    taught = load_spot_profile(profile, board)
    pose = placed(BoardLocator(board, taught.sheet), image, place)
    if isinstance(pose, BoardNotFound):
        return PhotographReading({}, (), {}, reason=str(pose.reason))
    return photograph_reading(board, SpotReader(board, taught).read(image, pose).posteriors, taught=taught)
