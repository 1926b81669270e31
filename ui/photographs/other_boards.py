"""Explains why a board was not found in a picture: what the picture shows instead, or its flaw."""

from __future__ import annotations

from companion.board.layout import Board
from companion.registry import GAMES, load_game, print_and_play_board
from companion.wording.sentences import sentence
from vision.camera.picture_quality import ADVICE, picture_quality
from vision.colour.flaws import COLOUR_FLAWS
from vision.location.fiducials import FiducialFinder
from vision.location.registration import FEWEST_MARKERS
from vision.pictures import Gray, Image, gray_of


def games_shown(image: Image) -> tuple[str, ...]:
    """The ids of the games whose printed boards, or other sheets, are in the picture, recognised by their markers."""
    gray = gray_of(image)
    return tuple(
        game_id for game_id in GAMES if any(_is_shown(sheet, gray) for sheet in print_and_play_board(game_id).sheets)
    )


def explained(reason: str, image: Image, board: Board) -> str:
    """Why a board was not found: another game's board, only one of its other sheets, or a flaw of the picture."""
    if reason in COLOUR_FLAWS:
        return reason
    gray = gray_of(image)
    beside = [sheet for sheet in board.sheets if sheet is not board]
    if any(_is_shown(sheet, gray) for sheet in beside):
        names = ", ".join(sheet.name for sheet in beside)
        return sentence(
            "only {sheets} is in the picture, and {board} is not; take a picture that shows it, too",
            sheets=names, board=board.name,
        )  # fmt: skip
    for game_id in GAMES:
        other = print_and_play_board(game_id)
        if other.markers != board.markers and _is_shown(other, gray):
            title = load_game(game_id).info.title
            return sentence("this is the board of {game}, not {board}", game=title, board=board.name)
    for flaw in picture_quality(image).flaws:
        return sentence("{reason}. {flaw}", reason=reason, flaw=ADVICE[flaw])
    return reason


def _is_shown(sheet: Board, gray: Gray) -> bool:
    return bool(sheet.markers.centres) and len(FiducialFinder(sheet.markers).find(gray)) >= FEWEST_MARKERS
