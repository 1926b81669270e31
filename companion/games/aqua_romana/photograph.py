"""Scoring Aqua Romana from a picture of its last board."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.frozen import FrozenDict
from companion.games.aqua_romana.events import GameEnded
from companion.games.aqua_romana.field import HIGHEST_PODIUM, podium_places
from companion.games.aqua_romana.geometry import geometry
from companion.games.aqua_romana.state import CLOSED, OPEN, traced
from companion.photographs.questions import Answer, Answers, EndBoard, PhotographScoring, Question, by_site
from companion.table import Table


def _questions(table: Table) -> tuple[Question, ...]:
    colours = tuple(player.colour for player in table.players)
    return (Question("to_move", "Whose turn would it be?", Answer.CHOICE, each=False, choices=colours),)


def field_seen(table: Table, look: Mapping[str, str]) -> tuple[dict[str, Any], list[int]]:
    """The position entries that the board shows, and the seat of every aqueduct whose worker is still on the field."""
    board, tiles = geometry(table), by_site(look, "tile")
    workers, finishers = by_site(look, "worker"), by_site(look, "finisher")
    field = FrozenDict({**board.printed, **tiles})
    aqueducts, waiting = {}, []
    for seat, outlets in board.outlets.items():
        for outlet in outlets:
            end, _ = traced(board, field, outlet.gate)
            open_ = workers.get(end) == outlet.colour
            aqueducts[outlet.gate] = OPEN if open_ else CLOSED
            waiting += [seat] * open_
    podiums = {}
    for podium in range(1, HIGHEST_PODIUM + 1):
        there = [finishers[f"podium/{place}"] for place in podium_places(podium) if f"podium/{place}" in finishers]
        if there:
            podiums[str(podium)] = there
    entries = {
        "tiles": [f"{cell} {drawing}" for cell, drawing in tiles.items()],
        "builders": {space.removeprefix("path/"): kind for space, kind in by_site(look, "builder").items()},
        "aqueducts": aqueducts,
        "podiums": podiums,
    }
    return entries, waiting


def _end_board(table: Table, look: Mapping[str, str], answers: Answers) -> EndBoard:
    entries, waiting = field_seen(table, look)
    active = table.seat_of(answers["to_move"])
    entries["step"] = "build" if waiting else "over"
    entries["to_move"] = active if active in waiting else min(waiting, default=1)
    return EndBoard(entries, (GameEnded(),) if waiting else ())


PHOTOGRAPH_SCORING = PhotographScoring(
    _questions, _end_board, ("tile", "reservoir", "worker", "finisher"), telling=("finisher",)
)
