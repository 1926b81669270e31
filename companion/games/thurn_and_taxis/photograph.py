"""Scoring Thurn and Taxis from a picture of its last board, and of the map with the roads to Rome."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.board.layout import Board
from companion.games.thurn_and_taxis.geometry import CARRIAGES, MAP, ROME
from companion.games.thurn_and_taxis.state import LAST_CARRIAGE, OFFICIALS, RANKS, TILE_VALUES, WITH_AUDIENCE
from companion.photographs.questions import Answer, Answers, EndBoard, PhotographScoring, Question, by_site
from companion.table import Table

_TILES = tuple(dict.fromkeys(f"{stack} {value}" for stack, values in TILE_VALUES.items() for value in values))
_HIGHEST = tuple(str(carriage) for carriage in (0, *range(3, LAST_CARRIAGE + 1)))
CARRIAGE = Question(
    "carriage", "Which carriage is each player's highest (0 for none)?", Answer.CHOICE, choices=_HIGHEST, usual=("0",)
)
TILES = Question("tiles", "Which bonus tiles does each player have?", Answer.CHOICES, choices=_TILES)
CHIPS = Question("chips", "How many victory point chips does each player have?", Answer.NUMBER)
OFFICES = Question(
    "offices", "How many office tiles of each official are still unreturned?", Answer.COUNTS, choices=OFFICIALS
)


def _questions(table: Table) -> tuple[Question, ...]:
    colours = tuple(player.colour for player in table.players)
    ending = Question("ending", "Who has the game-end tile?", Answer.CHOICE, each=False, choices=colours)
    with_offices = table.options["modules"][0] in ("offices", "both")
    return (CARRIAGE, TILES, ending, *((CHIPS, OFFICES) if with_offices else ()))


def _modules(board: Board, look: Mapping[str, str]) -> dict[str, Any]:
    """The Audience where its map was seen with something on it."""
    seen = MAP in board.beside and not look.keys().isdisjoint(board.beside[MAP].spots)
    return {"modules": ["audience"]} if seen else {}


def _sheets(table: Table) -> list[Board]:
    """The map with the roads to Rome only where the Audience is played."""
    played = table.options["modules"][0] in WITH_AUDIENCE
    return [sheet for sheet in table.board.sheets if played or sheet is not table.board.beside.get(MAP)]


def houses_seen(table: Table, look: Mapping[str, str]) -> dict[str, list[int]]:
    """City -> the seats with a house there; houses that nobody plays are left out."""
    houses: dict[str, list[int]] = {}
    for site, colour in by_site(look, "house").items():
        seat = table.seat_of(colour)
        if seat is not None:
            houses.setdefault(site.partition("/")[2], []).append(seat)
    return {city: sorted(set(seats)) for city, seats in houses.items()}


def _end_board(table: Table, look: Mapping[str, str], answers: Answers) -> EndBoard:
    player = {
        str(seat): {
            "carriage": int(answers["carriage"][seat] or 0),
            "tiles": answers["tiles"][seat],
            "hand": [],
            **({"chips": answers["chips"][seat], "offices": answers["offices"][seat]} if "chips" in answers else {}),
        }
        for seat in table.seats
    }
    entries: dict[str, Any] = {
        "stage": "over",
        "houses": houses_seen(table, look),
        "ending": table.seat_of(answers["ending"]) or 0,
        "player": player,
    }
    if table.options["modules"][0] in WITH_AUDIENCE:
        entries["audience"] = audience_seen(table, look)
    return EndBoard(entries)


def audience_seen(table: Table, look: Mapping[str, str]) -> dict[str, Any]:
    """Carriages that were not seen have arrived; which tiles came with them is no longer known, nor does it count."""
    places = {site.partition("/")[0]: site.partition("/")[2] for site in by_site(look, "carriage")}
    waiting: dict[str, list[int]] = {rank: [] for rank in RANKS}
    for site in by_site(look, "audience"):
        colour, _, rank = site.partition("/")
        seat = table.seat_of(colour)
        if seat is not None:
            waiting[rank].append(seat)
    return {
        "carriages": {carriage: places.get(carriage, ROME) for carriage in CARRIAGES},
        "rome": {rank: sorted(seats) for rank, seats in waiting.items()},
    }


PHOTOGRAPH_SCORING = PhotographScoring(
    _questions, _end_board, ("house", "audience", "carriage"), _modules, _sheets, telling=("house", "audience")
)
