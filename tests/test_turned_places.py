"""Places of a group may lie turned, and what lies on them with them."""

from __future__ import annotations

import math

import pytest

from companion.board.layout import Board, face_turn, parse_board
from companion.errors import InvalidDocument
from companion.files.documents import DocumentTable
from ui.drawing.board_frame import site_outline


def board_with(place: object) -> Board:
    """A board of one place for wagons."""
    group = {"name": "route", "kind": "space", "shape": "rectangle", "size": [24, 10], "place": {"a": place}}
    piece = {
        "name": "wagon", "shape": "rectangle", "size": [22, 8], "height": 9, "labels": ["red"], "lies_on": "space",
    }  # fmt: skip
    document = {
        "format": 1, "id": "own/rails", "game": "own", "name": "Rails", "size": [200, 100], "group": [group],
        "piece": [piece],
    }  # fmt: skip
    return parse_board(DocumentTable(document, "rails.toml", ""))


def test_a_piece_lies_turned_as_its_place() -> None:
    level, turned = board_with([100, 50]), board_with([100, 50, 30])
    assert face_turn(level.spots["wagon route/a"], level.pieces["wagon"]) == 0
    assert face_turn(turned.spots["wagon route/a"], turned.pieces["wagon"]) == 30
    ends = [sum(x for x, _ in turned.spots["wagon route/a"].outline[k : k + 2]) / 2 for k in (1,)]
    assert ends == [pytest.approx(100 + 11 * math.cos(math.radians(30)))]
    assert board_with([100, 50, -90]).groups["route"].turns == {"a": 270}


def test_a_turned_place_is_drawn_turned() -> None:
    assert site_outline(board_with([100, 50, 90]), "route/a")[0] == (pytest.approx(105), pytest.approx(38))


@pytest.mark.parametrize(
    ("place", "reason"),
    [
        ([100, 50, 400], "has a third number that is no turn in degrees"),
        ([100, 50, True], "has a third number that is no turn in degrees"),
        ([100], "must be two numbers"),
        ([100, 50, 3, 4], "place.a"),
    ],
)
def test_a_turn_that_is_none_is_refused(place: list[object], reason: str) -> None:
    with pytest.raises(InvalidDocument, match=reason):
        board_with(place)
