"""An edition's sheet and faces as they are printed, drawn once in a process of its own and kept in the cache. No Kivy.

The files of an edition are a picture of the whole sheet, one of all faces and a document that says where each face is.
They are kept by the board's digest, the drawing's version and the scale, and are written whole or not at all.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import multiprocessing
import re
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import chain
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from companion.board.layout import Board, Piece, parse_board
from companion.errors import CompanionError, InvalidDocument, StoreError
from companion.files.documents import DocumentTable
from companion.files.whole_files import write_whole
from companion.registry import game_folder, known_games
from ui.drawing.board_drawing import drawing_of
from ui.drawing.faces import Face, faces_of
from ui.services.folders import BOARDS, cache_folder, data_folder
from ui.services.interruption import undisturbed

if TYPE_CHECKING:
    from calibration.components import Component

Read = TypeVar("Read")
Picture = npt.NDArray[np.uint8]
"""rows, columns and channels: blue, green, red, and for a face how opaque it is"""

SCALES = (4.0, 8.0)
"""pixels per millimetre of the kept pictures; those of a screen are made smaller from the next larger"""
SHADOW = (11, 20, 29)
"""the colour of a piece's shadow: blue, green, red"""
SHADOW_SHARE, SHADOW_BLUR, SHADOW_SHIFT = 0.42, 0.5, (0.35, 0.9)
"""how dark, how soft (standard deviation, mm) and how far right and down (mm) a piece's shadow lies"""
AROUND = 3.0
"""millimetres around a face in its picture, for its shadow"""
ATLAS_WIDTH = 2048
"""pixels"""
PATIENCE = 120.0
"""seconds after which the drawing process is given up"""
PHOTOGRAPH_QUALITY = 88
"""of its JPEG file, of 100"""
FORMAT = 4
BACK = "back"
"""what is said after a component's name where the side is meant that does not tell which one it is"""
SHEET, FACES, CHIPS, CARDS, DOCUMENT = "sheet.png", "faces.png", "chips.png", "cards.png", "edition.json"

at_work = threading.RLock()
"""held while pictures are made: one at a time, and none while the program ends"""
_processes: list[BaseProcess] = []


@dataclass(frozen=True, slots=True)
class PrintedEdition:
    """The pictures of one sheet: `sheet` (blue, green, red) whole, each face with its shadow, `scale` pixels a mm.

    The middle of a face's picture is the middle of the piece.
    """

    scale: float
    sheet: Picture
    faces: Mapping[Face, Picture]


def printed_edition(board: Board, least_scale: float) -> PrintedEdition:
    """A board as printed, from the cache or drawn now, at least `least_scale` pixels a mm where there is such a scale.

    Takes seconds the first time. Raises CompanionError where it cannot be drawn.
    """
    scale = next((each for each in SCALES if each >= least_scale), SCALES[-1])
    with at_work:
        return _with_photograph(_printed(board, scale, _read), board)


def printed_chips(board: Board) -> Mapping[Face, Picture]:
    """The faces of components that players hold or choose, by the component's name, unturned and without a shadow,
    `SCALES[0]` pixels a mm.

    Takes seconds the first time. Raises CompanionError where they cannot be drawn.
    """
    with at_work:
        return _printed(board, SCALES[0], partial(_read_faces, kind="chips", name=CHIPS))


def printed_cards(board: Board) -> Mapping[Face, Picture]:
    """The faces of the cards that players of a game hold, by component and what is printed on them, `SCALES[0]` pixels
    a mm.

    Takes seconds the first time. Raises CompanionError where they cannot be drawn.
    """
    with at_work:
        return _printed(board, SCALES[0], partial(_read_faces, kind="cards", name=CARDS))


def keep_photograph(board: Board, image: Picture, folder: Path) -> None:
    """Keep a photograph of an empty board, seen from straight above, beside the user's board files: its sheet.

    Raises OSError.
    """
    quality = [cv2.IMWRITE_JPEG_QUALITY, PHOTOGRAPH_QUALITY]
    write_whole(folder / _photograph_name(board), cv2.imencode(".jpg", image, quality)[1].tobytes())


