"""Label files: the photographs that teach a board, where the board lies in them, and the labels of its spots.

TOML, or JSON with the same keys; docs/formats.md describes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from calibration.errors import TeachingError
from calibration.spot_names import UnknownSpots, spots_named
from calibration.teaching import Lesson
from calibration.touched_corners import pose_at_corners
from companion.board.layout import EMPTY, Board
from companion.files.documents import DocumentTable, parse_json, parse_toml, read_text
from companion.position import parse_position
from vision.location.board_pose import BoardNotFound, BoardPose
from vision.location.flat_pose import FlatPose
from vision.location.location import BoardLocator, whole_picture
from vision.pictures import read_picture

FORMAT = 1
MOST_PICTURES = 200
WHOLE = "picture"
"""value of corners: the picture shows the board and nothing else"""


@dataclass(frozen=True, slots=True)
class LabelledPicture:
    """One picture of a label file: its path, the board's corners if given, and the label of each known spot.

    `corners` are four pixels, or empty if the board is to be found; `quarters` is the board's orientation, if given.
    """

    path: Path
    corners: tuple[tuple[float, float], ...]
    whole: bool
    quarters: int | None
    labels: Mapping[str, str]


def load_labels(path: Path, board: Board) -> tuple[LabelledPicture, ...]:
    """The pictures named by a label file, with paths relative to its folder.

    Raises InvalidDocument.
    """
    text = read_text(path)
    document = parse_json(text, str(path)) if path.suffix.lower() == ".json" else parse_toml(text, str(path))
    document.only("format", "board", "picture")
    if document.integer("format") != FORMAT:
        raise document.invalid("format", f"is {document.integer('format')}; this program reads format {FORMAT}")
    if document.text("board", board.id, longest=100) != board.id:
        raise document.invalid("board", f"is {document.text('board')!r}, not {board.id!r}")
    pictures = tuple(_picture(table, board, path.parent) for table in document.tables("picture", longest=MOST_PICTURES))
    if not pictures:
        raise document.invalid("picture", "names no photograph")
    return pictures


def read_lessons(board: Board, pictures: tuple[LabelledPicture, ...]) -> Iterator[Lesson]:
    """The photographs one by one, each with the board found in it.

    Raises InvalidPicture, and TeachingError where a photograph does not show the board.
    """
    locator = BoardLocator(board)
    for picture in pictures:
        image = read_picture(picture.path)
        corners = whole_picture(image) if picture.whole else picture.corners
        pose: BoardPose | FlatPose | BoardNotFound
        if corners:
            pose = pose_at_corners(locator, image, corners, picture.quarters)
        else:
            pose = locator.locate(image, picture.quarters)
        if isinstance(pose, BoardNotFound):
            raise TeachingError(f"{picture.path}: {pose.reason}")
        yield Lesson(picture.path.name, image, pose, picture.labels)


def _picture(table: DocumentTable, board: Board, folder: Path) -> LabelledPicture:
    table.only("file", "corners", "turn", "rest", "position", "labels", "unknown")
    if ("labels" in table) == ("position" in table):
        raise table.invalid("", "needs either labels or a position")
    whole = table.values.get("corners") == WHOLE
    corners = () if whole else _corners(table)
    quarters = None
    if "turn" in table:
        turn = table.integer("turn", 0, 270)
        if turn % 90:
            raise table.invalid("turn", "must be 0, 90, 180 or 270 degrees")
        quarters = turn // 90
    if "position" in table:
        if "rest" in table or "unknown" in table:
            raise table.invalid("position", "says what lies on every spot; leave out rest and unknown")
        labels = _from_position(folder / table.text("position", longest=500), board)
    else:
        labels = _from_labels(table, board)
    return LabelledPicture(folder / table.text("file", longest=500), corners, whole, quarters, MappingProxyType(labels))


def _corners(table: DocumentTable) -> tuple[tuple[float, float], ...]:
    values = table.sequence("corners", optional=True, longest=4)
    numbers = [value for pair in values if isinstance(pair, list | tuple) and len(pair) == 2 for value in pair]
    sound = all(
        isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e6 for value in numbers
    )
    if values and (len(numbers) != 8 or not sound):
        raise table.invalid("corners", f'must be four pairs [x, y] in pixels, or "{WHOLE}"')
    return tuple((float(x), float(y)) for x, y in zip(numbers[::2], numbers[1::2], strict=True))


def _from_labels(table: DocumentTable, board: Board) -> dict[str, str]:
    """Spot -> label: the labels named, and empty for the rest unless `rest` is "unknown"."""
    rest = table.choice("rest", ("empty", "unknown"), "empty")
    labels = dict.fromkeys(board.spots, EMPTY) if rest == "empty" else {}
    named = table.table("labels")
    for key in named:
        label = named.text(key, longest=100)
        for spot in _spots(named, key, key, board):
            if label and label not in board.spots[spot].labels:
                known = ", ".join(board.spots[spot].labels[:12])
                raise named.invalid(key, f"is {label!r}; a {board.spots[spot].piece} may be {known}")
            labels[spot] = label
    for places in table.texts("unknown", optional=True):
        for spot in _spots(table, "unknown", places, board):
            labels.pop(spot, None)
    return labels


def _spots(table: DocumentTable, key: str, text: str, board: Board) -> tuple[str, ...]:
    try:
        return spots_named(text, board)
    except UnknownSpots as error:
        raise table.invalid(key, f"{text!r} {error}") from error


def _from_position(path: Path, board: Board) -> dict[str, str]:
    position = parse_position(read_text(path), str(path))
    look = position.game.appearance(position.state)
    return {spot: look.get(spot, EMPTY) for spot in board.spots}
