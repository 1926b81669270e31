"""What the screen draws of a board beside its pieces: the games' own drawings, and what is refused in one."""

from __future__ import annotations

import math

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import parse_toml
from companion.registry import print_and_play_board
from tests.every_game import EVERY_GAME
from ui.drawing.board_drawing import BoardDrawing, drawing_of, parse_drawing
from ui.drawing.shapes import circle, contains, nearer_part
from ui.widgets.board_frame import shown_part


def parsed(text: str) -> BoardDrawing:
    return parse_drawing(parse_toml(text, "drawing.toml"))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_game_names_only_what_its_board_has(game: str) -> None:
    board = print_and_play_board(game)
    assert drawing_of(board).features <= set(board.features)


def test_all_of_a_kind_is_drawn() -> None:
    areas = drawing_of(print_and_play_board("capitol")).grounds
    assert len(areas) == 3
    map_ = print_and_play_board("thurn_and_taxis")
    assert set(drawing_of(map_).regions) == set(map_.features)
    assert drawing_of(print_and_play_board("aqua_romana")).channels == {"curve"}
    assert drawing_of(print_and_play_board("city_of_marble")).features == frozenset()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "format"),
        ("format = 2", "format"),
        ("format = 1\npicture = 3", "picture"),
        ("format = 1\n[ground]\nwhite = [1, 2]", "red, green and blue"),
        ("format = 1\n[ground]\nwhite = [1, 2, 256]", "from 0 to 255"),
        ("format = 1\n[region]\nBaden = 'violet'", "must be a list"),
        ("format = 1\n[mark.place]\noutlet = 'x'", "caption"),
        ("format = 1\n[mark.place]\ncaption = 'much too long'", "caption"),
        ("format = 1\nchannel = [3]", "must be text"),
    ],
)
def test_what_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        parsed(text)


def test_land_goes_to_the_nearer_place() -> None:
    board = print_and_play_board("thurn_and_taxis")
    places = list(board.groups["city"].places.values())
    left, top, right, bottom = shown_part(board)
    lands = {place: circle(place, 90.0, 24) for place in places}
    for place in places:
        for other in places:
            if other != place:
                lands[place] = nearer_part(lands[place], place, other)
    for x in range(int(left), int(right), 23):
        for y in range(int(top), int(bottom), 23):
            near = sorted(places, key=lambda place: math.dist(place, (x, y)))
            if 1.0 < math.dist(near[0], (x, y)) < 80.0 and math.dist(near[1], (x, y)) - math.dist(near[0], (x, y)) > 1:
                assert [place for place in places if lands[place] and contains(lands[place], (x, y))] == [near[0]]


def test_nothing_is_left_of_land_that_is_all_nearer_to_another_place() -> None:
    assert nearer_part(circle((0.0, 0.0), 1.0), (100.0, 0.0), (1.0, 0.0)) == ()
