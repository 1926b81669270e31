"""Draws the pictures of a game's printed board into the cache and prints the folder.

`python -m ui.hub.board_pictures GAME` is a process of its own: a hub needs no memory for it and imports no pictures.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from companion.registry import print_and_play_board
from ui.hub.boards import INDEX
from ui.printed.edition import drawing_version
from ui.services.folders import cache_folder
from ui.web.art_files import BoardArt
from ui.web.board_art import board_art

FOLDER = "hub-boards"


def drawn_board(game: str) -> Path:
    """The folder with the pictures of a game's board, drawn where they are not there.

    Raises CompanionError, OSError.
    """
    board = print_and_play_board(game)
    folder = cache_folder() / FOLDER / f"{board.digest[:24]}-{drawing_version(game)}"
    if not (folder / INDEX).exists():
        write_art(board_art(board), folder)
    return folder


def write_art(art: BoardArt, folder: Path) -> None:
    """Keep the pictures of a board in a folder; the index comes last."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (art.sheet, art.faces):
        (folder / name).write_bytes(art.files[name])
    pictures = art.pictures
    document = {
        "scale": pictures.scale, "part": pictures.part, "size": pictures.size, "atlas_size": pictures.atlas_size,
        "sheet": art.sheet, "faces": art.faces,
        "cells": [
            [face.piece, face.label, face.turn, cell.left, cell.top, cell.right, cell.bottom, cell.width, cell.height]
            for face, cell in pictures.cells.items()
        ],
    }  # fmt: skip
    partial = folder / f"{INDEX}.part"
    partial.write_text(json.dumps(document), encoding="utf-8")
    partial.replace(folder / INDEX)


if __name__ == "__main__":
    sys.stdout.write(f"{drawn_board(sys.argv[1])}\n")
