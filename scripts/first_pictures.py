"""Writes the small pictures of games' own editions that are shown before those of the screen's size are drawn.

python -m scripts.first_pictures [GAME ...]
"""

from __future__ import annotations

import json
import sys

import cv2
import numpy as np

from companion.board.layout import Board
from companion.registry import GAMES, game_folder, print_and_play_board
from ui.drawing.board_frame import shown_part
from ui.printed.edition import Picture
from ui.printed.first_pictures import DOCUMENT, FACES, SHEET
from ui.printed.pictures import Wanted, board_pictures

SCALE = 1.6
"""pixels per millimetre"""
QUALITY = 82
"""of WebP files, of 100"""


def write_first_pictures(board: Board) -> None:
    """Draw the small pictures of all sheets of a game's own edition into its folder.

    Raises CompanionError, OSError.
    """
    folder, told = game_folder(board.game), {}
    for number, sheet in enumerate(board.sheets):
        made = board_pictures(sheet, Wanted(SCALE, shown_part(sheet)))
        faces = [
            [
                face.piece,
                face.label,
                face.turn,
                round(cell.left * made.atlas_size[0]),
                round(cell.top * made.atlas_size[1]),
                cell.width,
                cell.height,
            ]
            for face, cell in made.cells.items()
        ]
        told[sheet.digest] = {"number": number, "scale": made.scale, "faces": faces}
        (folder / SHEET.format(number=number)).write_bytes(_webp(made.sheet[:, :, 2::-1]))
        (folder / FACES.format(number=number)).write_bytes(_webp(made.atlas[:, :, [2, 1, 0, 3]]))
    (folder / DOCUMENT).write_text(json.dumps(told, ensure_ascii=False) + "\n", encoding="utf-8")


def _webp(picture: Picture) -> bytes:
    return cv2.imencode(".webp", np.ascontiguousarray(picture), [cv2.IMWRITE_WEBP_QUALITY, QUALITY])[1].tobytes()


if __name__ == "__main__":
    for each in sys.argv[1:] or GAMES:
        write_first_pictures(print_and_play_board(each))
