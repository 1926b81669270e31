"""The printed edition of City of Marble: its map, its pieces and what lies beside the board."""

from __future__ import annotations

from calibration.art.city_of_marble import beside, pieces, second
from calibration.art.city_of_marble.sheet import draw_city
from calibration.art.game_art import GameArt

CITY_OF_MARBLE = GameArt(draw_city, faces={**pieces.FACES, **beside.FACES}, second=second.FACES)
