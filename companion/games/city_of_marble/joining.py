"""Joining a game of Rome: City of Marble at the beginning of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.errors import InvalidDocument
from companion.games.city_of_marble.geometry import COLOURS
from companion.games.city_of_marble.photograph import sites_seen
from companion.games.city_of_marble.state import BUILDINGS
from companion.photographs.questions import (
    SOURCE,
    Answer,
    Answers,
    MidGameJoining,
    Question,
    by_site,
    for_each_seat,
    whose_turn,
)
from companion.table import Table

_ONE_EACH = ", ".join(f"{colour} 1" for colour in COLOURS)
_QUESTIONS = (
    Question("atrium", "Which wards lie before each player?", Answer.COUNTS, choices=COLOURS, usual=(_ONE_EACH,)),
    Question("imperium", "How many Imperium tiles of each kind?", Answer.COUNTS, choices=BUILDINGS, largest=48),
    Question("coins", "How many coins does each player have?", Answer.NUMBER),
    Question("bridges", "How many bridge tiles does each player have?", Answer.NUMBER, largest=8),
)


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    last_round = Question(
        "final_turns", "If the last round has begun: how many turns are left, this one included? Else 0.",
        Answer.NUMBER, each=False, largest=len(table.players),
    )  # fmt: skip
    return (whose_turn(table), last_round, *_QUESTIONS)


def _lying(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    magistrates = {ward: _seat(table, colour, ward) for ward, colour in by_site(look, "magistrate").items()}
    envoys: dict[str, list[int]] = {}
    for site, count in by_site(look, "envoy").items():
        space, _, colour = site.partition(" ")
        envoys.setdefault(space, []).extend([_seat(table, colour, space)] * int(count))
    return {
        "wards": [
            f"{ward} {colour} {magistrates.get(ward, '')}".strip() for ward, colour in by_site(look, "ward").items()
        ],
        **sites_seen(table, look),
        "envoys": envoys,
    }


def _loose(table: Table) -> tuple[dict[str, Any], ...]:
    counts = {"stacks": None, **for_each_seat(table, "magistrates")}
    pending = dict.fromkeys(("laying", "starting", "closing", "sending", "watered", "collecting"))
    return counts, counts | pending


def _entries(table: Table, look: Mapping[str, str], answers: Answers) -> dict[str, Any]:
    asked = {name: answers[name] for name in ("imperium", "coins", "bridges")}
    _check_bridges(table, look, sum(asked["bridges"].values()))
    asked["atrium"] = {seat: dict.fromkeys(COLOURS, 0) | told for seat, told in answers["atrium"].items()}
    entries = {
        "to_move": table.seat_of(answers["to_move"]),
        **_lying(table, look),
        "player": {str(seat): {name: values[seat] for name, values in asked.items()} for seat in table.seats},
    }
    last = answers["final_turns"]
    return entries | ({"final_turns": last} if last else {})


def _check_bridges(table: Table, look: Mapping[str, str], held: int) -> None:
    there, lying = len(table.board.features["bridge"]), len(by_site(look, "bridge"))
    if held + lying > there:
        raise InvalidDocument(
            SOURCE, "bridges", f"there are {there}, but {lying} lie on the board and players hold {held}"
        )


def _seat(table: Table, colour: str, where: str) -> int:
    seat = table.seat_of(colour)
    if seat is None:
        raise InvalidDocument(SOURCE, f"magistrate {where}", f"is {colour}, which nobody plays")
    return seat


MID_GAME_JOINING = MidGameJoining(_questions, _entries, _lying, _loose)
