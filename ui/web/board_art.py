"""A board's printed pictures as pages load them: the sheet, all faces in one, what players hold in one, each card."""

from __future__ import annotations

import hashlib
import logging
import threading
from collections.abc import Callable, Sequence
from functools import partial

import cv2
import numpy as np

from companion.board.layout import Board
from companion.errors import CompanionError
from ui.drawing.board_frame import shown_part
from ui.printed.edition import Picture, printed_cards
from ui.printed.extent import Extent
from ui.printed.pictures import Wanted, board_pictures, chip_pictures, resized
from ui.services.background import start_thread
from ui.web.art_files import BoardArt
from vision.free_memory import give_back

PHONE_SCALES = (2.5, 2.0, 1.5)
"""pixels per millimetre of the sheet, the first with which sheet and faces weigh little enough"""
HEAVIEST, CARDS_LOADED = 84_000, 10
"""bytes of sheet, faces and so many cards together"""
CHIP_HEIGHT, CARD_WIDTH = 40, 144
"""pixels"""
QUALITY = [cv2.IMWRITE_WEBP_QUALITY, 72]
_log = logging.getLogger("companion.phones")


def board_art(board: Board) -> BoardArt:
    """The pictures of a board. Takes a moment, seconds for an edition that was never drawn.

    Raises CompanionError.
    """
    files: dict[str, bytes] = {}
    cards = {}
    for face, picture in printed_cards(board).items():
        size = CARD_WIDTH, round(CARD_WIDTH * picture.shape[0] / picture.shape[1])
        cards[face] = _kept(files, _webp(resized(picture, size)[:, :, [2, 1, 0, 3]]))
    heaviest = HEAVIEST - CARDS_LOADED * max(map(len, files.values()), default=0)
    pictures, sheet, faces = _light_enough(board, PHONE_SCALES, heaviest)
    held = chip_pictures(board, CHIP_HEIGHT)
    names = [_kept(files, data) for data in (sheet, faces, _webp(held.atlas))]
    give_back()
    return BoardArt(pictures, held, names[0], names[1], names[2], cards, files)


def _light_enough(board: Board, scales: Sequence[float], heaviest: int) -> tuple[Extent, bytes, bytes]:
    """What they show, and files of sheet and faces, at the first scale where they are light, else the last."""
    pictures = board_pictures(board, Wanted(scales[0], shown_part(board)))
    sheet, faces = _webp(pictures.sheet[:, :, :3]), _webp(pictures.atlas)
    extent = pictures.extent
    del pictures  # or those of each scale are held while the next are made
    if len(sheet) + len(faces) > heaviest and len(scales) > 1:
        return _light_enough(board, scales[1:], heaviest)
    return extent, sheet, faces


def _webp(picture: Picture) -> bytes:
    """A picture (red, green, blue, and maybe opacity) as a file."""
    channels = [2, 1, 0, 3][: picture.shape[2]]
    return cv2.imencode(".webp", np.ascontiguousarray(picture[:, :, channels]), QUALITY)[1].tobytes()


def _kept(files: dict[str, bytes], data: bytes) -> str:
    name = f"{hashlib.sha256(data).hexdigest()[:24]}.webp"
    files[name] = data
    return name


class BoardArts:
    """The pictures of the board in play, made in a thread of their own. One thread, the table's, asks for them."""

    def __init__(self, make: Callable[[Board], BoardArt] | None = board_art) -> None:
        """`make` None: no board has pictures, and all are drawn in plain colours."""
        self._make = make
        self._board: Board | None = None
        self._thread: threading.Thread | None = None
        self._made: BoardArt | None = None

    def of(self, board: Board | None) -> BoardArt | None:
        """The pictures of a board; None until they are there."""
        if board is None or self._make is None:
            return None
        if board is not self._board:
            if self._thread is not None and self._thread.is_alive():
                return None
            self._board, self._made = board, None
            self._thread = start_thread(partial(self._draw, self._make, board), "phones' pictures")
        return self._made

    def _draw(self, make: Callable[[Board], BoardArt], board: Board) -> None:
        try:
            self._made = make(board)
        except (CompanionError, OSError, cv2.error) as error:
            _log.warning("%s", error)
