"""Which printed face lies where on a board, and what it stands on. No Kivy."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.board.lattice import Point
from companion.board.layout import Board, Piece, Spot, face_turn
from companion.board.once import once_a_board
from ui.drawing.board_drawing import drawing_of
from ui.drawing.shapes import Points, circle, moved

STOREY = 1.7
"""millimetres that each piece of a pile is drawn above the one below"""
ASIDE = 0.75
"""by how much of its size a small piece is moved aside on the one it stands on, whose sign it would hide"""


@dataclass(frozen=True, slots=True)
class Face:
    """A piece's face with a label, turned clockwise by degrees as it lies."""

    piece: str
    label: str
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Lying:
    """A face where it lies: `centre` and `outline` in board millimetres, `level` from the sheet up.

    `count` is how many lie or stand there together, shown with as many faces where they are a pile.
    """

    face: Face
    centre: Point
    outline: Points
    level: int
    count: int = 1
    is_pile: bool = False


def faces_of(board: Board) -> tuple[Face, ...]:
    """Every face that may lie on a board, in the order of its definition."""
    return tuple(
        dict.fromkeys(
            Face(piece.name, label, face_turn(spot, piece))
            for spot in board.spots.values()
            for piece in (board.pieces[spot.piece],)
            for label in labels_at(spot, piece)
        )
    )


def labels_at(spot: Spot, piece: Piece) -> tuple[str, ...]:
    """The labels of the faces that may lie on a spot; a pile's faces are all alike."""
    if piece.lies_on == "slot":
        return (_colour_of(spot),)
    return piece.labels[:1] if piece.stacked else spot.labels


def letters_of(piece: Piece, label: str) -> str:
    """As few first letters of a label as tell it from the piece's others, at most three."""
    others = [other for other in piece.labels if other != label]
    for count in (1, 2, 3):
        if not any(other[:count] == label[:count] for other in others):
            return label[:count].title()
    return label[:3].title()


def card_face(game_id: str, name: str) -> Face | None:
    """The face of a card by the name it has as a closed piece; None where it has none."""
    for pattern, component in drawing_of(game_id).cards.items():
        found = re.fullmatch(re.escape(pattern).replace(r"\{label\}", "(?P<label>.+)"), name)
        if found is not None:
            return Face(component, found.groupdict().get("label", ""))
    return None


def lying(board: Board, pieces: Iterable[tuple[str, str]]) -> tuple[Lying, ...]:
    """The faces that lie on a sheet, in order, for pairs of one of its spots and a label that is not empty."""
    return _lying_there(board, tuple(pieces))


@once_a_board
def _lying_there(board: Board, pieces: tuple[tuple[str, str], ...]) -> tuple[Lying, ...]:
    levels, heights = _levels(board), _pile_heights(board, pieces)
    return tuple(_lying(board, board.spots[spot], label, levels, heights) for spot, label in pieces)


def outline_of(board: Board, spot: Spot) -> Points:
    """The outline (mm) with which a piece is drawn on a spot, where no pile lies below it."""
    piece = board.pieces[spot.piece]
    aside = _aside(board, spot, piece)
    shape = circle(spot.centre, piece.size[0] / 2, 48) if piece.shape == "disc" else spot.outline
    return moved(shape, *aside)


def _lying(
    board: Board, spot: Spot, label: str, levels: Mapping[str, int], heights: Mapping[tuple[str, str], int]
) -> Lying:
    piece = board.pieces[spot.piece]
    count = int(label) if (piece.stacked or piece.lies_on == "slot") and label.isdecimal() else 1
    own = label if piece.lies_on != "slot" and not piece.stacked else labels_at(spot, piece)[0]
    below = heights.get((piece.name if piece.stacked else piece.raised_by, spot.site), 1) - 1
    raised = -STOREY * (below if not piece.stacked else 0)
    dx, dy = _aside(board, spot, piece)
    centre = (spot.centre[0] + dx, spot.centre[1] + dy + raised)
    return Lying(
        Face(piece.name, own, face_turn(spot, piece)),
        centre,
        moved(outline_of(board, spot), 0.0, raised),
        levels[piece.name],
        count,
        piece.stacked,
    )


@once_a_board
def _levels(board: Board) -> dict[str, int]:
    """Kind of piece -> its place in the order of drawing: what stands on something comes after it."""
    bases = {spot.piece: spot.base for spot in board.spots.values()}
    order = {name: number for number, name in enumerate(board.pieces)}
    ranked = sorted(bases, key=lambda name: (bases[name], order[name]))
    return {name: level for level, name in enumerate(ranked)}


def _pile_heights(board: Board, pieces: Sequence[tuple[str, str]]) -> dict[tuple[str, str], int]:
    """(kind, site) -> how many pieces stand on one another there."""
    return {
        (spot.piece, spot.site): int(label)
        for name, label in pieces
        for spot in (board.spots[name],)
        if board.pieces[spot.piece].stacked and label.isdecimal()
    }


def _aside(board: Board, spot: Spot, piece: Piece) -> Point:
    """How far (mm) a piece is drawn from its spot's centre: around a slot, or aside on a piece whose sign it hides."""
    if piece.lies_on == "slot":
        angle = math.tau * piece.labels.index(_colour_of(spot)) / len(piece.labels) - math.pi * 0.75
        reach = board.slot_diameter * 0.28
        return reach * math.cos(angle), reach * math.sin(angle)
    below = board.pieces.get(piece.raised_by)
    if piece.shape == "square" and below is not None and not below.stacked:
        return piece.size[0] * ASIDE, piece.size[0] * ASIDE
    return 0.0, 0.0


def _colour_of(spot: Spot) -> str:
    return spot.name.rpartition(" ")[2]
