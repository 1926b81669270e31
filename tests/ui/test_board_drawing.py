"""Which part of a board's sheet the screen shows, as its game says, and what is refused in that."""

from __future__ import annotations

import pytest

from companion.errors import InvalidDocument
from companion.files.documents import parse_toml
from companion.registry import print_and_play_board
from companion.session.session import Session
from tests.every_game import EVERY_GAME
from tests.tables import table_of
from ui.drawing.board_drawing import BoardDrawing, parse_drawing
from ui.drawing.board_frame import shown_part
from ui.drawing.faces import Face, card_face
from ui.printed.edition import printed_cards


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


@pytest.mark.parametrize(
    ("game", "name", "face"),
    [
        ("capitol", "floor-3", Face("floor card", "3")),
        ("capitol", "white-8", Face("white permit", "8")),
        ("capitol", "roof", Face("roof card", "")),
        ("capitol", "pass", None),
        ("thurn_and_taxis", "Ulm", Face("city card", "Ulm")),
        ("city_of_marble", "2", None),
        ("a game that is not here", "Ulm", None),
    ],
)
def test_the_name_of_a_closed_piece_tells_the_card_on_which_it_is_seen(game: str, name: str, face: Face | None) -> None:
    assert card_face(game, name) == face


@pytest.mark.parametrize("game", ["capitol", "thurn_and_taxis"])
def test_every_card_that_can_be_held_or_played_has_a_printed_face(game: str) -> None:
    session = Session.create(None, table_of(game, 2))
    pieces = session.game.closed_pieces(session.state, 1)
    names = {name for piece in pieces for name in piece.may_be}
    names |= {action.card for action in session.legal_actions() if hasattr(action, "card")}
    cards = printed_cards(session.table.board)
    assert len(names) > 5
    assert {name for name in names if card_face(game, name) not in cards} == set()
