"""The numbers of overlapping places: each in its place, all of them to be read."""

from __future__ import annotations

import math
from itertools import combinations

import pytest

from companion.registry import print_and_play_board
from ui.drawing.board_frame import site_outline
from ui.drawing.marks import DISC
from ui.drawing.shapes import contains
from ui.printed.numbers import number_centres
from ui.view_models.play_view import PlaceView

BOARD = print_and_play_board("city_of_marble")


@pytest.mark.parametrize("ghost", [6, 8, 12, 16])
@pytest.mark.parametrize("scale", [1.0, 1.3, 2.0])
def test_numbers_of_overlapping_places_stand_in_them_and_can_all_be_read(ghost: int, scale: float) -> None:
    middle = BOARD.spots["ward G7-G8"].centre
    wards = [spot for spot in BOARD.spots.values() if spot.piece == "ward"]
    near = sorted(wards, key=lambda spot: math.dist(spot.centre, middle))
    places = [PlaceView(number, site_outline(BOARD, spot.site)) for number, spot in enumerate(near[:5], 2)]
    radius = DISC / scale
    centres = number_centres(places, near[ghost].centre, radius)
    for place, centre in zip(places, centres, strict=True):
        assert contains(place.outline, centre)
    for one, other in combinations((*centres, near[ghost].centre), 2):
        assert math.dist(one, other) >= 2 * radius


def test_without_room_numbers_stand_as_far_apart_as_the_places_leave() -> None:
    square = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    centres = number_centres([PlaceView(number, square) for number in (1, 2, 3)], (0.0, 0.0), 50.0)
    assert len(set(centres)) == 3
