"""The printed edition of City of Marble: its map, its pieces and what lies beside the board."""

from __future__ import annotations

from calibration import city_beside, city_pieces
from calibration.city_sheet import draw_city
from calibration.game_art import GameArt

CITY_OF_MARBLE = GameArt(draw_city, faces={**city_pieces.FACES, **city_beside.FACES})
