"""What lies beside the board of City of Marble: Imperium tiles, coins, action discs, player boards."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.city_of_marble.pieces import BUILDING_OF_WARD, NUMERALS, POINTS
from calibration.art.game_art import DrawFace
from calibration.art.plain.faces import draw_score_track
from calibration.drawing import colours
from calibration.drawing.colours import (
    FAINT,
    GOLD,
    IVORY,
    MARBLE,
    MARBLE_SHADE,
    RUBRIC,
    SAND,
    SEPIA,
    TRAVERTINE,
    mixed,
    on,
)
from calibration.drawing.colours import INK as DARK
from calibration.drawing.ink import Ink, PathStep
from calibration.drawing.shapes import inset, polar, ring
from calibration.drawing.symbols import SYMBOLS, draw_symbol
from companion.board.layout import Board, Piece, face_outline

_ACTIONS = (
    ("draw", "Draw two wards"),
    ("aqueduct", "Expand aqueducts"),
    ("recall", "Recall a magistrate"),
    ("play", "Play a ward"),
)
_LATER_POINTS = (
    "no majority: fountain",
    "building on an aqueduct",
    "+2, beside a fountain +1",
    "bridge 1 to 4, coin 1",
)
_PAWN: tuple[PathStep, ...] = (
    ("M", -2.2, 4.2), ("C", -1.6, 2.0, -1.2, 0.2, -1.1, -0.6), ("L", 1.1, -0.6), ("C", 1.2, 0.2, 1.6, 2.0, 2.2, 4.2),
    ("Z",),
)  # fmt: skip


def _imperium(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, inscription
    outline = face_outline(piece)
    field = colours.BUILDINGS.get(label, colours.UNKNOWN)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.5), IVORY)
    ink.polygon(inset(outline, 1.5), field)
    ink.disc(0, 0, 7.0, IVORY)
    draw_symbol(ink, "laurel", 0, 0, 13.0, mixed(GOLD, DARK, 0.25), IVORY)
    if label in SYMBOLS:
        draw_symbol(ink, label, 0, 0, 6.2, mixed(field, DARK, 0.3), IVORY)
    for x, y, turn in ((-7.0, -7.0, 0), (7.0, 7.0, 180)):
        ink.text(x, y, "+I", 1.7, on(field), bold=True, angle=turn)


def _coin(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, label, inscription
    radius = piece.size[0] / 2
    for share, colour in ((1.0, DARK), (0.94, GOLD)):
        ink.disc(0, 0, share * radius, colour)
    for k in range(36):
        ink.disc(*polar(0.85 * radius, 10 * k), 0.28, mixed(GOLD, DARK, 0.45))
    ink.disc(0, 0, 0.76 * radius, mixed(GOLD, IVORY, 0.35))
    draw_symbol(ink, "laurel", 0, 0, 1.3 * radius, mixed(GOLD, DARK, 0.5), GOLD)
    ink.text(0, 0, "I", 0.5 * radius, mixed(GOLD, DARK, 0.7), bold=True)


def _action_disc(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    del board, inscription
    field, radius = colours.named(label), piece.size[0] / 2
    ink.disc(0, 0, radius, DARK)
    ink.disc(0, 0, radius - 0.5, field)
    ink.disc(0, 0, radius - 1.2, None, on(field), 0.25)
    draw_symbol(ink, "star", 0, -1.0, 6.0, on(field), field)
    ink.text(0, 3.6, label[:1].upper(), 1.9, on(field), bold=True)


def _player_board(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """Actions above; domus (drawn tiles) left, atrium (usable tiles and magistrates) in the middle, reminders right."""
    del board, inscription
    width, height = piece.size
    left, top = -width / 2, -height / 2
    field = colours.named(label)
    outline = face_outline(piece)
    ink.polygon(outline, DARK)
    ink.polygon(inset(outline, 0.6), field)
    ink.polygon(inset(outline, 4.0), TRAVERTINE, DARK, 0.3)
    ink.polygon(inset(outline, 2.3), None, on(field), 0.3)
    for index, (name, title) in enumerate(_ACTIONS):
        with ink.placed(left + 28 + 44 * index, top + 18):
            _action(ink, name, title)
    _domus(ink, left + 8, top + 36, 52, height - 44)
    _atrium(ink, left + 64, top + 36, 82, height - 44)
    _reminders(ink, left + 150, top + 36)
    ink.text(width / 2 - 8, height / 2 - 9, label.upper(), 2.2, SEPIA, anchor="end", spacing=0.15)


def _action(ink: Ink, name: str, title: str) -> None:
    """Two places for action discs, as an action may be chosen twice, with a picture between."""
    ink.polygon(inset([(-20, -13), (20, -13), (20, 13), (-20, 13)], 0.5), MARBLE, SEPIA, 0.3)
    for side in (-1, 1):
        ink.disc(side * 11.6, -2.5, 7.4, MARBLE_SHADE, SEPIA, 0.3, (0.9, 0.7))
    with ink.placed(0, -2.5):
        _action_sign(ink, name)
    ink.text(0, 8.8, title, 2.1, DARK, widest=36)


def _action_sign(ink: Ink, name: str) -> None:
    ward = [(0.0, -4.2), (2.4, 0.0), (0.0, 4.2), (-2.4, 0.0)]
    if name == "draw":
        for x, colour in ((-1.5, "green"), (1.5, "red")):
            ink.polygon([(x + px * 0.9, py * 0.9) for px, py in ward], colours.WARDS[colour], DARK, 0.3)
    elif name == "aqueduct":
        for y, turn in ((-1.7, -30), (1.7, 30)):
            with ink.placed(0, y, turn):
                ink.rectangle(-3.0, -0.9, 6.0, 1.8, colours.AQUEDUCTS["grey"], DARK, 0.3)
                ink.line([(-2.2, 0), (2.2, 0)], colours.WATER, 0.7)
    elif name == "recall":
        _pawn(ink, 0, 0.2)
        ink.line([(0, -6.0), (0, -3.4)], RUBRIC, 0.5)
        ink.polygon([(-1.0, -5.6), (0, -7.2), (1.0, -5.6)], RUBRIC)
    else:
        ink.polygon(ward, colours.WARDS["yellow"], DARK, 0.3)
        _pawn(ink, 0, -0.6, 0.6)


def _pawn(ink: Ink, x: float, y: float, scale: float = 1.0) -> None:
    with ink.placed(x, y, 0, scale):
        ink.path(_PAWN, DARK)
        ink.disc(0, -1.6, 1.7, DARK, MARBLE, 0.3)


def _domus(ink: Ink, x: float, y: float, width: float, height: float) -> None:
    middle = x + width / 2
    ink.polygon([(x, y + 13), (middle, y), (x + width, y + 13)], mixed(RUBRIC, IVORY, 0.25), DARK, 0.4)
    for k in range(1, 12):
        start = x + width * k / 12
        ink.line([(start, y + 13), (middle + (start - middle) * 0.12, y + 1.6)], mixed(RUBRIC, DARK, 0.2), 0.2)
    ink.rectangle(x + 2, y + 13, width - 4, height - 13, MARBLE, DARK, 0.4)
    ink.text(middle, y + 19.5, "DOMVS", 3.4, RUBRIC, spacing=0.2)
    ink.text(middle, y + 25, "drawn this turn", 1.9, SEPIA)


def _atrium(ink: Ink, x: float, y: float, width: float, height: float) -> None:
    middle = x + width / 2
    ink.rectangle(x, y, width, height, MARBLE, DARK, 0.4)
    for column in (x + 1.2, x + width - 4.4):
        ink.rectangle(column, y + 5.0, 3.2, height - 9.0, MARBLE_SHADE, SEPIA, 0.25)
        for flute in (0.8, 1.6, 2.4):
            ink.line([(column + flute, y + 5.5), (column + flute, y + height - 4.5)], FAINT, 0.2)
        for edge in (y + 3.2, y + height - 4.0):
            ink.rectangle(column - 0.6, edge, 4.4, 1.8, SAND, SEPIA, 0.25)
    ink.rectangle(x, y, width, 3.2, SAND, DARK, 0.3)
    ink.text(middle, y + 9.5, "ATRIVM", 3.4, RUBRIC, spacing=0.2)
    ink.text(middle, y + 15, "wards and magistrates to use", 1.9, SEPIA)
    ink.rectangle(middle - 12, y + height - 30, 24, 18, (214, 228, 232), SEPIA, 0.4)
    ink.rectangle(middle - 10.6, y + height - 28.6, 21.2, 15.2, None, FAINT, 0.25)


def _reminders(ink: Ink, x: float, y: float) -> None:
    """What becomes of a complete hexagon."""
    ink.text(x + 15, y + 2, "HEXAGON", 1.9, SEPIA, spacing=0.15)
    for row, (ward, points) in enumerate(POINTS):
        building, top = BUILDING_OF_WARD[ward], y + 11 + 12.5 * row
        field = colours.BUILDINGS[building]
        hexagon = ring(4.8, 6, 0, (x + 14, top))
        ink.text(x + 4, top, NUMERALS[building], 2.6, DARK, bold=True)
        ink.polygon(hexagon, DARK)
        ink.polygon(inset(hexagon, 0.4), IVORY)
        ink.polygon(inset(hexagon, 0.8), field)
        draw_symbol(ink, building, x + 14, top, 4.6, on(field), field)
        ink.text(x + 26, top, str(points), 3.6, RUBRIC)
    ink.line([(x + 1, y + 57), (x + 29, y + 57)], FAINT, 0.3)
    for row, line in enumerate(_LATER_POINTS):
        ink.text(x + 15, y + 60.5 + 3.8 * row, line, 1.6, SEPIA)


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("imperium", "square"): _imperium,
    ("coin", "disc"): _coin,
    ("action disc", "disc"): _action_disc,
    ("player board", "square"): _player_board,
    ("score track", "square"): draw_score_track,
}
