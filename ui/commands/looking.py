"""Pictures of boards: `look`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.board.layout import Board
from companion.registry import GAMES, known_games
from companion.wording.texts import game_texts
from ui.commands.progress import progress
from ui.commands.terminal import (
    DOES_NOT_HOLD,
    FAILED,
    FINE,
    WrongUse,
    complain,
    emit_json,
    file_name,
    parser,
    quiet_libraries,
    say,
)
from ui.commands.whereabouts import (
    LENS_WITHOUT_MARKERS,
    PLACE_WITHOUT_PROFILE,
    Whereabouts,
    add_place_options,
    is_taught,
    numbers_as_values,
    photographed_board,
    placed,
    whereabouts,
)

if TYPE_CHECKING:
    from vision.pictures import Image
    from vision.spots.spot_reader import SpotChange

OVERLAYS = (".png", ".jpg", ".jpeg")
MOST_NAMED = 8
"""covered spots of a kind of piece that are named to people"""
UNSURE = 0.9
"""a label less probable than this is printed with the second likeliest"""


def look(words: Sequence[str]) -> int:
    """`companion look PICTURE --board B`: exit code 1 where the picture shows no board."""
    options = parser("look", "Say what lies where in a picture of a board, and how sure that is.")
    options.add_argument("picture", type=file_name, metavar="PICTURE", help="a picture file")
    options.add_argument("--board", required=True, metavar="B", help=f"a board file, or {', '.join(GAMES)}")
    options.add_argument(
        "--profile", type=file_name, metavar="P", help="taught pieces; else those of the printed edition"
    )
    options.add_argument("--json", action="store_true", help="print a JSON document")
    options.add_argument("--lens", type=file_name, metavar="FILE", help="the camera's lens, by companion calibrate")
    options.add_argument(
        "--overlay", type=file_name, metavar="OUT.png", help="write the picture with what was read on it"
    )
    add_place_options(options)
    options.add_argument(
        "--reference", type=file_name, metavar="PHOTO",
        help="an earlier photograph of this board, to find it by and compare with; corners and turn are then its own",
    )  # fmt: skip
    chosen = options.parse_args(numbers_as_values(words))
    place = whereabouts(chosen, chosen.reference)
    from ui.services.files import check_target
    from vision.errors import VisionError

    if chosen.overlay is not None:
        if chosen.overlay.suffix.lower() not in OVERLAYS:
            raise WrongUse(f"--overlay {chosen.overlay}: the name must end in {', '.join(OVERLAYS)}")
        check_target(chosen.overlay)
    try:
        board = photographed_board(chosen.board)
        with progress(f"reading {chosen.picture}"):
            if is_taught(chosen.profile, board):
                if chosen.lens is not None:
                    raise WrongUse(LENS_WITHOUT_MARKERS)
                seen = _spots_seen(chosen.picture, board, chosen.profile, chosen.overlay, place)
            else:
                if place.said:
                    raise WrongUse(PLACE_WITHOUT_PROFILE)
                seen = _seen(chosen.picture, board, chosen.profile, chosen.lens, chosen.overlay)
    except VisionError as error:
        complain(str(error))
        return FAILED
    if isinstance(seen, str):
        complain(seen)
        return DOES_NOT_HOLD
    _show(board, seen, as_json=chosen.json)
    return FINE


def _seen(
    picture: Path, board: Board, profile: Path | None, lens: Path | None, overlay: Path | None
) -> dict[str, Any] | str:
    """What a picture of a printed board shows, or the reason why the board was not found."""
    from ui.photographs.other_boards import explained
    from vision.location.board_pose import BoardNotFound
    from vision.location.camera_file import load_camera
    from vision.overlay import draw_overlay
    from vision.pictures import read_picture
    from vision.printed.pieces.profile import load_profile, shipped_profile
    from vision.reader import TableReader

    with quiet_libraries():
        image = read_picture(picture)
        taught = load_profile(profile or shipped_profile(board), board)
    reader = TableReader(board, taught, load_camera(lens) if lens is not None else None)
    pose = reader.find(image)
    if isinstance(pose, BoardNotFound):
        return f"{picture}: {explained(pose.reason, image, board)}"
    reading = reader.read(image, pose)
    document = look_document(board, reading.posteriors, reading.covered)
    if overlay is not None:
        _write_picture(overlay, draw_overlay(image, board, pose, reading.posteriors, reading.covered))
    return document


def _spots_seen(
    picture: Path, board: Board, profile: Path, overlay: Path | None, place: Whereabouts
) -> dict[str, Any] | str:
    """What is read with a taught profile, compared with the reference picture if there is one, or the reason of
    failure.
    """
    from vision.location.board_pose import BoardNotFound
    from vision.location.flat_pose import FlatPose
    from vision.location.location import BoardLocator
    from vision.location.reference import Reference
    from vision.overlay import draw_overlay
    from vision.pictures import read_picture
    from vision.spots.spot_profile import load_spot_profile
    from vision.spots.spot_reader import SpotReader, changes

    with quiet_libraries():
        image = read_picture(picture)
        taught = load_spot_profile(profile, board)
        earlier = read_picture(place.reference) if place.reference is not None else None
    locator, reader = BoardLocator(board, taught.sheet), SpotReader(board, taught)
    if earlier is None:
        pose = placed(locator, image, place)
        before = None
    else:
        known = placed(locator, earlier, place)
        if isinstance(known, BoardNotFound):
            return f"{place.reference}: {known.reason}"
        if flaw := reader.colour_flaw(earlier, known):
            return f"{place.reference}: {flaw}"
        before = reader.read(earlier, known)
        by_photograph = Reference(board, earlier, known) if isinstance(known, FlatPose) else None
        pose = BoardLocator(board, taught.sheet, by_photograph).locate(image, place.quarters)
    if isinstance(pose, BoardNotFound):
        return f"{picture}: {pose.reason}"
    if flaw := reader.colour_flaw(image, pose):
        return f"{picture}: {flaw}"
    reading = reader.read(image, pose)
    found = changes(before, reading) if before is not None else None
    document = look_document(board, reading.posteriors, reading.covered, found)
    if overlay is not None:
        _write_picture(overlay, draw_overlay(image, board, pose, reading.posteriors, reading.covered))
    return document


def _write_picture(path: Path, picture: Image) -> None:
    import cv2

    from ui.services.files import write_bytes

    write_bytes(path, cv2.imencode(path.suffix.lower(), picture)[1].tobytes())


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
    changed: Sequence[SpotChange] | None = None,
) -> dict[str, Any]:
    """Spot -> labels, likeliest first, of all spots that are not surely empty, and the changes from the reference."""
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
    named = game_texts(board.game).spot if board.game in known_games() else str
    if not any(spot["labels"][0]["label"] for spot in document["spots"]):
        yield f"nothing lies on the board ({len(board.spots) - len(document['covered'])} spots looked at)"
    for spot in document["spots"]:
        first, *others = spot["labels"]
        doubt = ""
        if first["probability"] < UNSURE and others:
            doubt = f", or {others[0]['label'] or 'nothing'} ({others[0]['probability']:.0%})"
        label = f"{first['label'] or 'nothing'} ({first['probability']:.0%})"
        yield f"{named(spot['spot'])}: {label}{doubt}"
    for piece, names in groupby(document["covered"], lambda name: board.spots[name].piece):
        first, *others = map(named, names)
        shown, more = [first, *others[: MOST_NAMED - 1]], len(others) + 1 - MOST_NAMED
        yield f"not seen, {piece}: {'; '.join(shown)}{f' and {more} more (--json names them)' if more > 0 else ''}"
    for change in document.get("changes", ()):
        before, after = change["before"] or "nothing", change["after"] or "nothing"
        yield f"changed: {named(change['spot'])}: {before} -> {after} ({change['probability']:.0%})"
