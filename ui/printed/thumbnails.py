"""Small pictures of boards for the screens around a table: as a game lies, and a cover for each game. No Kivy.

Covers show a game in full play, always the same. They are made once and kept in the cache.
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
from ui.printed.edition import Picture, drawing_version
from ui.printed.image import board_image
from ui.printed.pictures import resized
from ui.services.folders import cache_folder

FOLDER = "covers"
SAMPLE = "cover.json"
"""in a game's folder: spot -> label of what lies on its board in full play"""
CLOSER = 1.75
"""by how much a cover shows the board larger than whole"""
GROUND = (12, 14, 44)
"""what the lower part of a cover darkens into, so that its title can be read (blue, green, red)"""
DARKEST = 0.94


def board_thumbnail(board: Board, look: Mapping[str, str], width: int) -> Picture:
    """A board as it lies, `width` pixels wide (blue, green, red).

    Raises CompanionError.
    """
    left, _top, right, _bottom = shown_part(board)
    image = board_image(board, look, max(1.0, width / (right - left)))
    return resized(image, (width, max(1, round(image.shape[0] * width / image.shape[1]))))


def game_cover(game_id: str, size: tuple[int, int]) -> Picture:
    """A game's cover of a size (width, height): a part of its board in play, dark below (blue, green, red).

    Raises CompanionError.
    """
    board = print_and_play_board(game_id)
    name = hashlib.sha256(f"{board.digest} {drawing_version(game_id)} {size} {CLOSER} {GROUND}".encode()).hexdigest()
    path: Path | None = None
    with suppress(OSError, StoreError):
        path = cache_folder() / FOLDER / f"{name[:24]}.png"
        kept = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
        if kept is not None and kept.shape[:2] == size[::-1]:
            return np.asarray(kept, np.uint8)
    cover = _darkened(_middle(board_thumbnail(board, _sample(game_id), round(size[0] * CLOSER)), size))
    if path is not None:
        with suppress(OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, cv2.imencode(".png", cover)[1].tobytes())
    return cover


def _sample(game_id: str) -> dict[str, str]:
    """What lies on the board of a game in full play; nothing where the game has no sample (scripts/covers.py)."""
    path = game_folder(game_id) / SAMPLE
    found = json.loads(path.read_bytes()) if path.exists() else {}
    return {str(spot): str(label) for spot, label in found.items()}


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
