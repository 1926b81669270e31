"""How pieces come onto a board, leave it and move over it: what is drawn of them on the way. No Kivy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from companion.board.lattice import Point
from companion.board.layout import Board
from ui.drawing.faces import Lying, lying
from ui.drawing.shapes import between, moved
from ui.printed.scene import Drawn, Looks, face_drawn
from ui.view_models.play_view import PieceState, PieceView

MOST = 6
"""pieces that move at once; where more change, the board just shows what is there now"""
HIGH, TAKEN_UP, LIFTED = 6.0, 4.0, 3.0
"""millimetres above its place from which a piece comes down, by which one is taken up, and by which one that moves is
lifted on half its way
"""
LARGER = 0.12
"""by how much larger a piece is drawn that comes down"""
_LIES = (PieceState.PLACED, PieceState.LATEST)


class Way(StrEnum):
    """What happens to a piece."""

    LAID = "laid"
    TAKEN = "taken"
    MOVED = "moved"


SECONDS = {Way.LAID: 0.2, Way.TAKEN: 0.16, Way.MOVED: 0.24}
"""how long each takes"""


@dataclass(frozen=True, slots=True)
class Movement:
    """A piece on its way: onto `spot`, off it, or from the spot `start` to it."""

    way: Way
    spot: str
    label: str
    start: str = ""


def movements(board: Board, before: Iterable[PieceView], after: Iterable[PieceView]) -> tuple[Movement, ...]:
    """What has to happen to the pieces of a sheet that lay there before; nothing where more than `MOST` do."""
    old, new = _pieces(board, before), _pieces(board, after)
    gone = {spot: label for spot, label in old.items() if spot not in new}
    come = {spot: label for spot, label in new.items() if old.get(spot) != label}
    found = []
    for spot, label in come.items():
        start = next((each for each, was in gone.items() if was == label and _is_alike(board, each, spot)), "")
        if start:
            del gone[start]
        found.append(Movement(Way.MOVED if start else Way.LAID, spot, label, start))
    found += [Movement(Way.TAKEN, spot, label) for spot, label in gone.items()]
    return tuple(found) if len(found) <= MOST else ()


def without(pieces: Iterable[PieceView], moving: Iterable[Movement]) -> tuple[PieceView, ...]:
    """The pieces that lie still meanwhile."""
    spots = {each.spot for each in moving}
    return tuple(piece for piece in pieces if piece.spot not in spots or piece.state not in _LIES)


def compose_moving(
    board: Board,
    looks: Looks,
    before: Iterable[PieceView],
    after: Iterable[PieceView],
    moving: Iterable[Movement],
    seconds: float,
) -> tuple[Drawn, ...]:
    """What is drawn of moving pieces so many seconds after they began, what stands on others above these."""
    old, new = _lying(board, before), _lying(board, after)
    here = [(old if each.way is Way.TAKEN else new)[each.spot] for each in moving]
    placed = sorted(zip(here, moving, strict=True), key=lambda pair: pair[0].level)
    return tuple(
        drawn
        for there, each in placed
        for drawn in _drawn(looks, each, there, old.get(each.start, there), min(1.0, seconds / SECONDS[each.way]))
    )


def _drawn(looks: Looks, each: Movement, there: Lying, start: Lying, share: float) -> Iterator[Drawn]:
    """A piece when it is `share` of its way on."""
    if each.way is Way.LAID:
        left = (1 - share) ** 3
        yield from face_drawn(looks, _raised(there, HIGH * left), 1.0, 1 + LARGER * left)
    elif each.way is Way.TAKEN:
        yield from face_drawn(looks, _raised(there, TAKEN_UP * share**2), 1 - share**2)
    else:
        eased = 2 * share**2 if share < 0.5 else 1 - 2 * (1 - share) ** 2
        along = _at(there, between(start.centre, there.centre, eased))
        yield from face_drawn(looks, _raised(along, LIFTED * 4 * share * (1 - share)), 1.0)


def _raised(there: Lying, millimetres: float) -> Lying:
    return _at(there, (there.centre[0], there.centre[1] - millimetres))


def _at(there: Lying, centre: Point) -> Lying:
    """The same face around another point."""
    outline = moved(there.outline, centre[0] - there.centre[0], centre[1] - there.centre[1])
    return replace(there, centre=centre, outline=outline)


def _pieces(board: Board, pieces: Iterable[PieceView]) -> dict[str, str]:
    return {each.spot: each.label for each in pieces if each.label and each.state in _LIES and each.spot in board.spots}


def _lying(board: Board, pieces: Iterable[PieceView]) -> dict[str, Lying]:
    told = list(_pieces(board, pieces).items())
    return {spot: there for (spot, _label), there in zip(told, lying(board, told), strict=True)}


def _is_alike(board: Board, one: str, other: str) -> bool:
    return board.spots[one].piece == board.spots[other].piece
