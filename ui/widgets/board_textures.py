"""Pictures of boards on the graphics processor: those that some view shows, and small ones that are there at once."""

from __future__ import annotations

from weakref import WeakValueDictionary

from companion.board.layout import Board
from ui.printed.first_pictures import first_pictures
from ui.widgets.scene_painting import BoardTextures, uploaded

_shown: WeakValueDictionary[tuple[str, bool], BoardTextures] = WeakValueDictionary()


def keep(board: Board, textures: BoardTextures, *, dimmed: bool) -> None:
    """Remember pictures of a whole sheet as long as a view has them."""
    _shown[board.digest, dimmed] = textures


def at_hand(board: Board, *, dimmed: bool) -> BoardTextures | None:
    """Pictures of a whole sheet that take no time: another view's, whatever their size, or the small shipped ones."""
    found = _shown.get((board.digest, dimmed))
    if found is None and (small := first_pictures(board, dimmed=dimmed)) is not None:
        found = uploaded(small)
        keep(board, found, dimmed=dimmed)
    return found
