"""The printed edition of Aqua Romana: field, road and podiums, tiles, reservoirs, workers and builders."""

from __future__ import annotations

from calibration import aqua_pieces
from calibration.aqua_sheet import draw_aqua_romana
from calibration.game_art import GameArt

AQUA_ROMANA = GameArt(
    draw_aqua_romana,
    faces=aqua_pieces.FACES,
    reverses=aqua_pieces.REVERSES,
    surfaces=aqua_pieces.SURFACES,
    fields=aqua_pieces.FIELDS,
)
