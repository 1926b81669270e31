"""The printed edition of Aqua Romana: field, road and podiums, tiles, reservoirs, workers and builders."""

from __future__ import annotations

from calibration.art.aqua_romana import pieces
from calibration.art.aqua_romana.sheet import draw_aqua_romana
from calibration.art.game_art import GameArt

AQUA_ROMANA = GameArt(
    draw_aqua_romana,
    faces=pieces.FACES,
    reverses=pieces.REVERSES,
    surfaces=pieces.SURFACES,
    fields=pieces.FIELDS,
)
