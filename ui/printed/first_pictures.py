"""Small pictures of the games' own editions, shipped with them: there at once, until larger ones are drawn. No Kivy.

They lie in the games' folders (scripts/first_pictures.py): of each sheet `sheet-N.webp` and `faces-N.webp`, and where
each face is, by the sheet's digest, in `first_pictures.json`.
"""

from __future__ import annotations

import json
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion.board.layout import Board
from companion.registry import game_folder, known_games
from ui.drawing.board_frame import Box, shown_part
from ui.drawing.faces import Face
from ui.printed.edition import Picture, photograph_time
from ui.printed.extent import Cell
from ui.printed.pictures import BoardPictures, dimmed_picture

DOCUMENT = "first_pictures.json"
SHEET, FACES = "sheet-{number}.webp", "faces-{number}.webp"
MOST_KEPT = 4
"""sheets whose pictures are kept decoded, of at most 3 MB each"""


def first_pictures(board: Board, *, dimmed: bool = False) -> BoardPictures | None:
    """The shipped pictures of a sheet, the same each time, which nobody may change; None where there are none, or where
    the user's photograph is its sheet.
    """
    if board.game not in known_games() or photograph_time(board):
        return None
    return _pictures(game_folder(board.game), board.digest, shown_part(board), dimmed)


@lru_cache(MOST_KEPT)
def _pictures(folder: Path, digest: str, part: Box, dimmed: bool) -> BoardPictures | None:
    told = _told(folder).get(digest)
    if told is None:
        return None
    sheet, atlas = (_decoded(folder / name.format(number=told["number"])) for name in (SHEET, FACES))
    if sheet is None or atlas is None or atlas.shape[2:] != (4,):
        return None
    if dimmed:
        sheet, atlas = dimmed_picture(sheet), dimmed_picture(atlas)
    (rows, columns), (height, width) = sheet.shape[:2], atlas.shape[:2]
    cells = {
        Face(piece, label, float(turn)): Cell(x / width, y / height, (x + w) / width, (y + h) / height, w, h)
        for piece, label, turn, x, y, w, h in told["faces"]
    }
    opaque = np.full((rows, columns), 255, np.uint8)
    sheet = np.ascontiguousarray(np.dstack([sheet[:, :, 2::-1], opaque]))
    atlas = np.ascontiguousarray(atlas[:, :, [2, 1, 0, 3]])
    return BoardPictures(told["scale"], part, (columns, rows), (width, height), cells, sheet, atlas)


@cache
def _told(folder: Path) -> dict[str, Any]:
    """By a sheet's digest its number, scale and faces."""
    with suppress(OSError, ValueError):
        return dict(json.loads((folder / DOCUMENT).read_bytes()))
    return {}


def _decoded(path: Path) -> Picture | None:
    with suppress(OSError, cv2.error):
        found = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_UNCHANGED)
        return np.asarray(found, np.uint8) if found is not None else None
    return None
