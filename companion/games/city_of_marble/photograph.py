"""Scoring Rome: City of Marble from a picture of its last board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board.layout import Board
from companion.errors import InvalidDocument
from companion.games.city_of_marble.geometry import AQUEDUCTS, COLOURS
from companion.games.city_of_marble.state import BUILDINGS, FOUNTAIN
from companion.photographs.questions import SOURCE, Answer, Answers, EndBoard, PhotographScoring, Question, by_site
from companion.table import Table

_QUESTIONS = (
    Question("coins", "How many coins does each player have?", Answer.NUMBER),
    Question("imperium", "How many Imperium tiles of each kind?", Answer.COUNTS, choices=BUILDINGS, largest=48),
    Question("bridges", "Which values stand on the player's bridge tiles?", Answer.NUMBERS, largest=4),
)


def _hills(board: Board, look: Mapping[str, str]) -> dict[str, Any]:
    """The hills that lie on the board; the default ones where none was seen."""
    lying = by_site(look, "hill")
    found = [name for name, site in board.features["hill"].items() if site in lying]
    return {"hills": found} if found else {}


def sites_seen(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    """The buildings with their owners, fountains and aqueducts that lie on a board.

    Raises InvalidDocument.
    """
    cubes, kinds = by_site(look, "cube"), by_site(look, "building")
    buildings = []
    for vertex, colour in cubes.items():
        if kinds.get(vertex, FOUNTAIN) == FOUNTAIN:
            where = "a fountain" if vertex in kinds else "no building"
            raise InvalidDocument(SOURCE, f"cube {vertex}", f"shows {colour}, but lies on {where}")
    for vertex, kind in kinds.items():
        seat = table.seat_of(cubes.get(vertex, ""))
        if kind != FOUNTAIN and seat is None:
            whose = f"the cube on it is {cubes[vertex]}, which nobody plays" if vertex in cubes else "no cube is on it"
            raise InvalidDocument(SOURCE, f"building {vertex}", f"is a {kind} of nobody: {whose}")
        if kind != FOUNTAIN:
            buildings.append(f"{vertex} {kind} {seat}")
    return {
        "buildings": buildings,
        "fountains": [vertex for vertex, kind in kinds.items() if kind == FOUNTAIN],
        "aqueducts": _aqueducts(table.board, by_site(look, "aqueduct")),
    }


def _end_board(table: Table, look: Mapping[str, str], answers: Answers) -> EndBoard:
    entries: dict[str, Any] = {
        "stage": "over",
        "wards": [f"{ward} {colour}" for ward, colour in by_site(look, "ward").items()],
        **sites_seen(table, look),
        "player": {
            str(seat): {
                "atrium": dict.fromkeys(COLOURS, 0),
                "coins": answers["coins"][seat],
                "imperium": answers["imperium"][seat],
                "bridges": len(answers["bridges"][seat]),
                "values": answers["bridges"][seat],
            }
            for seat in table.seats
        },
    }
    return EndBoard(entries)


def _aqueducts(board: Board, pieces: Mapping[str, str]) -> dict[str, list[str]]:
    """Aqueduct -> its edges from the source on.

    Raises InvalidDocument for a piece that no chain from the source reaches.
    """
    lines: dict[str, list[str]] = {}
    for colour in AQUEDUCTS:
        left = [edge for edge, label in pieces.items() if label == colour]
        end, line = board.features["source"][colour], list[str]()
        while left:
            following = [edge for edge in left if end in edge.split("-")]
            if not following:
                reason = f"is {colour}, but no {colour} pieces lead to it from the source {line[-1] if line else end}"
                raise InvalidDocument(SOURCE, f"aqueduct {left[0]}", reason)
            edge = following[0]
            left.remove(edge)
            line.append(edge)
            first, second = edge.split("-")
            end = second if end == first else first
        if line:
            lines[colour] = line
    return lines


PHOTOGRAPH_SCORING = PhotographScoring(
    lambda table: _QUESTIONS,
    _end_board,
    ("building", "cube", "aqueduct", "hill"),
    _hills,
    telling=("building", "cube"),
)
