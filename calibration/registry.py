"""The art of every game that has its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from calibration.art.aqua_romana.art import AQUA_ROMANA
from calibration.art.capitol.art import CAPITOL
from calibration.art.city_of_marble.art import CITY_OF_MARBLE
from calibration.art.game_art import GameArt
from calibration.art.plain.sheet import PLAIN_BAND, draw_plain
from calibration.art.thurn_and_taxis.art import THURN_AND_TAXIS
from companion.board.layout import Board

ART: Mapping[str, GameArt] = MappingProxyType(
    {
        "city_of_marble": CITY_OF_MARBLE,
        "capitol": CAPITOL,
        "aqua_romana": AQUA_ROMANA,
        "thurn_and_taxis": THURN_AND_TAXIS,
    }
)
"""Game id -> its art."""
PLAIN = GameArt(draw_plain, band=PLAIN_BAND)


def art_of(board: Board) -> GameArt:
    """The art of a board's game; plain forms for a game that has none."""
    return ART.get(board.game, PLAIN)
