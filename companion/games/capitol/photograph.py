"""Scoring Capitol from a picture of its last board: the last round is counted, earlier points are asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import InvalidDocument
from companion.games.capitol.appearance import PIECE_OF_SHAPE
from companion.games.capitol.events import ScoringBegan
from companion.games.capitol.likely_city import judged_city
from companion.games.capitol.state import DRAWING, ROUNDS
from companion.photographs.questions import SOURCE, Answer, Answers, EndBoard, PhotographScoring, Question, by_site
from companion.table import Table

_QUESTIONS = (
    Question("points", "How many points did each player have before the last scoring?", Answer.NUMBER, largest=999),
)


def city_seen(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    """The buildings with their owners, and the tiles, that lie on a board.

    Raises InvalidDocument.
    """
    roofs: dict[str, tuple[str, str]] = {}
    for shape, piece in PIECE_OF_SHAPE.items():
        for square, colour in by_site(look, piece).items():
            if square in roofs:
                raise InvalidDocument(SOURCE, f"{piece} {square}", "is a second roof on one building")
            roofs[square] = shape, colour
    buildings = []
    for square, height in by_site(look, "floor").items():
        shape, colour = roofs.pop(square, ("", ""))
        seat = table.seat_of(colour)
        if seat is None:
            whose = f"{colour} is nobody's colour" if colour else "it has no roof"
            raise InvalidDocument(SOURCE, f"floor {square}", f"is a building of nobody: {whose}")
        buildings.append(f"{square} {height}-{shape} {seat}")
    for square, (shape, _) in roofs.items():
        raise InvalidDocument(SOURCE, f"{PIECE_OF_SHAPE[shape]} {square}", "is a roof without floors under it")
    return {
        "buildings": buildings,
        "fountains": list(by_site(look, "fountain")),
        "monuments": [f"{square} {kind}" for square, kind in by_site(look, "monument").items()],
    }


def _end_board(table: Table, look: Mapping[str, str], answers: Answers) -> EndBoard:
    entries: dict[str, Any] = {
        "round": ROUNDS,
        "phase": DRAWING,
        **city_seen(table, look),
        "player": {
            str(seat): {"points": answers["points"][seat], "hand": [], "completed": [], "unroofed": []}
            for seat in table.seats
        },
    }
    return EndBoard(entries, (ScoringBegan(ROUNDS),))


PHOTOGRAPH_SCORING = PhotographScoring(
    lambda table: _QUESTIONS,
    _end_board,
    ("floor", *PIECE_OF_SHAPE.values(), "fountain", "monument"),
    judge=judged_city,
    telling=("floor", "gable", "fountain", "monument"),
)
