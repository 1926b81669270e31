"""Reminders for the players of Thurn and Taxis, and the counter on which the display of cards lies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from calibration.art.game_art import DrawFace
from calibration.art.thurn_and_taxis.signs import OFFICIAL_SIGNS, RANK_SIGNS, draw_sign
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, MARBLE, OFFICIALS, RUBRIC, SAND, SEPIA, TRAVERTINE, mixed, named, on
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import inset
from calibration.drawing.symbols import draw_symbol
from companion.board.layout import Board, Piece, face_outline
from companion.games.thurn_and_taxis.state import RANK_VALUE

_TURN = (
    ("1  TAKE a card", "from the display or the deck"),
    ("2  PLAY a card", "at either end of your route, or drop it"),
    ("3  CLOSE the route", "if you like, with three cards or more"),
)
_USES = (
    ("administrator", "before taking: six new cards in the display"),
    ("postmaster", "take a second card; a must with an empty hand"),
    ("carrier", "play a second card"),
    ("cartwright", "closing: a carriage up to two cards too long"),
)
_CLOSING = (
    "Houses: one in each province, or in all cities of one province.",
    "Bonus tiles: length 5, 6, 7; every city of a province or pair;",
    "a house in each province outside Baiern.",
    "Carriage: the next one, if the route is long enough.",
    "Discard the route; keep three cards.",
)
_RETURNED = ("1 kind: nothing", "2 kinds: a card", "3 kinds: a point", "4 kinds: a house anywhere")
_AUDIENCE = (
    "A route's card without a house moves its carriage one city south.",
    "Lodz, and cards of a carriage in Rome, move any other one.",
    "On arrival: older tiles of each rank that comes leave the game.",
)
_OFFICES = (
    "Each use of an official earns its tile. When the last one of a kind",
    "is taken, all return one to four tiles of different kinds:",
)


def _frame(ink: Ink, piece: Piece, label: str) -> None:
    outline, field = face_outline(piece), named(label)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.4), field)
    ink.polygon(inset(outline, 2.4), IVORY, mixed(field, DARK, 0.4), 0.3)


def _letter(ink: Ink, piece: Piece, label: str) -> None:
    """The owner's letter on a tab in the upper right corner."""
    x, y = piece.size[0] / 2, -piece.size[1] / 2
    field = named(label)
    ink.polygon([(x - 13, y + 2.4), (x - 2.4, y + 2.4), (x - 2.4, y + 13)], field)
    ink.text(x - 5.5, y + 5.6, label[:1].upper(), 2.6, on(field), bold=True)


def _title(ink: Ink, text: str, x: float, y: float) -> None:
    ink.text(x, y, text, 2.1, RUBRIC, anchor="start", spacing=0.12)


def _lines(ink: Ink, lines: Sequence[str], x: float, y: float, width: float) -> None:
    for row, line in enumerate(lines):
        ink.text(x, y + 2.9 * row, line, 1.75, DARK, anchor="start", widest=width)


def _turn_aid(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A turn, the four officials, and what closing a route brings."""
    del board, inscription
    _frame(ink, piece, label)
    left, top, width = -piece.size[0] / 2 + 5.5, -piece.size[1] / 2 + 6.6, piece.size[0] - 11
    for row, (title, text) in enumerate(_TURN):
        _title(ink, title, left, top + 3.8 * row)
        ink.text(left + 33, top + 3.8 * row, text, 1.75, DARK, anchor="start", widest=width - 39)
    y = top + 11.9
    ink.text(left, y, "ONE OFFICIAL A TURN", 1.7, SEPIA, anchor="start", spacing=0.12)
    for row, (official, text) in enumerate(_USES):
        at = y + 4.1 + 4.4 * row
        ink.disc(left + 2, at, 2.2, OFFICIALS[official])
        field = OFFICIALS[official]
        draw_sign(ink, OFFICIAL_SIGNS[official], left + 2, at, 2.9, on(field), field)
        ink.text(left + 6.5, at, official.capitalize(), 1.9, mixed(OFFICIALS[official], DARK, 0.45), anchor="start")
        ink.text(left + 25, at, text, 1.75, DARK, anchor="start", widest=width - 25)
    y += 21.8
    _title(ink, "CLOSING", left, y)
    _lines(ink, _CLOSING, left, y + 3.4, width)
    _letter(ink, piece, label)


def _rome_aid(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """The two modules of All Roads Lead to Rome."""
    del board, inscription
    _frame(ink, piece, label)
    left, top, width = -piece.size[0] / 2 + 5.5, -piece.size[1] / 2 + 6.8, piece.size[0] - 11
    _title(ink, "THE AUDIENCE", left, top)
    _lines(ink, _AUDIENCE, left, top + 4.0, width)
    step = width / len(RANK_VALUE)
    for k, (rank, value) in enumerate(RANK_VALUE.items()):
        x = left + (k + 0.5) * step
        draw_sign(ink, RANK_SIGNS[rank], x - 2.6, top + 16.2, 5.6, RUBRIC, IVORY)
        ink.text(x + 2.8, top + 16.2, str(value), 3.2, DARK, bold=True)
        ink.text(x, top + 20.8, rank, 1.6, SEPIA)
    ink.line([(left, top + 23.8), (left + width, top + 23.8)], mixed(named(label), DARK, 0.3), 0.3)
    _title(ink, "OFFICES OF HONOR", left, top + 27.6)
    _lines(ink, _OFFICES, left, top + 31.4, width)
    for k, text in enumerate(_RETURNED):
        x, y = left + (k % 2) * width / 2, top + 38.8 + 4.2 * (k // 2)
        for kind, official in enumerate(list(OFFICIALS)[: k + 1]):
            ink.rectangle(x + 2.5 * kind, y - 1.1, 2.2, 2.2, OFFICIALS[official], DARK, 0.15)
        ink.text(x + 11.5, y, text, 1.8, DARK, anchor="start", widest=width / 2 - 12)
    _lines(ink, ("Before the final scoring everyone may return tiles once more.",), left, top + 47.2, width)
    _letter(ink, piece, label)


def _counter(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """Places for six open cards, the deck and the discards."""
    del board, label, inscription
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), TRAVERTINE)
    ink.polygon(inset(outline, 1.8), None, RUBRIC, 0.3)
    names = ("deck", "", "", "", "discards", "", "", "")
    for k, name in enumerate(names):
        x, y = (k % 4 - 1.5) * 46.0, (k // 4 - 0.5) * 65.4
        square = [(x - 22.5, y - 32), (x + 22.5, y - 32), (x + 22.5, y + 32), (x - 22.5, y + 32)]
        ink.polygon(square, MARBLE, SEPIA, 0.4)
        ink.polygon(inset(square, 1.4), None, SAND, 0.4)
        if name:
            draw_symbol(ink, "laurel", x, y, 24, mixed(RUBRIC, IVORY, 0.45), MARBLE)
            draw_sign(ink, "post horn", x, y, 12, mixed(RUBRIC, IVORY, 0.3), MARBLE)
            ink.text(x, y + 20, name.upper(), 2.4, mixed(RUBRIC, IVORY, 0.15), spacing=0.16)
        else:
            draw_sign(ink, "letter", x, y, 15, mixed(SEPIA, MARBLE, 0.72), MARBLE)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("turn aid", "rectangle"): _turn_aid,
    ("Rome aid", "rectangle"): _rome_aid,
    ("post counter", "square"): _counter,
}