def _photograph_name(board: Board) -> str:
    return f"{board.digest[:24]}.jpg"


def photograph_time(board: Board) -> int:
    """When the user's photograph of a board was taken (nanoseconds); 0 where there is none."""
    with suppress(OSError, StoreError):
        return (data_folder() / BOARDS / _photograph_name(board)).stat().st_mtime_ns
    return 0


def _with_photograph(printed: PrintedEdition, board: Board) -> PrintedEdition:
    """An edition whose sheet is the photograph that the user took of it, if there is one that can be read."""
    with suppress(OSError, StoreError, cv2.error):
        data = (data_folder() / BOARDS / _photograph_name(board)).read_bytes()
        image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if image is not None:
            size = (printed.sheet.shape[1], printed.sheet.shape[0])
            sheet = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_CUBIC), np.uint8)
            return replace(printed, sheet=sheet)
    return printed


def _printed(board: Board, scale: float, read: Callable[[Path], Read | None]) -> Read:
    """What is read of the edition as it is printed, from the cache or drawn now."""
    try:
        folder = cache_folder() / "boards" / f"{board.digest[:24]}-{drawing_version(board.game)}-{scale:g}"
        folder.mkdir(parents=True, exist_ok=True)
    except (OSError, StoreError):
        with tempfile.TemporaryDirectory() as name:
            return _drawn(board, Path(name), scale, read)
    found = read(folder)
    return found if found is not None else _drawn(board, folder, scale, read)


@cache
def drawing_version(game: str) -> str:
    """Names how a game's boards and pieces are drawn: other sources or other faces, other pictures."""
    root = Path(__file__).parents[2] / "calibration"
    digest = hashlib.sha256(f"{FORMAT} {SHADOW} {SHADOW_SHARE} {SHADOW_BLUR} {SHADOW_SHIFT} {AROUND}".encode())
    told = (drawing_of(game).holdings, drawing_of(game).choices, drawing_of(game).cards, drawing_of(game).scores)
    digest.update(repr([sorted(names.items()) for names in told]).encode())
    folders = (root, root / "art", root / "drawing")
    for path in sorted(each for folder in folders for each in folder.rglob("*.py") if each.is_file()):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def _drawn(board: Board, folder: Path, scale: float, read: Callable[[Path], Read | None]) -> Read:
    """Have a process draw it, so that neither the screen waits for Python nor the app's memory grows."""
    context = multiprocessing.get_context("spawn")
    process = context.Process(
        target=draw_edition, args=(_plain(board.definition), str(folder), scale), name="drawing", daemon=True
    )
    try:
        with undisturbed():
            process.start()
    except OSError as error:
        raise CompanionError(f"{board.id}: the board cannot be drawn ({error.strerror or error})") from error
    _processes.append(process)
    process.join(PATIENCE)
    if process.is_alive():
        process.kill()
        process.join()
    _processes.remove(process)
    found = read(folder)
    if found is None:
        raise CompanionError(f"{board.id}: the board cannot be drawn (the process ended with {process.exitcode})")
    return found


def _plain(value: Any) -> Any:
    """A document's values as what another process can be sent."""
    if isinstance(value, Mapping):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list | tuple) else value


def draw_edition(definition: Mapping[str, Any], folder: str, scale: float) -> None:
    """Draw a board's pictures into a folder."""
    from calibration.artwork import board_png  # noqa: PLC0415  reportlab and PDFium stay out of the app's process

    board = parse_board(DocumentTable(dict(definition), str(definition["id"]), ""))
    sheet = board_png(board, scale)
    faces = {
        face: _with_shadow(*_face(board, board.pieces[face.piece], face, scale), scale) for face in faces_of(board)
    }
    atlas, places = packed(faces)
    chips, chip_places = packed({face: _chip(board, piece, face.label, scale) for face, piece in _held(board)})
    cards, card_places = packed(dict(_cards(board, scale)) if scale == SCALES[0] else {})
    document = {
        "format": FORMAT,
        "scale": scale,
        "faces": [[face.piece, face.label, face.turn, *place] for face, place in places.items()],
        "chips": [[face.piece, face.label, face.turn, *place] for face, place in chip_places.items()],
        "cards": [[face.piece, face.label, face.turn, *place] for face, place in card_places.items()],
    }
    to = Path(folder)
    for name, picture in ((SHEET, sheet), (FACES, atlas), (CHIPS, chips), (CARDS, cards)):
        write_whole(to / name, cv2.imencode(".png", picture, [cv2.IMWRITE_PNG_COMPRESSION, 3])[1].tobytes())
    write_whole(to / DOCUMENT, json.dumps(document).encode())


