"""Boards and chips as they are drawn in one size, made once for all windows of a process of tests."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from companion.board.layout import Board
from ui.printed.edition import photograph_time
from ui.printed.pictures import BoardPictures, ChipPictures, Wanted, board_pictures, chip_pictures

MOST_KEPT = 24
_kept: dict[tuple[object, ...], Any] = {}


def keep_pictures() -> None:
    """Let a window take what an earlier one had made of the same printed edition: a sixth of their time."""
    from ui.widgets import board_view, chips

    board_view.board_pictures = kept_board_pictures
    chips.chip_pictures = kept_chip_pictures


def kept_board_pictures(board: Board, wanted: Wanted) -> BoardPictures:
    """The same as `board_pictures`."""
    return _made_once((board.digest, wanted, photograph_time(board)), lambda: board_pictures(board, wanted))


def kept_chip_pictures(board: Board, height: int) -> ChipPictures:
    """The same as `chip_pictures`."""
    return _made_once((board.digest, height), lambda: chip_pictures(board, height))


def _made_once(what: tuple[object, ...], make: Callable[[], Any]) -> Any:
    key = (*what, os.environ["XDG_CACHE_HOME"])
    made = _kept.get(key) or make()
    _kept.pop(key, None)
    _kept[key] = made
    while len(_kept) > MOST_KEPT:
        _kept.pop(next(iter(_kept)), None)
    return made
