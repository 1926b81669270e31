"""Results: ranks of points, the points of a table for ranks, and what a finished game of a table says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from companion.event.entries import BY_TABLE, ResultKnown
from companion.wording.sentences import Sentence, sentence
from companion.wording.spelling import plain

WON = 12
"""table points of a winner: whole numbers for 2, 3 and 4 players also where ranks are shared"""
AVERAGE = WON // 2
"""what a table gives on average, and a bye"""


def ranks_of(points: Sequence[int]) -> tuple[int, ...]:
    """Ranks by points alone, shared where these are equal."""
    return tuple(1 + sum(other > mine for other in points) for mine in points)


def table_points(ranks: Sequence[int]) -> tuple[int, ...]:
    """12 for the first and 0 for the last, evenly between them; who shares ranks shares their table points."""
    others = len(ranks) - 1
    return tuple(
        WON * (2 * sum(other > rank for other in ranks) + ranks.count(rank) - 1) // (2 * others) for rank in ranks
    )


def result_of_game(
    score: Mapping[str, Any], names: Sequence[str], round_number: int, table: int, record: str
) -> ResultKnown | Sentence:
    """The result that a table's finished game gives for the players seated there, or why it gives none.

    `score` is a score document. Players are found by their names; by their seats where the game calls
    them by their colours, as it is published without names.
    """
    players = sorted(score["players"], key=lambda player: player["seat"])
    if score["ended_early"] or not score["final"]:
        return sentence("the game was not played to its end")
    if len(players) != len(names):
        return sentence("{played} played, but {seated} are seated there", played=len(players), seated=len(names))
    known = {plain(player["name"]): player for player in players}
    wanted = [plain(name) for name in names]
    if set(known) == set(wanted):
        players = [known[name] for name in wanted]
    elif any(player["name"] != player["colour"] for player in players):
        return sentence("other players are named in the game than are seated there")
    points = tuple(player["total"] for player in players)
    ranks = tuple(player["rank"] or len(players) for player in players)
    return ResultKnown(round_number, table, points, ranks_of([-rank for rank in ranks]), BY_TABLE, record)
