"""Reads the end of a game from one photograph, for the command line and the screen. No Kivy."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from companion.board.layout import EMPTY, Board
from companion.engine import GameRules
from companion.errors import InvalidDocument
from companion.photographs.last_board import LastBoard
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain, spellings
from ui.photographs.other_boards import explained
from vision.location.board_pose import BoardNotFound, CameraModel
from vision.location.flat_pose import Projection
from vision.location.location import Corners
from vision.pictures import Image
from vision.sheets import SheetsReader
from vision.spots.spot_profile import SpotProfile
from vision.taught import AnyProfile, taught_of

UNSURE = 0.9
"""probability below which the likeliest label of a spot is shown to the user for checking"""
MOST_COVERED = 20
"""largest number of covered spots to ask about; with more, another picture is asked for"""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A doubtful spot with its possible labels and their probabilities, likeliest first."""

    spot: str
    labels: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True, eq=False)
class PhotographReading:
    """The reading of a photograph: spot -> label of the occupied spots, the doubtful spots, all spots' probabilities.

    `pose` is that of the board in the picture; `reason` says why there is no reading, else it is empty. Of `covered`
    spots nothing is known: something lies before them, or they cannot be read.
    """

    look: Mapping[str, str]
    doubts: tuple[Doubt, ...]
    chances: Mapping[str, Mapping[str, float]]
    pose: Projection | None = None
    reason: str = ""
    covered: tuple[str, ...] = ()
    untaught: tuple[str, ...] = ()
    """kinds of pieces that the profile was never taught; their spots count as empty"""


def read_photograph(
    image: Image, board: Board, profile: Path | None = None, camera: CameraModel | None = None, corners: Corners = ()
) -> PhotographReading:
    """Read all sheets of a board from one picture (BGR).

    Raises InvalidProfile.
    """
    taught = taught_of(board, profile)
    reading = SheetsReader(board, taught, camera, corners=corners).look(image)
    if isinstance(reading, BoardNotFound):
        return PhotographReading({}, (), {}, reason=explained(reading.reason, image, board))
    return photograph_reading(board, reading.posteriors, reading.pose, taught[board.id])


def photograph_reading(
    board: Board, chances: Mapping[str, Mapping[str, float]], pose: Projection | None = None,
    taught: AnyProfile | None = None,
) -> PhotographReading:  # fmt: skip
    """The reading of a photograph from the observation of its sheets."""
    look, doubts = {}, []
    for spot, shares in chances.items():
        doubt = doubt_of(spot, shares)
        label, share = doubt.labels[0]
        if label != EMPTY:
            look[spot] = label
        if share < UNSURE:
            doubts.append(doubt)
    known = taught.pieces.keys() if isinstance(taught, SpotProfile) else board.pieces.keys()
    untaught = tuple(name for name in board.pieces if name not in known)
    covered = tuple(
        name
        for name, spot in board.all_spots.items()
        if name not in chances and not (name in board.spots and spot.piece in untaught)
    )
    return PhotographReading(look, tuple(doubts), chances, pose, covered=covered, untaught=untaught)


def doubt_of(spot: str, shares: Mapping[str, float]) -> Doubt:
    """A spot with the three likeliest labels."""
    return Doubt(spot, tuple(ranked_labels(shares)[:3]))


def open_spots(
    board: Board, sheets: Sequence[Board], covered: Iterable[str], look: Mapping[str, str], entered: Container[str]
) -> tuple[str, ...]:
    """The covered spots of these sheets that are not in `entered`, without those on a carrier that is absent."""
    asked, unknown = {name for sheet in sheets for name in sheet.spots}, set(covered)
    spots, pieces = board.all_spots, {name: piece for sheet in board.sheets for name, piece in sheet.pieces.items()}

    def may_carry(carrier: str) -> bool:
        return carrier in look or carrier not in spots or (carrier in unknown and carrier not in entered)

    return tuple(
        name
        for name in covered
        if name in asked
        and name not in entered
        and may_carry(f"{pieces[spots[name].piece].raised_by} {spots[name].site}")
    )


def ranked_labels(shares: Mapping[str, float]) -> list[tuple[str, float]]:
    """Labels with their probabilities, likeliest first."""
    return sorted(shares.items(), key=lambda item: -item[1])


def corrected_look(board: Board, look: Mapping[str, str], corrected: Mapping[str, str]) -> dict[str, str]:
    """A look with corrected spots; an empty label empties the spot.

    Raises ValueError, a line for people, where that cannot lie there.
    """
    spots, mended = board.all_spots, dict(look)
    known = spellings(spots)
    for written, label in corrected.items():
        name = known.get(plain(written), written)
        if name not in spots:
            near = [spot for spot in spots if name and name in spot][:4]
            instead = f"; a spot is a piece and its place, as {', '.join(map(repr, near))}" if near else ""
            raise ValueError(f"{name!r} is no spot of the board{instead}")
        if label and label not in spots[name].labels:
            raise ValueError(f"on {name} may lie {', '.join(spots[name].labels)} or nothing, not {label!r}")
        mended[name] = label
        if not label:
            del mended[name]
    return mended


def likely_colours(game: GameRules[Any], board: Board, look: Mapping[str, str]) -> tuple[str, ...]:
    """The colours on the board in the palette's order, filled up to the fewest possible players."""
    lying = set(look.values())
    seen = [colour for colour in board.palette if colour in lying]
    missing = [colour for colour in board.palette if colour not in seen]
    fewest, most = game.info.seats
    return tuple((seen + missing[: max(0, fewest - len(seen))])[:most])


def possible_labels(
    board: Board, look: Mapping[str, str], spot: str, chances: Mapping[str, float],
    problem: Callable[[Mapping[str, str]], str],
) -> tuple[str, ...]:  # fmt: skip
    """The possible labels of a spot: first those with which the board has no `problem`; each group likeliest first."""
    labels = [label for label, _share in ranked_labels(chances)]
    labels += [label for label in (*board.all_spots[spot].labels, EMPTY) if label not in labels]
    return tuple(
        sorted(labels, key=lambda label: bool(problem(corrected_look(board, {**look, spot: label}, {spot: label}))))
    )


def reading_problem(last: LastBoard) -> str:
    """Why the board as read cannot be the end of a game, whatever the answers; "" if it can."""
    try:
        last.position({})
    except InvalidDocument as error:
        return reason_of(error)
    return ""


def reason_of(error: InvalidDocument) -> str:
    """The error's reason without its source; a translatable sentence stays one."""
    if isinstance(error.reason, Sentence):
        return sentence("{what}: {why}", what=error.entry, why=error.reason) if error.entry else error.reason
    return f"{error.entry}: {error.reason}" if error.entry else error.reason
