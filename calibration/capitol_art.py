"""The printed edition of Capitol: areas and squares, buildings and tiles, cards and what lies beside the board."""

from __future__ import annotations

from calibration import capitol_cards, capitol_pieces
from calibration.capitol_sheet import draw_capitol, draw_capitol_margins
from calibration.game_art import GameArt

CAPITOL = GameArt(
    draw_capitol,
    draw_capitol_margins,
    faces={**capitol_pieces.FACES, **capitol_cards.FACES},
    surfaces=capitol_pieces.SURFACES,
    fields=capitol_pieces.FIELDS,
)
