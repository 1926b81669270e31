"""Which part of a board's sheet the screen shows, as its game says, and what is refused in that."""

from __future__ import annotations

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import parse_toml
from companion.registry import print_and_play_board
from tests.every_game import EVERY_GAME
from ui.drawing.board_drawing import BoardDrawing, parse_drawing
from ui.drawing.board_frame import shown_part


def parsed(text: str) -> BoardDrawing:
    return parse_drawing(parse_toml(text, "drawing.toml"))


@pytest.mark.parametrize("game", EVERY_GAME)
def test_every_sheet_shows_all_its_spots_and_no_marker(game: str) -> None:
    for sheet in print_and_play_board(game).sheets:
        left, top, right, bottom = shown_part(sheet)
        outlines = (spot.outline for spot in sheet.spots.values())
        assert all(left <= x <= right and top <= y <= bottom for outline in outlines for x, y in outline)
        half = sheet.markers.side / 2
        for x, y in sheet.markers.centres.values():
            assert x + half <= left or x - half >= right or y + half <= top or y - half >= bottom


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "format"),
        ("format = 2", "format"),
        ("format = 1\npicture = 3", "picture"),
        ("format = 1", "shown"),
        ("format = 1\nshown = [1, 2, 3]", "left, top, right and bottom"),
        ("format = 1\nshown = [50, 2, 30, 40]", "left, top, right and bottom"),
        ("format = 1\nshown = ['a', 2, 30, 40]", "shown"),
    ],
)
def test_what_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        parsed(text)
