"""The result of a game as tables tell it by themselves, in the form that an event reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.publishing.table_state import TableState


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What became of a seat; `rank`: from 1, shared where everything ties, and 0 for who left or where nobody won."""

    seat: int
    name: str
    colour: str
    points: int
    rank: int


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game that has come to its end; `is_final` where that was by its rules, not by breaking off.

    `game_id` is the id of the record, `rules` the game that was played, `finished_at` by the hub's clock, in UTC.
    """

    table_id: str
    game_id: str
    rules: str
    is_final: bool
    seats: tuple[SeatResult, ...]
    finished_at: str = ""


def result_of(table_id: str, state: TableState, finished_at: str) -> GameResult:
    """The result that a table shows."""
    seats = tuple(SeatResult(each.seat, each.name, each.colour, each.points, each.rank) for each in state.players)
    return GameResult(table_id, state.game, state.rules, state.final, seats, finished_at)


def result_document(result: GameResult) -> dict[str, Any]:
    """A result as plain values (docs/formats/hub.md)."""
    seats = [
        {"seat": each.seat, "name": each.name, "colour": each.colour, "points": each.points, "rank": each.rank}
        for each in result.seats
    ]
    return {
        "table": result.table_id, "game": result.game_id, "rules": result.rules, "final": result.is_final,
        "seats": seats, "finished": result.finished_at,
    }  # fmt: skip


def read_result(document: Mapping[str, Any]) -> GameResult:
    """A result that this program wrote."""
    seats = tuple(
        SeatResult(each["seat"], each["name"], each["colour"], each["points"], each["rank"])
        for each in document["seats"]
    )
    return GameResult(
        document["table"], document["game"], document["rules"], document["final"], seats, document["finished"]
    )  # fmt: skip
