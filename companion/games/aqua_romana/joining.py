"""Joining a game of Aqua Romana at the beginning of a turn, or while builders are placed at the set-up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games.aqua_romana.drawings import KINDS
from companion.games.aqua_romana.photograph import field_seen
from companion.games.aqua_romana.state import BUILDERS, PLACED_AT_START
from companion.photographs.questions import Answer, Answers, MidGameJoining, Question, by_site, whose_turn
from companion.table import Table

_HELD = Question(
    "held", "Which builders of the reserve has each player still to place?", Answer.CHOICES, choices=BUILDERS
)


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    idle = Question(
        "idle", "How many turns in a row, up to now, were without a tile?", Answer.NUMBER, each=False,
        largest=len(table.players) - 1,
    )  # fmt: skip
    return whose_turn(table), idle, _HELD


def _lying(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    return field_seen(table, look)[0] | {"reserve": list(by_site(look, "reserve").values())}


def _loose(table: Table) -> tuple[dict[str, Any], ...]:
    counts: dict[str, Any] = {"stock": None, "podiums": {"0": None}}
    pending = dict.fromkeys(("unplaced", "step", "claims", "fountain", "laid", "held"))
    return counts, counts | pending


def _entries(table: Table, look: Mapping[str, str], answers: Answers) -> dict[str, Any]:
    entries = _lying(table, look)
    placed = [kind for kind in by_site(look, "builder").values() if kind in KINDS]
    if not entries["tiles"] and len(placed) < PLACED_AT_START * len(KINDS):
        entries["step"] = "setup"
    return entries | {
        "to_move": table.seat_of(answers["to_move"]),
        "held": {str(seat): builders for seat, builders in answers["held"].items()},
        "idle": answers["idle"],
    }


MID_GAME_JOINING = MidGameJoining(_questions, _entries, _lying, _loose)
