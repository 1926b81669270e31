"""Pictures of boards: `look`."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.board.layout import Board, load_board
from companion.registry import GAMES, board_named
from companion.texts import game_texts
from ui.commands.terminal import (
    DOES_NOT_HOLD,
    FAILED,
    FINE,
    WrongUse,
    complain,
    emit_json,
    parser,
    quiet_libraries,
    say,
)

if TYPE_CHECKING:
    from vision.flat_pose import FlatPose
    from vision.location import BoardLocator
    from vision.pictures import Image
    from vision.registration import BoardNotFound, BoardPose
    from vision.spot_reader import Change

UNSURE = 0.9
"""labels less probable than this are listed with the next likeliest one"""


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """What the command line says of where the board lies: four corners or the whole picture, how it is turned, and
    another photograph, whose corners they then are.
    """

    corners: tuple[tuple[float, float], ...] = ()
    whole: bool = False
    quarters: int | None = None
    reference: Path | None = None

    @property
    def said(self) -> bool:
        """Whether anything is said at all."""
        return self != Whereabouts()


def look(words: Sequence[str]) -> int:
    """`companion look PICTURE --board B`: exit code 1 where the picture shows no board."""
    options = parser("look", "Say what lies where in a picture of a board, and how sure that is.")
    options.add_argument("picture", type=Path, metavar="PICTURE", help="a picture file")
    options.add_argument("--board", required=True, metavar="B", help=f"a board file, or {', '.join(GAMES)}")
    options.add_argument("--profile", type=Path, metavar="P", help="taught pieces; else those of the printed edition")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    options.add_argument("--lens", type=Path, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument("--overlay", type=Path, metavar="OUT.png", help="write the picture with what was read on it")
    options.add_argument(
        "--corners",
        nargs=4,
        type=_corner,
        default=(),
        metavar="X,Y",
        help="the board's corners, in pixels, in any order",
    )
    options.add_argument("--whole", action="store_true", help="the picture shows the board and nothing else")
    options.add_argument(
        "--turn", type=int, choices=(0, 90, 180, 270), metavar="DEGREES",
        help="how the board lies turned in the picture, clockwise; else as it was taught, or upright",
    )  # fmt: skip
    options.add_argument(
        "--reference", type=Path, metavar="PHOTO",
        help="an earlier photograph of this board, to find it by and compare with; corners and turn are then its own",
    )  # fmt: skip
    chosen = options.parse_args(words)
    if chosen.whole and chosen.corners:
        raise WrongUse("--whole and --corners say different things of where the board lies")
    quarters = None if chosen.turn is None else chosen.turn // 90
    place = Whereabouts(tuple(chosen.corners), chosen.whole, quarters, chosen.reference)
    from vision.errors import VisionError

    try:
        from vision.spot_profile import is_spot_profile

        if chosen.profile is not None and is_spot_profile(chosen.profile):
            board = photographed_board(chosen.board)
            return _look_at_spots(chosen.picture, board, chosen.profile, chosen.overlay, place, as_json=chosen.json)
        if place.said:
            raise WrongUse("corners, turn and reference need a profile taught from photographs (companion teach)")
        board = board_named(chosen.board)
        return _look(chosen.picture, board, chosen.profile, chosen.lens, chosen.overlay, as_json=chosen.json)
    except VisionError as error:
        complain(str(error))
        return FAILED


def photographed_board(name: str) -> Board:
    """The board shipped for the game of this id, or the one in the file of this name, of whatever game.

    Raises InvalidDocument.
    """
    return board_named(name) if name in GAMES or not name.strip() else load_board(Path(name))


def _corner(text: str) -> tuple[float, float]:
    x, comma, y = text.partition(",")
    try:
        corner = (float(x), float(y))
    except ValueError:
        corner = (float("nan"), 0.0)
    if not comma or not all(abs(value) < 1e6 for value in corner):
        raise ArgumentTypeError(f"{text!r} is no corner; write it as x,y in pixels, like 120,604.5")
    return corner


def _look(
    picture: Path, board: Board, profile: Path | None, lens: Path | None, overlay: Path | None, *, as_json: bool
) -> int:
    import cv2

    from ui.commands.files import write_bytes
    from vision.camera_file import load_camera
    from vision.fiducials import FiducialFinder
    from vision.overlay import draw_overlay
    from vision.pictures import gray_of, read_picture
    from vision.profile import load_profile, shipped_profile
    from vision.reading import BoardReader
    from vision.registration import BoardNotFound, register

    with quiet_libraries():
        image = read_picture(picture)
        taught = load_profile(profile or shipped_profile(board), board)
    size = (image.shape[1], image.shape[0])
    camera = load_camera(lens) if lens is not None else None
    pose = register(board, FiducialFinder(board.markers).find(gray_of(image)), size, camera)
    if isinstance(pose, BoardNotFound):
        complain(f"{picture}: {pose.reason}")
        return DOES_NOT_HOLD
    reading = BoardReader(board, taught).read(image, pose)
    document = look_document(board, reading.posteriors, reading.covered)
    if overlay is not None:
        drawn = draw_overlay(image, board, pose, reading.posteriors, reading.covered)
        write_bytes(overlay, cv2.imencode(".png", drawn)[1].tobytes())
    _show(board, document, as_json=as_json)
    return FINE


def _look_at_spots(
    picture: Path, board: Board, profile: Path, overlay: Path | None, place: Whereabouts, *, as_json: bool
) -> int:
    """Read with a profile taught from photographs, and compare with the reference if there is one."""
    import cv2

    from ui.commands.files import write_bytes
    from vision.flat_pose import FlatPose
    from vision.location import BoardLocator
    from vision.overlay import draw_overlay
    from vision.pictures import read_picture
    from vision.reference import Reference
    from vision.registration import BoardNotFound
    from vision.spot_profile import load_spot_profile
    from vision.spot_reader import SpotReader, changes

    with quiet_libraries():
        image = read_picture(picture)
        taught = load_spot_profile(profile, board)
        earlier = read_picture(place.reference) if place.reference is not None else None
    locator, reader = BoardLocator(board, taught.sheet), SpotReader(board, taught)
    if earlier is None:
        pose = _placed(locator, image, place)
        before = None
    else:
        known = _placed(locator, earlier, place)
        if isinstance(known, BoardNotFound):
            complain(f"{place.reference}: {known.reason}")
            return DOES_NOT_HOLD
        before = reader.read(earlier, known)
        by_photograph = Reference(board, earlier, known) if isinstance(known, FlatPose) else None
        pose = BoardLocator(board, taught.sheet, by_photograph).locate(image, place.quarters)
    if isinstance(pose, BoardNotFound):
        complain(f"{picture}: {pose.reason}")
        return DOES_NOT_HOLD
    reading = reader.read(image, pose)
    found = changes(before, reading) if before is not None else None
    document = look_document(board, reading.posteriors, reading.covered, found)
    if overlay is not None:
        drawn = draw_overlay(image, board, pose, reading.posteriors, reading.covered)
        write_bytes(overlay, cv2.imencode(".png", drawn)[1].tobytes())
    _show(board, document, as_json=as_json)
    return FINE


def _placed(locator: BoardLocator, image: Image, place: Whereabouts) -> BoardPose | FlatPose | BoardNotFound:
    from vision.location import whole_picture

    corners = whole_picture(image) if place.whole else place.corners
    if corners:
        return locator.at_corners(image, corners, place.quarters)
    return locator.locate(image, place.quarters)


def _show(board: Board, document: Mapping[str, Any], *, as_json: bool) -> None:
    if as_json:
        emit_json(document)
        return
    for line in look_lines(board, document):
        say(line)


def look_document(
    board: Board,
    posteriors: Mapping[str, Mapping[str, float]],
    covered: frozenset[str],
    changed: Sequence[Change] | None = None,
) -> dict[str, Any]:
    """What lies where, likeliest label first, for spots where that is not surely nothing; and what has changed."""
    spots = []
    for name, chances in posteriors.items():
        if name in covered:
            continue
        ranked = sorted(chances.items(), key=lambda item: -item[1])
        if ranked[0][0] or ranked[0][1] < UNSURE:
            labels = [{"label": label, "probability": round(chance, 4)} for label, chance in ranked[:3]]
            spots.append({"spot": name, "labels": labels})
    document = {"board": board.id, "game": board.game, "spots": spots, "covered": sorted(covered)}
    if changed is None:
        return document
    return document | {
        "changes": [
            {"spot": each.spot, "before": each.before, "after": each.after, "probability": round(each.probability, 4)}
            for each in changed
        ]
    }


def look_lines(board: Board, document: Mapping[str, Any]) -> Iterator[str]:
    """A reading for people."""
    named = game_texts(board.game).spot if board.game in GAMES else str
    for spot in document["spots"]:
        first, *others = spot["labels"]
        doubt = ""
        if first["probability"] < UNSURE and others:
            doubt = f", or {others[0]['label'] or 'nothing'} ({others[0]['probability']:.0%})"
        label = f"{first['label'] or 'nothing'} ({first['probability']:.0%})"
        yield f"{named(spot['spot'])}: {label}{doubt}"
    if document["covered"]:
        yield f"not seen: {', '.join(map(named, document['covered']))}"
    for change in document.get("changes", ()):
        before, after = change["before"] or "nothing", change["after"] or "nothing"
        yield f"changed: {named(change['spot'])}: {before} -> {after} ({change['probability']:.0%})"
