"""Joining a game of Capitol: at the beginning of a turn, of an auction, or of a player's drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from companion.errors import InvalidDocument
from companion.games.capitol.cards import DEALT, DECKS
from companion.games.capitol.photograph import city_seen
from companion.games.capitol.state import (
    AUCTIONS_PER_ROUND,
    CARDS_DRAWN,
    CONSTRUCTION,
    DRAWING,
    FIRST_BUILDINGS,
    FOUNTAIN,
    IMPROVEMENT,
    ROUNDS,
    SHAPES,
    building_name,
    parts_of,
    prize_of,
)  # fmt: skip
from companion.photographs.questions import SOURCE, Answer, Answers, MidGameJoining, Question, for_each_seat, whose_turn
from companion.table import Table

TALLEST = 9
"""the greatest height of a player's building that an answer may name"""
_ROUND = Question(
    "round",
    "Which round is it?",
    Answer.CHOICE,
    each=False,
    choices=tuple(map(str, range(1, ROUNDS + 1))),
)
_PHASE = Question(
    "phase", "Which phase of the round?", Answer.CHOICE, each=False, choices=(CONSTRUCTION, IMPROVEMENT, DRAWING),
)  # fmt: skip
_AUCTION = Question(
    "auction", "Which auction, if it is the improvement?", Answer.CHOICE, each=False,
    choices=tuple(map(str, range(1, AUCTIONS_PER_ROUND + 1))),
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


_MOMENTS = (
    *((number, CONSTRUCTION, 1) for number in range(1, ROUNDS + 1)),
    *((ROUNDS, IMPROVEMENT, number) for number in range(2, AUCTIONS_PER_ROUND + 1)),
)
"""round, phase and auction"""


def _questions(table: Table, look: Mapping[str, str]) -> tuple[Question, ...]:
    colours = tuple(player.colour for player in table.players)
    city = city_seen(table, look)
    standing = Counter(line.partition(" ")[2] for line in city["buildings"])
    round_kept, triangular_kept = (tuple(_kept(standing, seat, shape) for seat in table.seats) for shape in SHAPES)
    first = Question("first", "Who began the round?", Answer.CHOICE, each=False, choices=colours, usual=colours[:1])
    passed = Question("passed", "Who has passed in this construction?", Answer.CHOICES, each=False, choices=colours)
    round_number, phase, auction = _usual_moment(city)
    return (
        replace(_ROUND, usual=(str(round_number),)), replace(_PHASE, usual=(phase,)), first, whose_turn(table), passed,
        replace(_AUCTION, usual=(str(auction),)), _POINTS, _HAND, _UNROOFED,
        replace(_ROUND_ROOFS, usual=round_kept), replace(_TRIANGULAR_ROOFS, usual=triangular_kept),
    )  # fmt: skip


def _kept(standing: Mapping[str, int], seat: int, shape: str) -> str:
    """The heights of a player's first buildings of a shape that are not on the board."""
    kept = [building for building in FIRST_BUILDINGS if not standing.get(f"{building} {seat}")]
    return " ".join(str(height) for height, each in map(parts_of, kept) if each == shape)


def _loose(table: Table) -> tuple[dict[str, Any], ...]:
    return ({"floors": None, **for_each_seat(table, "roofs")},)


def _entries(table: Table, look: Mapping[str, str], answers: Answers) -> dict[str, Any]:
    phase, city = answers["phase"], city_seen(table, look)
    _check_tiles(city, int(answers["round"]), phase, int(answers["auction"]))
    entries: dict[str, Any] = {
        "round": int(answers["round"]),
        "phase": phase,
        "first": table.seat_of(answers["first"]),
        **city,
        "player": {str(seat): _holding(answers, seat) for seat in table.seats},
    }
    if phase == IMPROVEMENT:
        return entries | {"auction": {"number": int(answers["auction"])}}
    entries["to_move"] = table.seat_of(answers["to_move"])
    if phase == CONSTRUCTION:
        return entries | {"passed": [table.seat_of(colour) for colour in answers["passed"]]}
    return entries | {"draws": CARDS_DRAWN}


def _won(round_number: int, phase: str, auction: int) -> Counter[str]:
    """The tiles that may have been won by then."""
    over = {CONSTRUCTION: 0, IMPROVEMENT: auction - 1, DRAWING: AUCTIONS_PER_ROUND}[phase]
    every = range(1, AUCTIONS_PER_ROUND + 1)
    earlier = [prize_of(number, each) for number in range(1, round_number) for each in every]
    return Counter([*earlier, *(prize_of(round_number, each) for each in every[:over])])


def _lying(city: Mapping[str, Any]) -> Counter[str]:
    kinds = [monument.rpartition(" ")[2] for monument in city["monuments"]]
    return Counter([*kinds, *(FOUNTAIN for _square in city["fountains"])])


def _usual_moment(city: Mapping[str, Any]) -> tuple[int, str, int]:
    """The earliest round, or auction of the last round, by which all tiles on the board can have been won."""
    lying = _lying(city)
    return next((moment for moment in _MOMENTS if lying <= _won(*moment)), _MOMENTS[0])


def _check_tiles(city: Mapping[str, Any], round_number: int, phase: str, auction: int) -> None:
    """Refuse more tiles on the board than can have been won by then."""
    lying, won = _lying(city), _won(round_number, phase, auction)
    for kind in lying - won:
        reason = f"is {round_number}: by then {won[kind]} {kind} tiles can be on the board, not {lying[kind]}"
        raise InvalidDocument(SOURCE, "round", reason)


def _holding(answers: Answers, seat: int) -> dict[str, Any]:
    roofed = [building_name(height, shape) for shape in SHAPES for height in answers[f"completed_{shape}"][seat]]
    return {
        "hand": [deck for deck, count in answers["hand"][seat].items() for _ in range(count)],
        "unroofed": answers["unroofed"][seat],
        "completed": roofed,
        "points": answers["points"][seat],
    }


MID_GAME_JOINING = MidGameJoining(_questions, _entries, city_seen, _loose)
