"""Faces of City of Marble in the second edition: bars, bridges, pawns and cubes that shadow does not change."""

from __future__ import annotations

from collections.abc import Mapping

from calibration.art.city_of_marble.pieces import BRIDGE_NAME
from calibration.art.game_art import DrawFace
from calibration.art.plain.caps import draw_cap
from calibration.art.plain.faces import draw_plain_face
from calibration.drawing import colours
from calibration.drawing.colours import INK as DARK
from calibration.drawing.colours import IVORY, Rgb, mixed, on
from calibration.drawing.ink import Ink
from calibration.drawing.shapes import arc, inset, polar
from calibration.drawing.symbols import draw_symbol
from companion.board.layout import Board, Piece, face_outline

_SLATE: Rgb = (66, 68, 74)
_PALE: Rgb = (222, 224, 228)
_STONES: dict[str, tuple[Rgb, ...]] = {
    "white": (colours.AQUEDUCTS["white"], DARK, colours.AQUEDUCTS["white"]),
    "brown": (colours.AQUEDUCTS["brown"], IVORY, colours.AQUEDUCTS["brown"]),
    "grey": (_PALE, _SLATE, _PALE, _SLATE, _PALE),
}
"""The stones of a bar, from end to end: no kind is another one in more or less light, nor a shadow's edge."""
_RIM, _STONE = 2.4, 4
"""Width (mm) of a bridge's rim, and how many stones it has on each side, light ones and dark ones in turn."""


def _aqueduct(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    stones = _STONES.get(label)
    if stones is None:
        draw_plain_face(ink, board, piece, label, inscription)
        return
    outline = face_outline(piece)
    length, width = piece.size
    ink.polygon(outline, DARK)
    with ink.clipped(inset(outline, 0.25)):
        part = length / len(stones)
        for k, stone in enumerate(stones):
            left = -length / 2 + k * part
            ink.rectangle(left, -width / 2, part, width, stone)
            if 2 * k + 1 == len(stones):
                ink.text(0, 0, label[:1].upper(), 0.63 * part if part < 3 else 2.3, on(stone), bold=True)
                continue
            line, middle, reach = mixed(stone, on(stone), 0.55), (left + part / 2, 1.0), 0.3 * part
            ink.line([(middle[0] - reach, 1.9), *arc(reach, 180, 360, middle), (middle[0] + reach, 1.9)], line, 0.22)
            ink.line([(left, -1.3), (left + part, -1.3)], line, 0.22)


def _bridge(ink: Ink, board: Board, piece: Piece, label: str, inscription: str) -> None:
    """A tile that looks the same from its three sides, within a rim of stones."""
    del board
    outline = face_outline(piece)
    field = colours.TRIANGLES["bridge"]
    ink.polygon(outline, DARK)
    inner, within = inset(outline, 0.5), inset(outline, 0.5 + _RIM)
    for k in range(3):
        ends = [(inner[k], inner[(k + 1) % 3]), (within[k], within[(k + 1) % 3])]
        for stone in range(_STONE):
            shares = (stone / _STONE, (stone + 1) / _STONE)
            far, near = ([_between(*side, share) for share in shares] for side in ends)
            ink.polygon([*far, *reversed(near)], DARK if stone % 2 else IVORY, DARK, 0.15)
    ink.polygon(within, field, DARK, 0.3)
    reach = piece.size[0] / 12**0.5
    for angle in (0, 120, 240):
        with ink.placed(0, 0, angle):
            ink.text(0, reach - 4.05, (inscription or BRIDGE_NAME).upper(), 1.7, DARK, spacing=0.14, widest=13)
    ink.disc(0, 0, 3.6, mixed(field, IVORY, 0.75), mixed(field, DARK, 0.6), 0.3)
    draw_symbol(ink, "bridge", 0, -0.2, 5.2, mixed(field, DARK, 0.7), mixed(field, IVORY, 0.75))
    for corner in (30, 150, 270):
        draw_symbol(ink, "drop", *polar(7.6, corner), 1.9, mixed(field, IVORY, 0.7), field)


def _between(start: tuple[float, float], end: tuple[float, float], share: float) -> tuple[float, float]:
    return start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])


FACES: Mapping[tuple[str, str], DrawFace] = {
    ("aqueduct", "bar"): _aqueduct,
    ("bridge", "triangle"): _bridge,
    ("cube", "square"): draw_cap,
    ("magistrate", "disc"): draw_cap,
    ("envoy", "disc"): draw_cap,
}