def packed(pictures: Mapping[Face, Picture]) -> tuple[Picture, dict[Face, tuple[int, int, int, int]]]:
    """Pictures in one, and where each is: column, row, width, height. A clear pixel lies between any two."""
    x = y = row = 0
    places: dict[Face, tuple[int, int, int, int]] = {}
    for face in sorted(pictures, key=lambda each: -pictures[each].shape[0]):
        height, width = pictures[face].shape[:2]
        if x and x + width > ATLAS_WIDTH:
            x, y, row = 0, y + row, 0
        places[face] = (x + 1, y + 1, width, height)
        x, row = x + width + 2, max(row, height + 2)
    across = max((x + width + 1 for x, _y, width, _height in places.values()), default=1)
    atlas = np.zeros((max(1, y + row), across, 4), np.uint8)
    for face, (left, top, width, height) in places.items():
        atlas[top : top + height, left : left + width] = pictures[face]
    return atlas, places


def _held(board: Board) -> Iterator[tuple[Face, Piece]]:
    """The components that stand for what players hold and for what they choose, with each of their labels."""
    shown = {*drawing_of(board.game).holdings.values(), *drawing_of(board.game).choices.values()}
    patterns = [re.escape(told).replace(r"\{kind\}", ".+") for told in shown]
    scores = [*chain.from_iterable(drawing_of(board.game).scores.values()), *drawing_of(board.game).choices.values()]
    for component in _components(board):
        is_labelled = any(f"{named} ".startswith(f"{component.name} ") for named in scores)
        if is_labelled or any(re.fullmatch(pattern, component.name) for pattern in patterns):
            for label in component.piece.labels:
                yield Face(component.name, label), component.piece
        if f"{component.name} {BACK}" in shown:
            yield Face(f"{component.name} {BACK}", BACK), component.piece


def _cards(board: Board, scale: float) -> Iterator[tuple[Face, Picture]]:
    """The cards of a hand by what is printed on each, its label where that is all; and the kind alone as ""."""
    names = set(drawing_of(board.game).cards.values())
    for component in (each for each in _components(board) if each.name in names):
        for label in component.piece.labels:
            for inscription in ("", *dict.fromkeys(component.obverse)):
                known_by = inscription if component.obverse else label
                yield Face(component.name, known_by), _chip(board, component.piece, label, scale, inscription)


def _components(board: Board) -> tuple[Component, ...]:
    """What is in the box of a game, as far as a board's edition has it."""
    from calibration.components import load_components  # noqa: PLC0415

    path = game_folder(board.game) / "components.toml" if board.game in known_games() else None
    if path is not None and path.exists():
        with suppress(InvalidDocument):  # a sheet beside the board has not all of them
            return load_components(path, board)
    return ()


def _chip(board: Board, piece: Piece, label: str, scale: float, inscription: str = "") -> Picture:
    """A face as it is looked at, with how opaque each pixel is."""
    picture, mask = _face(board, piece, Face(piece.name, label), scale, 0.5, inscription)
    return np.dstack([picture, mask])


