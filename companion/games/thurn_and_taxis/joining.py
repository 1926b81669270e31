"""Joining a game of Thurn and Taxis at the beginning of a turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.thurn_and_taxis.geometry import CARRIAGES, ROME
from companion.games.thurn_and_taxis.photograph import (
    CARRIAGE,
    CHIPS,
    OFFICES,
    TILES,
    audience_seen,
    houses_seen,
)  # fmt: skip
from companion.games.thurn_and_taxis.state import RANKS, UNSEEN, WITH_AUDIENCE
from companion.photographs.questions import Answer, Answers, MidGameJoining, Question, for_each_seat, whose_turn
from companion.table import Table

_HAND = Question("hand", "How many cards does each player hold?", Answer.NUMBER, largest=12)


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    cities = tuple(name.partition("/")[2] for name in _first_corner(table))
    colours = tuple(player.colour for player in table.players)
    questions = [
        whose_turn(table),
        Question("ending", "Who has the game-end tile, if it is taken?", Answer.CHOICE, each=False, choices=colours),
        Question("display", "Which cards lie in the display?", Answer.CHOICES, each=False, choices=cities),
        _HAND,
        Question("route", "Which cities are on each player's route, in its order?", Answer.CHOICES, choices=cities),
        CARRIAGE,
        TILES,
    ]
    modules = table.options["modules"][0]
    if modules in ("offices", "both"):
        questions += [CHIPS, OFFICES]
    if modules in WITH_AUDIENCE:
        questions += [
            Question(f"told_{name}", "Which tile did each player have on the carriage that arrived?", Answer.CHOICE,
                     choices=RANKS, about=name)
            for name in _arrived(table, look)
        ]  # fmt: skip
    return tuple(questions)


def _first_corner(table: Table) -> list[str]:
    """The house spots of the first player's colour, one a city."""
    first = f"house {table.players[0].colour}/"
    return [spot for spot in table.board.spots if spot.startswith(first)]


def _arrived(table: Table, look: Mapping[str, str]) -> list[str]:
    carriages = audience_seen(table, look)["carriages"]
    return [name for name in CARRIAGES if carriages[name] == ROME]


def _lying(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    with_audience = table.options["modules"][0] in WITH_AUDIENCE
    return {"houses": houses_seen(table, look)} | ({"audience": audience_seen(table, look)} if with_audience else {})


def _loose(table: Table) -> tuple[dict[str, Any], ...]:
    return (for_each_seat(table, "houses"),)


def _entries(table: Table, look: Mapping[str, str], answers: Answers) -> dict[str, Any]:
    player = {
        str(seat): {
            "hand": [UNSEEN] * answers["hand"][seat],
            "route": answers["route"][seat],
            "carriage": int(answers["carriage"][seat] or 0),
            "tiles": answers["tiles"][seat],
            **({"chips": answers["chips"][seat], "offices": answers["offices"][seat]} if "chips" in answers else {}),
        }
        for seat in table.seats
    }
    entries: dict[str, Any] = {
        "to_move": table.seat_of(answers["to_move"]),
        "ending": table.seat_of(answers["ending"]) or 0,
        "display": answers["display"],
        **_lying(table, look),
        "player": player,
    }
    if "audience" in entries:
        told = {name: [answers[f"told_{name}"][seat] for seat in table.seats] for name in _arrived(table, look)}
        entries["audience"] |= {"told": told}
    return entries


MID_GAME_JOINING = MidGameJoining(_questions, _entries, _lying, _loose)
