"""Pictures of boards: `look`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from companion.board.layout import Board
from companion.registry import GAMES, board_named
from companion.texts import game_texts
from ui.commands.terminal import DOES_NOT_HOLD, FAILED, FINE, complain, emit_json, parser, quiet_libraries, say

UNSURE = 0.9
"""labels less probable than this are listed with the next likeliest one"""


def look(words: Sequence[str]) -> int:
    """`companion look PICTURE --board B`: exit code 1 where the picture shows no board."""
    options = parser("look", "Say what lies where in a picture of a board, and how sure that is.")
    options.add_argument("picture", type=Path, metavar="PICTURE", help="a picture file")
    options.add_argument("--board", required=True, metavar="B", help=f"a board file, or {', '.join(GAMES)}")
    options.add_argument("--profile", type=Path, metavar="P", help="taught pieces; else those of the printed edition")
    options.add_argument("--json", action="store_true", help="print a JSON document")
    options.add_argument("--overlay", type=Path, metavar="OUT.png", help="write the picture with what was read on it")
    chosen = options.parse_args(words)
    board = board_named(chosen.board)
    from vision.errors import VisionError

    try:
        return _look(chosen.picture, board, chosen.profile, chosen.overlay, as_json=chosen.json)
    except VisionError as error:
        complain(str(error))
        return FAILED


def _look(picture: Path, board: Board, profile: Path | None, overlay: Path | None, *, as_json: bool) -> int:
    import cv2

    from ui.commands.files import write_bytes
    from vision.fiducials import FiducialFinder
    from vision.overlay import draw_overlay
    from vision.pictures import gray_of, read_picture
    from vision.profile import load_profile, shipped_profile
    from vision.reading import BoardReader
    from vision.registration import BoardNotFound, register

    with quiet_libraries():
        image = read_picture(picture)
        taught = load_profile(profile or shipped_profile(board), board)
    pose = register(board, FiducialFinder(board.markers).find(gray_of(image)), (image.shape[1], image.shape[0]))
    if isinstance(pose, BoardNotFound):
        complain(f"{picture}: {pose.reason}")
        return DOES_NOT_HOLD
    reading = BoardReader(board, taught).read(image, pose)
    document = look_document(board, reading.posteriors, reading.covered)
    if overlay is not None:
        drawn = draw_overlay(image, board, pose, reading.posteriors, reading.covered)
        write_bytes(overlay, cv2.imencode(".png", drawn)[1].tobytes())
    if as_json:
        emit_json(document)
    else:
        for line in look_lines(board, document):
            say(line)
    return FINE


def look_document(
    board: Board, posteriors: Mapping[str, Mapping[str, float]], covered: frozenset[str]
) -> dict[str, Any]:
    """What lies where, likeliest label first, for spots where that is not surely nothing."""
    spots = []
    for name, chances in posteriors.items():
        if name in covered:
            continue
        ranked = sorted(chances.items(), key=lambda item: -item[1])
        if ranked[0][0] or ranked[0][1] < UNSURE:
            labels = [{"label": label, "probability": round(chance, 4)} for label, chance in ranked[:3]]
            spots.append({"spot": name, "labels": labels})
    return {"board": board.id, "game": board.game, "spots": spots, "covered": sorted(covered)}


def look_lines(board: Board, document: Mapping[str, Any]) -> Iterator[str]:
    """A reading for people."""
    texts = game_texts(board.game)
    for spot in document["spots"]:
        first, *others = spot["labels"]
        doubt = ""
        if first["probability"] < UNSURE and others:
            doubt = f", or {others[0]['label'] or 'nothing'} ({others[0]['probability']:.0%})"
        label = f"{first['label'] or 'nothing'} ({first['probability']:.0%})"
        yield f"{texts.spot(spot['spot'])}: {label}{doubt}"
    if document["covered"]:
        yield f"not seen: {', '.join(map(texts.spot, document['covered']))}"
