"""Where a board lies in a photograph, as given on the command line, and reading it there with a taught profile."""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from companion.board.layout import Board, load_board
from companion.registry import board_named, known_games
from ui.commands.terminal import WrongUse, whole_number

if TYPE_CHECKING:
    from vision.location.board_pose import BoardNotFound, BoardPose
    from vision.location.flat_pose import FlatPose
    from vision.location.location import BoardLocator
    from vision.pictures import Image

PLACE_WITHOUT_PROFILE = (
    "corners, turn and reference need a profile taught from photographs; name one with --profile (companion teach)"
)
LENS_WITHOUT_MARKERS = "--lens goes with printed markers; pieces taught from photographs need none"
_NEGATIVE = re.compile(r"-[\d.]")


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where the board lies according to the command line: at four corners or in the whole picture, in which rotation,
    and optionally the other photograph to which the corners belong.
    """

    corners: tuple[tuple[float, float], ...] = ()
    whole: bool = False
    quarters: int | None = None
    reference: Path | None = None

    @property
    def said(self) -> bool:
        """Whether any of it was given."""
        return self != Whereabouts()


def add_place_options(options: argparse.ArgumentParser) -> None:
    """The options for where the board lies."""
    add_corners_option(options, "the board's corners, in pixels, in any order")
    options.add_argument("--whole", action="store_true", help="the picture shows the board and nothing else")
    options.add_argument(
        "--turn", type=whole_number, choices=(0, 90, 180, 270), metavar="DEGREES",
        help="how the board lies turned in the picture, clockwise; else as it was taught, or upright",
    )  # fmt: skip


def add_corners_option(options: argparse.ArgumentParser, meaning: str) -> None:
    """The option for four corners."""
    options.add_argument("--corners", nargs=4, type=_corner, default=(), metavar="X,Y", help=meaning)


def numbers_as_values(words: Sequence[str]) -> list[str]:
    """The words of a command line, changed so that `-5,10` is read as a corner outside the picture and not as an
    option.
    """
    return [f" {word}" if _NEGATIVE.match(word) else word for word in words]


def whereabouts(chosen: argparse.Namespace, reference: Path | None = None) -> Whereabouts:
    """The whereabouts from parsed arguments.

    Raises WrongUse.
    """
    if chosen.whole and chosen.corners:
        raise WrongUse("--whole and --corners say different things of where the board lies")
    quarters = None if chosen.turn is None else chosen.turn // 90
    return Whereabouts(tuple(chosen.corners), chosen.whole, quarters, reference)


def photographed_board(name: str) -> Board:
    """The board shipped for the game of this id, or the one in the file of this name, of whatever game.

    Raises InvalidDocument.
    """
    return board_named(name) if name in known_games() or not name.strip() else load_board(Path(name))


def is_taught(profile: Path | None, board: Board) -> bool:
    """Whether a board is read with a profile taught from photographs, not with printed faces and markers.

    Raises WrongUse where the board can be read in no other way and none is named, and InvalidProfile for a file that
    is none.
    """
    from vision.taught import load_taught

    if profile is not None:
        from vision.spots.spot_profile import SpotProfile

        return isinstance(load_taught(profile, board), SpotProfile)
    if not board.markers.centres or board.game not in known_games():
        raise WrongUse(
            f"{board.name} has no printed markers or pieces that are known; "
            "it needs --profile, taught from photographs (companion teach)"
        )
    return False


def placed(locator: BoardLocator, image: Image, place: Whereabouts) -> BoardPose | FlatPose | BoardNotFound:
    """The board's pose in a picture, with what is said of it."""
    from calibration.touched_corners import pose_at_corners
    from vision.location.location import whole_picture

    corners = whole_picture(image) if place.whole else place.corners
    if corners:
        return pose_at_corners(locator, image, corners, place.quarters)
    return locator.locate(image, place.quarters)


def _corner(text: str) -> tuple[float, float]:
    x, comma, y = text.strip().partition(",")
    try:
        corner = (float(x), float(y))
    except ValueError:
        corner = (float("nan"), 0.0)
    if not comma or not all(abs(value) < 1e6 for value in corner):
        raise argparse.ArgumentTypeError(f"{text.strip()!r} is no corner; write it as x,y in pixels, like 120,604.5")
    return corner
