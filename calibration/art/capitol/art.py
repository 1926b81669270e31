"""The printed edition of Capitol: areas and squares, buildings and tiles, cards and what lies beside the board."""

from __future__ import annotations

from calibration.art.capitol import cards, pieces
from calibration.art.capitol.sheet import draw_capitol, draw_capitol_margins
from calibration.art.game_art import GameArt

CAPITOL = GameArt(
    draw_capitol,
    draw_capitol_margins,
    faces={**pieces.FACES, **cards.FACES},
    surfaces=pieces.SURFACES,
    fields=pieces.FIELDS,
)
