"""When a picture does not show the board that is meant: which game's board it shows instead."""

from __future__ import annotations

from companion.board.layout import Board
from companion.registry import GAMES, load_game, print_and_play_board
from vision.location.fiducials import FiducialFinder
from vision.location.registration import FEWEST_MARKERS
from vision.pictures import Image, gray_of


def game_shown_instead(image: Image, board: Board) -> str:
    """The title of the game whose printed board is in the picture, where that is another one; else an empty text."""
    gray = gray_of(image)
    for game_id in GAMES:
        other = print_and_play_board(game_id)
        if other.markers == board.markers or not other.markers.centres:
            continue
        if len(FiducialFinder(other.markers).find(gray)) >= FEWEST_MARKERS:
            return load_game(game_id).info.title
    return ""


def games_shown(image: Image) -> tuple[str, ...]:
    """The ids of the games whose printed boards are in the picture, by their markers."""
    gray = gray_of(image)
    shown = []
    for game_id in GAMES:
        markers = print_and_play_board(game_id).markers
        if markers.centres and len(FiducialFinder(markers).find(gray)) >= FEWEST_MARKERS:
            shown.append(game_id)
    return tuple(shown)


def explained(reason: str, image: Image, board: Board) -> str:
    """Why a board was not found, or that another game's board is there."""
    other = game_shown_instead(image, board)
    return f"this is the board of {other}, not {board.name}" if other else reason
