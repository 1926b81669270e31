"""The art of every game that has its own."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from calibration import (
    aqua_pieces,
    aqua_sheet,
    capitol_cards,
    capitol_pieces,
    capitol_sheet,
    city_beside,
    city_pieces,
    city_sheet,
)
from calibration.game_art import GameArt
from calibration.plain_sheet import draw_plain
from calibration.post_art import THURN_AND_TAXIS
from companion.board.layout import Board

PLAIN = GameArt(draw_plain)
CITY = GameArt(city_sheet.draw_city, faces={**city_pieces.FACES, **city_beside.FACES})
CAPITOL = GameArt(
    capitol_sheet.draw_capitol,
    capitol_sheet.draw_capitol_margins,
    faces={**capitol_pieces.FACES, **capitol_cards.FACES},
    surfaces=capitol_pieces.SURFACES,
    fields=capitol_pieces.FIELDS,
)
AQUA_ROMANA = GameArt(
    aqua_sheet.draw_aqua_romana,
    faces=aqua_pieces.FACES,
    reverses=aqua_pieces.REVERSES,
    surfaces=aqua_pieces.SURFACES,
    fields=aqua_pieces.FIELDS,
)

ART: Mapping[str, GameArt] = MappingProxyType(
    {"city_of_marble": CITY, "capitol": CAPITOL, "aqua_romana": AQUA_ROMANA, "thurn_and_taxis": THURN_AND_TAXIS}
)
"""Game id -> its art."""


def art_of(board: Board) -> GameArt:
    """The art of a board's game; of a game that has none, plain forms."""
    return ART.get(board.game, CITY if board.lattice.places else PLAIN)
