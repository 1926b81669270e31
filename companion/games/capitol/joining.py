"""Joining a game of Capitol: at the beginning of a turn, of an auction, or of a player's drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
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
_DEALT = ", ".join(f"{deck} {DEALT[deck]}" for deck in DECKS)


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    colours = tuple(player.colour for player in table.players)
    standing = Counter(line.partition(" ")[2] for line in city_seen(table, look)["buildings"])
    return (
        _of_table("round", "Which round is it?", tuple(map(str, range(1, ROUNDS + 1)))),
        _of_table("phase", "Which phase of the round?", (CONSTRUCTION, IMPROVEMENT, DRAWING)),
        _of_table("first", "Who began the round?", colours),
        whose_turn(table),
        Question("passed", "Who has passed in this construction?", Answer.CHOICES, each=False, choices=colours),
        _of_table("auction", "Which auction of the improvement?", tuple(map(str, range(1, AUCTIONS_PER_ROUND + 1)))),
        Question("points", "How many points does each player have?", Answer.NUMBER, largest=999),
        Question("hand", "How many cards of each back does each player hold?", Answer.COUNTS, choices=DECKS,
                 usual=(_DEALT,)),
        Question("unroofed", "How many floors have the buildings without a roof before each player?", Answer.NUMBERS,
                 largest=TALLEST),
        *(
            Question(f"completed_{shape}", f"How many floors have the {shape} roofed buildings before each player?",
                     Answer.NUMBERS, largest=TALLEST, usual=tuple(_kept(standing, seat, shape) for seat in table.seats))
            for shape in SHAPES
        ),
    )  # fmt: skip


def _of_table(name: str, sentence: str, choices: tuple[str, ...]) -> Question:
    return Question(name, sentence, Answer.CHOICE, each=False, choices=choices, usual=choices[:1])


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
