"""Small pictures of boards for the screens around a table: as a game lies, and a cover for each game. No Kivy.

Covers show a game in full play, always the same: the pictures lie in the games' folders (scripts/covers.py). Boards as
they lie are drawn once and kept in the cache.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import cv2
import numpy as np

from companion.board.layout import Board
from companion.errors import StoreError
from companion.files.whole_files import write_whole
from companion.registry import game_folder, print_and_play_board
from ui.drawing.board_frame import shown_part
from ui.printed.edition import Picture, drawing_version, photograph_time
from ui.printed.first_pictures import first_pictures
from ui.printed.image import board_image
from ui.printed.pictures import resized
from ui.services.folders import cache_folder

FOLDER = "thumbnails"
MOST_KEPT = 40
"""boards as they lie that are kept in the cache"""
QUALITY = 90
"""of JPEG files, of 100"""
COVER, SAMPLE = "cover.jpg", "cover.json"
"""in a game's folder: its cover, and spot -> label of what lies on the board there, a board in full play"""
COVER_SIZE = 480, 320
"""pixels"""
CLOSER = 1.75
"""by how much a cover shows the board larger than whole"""
GROUND = (12, 14, 44)
"""what the lower part of a cover darkens into, so that its title can be read (blue, green, red)"""
DARKEST = 0.94


def board_thumbnail(board: Board, look: Mapping[str, str], width: int) -> Picture:
    """A board as it lies, `width` pixels wide (blue, green, red), from the cache or drawn now.

    Raises CompanionError.
    """
    path: Path | None = None
    with suppress(OSError, StoreError):
        path = cache_folder() / FOLDER / f"{_name_of(board, look, width)}.jpg"
        kept = _read(path)
        if kept is not None:
            return kept
    picture = _drawn(board, look, width)
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, jpeg(picture))
            for old in sorted(path.parent.glob("*.jpg"), key=lambda each: each.stat().st_mtime)[:-MOST_KEPT]:
                old.unlink()
    return picture


def has_cover(game_id: str) -> bool:
    """Whether a game's cover was drawn before it was shipped."""
    return (game_folder(game_id) / COVER).exists()


def game_cover(game_id: str) -> Picture:
    """A game's cover (blue, green, red): the shipped one, or one drawn now.

    Raises CompanionError.
    """
    with suppress(OSError):
        shipped = _read(game_folder(game_id) / COVER)
        if shipped is not None:
            return shipped
    return drawn_cover(game_id)


def drawn_cover(game_id: str) -> Picture:
    """A part of a game's board in full play, dark below; the bare board where the game has no sample.

    Raises CompanionError.
    """
    path = game_folder(game_id) / SAMPLE
    found = json.loads(path.read_bytes()) if path.exists() else {}
    look = {str(spot): str(label) for spot, label in found.items()}
    board = print_and_play_board(game_id)
    return _darkened(_middle(_drawn(board, look, round(COVER_SIZE[0] * CLOSER)), COVER_SIZE))


def jpeg(picture: Picture) -> bytes:
    """A picture as a JPEG file."""
    return cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes()


def _drawn(board: Board, look: Mapping[str, str], width: int) -> Picture:
    left, _top, right, _bottom = shown_part(board)
    scale, small = max(1.0, width / (right - left)), first_pictures(board)
    image = board_image(board, look, scale, small if small is not None and small.scale >= scale else None)
    return resized(image, (width, max(1, round(image.shape[0] * width / image.shape[1]))))


def _name_of(board: Board, look: Mapping[str, str], width: int) -> str:
    """What tells the picture of a board as it lies from all others."""
    told = board.digest, drawing_version(board.game), photograph_time(board), sorted(look.items()), width
    return hashlib.sha256(repr(told).encode()).hexdigest()[:24]


def _read(path: Path) -> Picture | None:
    """A picture of a file; None where it is none.

    Raises OSError.
    """
    found = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    return np.asarray(found, np.uint8) if found is not None else None


def _middle(picture: Picture, size: tuple[int, int]) -> Picture:
    """The part around a picture's middle that has this size; enlarged first where the picture is too low."""
    height, width = picture.shape[:2]
    grown = max(size[0] / width, size[1] / height, 1.0)
    if grown > 1.0:
        picture = np.asarray(cv2.resize(picture, None, fx=grown, fy=grown), np.uint8)
        height, width = picture.shape[:2]
    left, top = (width - size[0]) // 2, (height - size[1]) // 2
    return np.ascontiguousarray(picture[top : top + size[1], left : left + size[0]])


def _darkened(picture: Picture) -> Picture:
    """Darker from above downwards."""
    down = np.linspace(0, 1, picture.shape[0], dtype=np.float32)[:, None, None]
    share = np.clip((down - 0.12) / 0.62, 0, 1) ** 1.15 * DARKEST
    return np.asarray((picture * (1 - share) + np.array(GROUND, np.float32) * share).round(), np.uint8)
