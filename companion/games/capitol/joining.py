"""Joining a game of Capitol: at the beginning of a turn, of an auction, or of a player's drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.end_reading import Answer, Answers, JoinReading, Question, whose_turn
from companion.games.capitol.cards import DEALT, DECKS
from companion.games.capitol.photograph import city_seen
from companion.games.capitol.state import (
    AUCTIONS_PER_ROUND,
    CARDS_DRAWN,
    CONSTRUCTION,
    DRAWING,
    FIRST_BUILDINGS,
    IMPROVEMENT,
    ROUNDS,
    SHAPES,
    building_name,
    parts_of,
)  # fmt: skip
from companion.table import Table

TALLEST = 9
"""of the buildings before a player that can be told"""
_ROUND = Question(
    "round",
    "Which round is it?",
    Answer.CHOICE,
    each=False,
    choices=tuple(map(str, range(1, ROUNDS + 1))),
    usual=("1",),
)
_PHASE = Question(
    "phase", "Which phase of the round?", Answer.CHOICE, each=False, choices=(CONSTRUCTION, IMPROVEMENT, DRAWING),
    usual=(CONSTRUCTION,),
)  # fmt: skip
_AUCTION = Question(
    "auction", "Which auction, if it is the improvement?", Answer.CHOICE, each=False,
    choices=tuple(map(str, range(1, AUCTIONS_PER_ROUND + 1))), usual=("1",),
)  # fmt: skip
_POINTS = Question("points", "How many points does each player have?", Answer.NUMBER, largest=999)
_HAND = Question(
    "hand", "How many cards of each back does each player hold?", Answer.COUNTS, choices=DECKS,
    usual=(", ".join(f"{deck} {DEALT[deck]}" for deck in DECKS),),
)  # fmt: skip
_UNROOFED = Question(
    "unroofed", "How many floors have the buildings without a roof before each player?", Answer.NUMBERS, largest=TALLEST
)
_ROUND_ROOFS = Question(
    "completed_round", "How many floors have the buildings with a round roof before each player?", Answer.NUMBERS,
    largest=TALLEST,
)  # fmt: skip
_TRIANGULAR_ROOFS = Question(
    "completed_triangular", "How many floors have the buildings with a triangular roof before each player?",
    Answer.NUMBERS, largest=TALLEST,
)  # fmt: skip


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    colours = tuple(player.colour for player in table.players)
    standing = Counter(line.partition(" ")[2] for line in city_seen(table, look)["buildings"])
    round_kept, triangular_kept = (tuple(_kept(standing, seat, shape) for seat in table.seats) for shape in SHAPES)
    first = Question("first", "Who began the round?", Answer.CHOICE, each=False, choices=colours, usual=colours[:1])
    passed = Question("passed", "Who has passed in this construction?", Answer.CHOICES, each=False, choices=colours)
    return (
        _ROUND, _PHASE, first, whose_turn(table), passed, _AUCTION, _POINTS, _HAND, _UNROOFED,
        replace(_ROUND_ROOFS, usual=round_kept), replace(_TRIANGULAR_ROOFS, usual=triangular_kept),
    )  # fmt: skip


def _kept(standing: Mapping[str, int], seat: int, shape: str) -> str:
    """The heights of a player's first buildings of a shape that do not stand on the board."""
    kept = [building for building in FIRST_BUILDINGS if not standing.get(f"{building} {seat}")]
    return " ".join(str(height) for height, each in map(parts_of, kept) if each == shape)


def _entries(table: Table, look: Mapping[str, str], answers: Answers) -> dict[str, Any]:
    phase = answers["phase"]
    entries: dict[str, Any] = {
        "round": int(answers["round"]),
        "phase": phase,
        "first": table.seat_of(answers["first"]),
        **city_seen(table, look),
        "player": {str(seat): _holding(answers, seat) for seat in table.seats},
    }
    if phase == IMPROVEMENT:
        return entries | {"auction": {"number": int(answers["auction"])}}
    entries["to_move"] = table.seat_of(answers["to_move"])
    if phase == CONSTRUCTION:
        return entries | {"passed": [table.seat_of(colour) for colour in answers["passed"]]}
    return entries | {"draws": CARDS_DRAWN}


def _holding(answers: Answers, seat: int) -> dict[str, Any]:
    roofed = [building_name(height, shape) for shape in SHAPES for height in answers[f"completed_{shape}"][seat]]
    return {
        "hand": [deck for deck, count in answers["hand"][seat].items() for _ in range(count)],
        "unroofed": answers["unroofed"][seat],
        "completed": roofed,
        "points": answers["points"][seat],
    }


JOIN_READING = JoinReading(_questions, _entries)