def _face(
    board: Board, piece: Piece, face: Face, scale: float, around: float = AROUND, inscription: str = ""
) -> tuple[Picture, Picture]:
    """A face as it lies, and its mask, with room around it (mm)."""
    from calibration.drawing.ink import Ink  # noqa: PLC0415
    from calibration.drawing.raster import page_picture  # noqa: PLC0415
    from calibration.faces import draw_face, draw_reverse, fill_outline, rim_colour  # noqa: PLC0415
    from companion.board.layout import face_outline  # noqa: PLC0415

    turn = np.deg2rad(face.turn)
    turned = np.array(face_outline(piece)) @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    width, height = (2 * float(np.ceil((extent + around) * scale)) / scale for extent in np.abs(turned).max(axis=0))
    ink = Ink(face.piece)
    for is_mask in (False, True):
        ink.page(width, height)
        if not is_mask:
            ink.rectangle(0, 0, width, height, rim_colour(piece, piece.labels[0] if face.label == BACK else face.label))
        with ink.placed(width / 2, height / 2, face.turn):
            if is_mask:
                fill_outline(ink, piece, (0, 0, 0))
            elif face.label == BACK:
                draw_reverse(ink, board, piece, piece.labels[0])
            else:
                draw_face(ink, board, piece, face.label, inscription)
    pdf = ink.pdf()
    cover = page_picture(pdf, 1, scale)[:, :, 0]
    return page_picture(pdf, 0, scale), 255 - cover


def _with_shadow(picture: Picture, mask: Picture, scale: float) -> Picture:
    """A face over its soft shadow, with how opaque each pixel is."""
    cover = mask.astype(np.float32)[:, :, None] / 255
    shift = np.array([[1, 0, SHADOW_SHIFT[0] * scale], [0, 1, SHADOW_SHIFT[1] * scale]], np.float32)
    cast_there = cv2.warpAffine(mask, shift, (mask.shape[1], mask.shape[0]))
    shade = cv2.GaussianBlur(cast_there, (0, 0), SHADOW_BLUR * scale).astype(np.float32)[:, :, None] / 255
    below = shade * SHADOW_SHARE * (1 - cover)
    opaque = cover + below
    colour = (picture * cover + np.array(SHADOW, np.float32) * below) / np.maximum(opaque, 1e-6)
    return np.dstack([colour, opaque * 255]).round().astype(np.uint8)


def _cut(atlas: npt.NDArray[Any], places: Any) -> dict[Face, Picture]:
    """The faces of a picture of all of them.

    Raises ValueError, TypeError where they are not there.
    """
    faces: dict[Face, Picture] = {}
    for piece, label, turn, left, top, width, height in places:
        picture = atlas[top : top + height, left : left + width]
        if picture.shape != (height, width, 4) or not (width and height):
            raise ValueError(f"no face of {piece} {label}")
        faces[Face(piece, label, float(turn))] = np.asarray(picture, np.uint8)
    return faces


def _read(folder: Path) -> PrintedEdition | None:
    """The pictures of a folder; None where they are not there or damaged."""
    faces = _read_faces(folder, "faces", FACES)
    with suppress(OSError, ValueError, KeyError, TypeError, cv2.error):
        sheet = _decoded(folder / SHEET)
        if faces is not None and sheet is not None and sheet.shape[2:] == (3,):
            return PrintedEdition(float(_document(folder)["scale"]), np.asarray(sheet, np.uint8), faces)
    return None


def _read_faces(folder: Path, kind: str, name: str) -> Mapping[Face, Picture] | None:
    """The faces of a kind, from the picture of all of them; None where they are not there or damaged."""
    with suppress(OSError, ValueError, KeyError, TypeError, cv2.error):
        document, atlas = _document(folder), _decoded(folder / name)
        if document["format"] == FORMAT and atlas is not None:
            return _cut(atlas, document[kind])
    return None


def _document(folder: Path) -> Any:
    return json.loads((folder / DOCUMENT).read_bytes())


def _decoded(path: Path) -> npt.NDArray[Any] | None:
    return cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)


def _end() -> None:
    """Let pictures that are being made be finished, so that OpenCV's threads are at rest as the program ends."""
    for process in tuple(_processes):
        process.kill()
    at_work.acquire(timeout=PATIENCE)


atexit.register(_end)
