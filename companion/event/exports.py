"""An event for other programs: the standings as CSV, the whole event as JSON."""

from __future__ import annotations

import csv
import io
from fractions import Fraction
from typing import Any

from companion.event.event import ClubEvent
from companion.event.history import history_of
from companion.event.results import table_points
from companion.event.standings import Standing, standings
from companion.exports.score_exports import spreadsheet_cell

COLUMNS = ("rank", "number", "player", "table_points", "game_points", "opponents_points", "total", "games", "wins",
           "byes", "left")  # fmt: skip


def standings_csv(event: ClubEvent) -> str:
    """The standings as CSV: a row for each player, then a column of table points for each round."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow((*COLUMNS, *(f"round_{drawn.round}" for drawn in event.rounds)))
    for row in standings(event):
        fixed = (row.rank, row.player, row.name, row.table_points, decimal(row.game_points))
        counts = (
            decimal(row.opponents_points),
            row.total,
            row.games,
            row.wins,
            row.byes,
            "yes" if row.has_left else "",
        )
        rounds = ("" if points is None else points for points in row.by_round)
        writer.writerow(map(spreadsheet_cell, (*fixed, *counts, *rounds)))
    return stream.getvalue()


def decimal(value: Fraction) -> str:
    """A value with one decimal, rounded half to even."""
    return f"{float(round(value, 1)):.1f}"


def event_document(event: ClubEvent) -> dict[str, Any]:
    """The event as plain values: settings, players, rounds with results, standings."""
    settings = event.settings
    return {
        "id": event.id,
        "created": event.created,
        "name": settings.name,
        "game": settings.game,
        "rounds_planned": settings.rounds,
        "rounds_by_lot": settings.by_lot,
        "rounds": [_round(event, at) for at in range(len(event.rounds))],
        "standings": [_standing(row) for row in standings(event)],
    }


def _round(event: ClubEvent, at: int) -> dict[str, Any]:
    drawn = event.rounds[at]
    return {
        "round": drawn.round,
        "repeats": drawn.repeats,
        "repeats_at_least": drawn.at_least,
        "byes": list(event.names(drawn.byes)),
        "tables": [_table(event, drawn.round, number) for number in range(1, len(drawn.tables) + 1)],
    }


def _table(event: ClubEvent, round_number: int, number: int) -> dict[str, Any]:
    players = event.rounds[round_number - 1].tables[number - 1]
    result = event.results.get((round_number, number))
    rows = [
        {"seat": seat, "number": player, "player": event.players[player].name} for seat, player in enumerate(players, 1)
    ]
    if result:
        won = table_points(result.ranks)
        rows = [
            row | {"points": points, "rank": rank, "table_points": each}
            for row, points, rank, each in zip(rows, result.points, result.ranks, won, strict=True)
        ]
    return {
        "table": number,
        "identity": event.tables.get(number, ""),
        "players": rows,
        "source": result.source if result else "",
        "record": result.record if result else "",
    }


def _standing(row: Standing) -> dict[str, Any]:
    return {
        "rank": row.rank,
        "number": row.player,
        "player": row.name,
        "table_points": row.table_points,
        "game_points": float(round(row.game_points, 1)),
        "opponents_points": float(round(row.opponents_points, 1)),
        "total": row.total,
        "games": row.games,
        "wins": row.wins,
        "byes": row.byes,
        "by_round": list(row.by_round),
        "left": row.has_left,
    }


def starts_by_player(event: ClubEvent) -> dict[int, int]:
    """How often each player began."""
    seats = history_of(event.seats).seats
    return {player: seats.get(player, {}).get(1, 0) for player in event.players}
