"""The faces of all pieces, drawn in the piece's own frame (`companion.board.layout.face_outline`)."""

from __future__ import annotations

from calibration.art.plain.faces import draw_plain_face, draw_plain_reverse
from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import Rgb, mixed
from calibration.drawing.ink import Ink
from calibration.editions import USUAL, Edition
from calibration.registry import art_of
from companion.board.layout import Board, Piece, face_outline


def draw_face(
    ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "", edition: Edition = USUAL
) -> None:
    """Draw the face of a piece with this label; `inscription` is printed on single pieces of the kind.

    Raises KeyError where the piece has no such label.
    """
    if label not in piece.labels:
        raise KeyError(f"{piece.name} {label}")
    art, key = art_of(board), (piece.name, piece.shape)
    draw = art.faces.get(key, draw_plain_face)
    if edition is Edition.SECOND:
        draw = art.second.get(key, draw)
    draw(ink, board, piece, label, inscription)


def draw_reverse(ink: Ink, board: Board, piece: Piece, label: str, inscription: str = "") -> None:
    """Draw the lower side of a tile."""
    draw = art_of(board).reverses.get((piece.name, piece.shape), draw_plain_reverse)
    draw(ink, board, piece, label, inscription)


def rim_colour(piece: Piece, label: str) -> Rgb:
    """The colour along a face's outline."""
    return mixed(colours.named(label), DARK, 0.5) if piece.shape in ("disc", "square") and label == "orange" else DARK


def fill_outline(ink: Ink, piece: Piece, colour: Rgb) -> None:
    """Fill a piece's outline; a disc is drawn round."""
    if piece.shape == "disc":
        ink.disc(0, 0, piece.size[0] / 2, colour)
    else:
        ink.polygon(face_outline(piece), colour)
