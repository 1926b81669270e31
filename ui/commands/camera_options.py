"""The command-line options for the camera over a table and for the board in front of it."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path

from companion.board.layout import Board
from companion.registry import board_named, print_and_play_board
from ui.commands.terminal import WrongUse, file_name
from ui.commands.whereabouts import add_corners_option
from ui.hardware.camera import CameraClient
from ui.hardware.taught_profiles import taught_profile
from ui.photographs.reading import PhotographReading, read_photograph
from ui.services.editions import editions_of
from ui.services.folders import data_folder
from ui.shell.devices import camera_at, one_picture
from vision.camera.sources import open_source
from vision.location.board_pose import CameraModel
from vision.location.camera_file import load_camera
from vision.taught import board_taught, taught_of


@dataclass(frozen=True, slots=True)
class CameraOptions:
    """The camera's address ("" for none), its lens and profile files, and the board's corners (pixels)."""

    address: str | None
    lens: Path | None
    profile: Path | None
    corners: tuple[tuple[float, float], ...]

    def check(self, board: Board) -> None:
        """Refuse options that contradict each other or the board, and missing files; opening the camera may still fail.

        Raises WrongUse, VisionError, InvalidDocument.
        """
        if self.address is None and (self.profile is not None or self.corners):
            raise WrongUse("--profile and --corners say how a camera reads; name it with --camera")
        if self.corners and board.markers.centres:
            raise WrongUse(f"{board.name} is found by its printed markers; leave out --corners")
        if self.address is not None:
            taught_of(board, self._profile(board))
            open_source(self.address)
            self._lens()

    def open(self, board: Board) -> CameraClient | None:
        """The camera looking for a board, if one is named; it is not started.

        Raises VisionError, InvalidDocument.
        """
        if self.address is None:
            return None
        return camera_at(self.address, board, self._lens(), self._profile(board), self.corners)

    def look(self, board: Board) -> PhotographReading:
        """Take a picture by the named camera and read what lies on the board.

        Raises VisionError, InvalidDocument.
        """
        return read_photograph(
            one_picture(self.address or ""), board, self._profile(board), self._lens(), self.corners
        )  # fmt: skip

    def _lens(self) -> CameraModel | None:
        return load_camera(self.lens) if self.lens is not None else None

    def _profile(self, board: Board) -> Path | None:
        """The named profile, else the one this user taught for the board, else None for the shipped one."""
        return self.profile or taught_profile(data_folder(), board)


def add_camera_options(options: argparse.ArgumentParser) -> None:
    """The options for a camera and the board before it."""
    options.add_argument("--camera", metavar="C", help="an index, device, video, folder of pictures, or address")
    options.add_argument("--lens", type=file_name, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument("--board", metavar="B", help="a board file of the game; else the profile's, or as shipped")
    options.add_argument(
        "--profile",
        type=file_name,
        metavar="P",
        help="pieces taught by companion teach; else those of the printed edition",
    )
    add_corners_option(options, "the corners of a board without markers in the camera's picture, in pixels")


def camera_options(chosen: argparse.Namespace) -> CameraOptions:
    """The camera options from parsed arguments."""
    return CameraOptions(chosen.camera, chosen.lens, chosen.profile, tuple(chosen.corners))


def board_in_play(game: str, board: str | None, profile: Path | None, folder: Path) -> Board:
    """The board on the table: the named one, else the profile's, looked up among the user's board files.

    Raises WrongUse, InvalidDocument, InvalidProfile.
    """
    if board is not None:
        named = board_named(board)
        if named.game != game:
            raise WrongUse(f"{board} is a board of {named.game}, not of {game}")
        return named
    if profile is None:
        return print_and_play_board(game)
    wanted = board_taught(profile)
    for known in editions_of(game, folder).boards:
        if known.id == wanted:
            return known
    raise WrongUse(f"{profile} was taught on {wanted!r}, no known board of {game}; name its file with --board")
